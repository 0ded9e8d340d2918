//! Changes of documents by PATCH: a change affects what it names and nothing else, also within an object of settings. As
//! in a JSON Merge Patch (RFC 7396), null takes a member away; lists, and objects whose members are the caller's own data
//! (`customData`, headers), are one value, and are replaced as a whole.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::mem;

/// A body whose nested objects are changed member by member.
#[derive(Debug)]
pub struct Merged {
    /// The body's schema in the OpenAPI description.
    pub body: &'static str,
    /// Paths of these objects; an object within one follows it.
    pub objects: &'static [&'static str],
    /// Paths of members that null does not take away, although reading the object does not demand them.
    pub required: &'static [&'static str],
}

/// A body that is read once its nested objects are completed.
pub trait Patch: DeserializeOwned {
    /// Which they are.
    const MERGED: &'static Merged;
}

/// Of an application.
pub const APPLICATION: Merged = Merged {
    body: "UpdateApplication",
    objects: &["oidcClientMetadata", "oidcClientMetadata.jwks", "customClientMetadata"],
    required: &["oidcClientMetadata.redirectUris", "oidcClientMetadata.postLogoutRedirectUris"],
};

/// Of how pages look for an application.
pub const APPLICATION_LOOK: Merged =
    Merged { body: "PutApplicationSignInExperience", objects: &["color", "branding"], required: &[] };

/// Of an organization.
pub const ORGANIZATION: Merged = Merged { body: "UpdateOrganization", objects: &["color", "branding"], required: &[] };

/// Of a hook.
pub const HOOK: Merged = Merged { body: "UpdateHook", objects: &["config"], required: &[] };

/// Of a plugin.
pub const PLUGIN: Merged = Merged { body: "UpdatePlugin", objects: &["limits"], required: &[] };

/// Of a connector.
pub const CONNECTOR: Merged = Merged { body: "UpdateConnector", objects: &["metadata"], required: &[] };

/// Of an enterprise connector.
pub const SSO_CONNECTOR: Merged = Merged { body: "UpdateSsoConnector", objects: &["branding"], required: &[] };

/// Of the settings of people's own accounts.
pub const ACCOUNT_CENTER: Merged = Merged { body: "AccountCenterChange", objects: &["fields"], required: &[] };

/// Of the settings of sign-in.
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

/// All of them.
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
    /// Whether a member of a body is completed before it is read. What is no object is not: its reader refuses it.
    #[must_use]
    pub fn completes(&self, name: &str, value: &Value) -> bool {
        value.is_object() && self.objects.contains(&name)
    }

    /// A body whose objects have what they do not name from `before`.
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
            // Lists, data of the caller's own and what is not listed are replaced.
            (
                json!({ "a": { "list": [2], "free": { "v": 1 } }, "z": { "w": 2 } }),
                json!({ "a": { "b": { "c": 1, "d": 2 }, "free": { "v": 1 }, "list": [2], "e": 3 }, "z": { "w": 2 } }),
            ),
            // What null does not take away, and what is no object, is the reader's to refuse.
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
