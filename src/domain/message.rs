//! Messages to users: their recipients and contents.

use super::phone::international;
use crate::documents::fold::fold;
use crate::documents::language::LanguageTag;
use crate::documents::message::{MessageChannel, TemplateType};
use crate::documents::user::StoredEmail;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::net::IpAddr;

/// The recipient of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipient {
    channel: MessageChannel,
    address: String,
}

impl Recipient {
    /// An email recipient. `None` if the address is not valid in a message header.
    #[must_use]
    pub fn email(text: &str) -> Option<Self> {
        let is_special = |letter: char| letter.is_control() || "<>()[],;:\\\"".contains(letter);
        if text.contains(is_special) || text.matches('@').count() != 1 {
            return None;
        }
        let address = StoredEmail::try_from(text.to_owned()).ok()?;
        Some(Self { channel: MessageChannel::Email, address: address.into() })
    }

    /// An SMS recipient, from a number in international form. `None` if it is not a valid number.
    #[must_use]
    pub fn phone(text: &str) -> Option<Self> {
        Some(Self { channel: MessageChannel::Sms, address: international(text)? })
    }

    /// The channel.
    #[must_use]
    pub fn channel(&self) -> MessageChannel {
        self.channel
    }

    /// The email address as given, or the digits of the phone number (E.164 without `+`).
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// A normalized key, equal for all spellings of the same recipient.
    #[must_use]
    pub fn folded(&self) -> String {
        fold(&self.address)
    }
}

/// The contents of a message: the code or the link, and values for its template, such as `{{code}}` and
/// `{{application.name}}`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    /// The code to type in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The link to open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// The application that the user signs in to: id, name and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<Value>,
    /// The organization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<Value>,
    /// The user, in the format of webhooks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<Value>,
    /// The inviting user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inviter: Option<Value>,
    /// The IP address of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip: Option<IpAddr>,
}

impl fmt::Debug for Contents {
    /// Shows no contents: the code or the link is a credential.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Contents").finish_non_exhaustive()
    }
}

impl Contents {
    /// A code to type in.
    #[must_use]
    pub fn code(code: impl Into<String>) -> Self {
        Self { code: Some(code.into()), ..Self::default() }
    }

    /// A link to open.
    #[must_use]
    pub fn link(link: impl Into<String>) -> Self {
        Self { link: Some(link.into()), ..Self::default() }
    }
}

/// A message to be sent.
#[derive(Clone, Debug)]
pub struct Message {
    /// The type of message.
    pub template: TemplateType,
    /// The language of the recipient.
    pub language: LanguageTag,
    /// The contents.
    pub contents: Contents,
    /// When its code or link expires, Unix milliseconds: it is not sent afterwards.
    pub expires_at: i64,
    /// Identifies the code or link, for example by its id, so that unsent messages can be withdrawn.
    pub about: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipient_cannot_change_the_headers_of_a_message() {
        for text in [
            "ada@example.com\r\nBcc: eve@example.com",
            "ada@example.com\nBcc:eve@example.com",
            "ada@example.com,eve@example.com",
            "Ada<ada@example.com>",
            "ada@example.com;eve@example.com",
            "\"ada\"@example.com",
            "ada@eve@example.com",
            "ada@example.com\0",
            "ada@exam\u{85}ple.com",
            "ada @example.com",
            "ada@example",
            "@example.com",
            "",
        ] {
            assert_eq!(Recipient::email(text), None, "{text:?}");
        }
        assert!(Recipient::email(&format!("{}@example.com", "a".repeat(200))).is_none());
    }

    #[test]
    fn one_recipient_has_one_name() {
        let (one, other) = (Recipient::email("Ada@Example.com"), Recipient::email("ada@example.COM"));
        assert_eq!(one.as_ref().map(Recipient::folded), other.as_ref().map(Recipient::folded));
        assert_eq!(one.as_ref().map(Recipient::address), Some("Ada@Example.com"));
        assert_eq!(Recipient::phone("+1 (650) 253-0000"), Recipient::phone("16502530000"));
        assert_eq!(Recipient::phone("1"), None);
    }

    #[test]
    fn what_is_in_a_message_is_not_shown() {
        let shown = format!("{:?} {:?}", Contents::code("123456"), Contents::link("https://id.example.com/l?t=abc"));
        assert!(!shown.contains("123456") && !shown.contains("abc"), "{shown}");
    }
}
