//! `profile`: the standard claims of a user (OpenID Connect Core section 5.1). Unknown keys are dropped.

use serde::Deserialize;
use serde_json::{Map, Value};

/// Maximum characters of one value.
const MAX_VALUE_CHARS: usize = 2048;
const ADDRESS: &str = "address";
/// The string members of a profile.
pub const KEYS: [&str; 11] = [
    "familyName",
    "givenName",
    "middleName",
    "nickname",
    "preferredUsername",
    "profile",
    "website",
    "gender",
    "birthdate",
    "zoneinfo",
    "locale",
];
/// The string members of its `address`.
pub const ADDRESS_KEYS: [&str; 6] = ["formatted", "streetAddress", "locality", "region", "postalCode", "country"];

/// A profile: strings, and an `address` of strings.
#[derive(Default, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Profile(Map<String, Value>);

impl From<Profile> for Map<String, Value> {
    fn from(profile: Profile) -> Self {
        profile.0
    }
}

impl From<Profile> for Value {
    fn from(profile: Profile) -> Self {
        Self::Object(profile.0)
    }
}

impl TryFrom<Map<String, Value>> for Profile {
    type Error = String;

    fn try_from(mut sent: Map<String, Value>) -> Result<Self, String> {
        let address = sent.remove(ADDRESS);
        let mut profile = texts(sent, &KEYS)?;
        match address {
            None => {}
            Some(Value::Object(address)) => {
                profile.insert(ADDRESS.to_owned(), Value::Object(texts(address, &ADDRESS_KEYS)?));
            }
            Some(_) => return Err(format!("{ADDRESS}: expected an object")),
        }
        Ok(Self(profile))
    }
}

/// Whether a profile has a member with this name.
#[must_use]
pub fn is_key(name: &str) -> bool {
    name == ADDRESS || KEYS.contains(&name)
}

fn texts(sent: Map<String, Value>, keys: &[&str]) -> Result<Map<String, Value>, String> {
    let known = sent.into_iter().filter(|(key, _)| keys.contains(&key.as_str()));
    known
        .map(|(key, value)| match value {
            Value::String(text) if text.chars().count() <= MAX_VALUE_CHARS => Ok((key, Value::String(text))),
            _ => Err(format!("{key}: expected a text of at most {MAX_VALUE_CHARS} characters")),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keeps_known_texts_and_refuses_what_is_none() -> Result<(), serde_json::Error> {
        let sent = json!({ "givenName": "Ada", "rank": 1, "address": { "country": "UK", "planet": "Earth" } });
        let kept = json!({ "givenName": "Ada", "address": { "country": "UK" } });
        assert_eq!(Value::from(serde_json::from_value::<Profile>(sent)?), kept);
        for bad in [
            json!([]),
            json!({ "givenName": null }),
            json!({ "locale": 1 }),
            json!({ "address": "UK" }),
            json!({ "address": { "country": 44 } }),
            json!({ "website": "a".repeat(MAX_VALUE_CHARS + 1) }),
        ] {
            assert!(serde_json::from_value::<Profile>(bad.clone()).is_err(), "{bad}");
        }
        Ok(())
    }
}
