//! A message to a person, as the plugin that composes it is told of it.

use serde_json::Value;
use std::fmt;

/// A message to a person.
#[derive(Clone)]
pub struct Message<'a> {
    /// The same at every attempt; also the request id in the plugin's log.
    pub id: &'a str,
    /// `Email` or `Sms`.
    pub channel: &'a str,
    /// What it is for.
    pub event: &'a str,
    /// An email address, or a phone number in international form with `+`.
    pub recipient: &'a str,
    /// The language of whoever gets it.
    pub language: &'a str,
    /// The code to type in.
    pub code: Option<&'a str>,
    /// The link to open.
    pub link: Option<&'a str>,
    /// What it says, an object.
    pub content: Value,
    /// Who and what it is about, an object.
    pub context: Value,
}

/// Without values: whoever has the code or the link can use it.
impl fmt::Debug for Message<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Message").field("id", &self.id).finish_non_exhaustive()
    }
}
