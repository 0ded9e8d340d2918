//! The request of a webhook transform, and its answer.

use std::fmt;
use std::sync::Arc;

/// One delivery (`delivery` of the WIT).
#[derive(Clone)]
pub struct TransformRequest {
    /// The `webhook-id`.
    pub id: Arc<str>,
    /// JSON text: the body as it would be sent.
    pub event: Arc<str>,
    /// JSON object: `id`, `name` and `url` of the hook.
    pub hook: Arc<str>,
    /// The plugin's environment variables and secrets.
    pub environment: Arc<[(String, String)]>,
}

/// Without values: secrets are among the variables, and the rest is personal data.
impl fmt::Debug for TransformRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.environment.iter().map(|(name, _)| name.as_str()).collect();
        let mut shown = formatter.debug_struct("TransformRequest");
        shown.field("id", &self.id).field("environment", &names).finish_non_exhaustive()
    }
}

/// What a transform made of a delivery, already checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transformed {
    /// It is sent.
    Send {
        /// The new body; none leaves it as it is.
        body: Option<String>,
        /// Names in small letters, each once.
        headers: Vec<(String, String)>,
        /// Relative and normalized, for [`below`](crate::below).
        path: Option<String>,
    },
    /// It is not sent, for this reason.
    Drop(String),
}
