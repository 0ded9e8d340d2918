//! What the token of a run is asked for with, and what the run may do.

use crate::grants::preview::PreviewParameters;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_storage::SharedDocument;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The options of a run, as its row has them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct RunOptions {
    /// As at the token endpoint.
    pub grant_type: String,
    /// Whether it is about ID tokens.
    pub id_token: bool,
    /// The resource indicator.
    pub resource: Option<String>,
    /// Scopes, separated by spaces.
    pub scope: Option<String>,
    /// HTTP requests per second; `None`: none is sent.
    pub http_per_second: Option<u32>,
    /// Whether the calls have the secrets of the plugin, and not placeholders.
    pub with_secrets: bool,
}

impl RunOptions {
    /// The token of a user; `None` if this server has no such grant.
    #[must_use]
    pub fn parameters(&self, application: &ApplicationId, user: UserId) -> Option<PreviewParameters> {
        Some(PreviewParameters {
            application_id: application.clone(),
            user_id: Some(user),
            grant_type: GrantType::parse(&self.grant_type)?,
            resource: self.resource.clone(),
            organization_id: None,
            scope: self.scope.clone(),
            subject_token_context: SharedDocument::from(json!({})),
            subject_token_id: None,
            actor_id: None,
        })
    }
}
