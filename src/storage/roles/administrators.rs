//! Administrators of the Management API: machine-to-machine applications with a role with its scope `all`, and with an
//! unexpired secret or a key.

use crate::{Json, Result, Tx};
use claimsmith_domain::documents::application::{ApplicationType, OidcClientMetadata};
use claimsmith_domain::documents::client_authentication::AuthMethod;

#[derive(crate::Row)]
struct Administrator {
    oidc_client_metadata: Json<OidcClientMetadata>,
    /// The latest expiry of its secrets.
    until: Option<i64>,
}

impl Administrator {
    /// When its last credential expires. Keys do not expire; they were verified at registration.
    fn until(&self) -> Option<i64> {
        let accepts = |method| self.oidc_client_metadata.accepts(ApplicationType::MachineToMachine, method);
        if accepts(AuthMethod::PrivateKeyJwt) {
            return Some(i64::MAX);
        }
        let takes_secrets = accepts(AuthMethod::ClientSecretBasic) || accepts(AuthMethod::ClientSecretPost);
        self.until.filter(|_| takes_secrets)
    }
}

/// When the last credential of any of them expires, Unix milliseconds; [`i64::MAX`] if one never expires, `None` if
/// there are none. `indicator` is that of the Management API.
pub async fn until(tx: &mut Tx, indicator: &str) -> Result<Option<i64>> {
    let administrators: Vec<Administrator> = tx
        .sql(
            "SELECT a.oidc_client_metadata, (SELECT MAX(COALESCE(s.expires_at, 9223372036854775807)) \
             FROM application_secrets s WHERE s.application_id = a.id) AS until FROM applications a \
             WHERE a.type = 'MachineToMachine' AND a.id IN (SELECT ar.application_id FROM application_roles ar \
             JOIN role_scopes rs ON rs.role_id = ar.role_id JOIN scopes sc ON sc.id = rs.scope_id \
             JOIN resources r ON r.id = sc.resource_id WHERE sc.name = 'all' AND r.indicator = $1)",
        )
        .bind(indicator)
        .all()
        .await?;
    Ok(administrators.iter().filter_map(Administrator::until).max())
}
