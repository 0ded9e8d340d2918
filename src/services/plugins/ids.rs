//! The ids of objects of the context, such as the user.

use claimsmith_runtime::json::{self, STORED};
use serde::Deserialize;
use std::borrow::Cow;

#[derive(Deserialize)]
struct Identified<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
}

/// The id of an object.
pub(super) fn id_in(object: &str) -> Option<Cow<'_, str>> {
    json::read::<Identified<'_>>(object, STORED).ok().map(|object| object.id).filter(|id| is_id(id))
}

/// Whether a text can be an id. An event may come from a plugin, and PostgreSQL keeps no NUL: what is written together with
/// such an id could never be written.
pub(super) fn is_id(text: &str) -> bool {
    !text.contains('\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_from_the_context() {
        assert_eq!(id_in(r#"{"name":"Ada","id":"u1","customData":{"id":"other"}}"#).as_deref(), Some("u1"));
        assert_eq!(id_in(r#"{"id":"u\u0031","roles":[{"id":"r1"}]}"#).as_deref(), Some("u1"));
        for none in ["", "{}", "[]", r#"{"id":1}"#, r#"{"id":"\u0000"}"#] {
            assert_eq!(id_in(none), None, "{none}");
        }
    }
}
