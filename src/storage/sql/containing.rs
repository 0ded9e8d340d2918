//! Case-insensitive substring search: texts are case-folded when written, and search terms when searched, since neither
//! database folds every alphabet.

use claimsmith_domain::documents::fold::fold;

/// The search key of a row, from the texts that it is found by.
pub(crate) fn key(texts: &[&str]) -> String {
    fold(&texts.join(" "))
}

/// The `LIKE … ESCAPE '\'` pattern of a folded text that contains `part`.
pub(crate) fn pattern(part: &str) -> String {
    let part = fold(part);
    format!("%{}%", part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_folded_and_its_wildcards_are_letters() {
        for (part, expected) in [("ACME", "%acme%"), ("50%_a\\b", "%50\\%\\_a\\\\b%"), ("A\u{308}RZTE", "%\u{e4}rzte%")]
        {
            assert_eq!(pattern(part), expected);
        }
        assert_eq!(key(&["ab", "Ärzte"]), "ab ärzte");
    }
}
