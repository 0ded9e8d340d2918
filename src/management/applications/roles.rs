//! `/api/applications/{id}/roles`: only machine-to-machine applications have roles.

use crate::parameters::{PageParameters, SearchParameters};
use crate::refusals::{AccessRefused, BodyRefused, NotSearchable};
use crate::views::{IntoView, assigned_roles};
use axum::Json;
use axum::extract::RawQuery;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::roles::{AssignedRoles, RoleIds, RoleView};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::{ApplicationId, RoleId};
use claimsmith_domain::management::{ApplicationsRead, Recent, RolesWrite};
use claimsmith_identity::access::built_in;
use claimsmith_identity::access::privilege_guard::{self, Administered};
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{Slice, Tx, applications, roles};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::search;
use serde_json::json;

/// Lists the roles of a machine-to-machine application.
#[utoipa::path(
    get, path = "/api/applications/{id}/roles", tag = "Applications",
    params(("id" = String, Path, description = "The application"), SearchParameters, PageParameters),
    responses(
        (status = 200, description = "The page", body = Vec<RoleView>),
        AccessRefused, NotSearchable,
        (status = 404, description = "No such application", body = ApiErrorBody),
        (status = 422, description = "The application is not a machine-to-machine one", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_application_roles(
    management: Management<ApplicationsRead>,
    Id(id): Id<ApplicationId>,
    page: Page,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let search = search::parse(query.as_deref(), &roles::FIELDS)?;
    let mut tx = management.read().await?;
    refuse_other_types(&mut tx, &id).await?;
    let found = roles::holders::count_of_application(&mut tx, &id, search.as_ref()).await;
    let total = found.map_err(ApiError::from_search)?;
    let roles = roles::holders::list_of_application(&mut tx, &id, search.as_ref(), page.slice()).await;
    let roles = roles.map_err(ApiError::from_search)?;
    page.answer(total, roles.into_iter().map(IntoView::<RoleView>::into_view).collect())
}

/// Gives roles to a machine-to-machine application; those that it holds already are no error.
#[utoipa::path(
    post, path = "/api/applications/{id}/roles", tag = "Applications",
    params(("id" = String, Path, description = "The application")),
    request_body = RoleIds,
    responses(
        (status = 201, description = "The roles asked for, and which of them are new", body = AssignedRoles),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such application or role", body = ApiErrorBody),
        (status = 422, description = "The application or a role is not for machines", body = ApiErrorBody),
    ),
)]
pub(super) async fn assign_application_roles(
    management: Management<Recent<RolesWrite>>,
    Id(id): Id<ApplicationId>,
    JsonBody(body): JsonBody<RoleIds>,
) -> Result<(StatusCode, Json<AssignedRoles>), ApiError> {
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    refuse_other_types(&mut tx, &id).await?;
    let added = assign(&management, &mut tx, &id, body.role_ids.as_slice()).await?;
    let details = json!({ "changedApplicationId": id, "addedRoleIds": added });
    tx.audit(AuditKey::ManagementApplicationAssignRoles, details).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(assigned_roles(&body.role_ids, added))))
}

/// Lets a machine-to-machine application hold these roles and no other.
#[utoipa::path(
    put, path = "/api/applications/{id}/roles", tag = "Applications",
    params(("id" = String, Path, description = "The application")),
    request_body = RoleIds,
    responses(
        (status = 200, description = "The roles", body = RoleIds),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such application or role", body = ApiErrorBody),
        (status = 422, description = "The application or a role is not for machines", body = ApiErrorBody),
    ),
)]
pub(super) async fn replace_application_roles(
    management: Management<Recent<RolesWrite>>,
    Id(id): Id<ApplicationId>,
    JsonBody(body): JsonBody<RoleIds>,
) -> Result<Json<RoleIds>, ApiError> {
    let role_ids = body.role_ids.as_slice();
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    refuse_other_types(&mut tx, &id).await?;
    let administered = Administered::before(&management, &mut tx).await?;
    assign(&management, &mut tx, &id, role_ids).await?;
    for role in roles::holders::list_of_application(&mut tx, &id, None, Slice::ALL).await? {
        if !role_ids.contains(&role.id) {
            privilege_guard::check_role(&management, &mut tx, &role.id).await?;
            roles::holders::take_from_application(&mut tx, &id, &role.id).await?;
        }
    }
    administered.check(&management, &mut tx).await?;
    let details = json!({ "changedApplicationId": id, "roleIds": role_ids });
    tx.audit(AuditKey::ManagementApplicationReplaceRoles, details).await?;
    tx.commit().await?;
    Ok(Json(body))
}

/// Takes a role from a machine-to-machine application.
#[utoipa::path(
    delete, path = "/api/applications/{id}/roles/{roleId}", tag = "Applications",
    params(("id" = String, Path, description = "The application"), ("roleId" = String, Path, description = "The role")),
    responses(
        (status = 204, description = "Taken"),
        AccessRefused,
        (status = 404, description = "No such application, or it does not hold this role", body = ApiErrorBody),
        (status = 422, description = "The application is not a machine-to-machine one", body = ApiErrorBody),
    ),
)]
pub(super) async fn remove_application_role(
    management: Management<Recent<RolesWrite>>,
    IdPair(id, role_id): IdPair<ApplicationId, RoleId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    refuse_other_types(&mut tx, &id).await?;
    privilege_guard::check_role(&management, &mut tx, &role_id).await?;
    let administered = Administered::before(&management, &mut tx).await?;
    if !roles::holders::take_from_application(&mut tx, &id, &role_id).await? {
        return Err(ApiError::nothing_to_delete("role of the application", &role_id));
    }
    administered.check(&management, &mut tx).await?;
    let details = json!({ "changedApplicationId": id, "roleId": role_id });
    tx.audit(AuditKey::ManagementApplicationRemoveRole, details).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the roles that the application did not have before.
async fn assign(
    management: &Caller,
    tx: &mut Tx,
    application_id: &ApplicationId,
    role_ids: &[RoleId],
) -> Result<Vec<RoleId>, ApiError> {
    let found = roles::find_all(tx, role_ids).await?;
    if found.len() < role_ids.len() {
        return Err(ApiError::unknown_relation("role"));
    }
    role_ids.iter().try_for_each(built_in::refuse_role)?;
    if found.iter().any(|role| role.kind != RoleType::MachineToMachine) {
        let message = "Only roles for machine-to-machine applications can be given to an application.";
        return Err(ApiError::new(ApiCode::ApplicationInvalidRoleType, message));
    }
    let mut added = Vec::new();
    for role_id in role_ids {
        let is_new = roles::assign_to_application(tx, application_id, role_id).await;
        if is_new.map_err(|error| ApiError::from_write(error, "role"))? {
            privilege_guard::check_role(management, tx, role_id).await?;
            added.push(role_id.clone());
        }
    }
    Ok(added)
}

async fn refuse_other_types(tx: &mut Tx, id: &ApplicationId) -> Result<(), ApiError> {
    built_in::refuse_application(id)?;
    let application = applications::find(tx, id).await?.ok_or_else(|| ApiError::not_found("application", id))?;
    if application.kind != ApplicationType::MachineToMachine {
        return Err(not_a_machine());
    }
    Ok(())
}

pub(super) fn not_a_machine() -> ApiError {
    ApiError::new(ApiCode::ApplicationInvalidType, "Only machine-to-machine applications hold roles.")
}
