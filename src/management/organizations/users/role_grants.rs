//! `POST /api/organizations/{id}/users/roles`: several roles for several members at once.

use super::super::members::require_users;
use crate::organization_roles::check;
use crate::refusals::{AccessRefused, BodyRefused, UnknownId};
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::{OrganizationId, OrganizationRoleId, UserId};
use claimsmith_domain::management::OrganizationsWrite;
use claimsmith_storage::organizations;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// Maximum pairs of user and role per request.
const MAX_PAIRS: usize = 10_000;

/// Roles for members.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "userIds": ["q3v8k1znw2pd"], "organizationRoleIds": ["h3g8j1k6l4q9w2z7x0c5v"] }))]
pub(super) struct RolesForMembers {
    /// 1 to 1000.
    #[schema(value_type = Vec<String>, min_items = 1, max_items = 1000)]
    user_ids: IdList<UserId, 1>,
    /// 1 to 1000; at most 10,000 pairs of user and role.
    #[schema(value_type = Vec<String>, min_items = 1, max_items = 1000)]
    organization_role_ids: IdList<OrganizationRoleId, 1>,
}

/// Gives roles to members; those that they have already are no error.
#[utoipa::path(
    post, path = "/api/organizations/{id}/users/roles", tag = "Organizations",
    summary = "Give roles to members of an organization",
    params(("id" = String, Path, description = "The organization")),
    request_body = RolesForMembers,
    responses(
        (status = 201, description = "Given; without a body"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "Somebody is not a member, or there is no such role for users",
            body = ApiErrorBody),
    ),
)]
pub(super) async fn give_roles_to_organization_users(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<RolesForMembers>,
) -> Result<StatusCode, ApiError> {
    let (user_ids, role_ids) = (body.user_ids.as_slice(), body.organization_role_ids.as_slice());
    if user_ids.len() * role_ids.len() > MAX_PAIRS {
        let details = format!("Error in key path \"userIds\": expected at most {MAX_PAIRS} pairs of user and role");
        return Err(ApiError::invalid_input("body", details));
    }
    let mut tx = management.begin().await?;
    require_users(&mut tx, &id, user_ids).await?;
    check(&mut tx, role_ids, RoleType::User).await?;
    organizations::members::add_roles_to_all(&mut tx, &id, user_ids, role_ids).await?;
    let details = json!({ "organizationId": id, "userIds": user_ids, "organizationRoleIds": role_ids });
    tx.audit(AuditKey::ManagementOrganizationAssignUserRoles, details).await?;
    tx.commit().await?;
    Ok(StatusCode::CREATED)
}
