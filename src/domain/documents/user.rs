//! Formats of user data beside the username: email address, phone number, picture, and imported password hashes.

use super::fold;
use super::uri_rule::UriRule;
use crate::spelling::spelled;
use serde::{Deserialize, Serialize};
use unicode_normalization::char::is_combining_mark;

/// Maximum characters of a username, an email address or a phone number.
pub(crate) const MAX_IDENTIFIER_CHARS: usize = 128;
/// The error for an invalid email address.
const NO_EMAIL: &str = "expected an email address of at most 128 characters";
/// Maximum bytes of a phone number as users write it.
const MAX_PHONE_BYTES: usize = 32;

/// An email address: one `@` after at least one character, then a domain with a dot, without invisible characters and
/// characters that could end a header; at most 128 characters. The only parser of addresses that are written anywhere.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub struct Email(String);

/// An email address that may already be stored and used to sign in, including those that earlier versions accepted and
/// [`Email`] refuses.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub struct StoredEmail(String);

/// A phone number as users write it: digits, some of them in parentheses, with spaces, hyphens and an optional leading
/// `+`.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub struct Phone(String);

/// An http or https URL, or the empty text.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub struct AvatarUrl(String);

spelled! {
/// How an imported password digest was made. A digest that begins with the prefix of its format is read by it, whatever
/// is said here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum PasswordAlgorithm {
    /// PHC text.
    Argon2i = "Argon2i",
    /// PHC text; what the server itself makes.
    Argon2id = "Argon2id",
    /// PHC text.
    Argon2d = "Argon2d",
    /// Hexadecimal or base64.
    Sha1 = "SHA1",
    /// Hexadecimal or base64.
    Sha256 = "SHA256",
    /// Hexadecimal or base64.
    Sha512 = "SHA512",
    /// Hexadecimal or base64.
    Md5 = "MD5",
    /// Modular crypt text.
    Bcrypt = "Bcrypt",
    /// JSON of Keycloak, text of ASP.NET Core Identity, Django or passlib.
    Pbkdf2 = "PBKDF2",
    /// PHC text, or text of Django.
    Scrypt = "Scrypt",
    /// JSON with the key of the project.
    FirebaseScrypt = "FirebaseScrypt",
    /// Text that begins with `$P$` or `$H$`.
    Phpass = "Phpass",
    /// Text that begins with `{SSHA}` or another scheme of LDAP.
    Ssha = "SSHA",
    /// Text that begins with `$5$` or `$6$`.
    Crypt = "Crypt",
    /// JSON that names algorithm, arguments and digest, or any other format.
    Legacy = "Legacy",
}
}

impl TryFrom<String> for Email {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let StoredEmail(text) = StoredEmail::try_from(text)?;
        let (name, domain) = text.split_once('@').ok_or(NO_EMAIL)?;
        let is_dotted = |part: &str| !part.starts_with('.') && !part.ends_with('.') && !part.contains("..");
        let is_label =
            |label: &str| !label.starts_with('-') && !label.ends_with('-') && label.chars().all(is_of_domain);
        let is_domain = is_dotted(domain) && domain.split('.').all(is_label);
        let is_name = is_dotted(name) && name.chars().all(is_of_name);
        if is_name && is_domain { Ok(Self(text)) } else { Err(NO_EMAIL) }
    }
}

impl TryFrom<String> for StoredEmail {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        // At least one character before the first @, and after it a dot with characters on both sides.
        let shaped = text.char_indices().find(|(index, letter)| *index > 0 && *letter == '@').is_some_and(|(at, _)| {
            text[at + 1..].char_indices().any(|(dot, letter)| letter == '.' && dot > 0 && at + dot + 2 < text.len())
        });
        if shaped && !text.contains(char::is_whitespace) && text.chars().count() <= MAX_IDENTIFIER_CHARS {
            Ok(Self(fold::compose(&text).into_owned()))
        } else {
            Err(NO_EMAIL)
        }
    }
}

/// Letters, digits and marks of any language, and what RFC 5322 calls `atext`.
fn is_of_name(letter: char) -> bool {
    let is_of_atext = letter.is_ascii_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(letter);
    if letter.is_ascii() { is_of_atext } else { is_seen(letter) }
}

/// Letters, digits and marks of any language, hyphens, and the underscore of some old names.
fn is_of_domain(letter: char) -> bool {
    if letter.is_ascii() { letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_') } else { is_seen(letter) }
}

/// Whether a non-ASCII character is visible: a letter, a digit, or a mark on one.
fn is_seen(letter: char) -> bool {
    letter.is_alphanumeric() && !is_blank(letter) || is_mark(letter)
}

/// A visible mark on a letter.
pub(crate) fn is_mark(letter: char) -> bool {
    is_combining_mark(letter) && !is_selector(letter)
}

/// Letters without a glyph (Hangul fillers), and characters like the combining grapheme joiner.
fn is_blank(letter: char) -> bool {
    matches!(letter, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}')
}

/// Marks without a glyph.
fn is_selector(letter: char) -> bool {
    matches!(letter, '\u{34f}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0100}'..='\u{e01ef}')
}

impl TryFrom<String> for Phone {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let number = text.strip_prefix('+').unwrap_or(&text);
        let is_written = |byte: u8| byte.is_ascii_digit() || matches!(byte, b' ' | b'-' | b'(' | b')');
        if !number.is_empty() && text.len() <= MAX_PHONE_BYTES && number.bytes().all(is_written) {
            Ok(Self(text))
        } else {
            Err("expected the digits of a phone number, at most 32 characters")
        }
    }
}

impl TryFrom<String> for AvatarUrl {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.is_empty() || UriRule::Page.fault(&text).is_none() {
            Ok(Self(text))
        } else {
            Err("expected an http or https URL of at most 2048 characters, or an empty text")
        }
    }
}

/// A value, or the empty string, which removes it.
#[derive(Deserialize)]
#[serde(try_from = "String", bound(deserialize = "T: TryFrom<String>, T::Error: std::fmt::Display"))]
pub struct OrEmpty<T>(Option<T>);

impl<T: TryFrom<String>> TryFrom<String> for OrEmpty<T> {
    type Error = T::Error;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.is_empty() { Ok(Self(None)) } else { T::try_from(text).map(|value| Self(Some(value))) }
    }
}

impl<T: Into<String>> OrEmpty<T> {
    /// The value as a string.
    #[must_use]
    pub fn into_text(self) -> Option<String> {
        self.0.map(Into::into)
    }
}

impl<T> OrEmpty<T> {
    /// The value.
    #[must_use]
    pub fn into_value(self) -> Option<T> {
        self.0
    }
}

macro_rules! into_text {
    ($($name:ident),*) => {$(
        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.0
            }
        }
    )*};
}
into_text!(Email, StoredEmail, Phone, AvatarUrl);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_well_formed_addresses_alone() {
        for (text, fits) in [
            ("a@b.c", true),
            ("a@b@c.d", false),
            ("ä@ö.ü", true),
            ("@a@b.c", false),
            ("o'brien+tag@mail.example.co.uk", true),
            ("!#$%&'*+/=?^_`{|}~-@b.c", true),
            ("用户@例え.テスト", true),
            ("नमस्ते@उदाहरण.भारत", true),
            ("a\u{308}@b.c", true),
            ("cust\u{200b}omer@b.c", false),
            ("customer@b\u{200d}.c", false),
            ("a\u{ad}@b.c", false),
            ("a\u{202e}b@b.c", false),
            ("a\u{2060}@b.c", false),
            ("a\u{feff}@b.c", false),
            ("a\u{34f}@b.c", false),
            ("a\u{fe0f}@b.c", false),
            ("a\u{3164}@b.c", false),
            ("a\u{e0041}@b.c", false),
            ("a\u{0}@b.c", false),
            ("a\u{7f}@b.c", false),
            ("a\r\nBcc:x@b.c", false),
            ("<a@b.c>", false),
            ("a,b@c.d", false),
            ("\"a\"@b.c", false),
            ("a;b@c.d", false),
            ("a@b.c;d@e.f", false),
            (".a@b.c", false),
            ("a..b@c.d", false),
            ("a@b..c", false),
            ("a@-b.c", false),
            ("a@b.c-", false),
            ("a@b.c.", false),
            ("a@[127.0.0.1]", false),
            ("a@b", false),
            ("@b.c", false),
            ("a@.c", false),
            ("a@b.", false),
            ("a b@c.d", false),
            ("", false),
        ] {
            assert_eq!(Email::try_from(text.to_owned()).is_ok(), fits, "{text:?}");
        }
    }

    #[test]
    fn what_an_earlier_version_took_is_still_known() {
        for text in ["a@b.c", "a@b@c.d", "@a@b.c", "cust\u{200b}omer@b.c", "<a@b.c>"] {
            assert!(StoredEmail::try_from(text.to_owned()).is_ok(), "{text:?}");
        }
        for text in ["a@b", "a b@c.d", ""] {
            assert!(StoredEmail::try_from(text.to_owned()).is_err(), "{text:?}");
        }
    }

    #[test]
    fn takes_digits_and_urls_alone() {
        for (text, fits) in [
            ("1", true),
            ("491701234567", true),
            ("+49 (0)170-1234567", true),
            ("+", false),
            ("", false),
            ("1+2", false),
            ("49a", false),
            ("\u{662}", false),
            ("123456789012345678901234567890123", false),
        ] {
            assert_eq!(Phone::try_from(text.to_owned()).is_ok(), fits, "{text:?}");
        }
        for (text, fits) in
            [("", true), ("https://a/b.png", true), ("https://", false), ("ftp://a", false), ("javascript:1", false)]
        {
            assert_eq!(AvatarUrl::try_from(text.to_owned()).is_ok(), fits, "{text:?}");
        }
    }
}
