//! Searches for a part of a text, whatever its case: the text is folded when it is written, the part when it is
//! looked for. Neither database folds every alphabet by itself.

use unicode_normalization::UnicodeNormalization;

/// What a search looks at, of the texts that it is to find a row by.
pub(super) fn key(texts: &[&str]) -> String {
    fold(&texts.join(" "))
}

/// The `LIKE … ESCAPE '\'` pattern of a folded text that contains `part`; of every text, when nothing is looked for.
pub(super) fn containing(part: Option<&str>) -> String {
    format!("%{}%", escaped(&fold(part.unwrap_or_default())))
}

/// The same of a text as it was written.
pub(super) fn containing_as_written(part: Option<&str>) -> String {
    format!("%{}%", escaped(part.unwrap_or_default()))
}

fn fold(text: &str) -> String {
    text.to_lowercase().nfc().collect()
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_folded_and_its_wildcards_are_letters() {
        for (part, pattern) in [
            (None, "%%"),
            (Some("ACME"), "%acme%"),
            (Some("50%_a\\b"), "%50\\%\\_a\\\\b%"),
            (Some("A\u{308}RZTE"), "%\u{e4}rzte%"),
        ] {
            assert_eq!(containing(part), pattern);
        }
        assert_eq!(key(&["ab", "Ärzte"]), "ab ärzte");
    }
}
