//! A queued message, decrypted to be sent.

use crate::encryption::{Cipher, Purpose};
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::message::Contents;
use claimsmith_runtime::json::{self, STORED};
use serde_json::{Value, json};

/// A message on its way. Without `Debug`: it has a code or a link.
pub(crate) struct Outgoing {
    /// Its id.
    pub(crate) id: String,
    /// An email address, or the digits of a phone number.
    pub(crate) recipient: String,
    /// Its purpose.
    pub(crate) template: TemplateType,
    /// The recipient's language.
    pub(crate) language: LanguageTag,
    /// Its content.
    pub(crate) contents: Contents,
    /// The time of the attempt, Unix milliseconds.
    pub(crate) at: i64,
    /// How long its code or link is valid, in milliseconds.
    pub(crate) valid_ms: i64,
}

impl Outgoing {
    /// The content of a message as it was written. `None` if it is no longer readable.
    pub(super) fn decrypt(cipher: &Cipher, id: &str, sealed: &str) -> Option<Contents> {
        let text = cipher.decrypt(Purpose::Message, id, sealed).ok()?;
        json::read(text.as_slice(), STORED).ok()
    }

    /// The values of templates.
    pub(super) fn values(&self) -> Value {
        let mut values = serde_json::to_value(&self.contents).unwrap_or_default();
        if let Some(members) = values.as_object_mut() {
            members.insert("locale".to_owned(), json!(self.language.as_str()));
        }
        values
    }
}
