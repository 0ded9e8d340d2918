//! What the token of a run is asked for with, and what the run may do.

use crate::grants::preview::PreviewParameters;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_domain::management::{ManagementScope, PluginsGrant, PluginsRecordings, PluginsSecrets, UsersRead};
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
    /// The principal that started it, `user:` or `application:` with its id; empty for a run that an older server
    /// began.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub started_by: String,
}

impl RunOptions {
    /// The scopes of the Management API that starting such a run needs, and that the principal must hold as long as it
    /// goes on.
    #[must_use]
    pub fn scopes(&self) -> Vec<&'static str> {
        let mut scopes = vec![PluginsRecordings::NAME, UsersRead::NAME];
        scopes.extend(self.http_per_second.map(|_| PluginsGrant::NAME));
        scopes.extend(self.with_secrets.then_some(PluginsSecrets::NAME));
        scopes
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_needs_the_scopes_of_what_it_does() {
        let mut options = RunOptions::default();
        assert_eq!(options.scopes(), ["plugins:recordings", "users:read"]);
        (options.http_per_second, options.with_secrets) = (Some(5), true);
        assert_eq!(options.scopes(), ["plugins:recordings", "users:read", "plugins:grant", "plugins:secrets"]);
    }

    #[test]
    fn options_of_an_older_server_are_read() {
        let options: RunOptions =
            serde_json::from_value(json!({ "grantType": "authorization_code" })).unwrap_or_default();
        assert_eq!((options.grant_type.as_str(), options.started_by.as_str()), ("authorization_code", ""));
        assert!(serde_json::to_value(&options).is_ok_and(|written| written.get("startedBy").is_none()));
    }
}
