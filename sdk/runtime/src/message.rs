//! The input of a message plugin, and the request that it answers.

use crate::HttpCapability;
use std::fmt;
use std::sync::Arc;

/// One message to a person (`outgoing-message` of the WIT).
#[derive(Clone)]
pub struct OutgoingMessage {
    /// The same at every attempt.
    pub id: Arc<str>,
    /// `Email` or `Sms`.
    pub channel: Arc<str>,
    /// What it is for, such as `SignIn`.
    pub event: Arc<str>,
    /// An email address, or a phone number in international form with `+`.
    pub recipient: Arc<str>,
    /// A language tag.
    pub language: Arc<str>,
    /// The code to type in.
    pub code: Option<Arc<str>>,
    /// The link to open.
    pub link: Option<Arc<str>>,
    /// JSON object: what it says.
    pub content: Arc<str>,
    /// JSON object: who and what it is about.
    pub context: Arc<str>,
    /// The plugin's environment variables and secrets.
    pub environment: Arc<[(String, String)]>,
    /// Where its request may go; nowhere without it.
    pub http: Option<Arc<HttpCapability>>,
}

/// Without values: a code or a link lets somebody in, secrets are among the variables, and the rest is personal data.
impl fmt::Debug for OutgoingMessage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.environment.iter().map(|(name, _)| name.as_str()).collect();
        let mut shown = formatter.debug_struct("OutgoingMessage");
        shown.field("id", &self.id).field("environment", &names).finish_non_exhaustive()
    }
}

/// The request that sends a message, checked: it goes where the plugin may send requests to.
#[derive(Clone, PartialEq, Eq)]
pub struct MessageRequest {
    /// In capitals.
    pub method: String,
    /// An http or https URL without a user.
    pub url: String,
    /// Names in small letters, each once.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Option<String>,
}

/// Without values: it has the code, and the secrets that the provider asks for.
impl fmt::Debug for MessageRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MessageRequest").field("method", &self.method).finish_non_exhaustive()
    }
}
