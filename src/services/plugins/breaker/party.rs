//! What is called, and on whose behalf. Users are counted by hashes of their ids.

use crate::plugins::ids::id_in;
use claimsmith_runtime::{BreakerSettings, Kind};
use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};
use std::sync::Arc;

/// Bytes of a hash of a user: collisions only count two as one.
const HASH_BYTES: usize = 8;
/// The same of a recipient: so few that many addresses and numbers have each, and none can be found by trying them.
const RECIPIENT_HASH_BYTES: usize = 2;

/// The version that is called, and the settings of its breaker.
#[derive(Clone, Copy)]
pub(crate) struct Callee<'c> {
    /// The plugin.
    pub(crate) plugin: &'c Arc<str>,
    /// `sha256:…` of the version.
    pub(crate) digest: &'c Arc<str>,
    /// What it is for.
    pub(crate) kind: Kind,
    /// Of its breaker.
    pub(crate) settings: BreakerSettings,
    /// How many applications or hooks its settings name; `None` for all.
    pub(crate) callers: Option<usize>,
}

/// On whose behalf it is called.
#[derive(Clone, Copy)]
pub(crate) struct Party<'p> {
    /// The application, or of a delivery the hook; empty if there is none.
    pub(crate) caller: &'p str,
    subject: Subject<'p>,
}

#[derive(Clone, Copy)]
enum Subject<'p> {
    None,
    /// An id.
    Id(&'p str),
    /// An email address or a phone number.
    Recipient(&'p str),
    /// A JSON object with the member `id`.
    Document(&'p str),
}

impl<'p> Party<'p> {
    /// Of a token: the application, and the user as a JSON object, if it is about one.
    pub(crate) fn of_token(application: &'p str, user: Option<&'p str>) -> Self {
        Self { caller: application, subject: user.map_or(Subject::None, Subject::Document) }
    }

    /// Of a webhook delivery: its retries are about the same.
    pub(crate) fn of_delivery(hook: &'p str, delivery: &'p str) -> Self {
        Self { caller: hook, subject: Subject::Id(delivery) }
    }

    /// Of a message to this recipient.
    pub(crate) fn of_message(recipient: &'p str) -> Self {
        Self { caller: "", subject: Subject::Recipient(recipient) }
    }

    /// A hash of whom the call is about, which is another for each plugin; empty if it is about nobody.
    pub(super) fn subject(&self, plugin: &str) -> String {
        match self.subject {
            Subject::None => String::new(),
            Subject::Id(id) => hash(plugin, id, HASH_BYTES),
            Subject::Recipient(address) => hash(plugin, address, RECIPIENT_HASH_BYTES),
            Subject::Document(text) => id_in(text).map_or_else(String::new, |id| hash(plugin, &id, HASH_BYTES)),
        }
    }
}

fn hash(plugin: &str, id: &str, bytes: usize) -> String {
    let digest = Sha256::new().chain_update(plugin).chain_update([0_u8]).chain_update(id).finalize();
    HEXLOWER.encode(&digest[..bytes])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_known_by_a_hash_of_the_id() {
        let of = |plugin: &str, user: Option<&str>| Party::of_token("app", user).subject(plugin);
        let ada = of("roles", Some(r#"{"name":"Ada","id":"ada","customData":{"id":"x"}}"#));
        assert_eq!(ada, of("roles", Some(r#"{"id":"ada"}"#)));
        assert_eq!(ada.len(), 2 * HASH_BYTES);
        assert!(ada != of("roles", Some(r#"{"id":"bob"}"#)) && ada != of("other", Some(r#"{"id":"ada"}"#)));
        for nobody in [None, Some("{}"), Some("no JSON")] {
            assert_eq!(of("roles", nobody), "");
        }
        let told = Party::of_message("ada").subject("roles");
        assert_eq!((told.len(), ada.starts_with(&told)), (2 * RECIPIENT_HASH_BYTES, true), "it finds nobody");
    }
}
