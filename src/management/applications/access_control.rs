//! `/api/applications/{id}/access-control`: who may sign in to an application.

use crate::refusals::{AccessRefused, BodyRefused};
use crate::relations;
use axum::Json;
use claimsmith_api::application_access::{AccessControl, OrganizationRoleRule, ReplaceAccessControl};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::{ApplicationId, OrganizationId, OrganizationRoleId, RoleId};
use claimsmith_domain::management::{ApplicationsRead, ApplicationsWrite, Recent};
use claimsmith_identity::access::privilege_guard;
use claimsmith_storage::access_control::{self, ORGANIZATION_ROLES, ORGANIZATIONS, ROLES, USERS};
use claimsmith_storage::applications::{self, Application};
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{Tx, organizations, roles};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Refuses to enable access control without a rule, and for an application that no user signs in to.
pub(super) async fn check_enabled(tx: &mut Tx, application: &Application) -> Result<(), ApiError> {
    refuse_machines(application)?;
    if access_control::has_rules(tx, &application.id).await? { Ok(()) } else { Err(without_rules()) }
}

fn refuse_machines(application: &Application) -> Result<(), ApiError> {
    if application.kind == ApplicationType::MachineToMachine {
        let message = "No user signs in to a machine-to-machine application.";
        return Err(ApiError::new(ApiCode::ApplicationInvalidType, message));
    }
    Ok(())
}

fn without_rules() -> ApiError {
    let message = "Access control needs a rule while it is enabled: without one, no user may sign in.";
    ApiError::new(ApiCode::RequestInvalidInputUnprocessable, message)
}

/// Shows who may sign in to an application, while its access control is enabled.
#[utoipa::path(
    get, path = "/api/applications/{id}/access-control", tag = "Applications",
    params(("id" = String, Path, description = "The application")),
    responses(
        (status = 200, description = "The rules", body = AccessControl),
        AccessRefused,
        (status = 404, description = "No such application", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_application_access_control(
    management: Management<ApplicationsRead>,
    Id(id): Id<ApplicationId>,
) -> Result<Json<AccessControl>, ApiError> {
    let mut tx = management.read().await?;
    applications::find(&mut tx, &id).await?.ok_or_else(|| ApiError::not_found("application", &id))?;
    Ok(Json(rules(&mut tx, &id).await?))
}

async fn rules(tx: &mut Tx, id: &ApplicationId) -> Result<AccessControl, ApiError> {
    let mut organization_role_rules: Vec<OrganizationRoleRule> = Vec::new();
    for rule in access_control::organization_roles(tx, id).await? {
        match organization_role_rules.last_mut().filter(|last| last.organization_id == rule.organization_id) {
            Some(last) => last.organization_role_ids.push(rule.role_id),
            None => organization_role_rules.push(OrganizationRoleRule {
                organization_id: rule.organization_id,
                organization_role_ids: vec![rule.role_id],
            }),
        }
    }
    Ok(AccessControl {
        user_ids: USERS.of(tx, id).await?,
        user_role_ids: ROLES.of(tx, id).await?,
        organization_ids: ORGANIZATIONS.of(tx, id).await?,
        organization_role_rules,
    })
}

/// Lets those users sign in to an application whom one of these rules names, while its access control is enabled.
///
/// It is enabled by `appLevelAccessControlEnabled` of the application.
#[utoipa::path(
    put, path = "/api/applications/{id}/access-control", tag = "Applications",
    params(("id" = String, Path, description = "The application")),
    request_body = ReplaceAccessControl,
    responses(
        (status = 200, description = "The rules, each once", body = AccessControl),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such application, user, role, organization or organization role",
            body = ApiErrorBody),
        (status = 422, description = "A role is not for users, or rules are missing", body = ApiErrorBody),
    ),
)]
pub(super) async fn replace_application_access_control(
    management: Management<Recent<ApplicationsWrite>>,
    Id(id): Id<ApplicationId>,
    JsonBody(body): JsonBody<ReplaceAccessControl>,
) -> Result<Json<AccessControl>, ApiError> {
    let mut by_organization: BTreeMap<OrganizationId, BTreeSet<OrganizationRoleId>> = BTreeMap::new();
    for rule in body.organization_role_rules.iter() {
        if rule.organization_role_ids.as_slice().is_empty() {
            let message = "Each of organizationRoleRules needs an organization role.";
            return Err(ApiError::new(ApiCode::RequestInvalidInputUnprocessable, message));
        }
        let roles = by_organization.entry(rule.organization_id.as_str().into()).or_default();
        roles.extend(rule.organization_role_ids.as_slice().iter().cloned());
    }
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    let found = applications::find(&mut tx, &id).await?;
    let application = found.ok_or_else(|| ApiError::not_found("application", &id))?;
    privilege_guard::check_application(&management, &mut tx, &id).await?;
    refuse_machines(&application)?;
    check_roles(&mut tx, body.user_role_ids.as_slice()).await?;
    let organization_roles: BTreeSet<&OrganizationRoleId> = by_organization.values().flatten().collect();
    let organization_roles: Vec<OrganizationRoleId> = organization_roles.into_iter().cloned().collect();
    check_organization_roles(&mut tx, &organization_roles).await?;

    let write = |kind: &'static str| move |error| ApiError::from_write(error, kind);
    USERS.replace(&mut tx, &id, body.user_ids.as_slice()).await.map_err(write("user"))?;
    ROLES.replace(&mut tx, &id, body.user_role_ids.as_slice()).await.map_err(write("role"))?;
    ORGANIZATIONS.replace(&mut tx, &id, body.organization_ids.as_slice()).await.map_err(write("organization"))?;
    access_control::clear_organization_roles(&mut tx, &id).await?;
    for (organization_id, role_ids) in by_organization {
        let role_ids: Vec<OrganizationRoleId> = role_ids.into_iter().collect();
        let added = ORGANIZATION_ROLES.add(&mut tx, (&id, &organization_id), &role_ids).await;
        added.map_err(write("organization or organization role"))?;
    }
    if application.app_level_access_control_enabled && !access_control::has_rules(&mut tx, &id).await? {
        return Err(without_rules());
    }
    let rules = rules(&mut tx, &id).await?;
    let details = json!({ "changedApplicationId": id, "accessControl": rules });
    tx.audit(AuditKey::ManagementApplicationChangeAccessControl, details).await?;
    tx.commit().await?;
    Ok(Json(rules))
}

/// 404 unless the roles exist, 422 unless they are for users.
async fn check_roles(tx: &mut Tx, ids: &[RoleId]) -> Result<(), ApiError> {
    for id in ids {
        let role = roles::find(tx, id).await?.ok_or_else(|| ApiError::unknown_relation("role"))?;
        if role.kind != RoleType::User {
            return Err(relations::unfit("Only roles for users can let users sign in."));
        }
    }
    Ok(())
}

/// The same for organization roles.
async fn check_organization_roles(tx: &mut Tx, ids: &[OrganizationRoleId]) -> Result<(), ApiError> {
    let found = organizations::roles::find_all(tx, ids).await?;
    if found.len() < ids.len() {
        return Err(ApiError::unknown_relation("organization role"));
    }
    if found.iter().any(|role| role.kind != RoleType::User) {
        return Err(relations::unfit("Only organization roles for users can let users sign in."));
    }
    Ok(())
}
