//! Ids of connectors. Social and enterprise connectors share them: redirect URIs end in the id, and two providers must
//! never have the same one (RFC 9700 section 4.4.2).

use crate::relations;
use claimsmith_domain::id::{ConnectorId, SsoConnectorId};
use claimsmith_storage::Tx;
use claimsmith_storage::connectors::{self, sso_connectors};
use claimsmith_web::error::ApiError;

/// Refuses the id of a new connector that another one has. The caller has locked the settings of sign-in.
pub(crate) async fn refuse_taken(tx: &mut Tx, id: &str) -> Result<(), ApiError> {
    let is_taken = connectors::find(tx, &ConnectorId::from(id)).await?.is_some()
        || sso_connectors::find(tx, &SsoConnectorId::from(id)).await?.is_some();
    if is_taken { Err(taken()) } else { Ok(()) }
}

/// 422: another connector has the id.
pub(super) fn taken() -> ApiError {
    relations::taken("There is a connector of this id already.")
}
