//! The request of a claims plugin: the JSON of one token's claims and context, shared and not copied between plugins.

use crate::{HttpAccess, PluginCache};
use std::fmt;
use std::sync::Arc;

/// One request for claims (`claims-request` of the WIT).
#[derive(Clone)]
pub struct ClaimsRequest {
    /// JSON object: the token as far as it is known.
    pub token: Arc<str>,
    /// Who and what the token is about.
    pub context: Context,
    /// The plugin's environment variables and secrets.
    pub environment: Arc<[(String, String)]>,
    /// What it may send over HTTP; nothing without it.
    pub http: Option<HttpAccess>,
    /// What it kept in earlier calls, if it may keep anything.
    pub cache: Option<Arc<PluginCache>>,
}

/// Without values: secrets are among the variables, and the rest is personal data.
impl fmt::Debug for ClaimsRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.environment.iter().map(|(name, _)| name.as_str()).collect();
        formatter.debug_struct("ClaimsRequest").field("environment", &names).finish_non_exhaustive()
    }
}

/// Who and what a token is about; each text is a JSON object.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Present for the token-exchange grant alone.
    pub grant: Option<Grant>,
    /// The user whom the token represents.
    pub user: Option<Arc<str>>,
    /// The application that asked.
    pub application: Option<Arc<str>>,
    /// The organization that the token is for.
    pub organization: Option<Arc<str>>,
    /// The sign-in that led to the token.
    pub interaction: Option<Arc<str>>,
}

/// How the token came to be asked for.
#[derive(Clone, Debug)]
pub struct Grant {
    /// The grant type as sent.
    pub grant_type: Arc<str>,
    /// JSON object: the `context` of the subject token request.
    pub subject_token_context: Option<Arc<str>>,
}
