//! `GET /api/users/{userId}/organizations`.

use crate::refusals::AccessRefused;
use crate::views::{IntoView, held_roles};
use axum::Json;
use claimsmith_api::organizations::OrganizationOf;
use claimsmith_domain::id::UserId;
use claimsmith_domain::management::UsersRead;
use claimsmith_storage::organizations;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;

/// Lists the organizations that a user is a member of, by name.
#[utoipa::path(
    get, path = "/api/users/{userId}/organizations", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 200, description = "The organizations", body = Vec<OrganizationOf>),
        AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_user_organizations(
    management: Management<UsersRead>,
    Id(id): Id<UserId>,
) -> Result<Json<Vec<OrganizationOf>>, ApiError> {
    let mut tx = management.read().await?;
    super::find(&mut tx, &id).await?;
    let roles = organizations::members::roles_by_organization(&mut tx, &id).await?;
    let found = organizations::of_user(&mut tx, &id).await?;
    let with_roles = found
        .into_iter()
        .map(|one| OrganizationOf { organization_roles: held_roles(&one.id, &roles), organization: one.into_view() });
    Ok(Json(with_roles.collect()))
}
