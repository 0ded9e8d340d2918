//! The syntax of usernames. Every policy allows ASCII letters, digits and `_`; a policy may allow more, up to
//! [`Username`].

use super::fold::compose;
use super::identifier_type::IdentifierType;
use super::user::{MAX_IDENTIFIER_CHARS, is_mark};
use serde::Deserialize;
use unicode_security::{GeneralSecurityProfile, RestrictionLevel, RestrictionLevelDetection, skeleton};

/// The fewest digits of a phone number on a sign-in form.
const FEWEST_PHONE_DIGITS: usize = 5;

/// The widest username that a policy may allow, composed (NFC): a letter, a digit or `_`, then also `.` and `-`; at
/// most one `@`, with `+` before it; at most 128 characters. Letters beyond ASCII are those that Unicode recommends for
/// identifiers (UTS 39), of one script.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub struct Username(String);

impl TryFrom<String> for Username {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if is_possible(&text) {
            Ok(Self(compose(&text).into_owned()))
        } else {
            Err("expected a letter or _ and then letters, digits and _, or what usernamePolicy.allowedChars allows \
                 beside these; at most 128 characters")
        }
    }
}

impl From<Username> for String {
    fn from(username: Username) -> Self {
        username.0
    }
}

/// Whether a username has only ASCII letters, digits and `_`, and begins with no digit: `^[A-Za-z_]\w*$`.
#[must_use]
pub fn is_plain(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether some policy may allow this username.
#[must_use]
pub fn is_possible(name: &str) -> bool {
    let name = compose(name);
    let begins = name.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_' || is_foreign(first));
    if !begins || name.chars().count() > MAX_IDENTIFIER_CHARS {
        return false;
    }
    let (local, domain) = name.split_once('@').map_or((&*name, None), |(local, domain)| (local, Some(domain)));
    let is_taken = |letter: char| {
        letter.is_ascii_alphanumeric()
            || matches!(letter, '_' | '.' | '-')
            || is_foreign(letter)
            || is_foreign_mark(letter)
    };
    let is_local = local.chars().all(|letter| is_taken(letter) || domain.is_some() && letter == '+');
    is_local
        && domain.is_none_or(|domain| !domain.is_empty() && domain.chars().all(is_taken))
        && is_of_one_script(&name)
}

/// A letter beyond ASCII that Unicode recommends for identifiers: visible, in modern use, and with one spelling.
pub(crate) fn is_foreign(letter: char) -> bool {
    !letter.is_ascii() && letter.is_alphabetic() && !is_mark(letter) && letter.identifier_allowed()
}

/// A visible mark on such a letter.
pub(crate) fn is_foreign_mark(letter: char) -> bool {
    is_mark(letter) && letter.identifier_allowed()
}

/// Whether the letters are of one script, or of those that are written together, such as Latin and Han. A name of
/// another script that looks like ASCII throughout is refused.
fn is_of_one_script(name: &str) -> bool {
    if name.is_ascii() {
        return true;
    }
    let letters: String = name.chars().filter(|letter| !matches!(letter, '@' | '+')).collect();
    let is_latin = name.contains(|letter: char| letter.is_ascii_alphabetic());
    letters.as_str().check_restriction_level(RestrictionLevel::HighlyRestrictive)
        && (is_latin || !skeleton(name).all(|letter| letter.is_ascii()))
}

/// What a sign-in form takes a text for: an email address has an `@`, a phone number has only digits and what is
/// written between them.
#[must_use]
pub fn written_as(text: &str) -> IdentifierType {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let digits: String = digits.chars().filter(|letter| !" ()-./".contains(*letter)).collect();
    if text.contains('@') {
        IdentifierType::Email
    } else if digits.len() >= FEWEST_PHONE_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        IdentifierType::Phone
    } else {
        IdentifierType::Username
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_policy_allows_more() {
        for (name, is_fine) in [
            ("a", true),
            ("_x9", true),
            ("9a", true),
            ("jane.doe", true),
            ("jane-doe", true),
            ("jörg", true),
            ("jörg.doe-x_1", true),
            ("jo\u{308}rg", true),
            ("ЖЕНЯ", true),
            ("最上", true),
            ("최민수", true),
            ("नमस्ते", true),
            ("jane最上", true),
            ("jane@corp.example", true),
            ("jane+x@corp.example", true),
            ("jane@corp", true),
            ("", false),
            (".jane", false),
            ("-jane", false),
            ("@corp", false),
            ("jane@", false),
            ("a@b@c", false),
            ("jane+x", false),
            ("a b", false),
            ("o'neil", false),
            ("DOMAIN\\jane", false),
            ("<b>", false),
            ("a\"b", false),
            ("a\r\nb", false),
            ("a\0b", false),
            ("a/b", false),
            ("a:b", false),
            // Invisible characters, compatibility forms, marks alone, and other digits.
            ("ja\u{200b}ne", false),
            ("ja\u{200d}ne", false),
            ("ja\u{202e}ne", false),
            ("ja\u{ad}ne", false),
            ("ja\u{34f}ne", false),
            ("ja\u{fe0f}ne", false),
            ("ja\u{3164}ne", false),
            ("ｊａｎｅ", false),
            ("ﬁn", false),
            ("\u{308}jane", false),
            ("jane\u{662}", false),
            // Latin with Cyrillic or Greek; Cyrillic that looks like "oca".
            ("j\u{430}ne", false),
            ("jαne", false),
            ("оса", false),
        ] {
            assert_eq!(is_possible(name), is_fine, "{name:?}");
        }
        assert!(is_possible(&"é".repeat(MAX_IDENTIFIER_CHARS)));
        assert!(!is_possible(&"é".repeat(MAX_IDENTIFIER_CHARS + 1)));
        assert_eq!(Username::try_from("jo\u{308}rg".to_owned()).map(String::from), Ok("jörg".to_owned()));
    }

    #[test]
    fn what_is_entered_says_what_it_is() {
        for (entered, kind) in [
            ("casey", IdentifierType::Username),
            ("casey@example.com", IdentifierType::Email),
            ("+44 20 7946 0958", IdentifierType::Phone),
            ("(020) 7946-0958", IdentifierType::Phone),
            ("4711-0815", IdentifierType::Phone),
            ("1234", IdentifierType::Username),
            ("4711jane", IdentifierType::Username),
            ("c3po_4711", IdentifierType::Username),
        ] {
            assert_eq!(written_as(entered), kind, "{entered}");
        }
    }
}
