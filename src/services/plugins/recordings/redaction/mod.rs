//! Redaction of recorded calls, before anything is written: by an allow-list (`allowed`), so that a member that nobody
//! thought of shows nothing. Booleans, numbers, moments and lengths are kept; every other text, and every name of a member
//! that is not one of the contract, becomes a pseudonym (`pseudonym`) unless the operator keeps it.

mod allowed;
mod pseudonym;
#[cfg(test)]
mod tests;

pub(crate) use allowed::tells_nobody;

use pseudonym::Pseudonyms;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The member below which the answers of other servers are redacted.
pub(crate) const HTTP: &str = "http";

/// Parts of names of members that hold credentials: no operator can keep those of other servers' answers, and others only
/// by their own names.
const CREDENTIALS: [&str; 8] =
    ["token", "secret", "password", "authorization", "cookie", "credential", "apikey", "api_key"];

/// Redacts what one recording keeps.
pub(crate) struct Redaction {
    pseudonyms: Pseudonyms,
    /// Members that are kept, with all below them.
    keep: Vec<Vec<String>>,
}

/// Texts and names that a recording shows anyway.
#[derive(Debug, Default)]
pub(crate) struct ShownTexts(BTreeSet<String>);

impl Redaction {
    /// With the key of the recording, and the members that its operator keeps, such as `context.user.customData.plan`.
    #[must_use]
    pub(crate) fn new(key: &[u8], keep: &[String]) -> Self {
        let keep = keep.iter().map(|path| path.split('.').map(str::to_owned).collect()).collect();
        Self { pseudonyms: Pseudonyms::new(key), keep }
    }

    /// The value of a member at the top: `token`, `context`, `event`, `hook` or [`HTTP`].
    #[must_use]
    pub(crate) fn value(&self, root: &str, value: &Value) -> Value {
        self.walk(&mut vec![root], value, &ShownTexts::default())
    }

    /// An answer of a plugin, in which what the recording shows anyway stays as it is.
    #[must_use]
    pub(crate) fn answer(&self, value: &Value, shown: &ShownTexts) -> Value {
        self.walk(&mut vec!["answer"], value, shown)
    }

    /// A text that stands alone.
    #[must_use]
    pub(crate) fn text(&self, text: &str) -> String {
        self.pseudonyms.of(text)
    }

    fn walk<'v>(&self, path: &mut Vec<&'v str>, value: &'v Value, shown: &ShownTexts) -> Value {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
            Value::String(text) if self.keeps(path, text) || shown.0.contains(text) => value.clone(),
            Value::String(text) => self.pseudonyms.of(text).into(),
            Value::Array(values) => values.iter().map(|value| self.walk(path, value, shown)).collect(),
            Value::Object(members) => {
                let mut redacted = Map::new();
                for (name, value) in members {
                    path.push(name);
                    let value = self.walk(path, value, shown);
                    let mut called = if self.keeps_name(path, name) || shown.0.contains(name) {
                        name.clone()
                    } else {
                        self.pseudonyms.of(name)
                    };
                    path.pop();
                    while redacted.contains_key(&called) {
                        called.push('x');
                    }
                    redacted.insert(called, value);
                }
                Value::Object(redacted)
            }
        }
    }

    fn keeps(&self, path: &[&str], text: &str) -> bool {
        allowed::keeps(path, text) || self.is_kept(path)
    }

    /// Whether the operator keeps the text at this path. Below a member that is kept, credentials do not come along.
    fn is_kept(&self, path: &[&str]) -> bool {
        let is_of_server = path.first().is_some_and(|root| *root == HTTP);
        let leads =
            |kept: &Vec<String>| kept.len() <= path.len() && kept.iter().zip(path).all(|(kept, name)| kept == name);
        self.keep.iter().filter(|kept| leads(kept)).any(|kept| {
            let below = if is_of_server { path } else { path.get(kept.len()..).unwrap_or_default() };
            !holds_credential(below)
        })
    }

    /// Also those below a member that is kept, and on the way to one.
    fn keeps_name(&self, path: &[&str], name: &str) -> bool {
        allowed::keeps_name(name) || self.keep.iter().any(|kept| kept.iter().zip(path).all(|(kept, name)| kept == name))
    }
}

impl ShownTexts {
    /// All texts and names of this value.
    #[must_use]
    pub(crate) fn of(value: &Value) -> Self {
        let mut shown = Self::default();
        shown.add(value);
        shown
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
            Value::String(text) => _ = self.0.insert(text.clone()),
            Value::Array(values) => values.iter().for_each(|value| self.add(value)),
            Value::Object(members) => {
                for (name, value) in members {
                    self.0.insert(name.clone());
                    self.add(value);
                }
            }
        }
    }
}

/// Whether a member with these names holds a credential.
fn holds_credential(names: &[&str]) -> bool {
    let is_credential = |name: &&str| {
        let lowercase = name.to_ascii_lowercase();
        **name != *"subjectTokenContext" && CREDENTIALS.iter().any(|part| lowercase.contains(part))
    };
    names.iter().any(is_credential)
}
