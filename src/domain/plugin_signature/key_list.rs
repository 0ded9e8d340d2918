//! The trusted keys as the configuration has them: a list of tables, or of texts where there are only texts.

use super::key::TrustedKey;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::ops::Deref;

/// Most keys: each of them may have to be tried.
pub const MAX_KEYS: usize = 16;

/// Trusted keys with different names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedKeys(Vec<TrustedKey>);

/// A key in the configuration.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Table(Table),
}

#[derive(Deserialize)]
struct Table {
    name: Option<String>,
    pem: Option<String>,
    expires: Option<String>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

impl TrustedKeys {
    /// These keys; the error says which name is there twice, or that there are too many.
    pub fn new(keys: Vec<TrustedKey>) -> Result<Self, String> {
        if keys.len() > MAX_KEYS {
            return Err(format!("there are {} keys; at most {MAX_KEYS} are accepted", keys.len()));
        }
        for (at, key) in keys.iter().enumerate() {
            if keys.iter().take(at).any(|other| other.name() == key.name()) {
                return Err(format!("two keys are called {}", key.name()));
            }
        }
        Ok(Self(keys))
    }
}

impl Written {
    fn read(self) -> Result<TrustedKey, String> {
        let Table { name, pem, expires, others } = match self {
            Self::Text(text) => return TrustedKey::from_text(&text).map_err(|error| error.to_string()),
            Self::Table(table) => table,
        };
        if let Some(other) = others.keys().next() {
            return Err(format!("a key has no member {other}: its members are name, pem and expires"));
        }
        let (Some(name), Some(pem)) = (name, pem) else { return Err("a key needs name and pem".to_owned()) };
        TrustedKey::new(&name, &pem, expires.as_deref()).map_err(|error| format!("{error} (key {name:?})"))
    }
}

impl Deref for TrustedKeys {
    type Target = [TrustedKey];

    fn deref(&self) -> &[TrustedKey] {
        &self.0
    }
}

impl<'de> Deserialize<'de> for TrustedKeys {
    /// Error messages never quote a key.
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let written = Vec::<Written>::deserialize(input).map_err(|_| {
            D::Error::custom("a key is a table with the texts name, pem and perhaps expires, or a text NAME=KEY")
        })?;
        let keys = written.into_iter().map(Written::read).collect::<Result<_, _>>();
        keys.and_then(Self::new).map_err(D::Error::custom)
    }
}

impl Serialize for TrustedKeys {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        output.collect_seq(self.0.iter().map(ToString::to_string))
    }
}
