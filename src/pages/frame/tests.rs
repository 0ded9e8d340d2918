//! Directions of languages, what is said of the terms, and paths below a path.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use claimsmith_runtime::json::{self, STORED};

#[test]
fn a_language_says_its_direction() {
    let mut frame = Frame::plain("en").unwrap();
    for (tag, direction) in
        [("en", "ltr"), ("ar-EG", "rtl"), ("he", "rtl"), ("az-Arab", "rtl"), ("ur-Latn-PK", "ltr"), ("ckb", "rtl")]
    {
        frame.language = LanguageTag::try_from(tag.to_owned()).unwrap();
        assert_eq!(frame.direction(), direction, "{tag}");
    }
}

#[test]
fn the_terms_are_named_as_there_are_any() {
    let mut frame = Frame::plain("en").unwrap();
    for (settings, asks, count) in [
        ("{}", [false, false], 0),
        (r#"{"termsOfUseUrl": "https://a.test", "agreeToTermsPolicy": "Automatic"}"#, [false, false], 3),
        (r#"{"privacyPolicyUrl": "https://a.test", "agreeToTermsPolicy": "ManualRegistrationOnly"}"#, [true, false], 3),
        (
            r#"{"termsOfUseUrl": "https://a.test", "privacyPolicyUrl": "https://a.test", "agreeToTermsPolicy": "Manual"}"#,
            [true, true],
            5,
        ),
        (r#"{"termsOfUseUrl": "", "agreeToTermsPolicy": "Manual"}"#, [false, false], 0),
    ] {
        frame.settings = json::read(settings.as_bytes(), STORED).unwrap();
        assert_eq!([true, false].map(|is_new| frame.asks_to_agree(is_new)), asks, "{settings}");
        assert_eq!(frame.agreement(asks[0]).len(), count, "{settings}");
    }
}

#[test]
fn a_server_may_be_below_a_path() {
    for (url, path) in [("https://a.test", ""), ("https://a.test/id", "/id"), ("http://localhost:3001", "")] {
        assert_eq!(path_of(url), path);
    }
}
