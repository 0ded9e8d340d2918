//! Maps the members of an OAuth 2 server's profile, which have different names at each server.

use super::account::{ExternalAccount, UpstreamProfile};
use serde::Deserialize;
use serde_json::Value;

/// Dotted paths into a profile.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ProfileMap {
    /// The id of the account.
    pub id: String,
    /// An email address.
    pub email: String,
    /// Whether the address is verified; without a path, none is.
    pub email_verified: Option<String>,
    /// A phone number.
    pub phone: String,
    /// A name.
    pub name: String,
    /// A picture.
    pub avatar: String,
}

impl Default for ProfileMap {
    fn default() -> Self {
        Self {
            id: "id".to_owned(),
            email: "email".to_owned(),
            email_verified: None,
            phone: "phone".to_owned(),
            name: "name".to_owned(),
            avatar: "avatar".to_owned(),
        }
    }
}

impl ProfileMap {
    /// Reads a profile. `None` without an id.
    #[must_use]
    pub fn read(&self, profile: Value) -> Option<ExternalAccount> {
        let text = |path: &str| match at(&profile, path) {
            Some(Value::String(text)) => Some(text.clone()),
            // Some servers use numeric ids. Fractions and too large numbers would lose digits, and two users could get
            // the same id.
            Some(Value::Number(number)) if number.is_u64() || number.is_i64() => Some(number.to_string()),
            _ => None,
        };
        let is_true = |path: &String| match at(&profile, path) {
            Some(Value::Bool(value)) => *value,
            Some(Value::String(text)) => text == "true",
            _ => false,
        };
        let found = UpstreamProfile {
            id: text(&self.id)?,
            email: text(&self.email),
            email_verified: self.email_verified.as_ref().is_some_and(is_true),
            phone: text(&self.phone),
            name: text(&self.name),
            avatar: text(&self.avatar),
            raw_data: Value::Null,
        };
        ExternalAccount::of(UpstreamProfile { raw_data: profile, ..found })
    }
}

fn at<'p>(profile: &'p Value, path: &str) -> Option<&'p Value> {
    path.split('.').try_fold(profile, |value, name| value.get(name))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    #[test]
    fn a_profile_is_read_by_its_paths() {
        let map: ProfileMap = serde_json::from_value(json!({
            "id": "user.id", "emailVerified": "user.verified", "email": "user.email", "avatar": "picture.data.url",
        }))
        .unwrap();
        let profile = json!({
            "user": { "id": 4711, "email": "ada@example.com", "verified": true }, "name": "Ada",
            "picture": { "data": { "url": "https://a.test/ada.png" } },
        });
        let account = map.read(profile.clone()).unwrap();
        assert_eq!((account.id.as_str(), account.name.as_deref()), ("4711", Some("Ada")));
        assert_eq!(account.verified_email(), Some("ada@example.com"));
        assert_eq!(account.avatar.as_deref(), Some("https://a.test/ada.png"));
        assert_eq!(account.raw_data, profile);
        assert!(map.read(json!({ "id": 1 })).is_none());
        let plain = ProfileMap::default().read(json!({ "id": "1", "email": "ada@example.com", "verified": true }));
        assert_eq!(plain.unwrap().verified_email(), None, "nothing says so");
    }

    #[test]
    fn a_number_that_loses_digits_is_no_id() {
        for (number, id) in [
            ("18446744073709551615", Some("18446744073709551615")),
            ("-7", Some("-7")),
            ("18446744073709551616", None),
            ("18446744073709551617", None),
            ("1.0", None),
            ("1e3", None),
        ] {
            let profile = serde_json::from_str(&format!(r#"{{"id":{number}}}"#)).unwrap();
            let account = ProfileMap::default().read(profile);
            assert_eq!(account.as_ref().map(|account| account.id.as_str()), id, "{number}");
        }
    }
}
