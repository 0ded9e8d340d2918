//! Substring search without regard to case: texts are folded when they are written, and the search term when it is
//! searched, since neither database folds every alphabet.

use crate::domain::fold::fold;

/// What is looked at, of the texts that a row is to be found by.
pub(in crate::storage) fn key(texts: &[&str]) -> String {
    fold(&texts.join(" "))
}

/// The `LIKE … ESCAPE '\'` pattern of a folded text that contains `part`; of every text, when nothing is looked for.
pub(in crate::storage) fn pattern(part: Option<&str>) -> String {
    let part = fold(part.unwrap_or_default());
    format!("%{}%", part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_folded_and_its_wildcards_are_letters() {
        for (part, expected) in [
            (None, "%%"),
            (Some("ACME"), "%acme%"),
            (Some("50%_a\\b"), "%50\\%\\_a\\\\b%"),
            (Some("A\u{308}RZTE"), "%\u{e4}rzte%"),
        ] {
            assert_eq!(pattern(part), expected);
        }
        assert_eq!(key(&["ab", "Ärzte"]), "ab ärzte");
    }
}
