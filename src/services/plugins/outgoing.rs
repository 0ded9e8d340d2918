//! A message to a user, as input of the plugin that composes it.

use serde_json::Value;
use std::fmt;

/// A message to a user.
#[derive(Clone)]
pub struct Message<'a> {
    /// The same for every attempt; also the request id in the plugin's log.
    pub id: &'a str,
    /// `Email` or `Sms`.
    pub channel: &'a str,
    /// What it is for.
    pub event: &'a str,
    /// An email address, or a phone number in international form with `+`.
    pub recipient: &'a str,
    /// The recipient's language.
    pub language: &'a str,
    /// The code to enter.
    pub code: Option<&'a str>,
    /// The link to open.
    pub link: Option<&'a str>,
    /// Its text, an object.
    pub content: Value,
    /// Its context, an object.
    pub context: Value,
}

/// Without values: the code and the link must not be logged.
impl fmt::Debug for Message<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Message").field("id", &self.id).finish_non_exhaustive()
    }
}
