//! Unicode normalization of names: NFC, and lower case for comparisons without regard to case.

use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The composed form (NFC).
#[must_use]
pub fn compose(text: &str) -> Cow<'_, str> {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfc().collect()),
    }
}

/// The same result for texts that differ only in case or composition.
#[must_use]
pub fn fold(text: &str) -> String {
    // Lowercasing may decompose a letter, such as İ, so compose again.
    compose(&compose(text).to_lowercase()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_the_same_is_the_same() {
        assert_eq!(compose("Cafe\u{301}"), "Caf\u{e9}");
        assert_eq!(compose("Ω"), "Ω");
        for (one, other) in [("Ada@Example.COM", "ada@example.com"), ("ÄRGER", "a\u{308}rger"), ("Ы", "ы")] {
            assert_eq!(fold(one), fold(other), "{one} {other}");
        }
        assert_ne!(fold("straße"), fold("strase"));
    }
}
