//! Identifiers that users enter: usernames, email addresses, phone numbers.

pub use crate::documents::identifier_type::IdentifierType;

use super::phone::international;
use crate::documents::fold::fold;
use crate::documents::user::{Email, StoredEmail};
use serde::{Deserialize, Serialize};

/// An identifier as entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identifier {
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: IdentifierType,
    /// The value as entered.
    pub value: String,
}

impl Identifier {
    /// A normalized key, equal for all spellings of the same identifier.
    #[must_use]
    pub fn key(&self) -> String {
        match self.kind {
            IdentifierType::Phone => international(&self.value).unwrap_or_else(|| self.value.clone()),
            IdentifierType::Username | IdentifierType::Email => fold(&self.value),
        }
    }

    /// Whether both are the same email address, phone number or username.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.kind == other.kind && self.key() == other.key()
    }

    /// The form in which it is stored: phone numbers in international digits. `None` if it is not valid for its kind.
    #[must_use]
    pub fn stored(self) -> Option<Self> {
        let value = match self.kind {
            IdentifierType::Username => self.value,
            IdentifierType::Email => mailbox(self.value)?,
            IdentifierType::Phone => international(&self.value)?,
        };
        Some(Self { value, ..self })
    }

    /// Whether it may be assigned to a user. Earlier versions accepted more email addresses; users who have one are
    /// still found by it, and get messages.
    #[must_use]
    pub fn may_be_given(&self) -> bool {
        self.kind != IdentifierType::Email || Email::try_from(self.value.clone()).is_ok()
    }

    /// Masked for display, so that only its owner recognizes it.
    #[must_use]
    pub fn masked(&self) -> String {
        let dots = |count: usize| "*".repeat(count.clamp(3, 8));
        match self.kind {
            IdentifierType::Phone => {
                let tail: String = self.value.chars().rev().take(4).collect::<Vec<_>>().into_iter().rev().collect();
                format!("{}{tail}", dots(self.value.chars().count().saturating_sub(4)))
            }
            IdentifierType::Username | IdentifierType::Email => {
                let (name, domain) = self.value.split_once('@').unwrap_or((&self.value, ""));
                let first: String = name.chars().take(1).collect();
                let at = if domain.is_empty() { "" } else { "@" };
                format!("{first}{}{at}{domain}", dots(name.chars().count().saturating_sub(1)))
            }
        }
    }
}

/// An email address that every mail program reads as a single mailbox: without characters that separate addresses.
fn mailbox(text: String) -> Option<String> {
    let parts = |letter: char| matches!(letter, ',' | ';' | ':' | '<' | '>' | '(' | ')' | '[' | ']' | '"' | '\\');
    let is_one = text.matches('@').count() == 1 && !text.contains(|letter: char| parts(letter) || letter.is_control());
    StoredEmail::try_from(text).ok().filter(|_| is_one).map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identifier(kind: IdentifierType, value: &str) -> Identifier {
        Identifier { kind, value: value.to_owned() }
    }

    #[test]
    fn spelling_does_not_matter() {
        use IdentifierType::{Email, Phone, Username};
        for (kind, one, other, is_same) in [
            (Email, "Ada@Example.com", "ada@example.com", true),
            (Email, "ada@example.com", "ada@example.org", false),
            (Phone, "+49 (0)151 12345678", "4915112345678", true),
            (Phone, "4915112345678", "4915112345679", false),
            (Username, "ADA", "ada", true),
        ] {
            assert_eq!(identifier(kind, one).is_same(&identifier(kind, other)), is_same, "{one} {other}");
        }
        assert!(!identifier(Email, "4915112345678").is_same(&identifier(Phone, "4915112345678")));
        let stored = |kind, value| identifier(kind, value).stored().map(|identifier| identifier.value);
        assert_eq!(stored(Phone, "+49 (0)151 12345678").as_deref(), Some("4915112345678"));
        assert_eq!(stored(Email, "Ada@Example.com").as_deref(), Some("Ada@Example.com"));
        assert_eq!((stored(Phone, "0"), stored(Email, "ada"), stored(Email, "")), (None, None, None));
        for parted in ["a@b.c,d@e.f", "a@b@c.d", "<a@b.c>", "a@b.c\u{7f}", "\"a\"@b.c"] {
            assert_eq!(stored(Email, parted), None, "{parted}");
        }
    }

    #[test]
    fn an_address_that_nobody_is_given_is_still_found() {
        use IdentifierType::{Email, Phone};
        for (kind, value, given) in [
            (Email, "ada@example.com", true),
            (Email, "cust\u{200b}omer@example.com", false),
            (Phone, "4915112345678", true),
        ] {
            let stored = identifier(kind, value).stored();
            assert_eq!(stored.map(|stored| stored.may_be_given()), Some(given), "{value:?}");
        }
    }

    #[test]
    fn who_knows_it_recognizes_it() {
        use IdentifierType::{Email, Phone};
        for (kind, value, masked) in [
            (Email, "ada@example.com", "a***@example.com"),
            (Email, "a@example.com", "a***@example.com"),
            (Email, "adalovelace.of.london@example.com", "a********@example.com"),
            (Phone, "4915112345678", "********5678"),
            (Phone, "123", "***123"),
        ] {
            assert_eq!(identifier(kind, value).masked(), masked);
        }
    }
}
