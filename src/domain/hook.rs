//! Validation of hooks: URLs and custom headers.

use super::event::EventType;
use super::event_pattern::EventPattern;
use super::header::is_of_connection;
use crate::documents::hook::HookConfig;
use std::collections::BTreeSet;

/// Maximum number of headers of a hook.
const MAX_HEADERS: usize = 50;
/// Maximum bytes of a header's value.
const MAX_HEADER_VALUE_BYTES: usize = 4096;
/// A header that deliveries set themselves, in addition to those that begin with `webhook-`.
const SIGNATURE: &str = "logto-signature-sha-256";

impl HookConfig {
    /// The error, if any, with the key path.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        if self.retries.is_some_and(|retries| retries > 3) {
            return Some("Error in key path \"config.retries\": expected 0 to 3".to_owned());
        }
        let headers = self.headers.as_ref()?;
        if headers.len() > MAX_HEADERS {
            return Some(format!("Error in key path \"config.headers\": expected at most {MAX_HEADERS} headers"));
        }
        headers.iter().find_map(|(name, value)| {
            let problem = header_fault(name, value)?;
            Some(format!("Error in key path \"config.headers.{}\": {problem}", name.escape_debug()))
        })
    }
}

fn header_fault(name: &str, value: &str) -> Option<&'static str> {
    // RFC 9110 sections 5.1 and 5.5.
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let is_text = |byte: u8| byte == b'\t' || (b' '..=b'~').contains(&byte);
    let lower = name.to_ascii_lowercase();
    if name.is_empty() || name.len() > 128 || !name.bytes().all(is_token) {
        Some("this is not a valid header name")
    } else if is_of_connection(&lower) || lower == SIGNATURE || lower.starts_with("webhook-") {
        Some("deliveries set this header themselves")
    } else if value.len() > MAX_HEADER_VALUE_BYTES || !value.bytes().all(is_text) {
        Some("expected at most 4096 characters of printable ASCII")
    } else {
        None
    }
}

/// The events of a hook without duplicates; `None` if there are none. `event` is the older form with one event.
#[must_use]
pub fn events(list: Option<Vec<EventPattern>>, single: Option<EventType>) -> Option<Vec<EventPattern>> {
    let single = || single.map(|event| vec![EventPattern::One(event)]);
    let events: BTreeSet<EventPattern> = list.or_else(single)?.into_iter().collect();
    (!events.is_empty()).then(|| events.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_one_that_can_be_sent_and_is_not_the_deliveries_own() {
        let table = [
            ("authorization", "Bearer x", true),
            ("x-empty", "", true),
            ("Content-Type", "application/json", true),
            ("Host", "evil.test", false),
            ("TE", "trailers", false),
            ("Webhook-Signature", "v1,x", false),
            ("logto-signature-SHA-256", "x", false),
            ("", "x", false),
            ("a b", "x", false),
            ("x", "a\r\nhost: evil.test", false),
            ("x", "ü", false),
        ];
        for (name, value, fits) in table {
            assert_eq!(header_fault(name, value).is_none(), fits, "{name}: {value}");
        }
    }

    #[test]
    fn events_are_named_once_and_at_least_one() {
        use EventType::{UserCreated, UserDeleted};
        let (created, deleted) = (EventPattern::One(UserCreated), EventPattern::One(UserDeleted));
        let family = EventPattern::Family("Role");
        assert_eq!(events(Some(vec![family, deleted, created, deleted]), None), Some(vec![created, deleted, family]));
        assert_eq!(events(None, Some(UserCreated)), Some(vec![created]));
        assert_eq!(events(Some(vec![]), Some(UserCreated)), None);
        assert_eq!(events(None, None), None);
    }
}
