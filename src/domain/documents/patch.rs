//! Changes of documents by PATCH: a change affects only the members that it names, also within nested settings. As in a
//! JSON Merge Patch (RFC 7396), null removes a member; lists, and objects with the caller's own data (`customData`,
//! headers), are replaced as a whole.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::mem;

/// A body whose nested objects are changed member by member.
#[derive(Debug)]
pub struct Merged {
    /// The body's schema in the OpenAPI description.
    pub body: &'static str,
    /// Paths of these objects; a nested object follows its parent.
    pub objects: &'static [&'static str],
    /// Paths of members that null does not remove, although the object is valid without them.
    pub required: &'static [&'static str],
}

/// A body that is deserialized after its nested objects are completed.
pub trait Patch: DeserializeOwned {
    /// The nested objects.
    const MERGED: &'static Merged;
}

/// Changes of an application.
pub const APPLICATION: Merged = Merged {
    body: "UpdateApplication",
    objects: &["oidcClientMetadata", "oidcClientMetadata.jwks", "customClientMetadata"],
    required: &["oidcClientMetadata.redirectUris", "oidcClientMetadata.postLogoutRedirectUris"],
};

/// Changes of the sign-in page settings of an application.
pub const APPLICATION_LOOK: Merged =
    Merged { body: "PutApplicationSignInExperience", objects: &["color", "branding"], required: &[] };

/// Changes of an organization.
pub const ORGANIZATION: Merged = Merged { body: "UpdateOrganization", objects: &["color", "branding"], required: &[] };

/// Changes of a hook.
pub const HOOK: Merged = Merged { body: "UpdateHook", objects: &["config"], required: &[] };

/// Changes of a plugin.
pub const PLUGIN: Merged = Merged { body: "UpdatePlugin", objects: &["breaker", "limits"], required: &[] };

/// Changes of a connector.
pub const CONNECTOR: Merged = Merged { body: "UpdateConnector", objects: &["metadata"], required: &[] };

/// Changes of an enterprise connector.
pub const SSO_CONNECTOR: Merged = Merged { body: "UpdateSsoConnector", objects: &["branding"], required: &[] };

/// Changes of the account center settings.
pub const ACCOUNT_CENTER: Merged = Merged { body: "AccountCenterChange", objects: &["fields"], required: &[] };

/// Changes of the sign-in settings.
pub const SIGN_IN_EXPERIENCE: Merged = Merged {
    body: "SignInExperienceChange",
    objects: &[
        "color",
        "branding",
        "languageInfo",
        "signUp",
        "signIn",
        "socialSignIn",
        "mfa",
        "adaptiveMfa",
        "trustedDevice",
        "passkeySignIn",
        "passwordPolicy",
        "passwordPolicy.length",
        "passwordPolicy.characterTypes",
        "passwordPolicy.rejects",
        "passwordExpiration",
        "usernamePolicy",
        "usernamePolicy.allowedChars",
        "verificationCodePolicy",
        "sentinelPolicy",
        "captchaPolicy",
        "emailBlocklistPolicy",
    ],
    required: &[],
};

/// All bodies.
pub const ALL: &[&Merged] = &[
    &APPLICATION,
    &APPLICATION_LOOK,
    &ORGANIZATION,
    &HOOK,
    &PLUGIN,
    &CONNECTOR,
    &SSO_CONNECTOR,
    &ACCOUNT_CENTER,
    &SIGN_IN_EXPERIENCE,
];

impl Merged {
    /// Whether a member of a body is completed before it is deserialized. Non-objects are not: deserializing refuses
    /// them.
    #[must_use]
    pub fn completes(&self, name: &str, value: &Value) -> bool {
        value.is_object() && self.objects.contains(&name)
    }

    /// Completes the nested objects of a body with the missing members from `before`.
    #[must_use]
    pub fn completed(&self, mut members: Map<String, Value>, before: &Value) -> Map<String, Value> {
        for (name, value) in &mut members {
            self.complete(name, value, before.get(name));
        }
        members
    }

    fn complete(&self, path: &str, value: &mut Value, before: Option<&Value>) {
        let Value::Object(named) = value else { return };
        if !self.objects.contains(&path) {
            return;
        }
        let mut whole = before.and_then(Value::as_object).cloned().unwrap_or_default();
        for (name, mut value) in mem::take(named) {
            let path = format!("{path}.{name}");
            if value.is_null() && !self.required.contains(&path.as_str()) {
                whole.shift_remove(&name);
                continue;
            }
            self.complete(&path, &mut value, whole.get(&name));
            whole.insert(name, value);
        }
        *named = whole;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const TRIED: Merged = Merged { body: "Tried", objects: &["a", "a.b"], required: &["a.list"] };

    #[test]
    fn a_change_affects_what_it_names() {
        let before =
            json!({ "a": { "b": { "c": 1, "d": 2 }, "free": { "x": 1 }, "list": [1], "e": 3 }, "z": { "y": 1 } });
        for (change, after) in [
            (json!({}), json!({})),
            (json!({ "a": {} }), json!({ "a": before["a"] })),
            (
                json!({ "a": { "b": { "c": 9 }, "e": null, "new": null } }),
                json!({ "a": { "b": { "c": 9, "d": 2 }, "free": { "x": 1 }, "list": [1] } }),
            ),
            // Lists, the caller's own data and unlisted objects are replaced.
            (
                json!({ "a": { "list": [2], "free": { "v": 1 } }, "z": { "w": 2 } }),
                json!({ "a": { "b": { "c": 1, "d": 2 }, "free": { "v": 1 }, "list": [2], "e": 3 }, "z": { "w": 2 } }),
            ),
            // Deserializing refuses null for required members, and non-objects.
            (
                json!({ "a": { "list": null, "b": [1] } }),
                json!({ "a": { "b": [1], "free": { "x": 1 }, "list": null, "e": 3 } }),
            ),
            (json!({ "a": null }), json!({ "a": null })),
        ] {
            let Value::Object(members) = change.clone() else { continue };
            assert_eq!(Value::Object(TRIED.completed(members, &before)), after, "{change}");
        }
        let Value::Object(first) = json!({ "a": { "b": { "c": 1 } } }) else { return };
        assert_eq!(TRIED.completed(first.clone(), &json!({})), first, "nothing was there before");
    }
}
