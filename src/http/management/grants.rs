//! Rights on the Management API itself: only a caller who holds all of it hands them on, else a token for managing
//! roles or applications would open everything.

use crate::http::error::ApiError;
use crate::http::extract::management::Management;
use crate::storage::resources::{self, Scope};
use crate::storage::{Tx, applications};

/// The id of the Management API's own resource.
pub(super) async fn management_resource_id(management: &Management, tx: &mut Tx) -> Result<Option<String>, ApiError> {
    let indicator = &management.app.config.tokens.management_resource;
    Ok(resources::find_by_indicator(tx, indicator).await?.map(|resource| resource.id))
}

/// Whether one of the scopes is of the Management API. Refuses those to callers who do not hold it all.
pub(super) async fn check_scopes(management: &Management, tx: &mut Tx, scopes: &[Scope]) -> Result<bool, ApiError> {
    let resource_id = management_resource_id(management, tx).await?;
    let opens = scopes.iter().any(|scope| Some(&scope.resource_id) == resource_id.as_ref());
    if opens && !management.holds_all() {
        return Err(refusal());
    }
    Ok(opens)
}

/// Refuses to hand on a role with scopes of the Management API to callers who do not hold it all.
pub(super) async fn check_role(management: &Management, tx: &mut Tx, role_id: &str) -> Result<(), ApiError> {
    let scopes = resources::scopes_of_role(tx, role_id).await?;
    check_scopes(management, tx, &scopes).await.map(drop)
}

/// Whether an application holds scopes of the Management API through its roles.
pub(super) async fn opens_management(
    management: &Management,
    tx: &mut Tx,
    application_id: &str,
) -> Result<bool, ApiError> {
    let Some(resource_id) = management_resource_id(management, tx).await? else { return Ok(false) };
    let held = applications::scopes_held(tx, application_id).await?;
    Ok(held.iter().any(|scope| scope.resource_id == resource_id))
}

/// Refuses a key to an application that holds scopes of the Management API to callers who do not hold it all.
pub(super) async fn check_application(
    management: &Management,
    tx: &mut Tx,
    application_id: &str,
) -> Result<(), ApiError> {
    if !management.holds_all() && opens_management(management, tx, application_id).await? {
        return Err(refusal());
    }
    Ok(())
}

pub(super) fn refusal() -> ApiError {
    ApiError::forbidden("Only a token with the scope \"all\" hands on rights on the Management API.")
}
