//! What a plugin applies to: kinds of token, grant types, applications and resources.

use super::Manifest;
use serde::{Deserialize, Serialize};

/// What is about to be issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TokenKind {
    /// An access token that represents a user, of whatever grant.
    AccessToken,
    /// An access token of an application itself.
    ClientCredentials,
    /// An id token; asked about only where a manifest says so.
    IdToken,
}

/// Grant types that are no URI. Any other name is one (RFC 6749 section 4.5).
const PLAIN_GRANT_TYPES: [&str; 3] = ["authorization_code", "client_credentials", "refresh_token"];

impl Manifest {
    /// Whether the plugin is to be asked about such a token.
    #[must_use]
    pub fn applies(&self, kind: TokenKind, grant_type: &str, application: &str, resource: Option<&str>) -> bool {
        let listed = |list: &Option<Vec<String>>, value: Option<&str>| {
            list.as_ref().is_none_or(|list| value.is_some_and(|value| list.iter().any(|item| item == value)))
        };
        self.enabled
            && self.token_kinds.contains(&kind)
            && listed(&self.grant_types, Some(grant_type))
            && listed(&self.applications, Some(application))
            && listed(&self.resources, resource)
    }

    pub(super) fn check_filters(&self) -> Result<(), (String, String)> {
        let empty = |list: &Option<Vec<String>>| list.as_ref().is_some_and(Vec::is_empty);
        let lists = [
            ("token_kinds", self.token_kinds.is_empty()),
            ("grant_types", empty(&self.grant_types)),
            ("applications", empty(&self.applications)),
            ("resources", empty(&self.resources)),
        ];
        if let Some((key, _)) = lists.iter().find(|(_, empty)| *empty) {
            let message = "an empty list matches nothing; leave the key out, or set `enabled = false`";
            return Err(((*key).to_owned(), message.to_owned()));
        }
        for grant_type in self.grant_types.iter().flatten() {
            if !PLAIN_GRANT_TYPES.contains(&grant_type.as_str()) && !grant_type.contains(':') {
                let message = format!(
                    "`{grant_type}` is no grant type; there are {}, and URIs such as \
                     urn:ietf:params:oauth:grant-type:token-exchange",
                    PLAIN_GRANT_TYPES.join(", "),
                );
                return Err(("grant_types".to_owned(), message));
            }
        }
        Ok(())
    }
}
