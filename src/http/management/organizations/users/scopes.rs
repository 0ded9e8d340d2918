//! `GET /api/organizations/{id}/users/{userId}/scopes`.

use super::require_membership;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::IdPair;
use crate::http::extract::management::Caller;
use crate::http::management::organization_scopes::OrganizationScopeView;
use crate::http::management::refusals::Refused;
use crate::storage::organization_members;
use axum::Json;
use std::slice;

/// Lists the organization scopes that a member has through their roles.
#[utoipa::path(
    get, path = "/api/organizations/{id}/users/{userId}/scopes", tag = "Organizations",
    summary = "List the scopes of a member of an organization",
    params(
        ("id" = String, Path, description = "The organization"),
        ("userId" = String, Path, description = "The user"),
    ),
    responses(
        (status = 200, description = "The scopes", body = Vec<OrganizationScopeView>),
        Refused,
        (status = 422, description = "The user is not a member", body = ApiErrorBody),
    ),
    security(("oauth2" = ["all", "organizations:read"])),
)]
pub(super) async fn list_organization_user_scopes(
    caller: Caller,
    IdPair(id, user_id): IdPair,
) -> Result<Json<Vec<OrganizationScopeView>>, ApiError> {
    let management = caller.require("organizations:read")?;
    let mut tx = management.read().await?;
    require_membership(&mut tx, &id, slice::from_ref(&user_id)).await?;
    let scopes = organization_members::scopes_of(&mut tx, &id, &user_id).await?;
    Ok(Json(scopes.into_iter().map(OrganizationScopeView::from).collect()))
}
