//! Settings that exist for clients of other systems and have no effect here. The default and the stored value are
//! accepted, so that a client can write back what it read; other values are refused with 422.

use serde_json::Value;

/// An unsupported setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsupportedSetting {
    /// The operation that sets it.
    pub operation: &'static str,
    /// The dotted path of the field.
    pub field: &'static str,
    /// The reason, and the alternative.
    pub reason: &'static str,
}

const SIGN_IN: &str = "PATCH /api/sign-in-exp";

/// All unsupported settings.
pub const UNSUPPORTED: &[UnsupportedSetting] = &[
    UnsupportedSetting {
        operation: SIGN_IN,
        field: "usernamePolicy.caseSensitive",
        reason: "Usernames are unique regardless of case.",
    },
    UnsupportedSetting {
        operation: SIGN_IN,
        field: "socialSignIn.automaticAccountLinking",
        reason: "A social account is linked only after the user has proved the existing account.",
    },
    UnsupportedSetting {
        operation: SIGN_IN,
        field: "passwordExpiration.enabledAt",
        reason: "The server sets it when passwords begin to expire.",
    },
];

/// The unsupported setting that a change turns on, if any. `default` is the initial document.
#[must_use]
pub fn turned_on(before: &Value, after: &Value, default: &Value) -> Option<&'static UnsupportedSetting> {
    UNSUPPORTED.iter().find(|setting| {
        let pointer = format!("/{}", setting.field.replace('.', "/"));
        let [before, after, default] = [before, after, default].map(|document| document.pointer(&pointer));
        let is_off = matches!(after, None | Some(Value::Null | Value::Bool(false)));
        !is_off && after != before && after != default
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_stored_and_the_default_may_be_written_back() {
        let on = json!({ "usernamePolicy": { "caseSensitive": true }, "passwordExpiration": { "enabledAt": 30 } });
        let off = json!({ "usernamePolicy": { "caseSensitive": false }, "passwordExpiration": {} });
        let named = |before: &Value, after: &Value| {
            turned_on(before, after, &json!({ "usernamePolicy": {} })).map(|setting| setting.field)
        };
        assert_eq!(named(&off, &on), Some("usernamePolicy.caseSensitive"));
        assert_eq!((named(&on, &on), named(&on, &off), named(&off, &off)), (None, None, None));
        let other = json!({ "usernamePolicy": { "caseSensitive": true }, "passwordExpiration": { "enabledAt": 31 } });
        assert_eq!(named(&on, &other), Some("passwordExpiration.enabledAt"));
        assert_eq!(named(&off, &json!({ "usernamePolicy": { "caseSensitive": null } })), None);
    }
}
