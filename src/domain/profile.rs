//! `profile`: the standard claims of a user (OpenID Connect Core section 5.1). Unknown keys are dropped.

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

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
#[derive(Default)]
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

// Member by member, so that an error has the path of the member that is wrong.
impl<'de> Deserialize<'de> for Profile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Members { keys: &KEYS, has_address: true }.deserialize(deserializer).map(Self)
    }
}

/// Reads an object of texts; drops other members.
struct Members {
    keys: &'static [&'static str],
    has_address: bool,
}

impl<'de> DeserializeSeed<'de> for Members {
    type Value = Map<String, Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Members {
    type Value = Map<String, Value>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut sent: A) -> Result<Self::Value, A::Error> {
        let mut known = Map::new();
        while let Some(key) = sent.next_key::<String>()? {
            if self.has_address && key == ADDRESS {
                let address = Self { keys: &ADDRESS_KEYS, has_address: false };
                known.insert(key, Value::Object(sent.next_value_seed(address)?));
            } else if self.keys.contains(&key.as_str()) {
                known.insert(key, Value::String(sent.next_value::<ProfileText>()?.0));
            } else {
                sent.next_value::<IgnoredAny>()?;
            }
        }
        Ok(known)
    }
}

/// A member of a profile.
#[derive(Deserialize)]
#[serde(try_from = "Value")]
struct ProfileText(String);

impl TryFrom<Value> for ProfileText {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match value {
            Value::String(text) if text.chars().count() <= MAX_VALUE_CHARS => Ok(Self(text)),
            _ => Err(format!("expected a text of at most {MAX_VALUE_CHARS} characters")),
        }
    }
}

/// Whether a profile has a member with this name.
#[must_use]
pub fn is_key(name: &str) -> bool {
    name == ADDRESS || KEYS.contains(&name)
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
