//! `POST /api/organizations/{id}/applications/roles`: several roles for several applications at once.

use super::super::members::require_applications;
use crate::organization_roles::check;
use crate::refusals::{AccessRefused, BodyRefused, UnknownId};
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::{ApplicationId, OrganizationId, OrganizationRoleId};
use claimsmith_domain::management::OrganizationsWrite;
use claimsmith_storage::organizations::applications::add_roles_to_all;
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// Maximum pairs of application and role per request.
const MAX_PAIRS: usize = 10_000;

/// Roles for applications.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "applicationIds": ["b5n8q1w4z7k0x3c6t9r2m"], "organizationRoleIds": ["h3g8j1k6l4q9w2z7x0c5v"]
}))]
pub(super) struct RolesForApplications {
    /// 1 to 1000.
    #[schema(value_type = Vec<String>, min_items = 1, max_items = 1000)]
    application_ids: IdList<ApplicationId, 1>,
    /// 1 to 1000; at most 10,000 pairs of application and role.
    #[schema(value_type = Vec<String>, min_items = 1, max_items = 1000)]
    organization_role_ids: IdList<OrganizationRoleId, 1>,
}

/// Gives roles to applications; those that it has already are no error.
#[utoipa::path(
    post, path = "/api/organizations/{id}/applications/roles", tag = "Organizations",
    summary = "Give roles to applications of an organization",
    params(("id" = String, Path, description = "The organization")),
    request_body = RolesForApplications,
    responses(
        (status = 201, description = "Given; without a body"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "An application is not of the organization, or a role not for applications",
            body = ApiErrorBody),
    ),
)]
pub(super) async fn give_roles_to_organization_applications(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<RolesForApplications>,
) -> Result<StatusCode, ApiError> {
    let (application_ids, role_ids) = (body.application_ids.as_slice(), body.organization_role_ids.as_slice());
    if application_ids.len() * role_ids.len() > MAX_PAIRS {
        let details = format!("Error in key path \"applicationIds\": expected at most {MAX_PAIRS} pairs");
        return Err(ApiError::invalid_input("body", details));
    }
    // `Changed::Nothing`: roles in an organization are read for each token, and this request removes none.
    let mut tx = management.begin_revision(Changed::Nothing).await?;
    require_applications(&mut tx, &id, application_ids).await?;
    check(&mut tx, role_ids, RoleType::MachineToMachine).await?;
    add_roles_to_all(&mut tx, &id, application_ids, role_ids).await?;
    let details = json!({ "organizationId": id, "applicationIds": application_ids, "organizationRoleIds": role_ids });
    tx.audit(AuditKey::ManagementOrganizationAssignApplicationRoles, details).await?;
    tx.commit().await?;
    Ok(StatusCode::CREATED)
}
