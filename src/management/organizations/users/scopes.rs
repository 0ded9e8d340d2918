//! `GET /api/organizations/{id}/users/{userId}/scopes`.

use super::super::members::require_users;
use crate::organization_scopes::OrganizationScopeView;
use crate::refusals::{AccessRefused, UnknownId};
use axum::Json;
use claimsmith_domain::id::{OrganizationId, UserId};
use claimsmith_domain::management::OrganizationsRead;
use claimsmith_storage::organizations;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::IdPair;
use claimsmith_web::extract::management::Management;
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
        AccessRefused, UnknownId,
        (status = 422, description = "The user is not a member", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_organization_user_scopes(
    management: Management<OrganizationsRead>,
    IdPair(id, user_id): IdPair<OrganizationId, UserId>,
) -> Result<Json<Vec<OrganizationScopeView>>, ApiError> {
    let mut tx = management.read().await?;
    require_users(&mut tx, &id, slice::from_ref(&user_id)).await?;
    let scopes = organizations::members::scopes_of(&mut tx, &id, &user_id).await?;
    Ok(Json(scopes.into_iter().map(OrganizationScopeView::from).collect()))
}
