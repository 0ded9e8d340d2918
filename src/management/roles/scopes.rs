//! `/api/roles/{id}/scopes`.

use crate::parameters::{OptionalPageParameters, SearchParameters};
use crate::refusals::{AccessRefused, BodyRefused, NotSearchable};
use crate::views::IntoView;
use axum::Json;
use axum::extract::RawQuery;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::resources::RoleScopeView;
use claimsmith_api::roles::AddRoleScopes;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{RoleId, ScopeId};
use claimsmith_domain::management::{RolesRead, RolesWrite};
use claimsmith_identity::access::built_in;
use claimsmith_identity::access::privilege_guard::{self, Administered};
use claimsmith_services::webhooks::Event;
use claimsmith_storage::resources::{self, Scope};
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::roles::{self, Role};
use claimsmith_storage::{Slice, Tx};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use claimsmith_web::extract::page::OptionalPage;
use claimsmith_web::extract::search;
use serde_json::json;
use std::collections::BTreeSet;

/// Lists the scopes that a role carries; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/roles/{id}/scopes", tag = "Roles",
    params(("id" = String, Path, description = "The role"), SearchParameters, OptionalPageParameters),
    responses(
        (status = 200, description = "The scopes", body = Vec<RoleScopeView>),
        AccessRefused, NotSearchable,
        (status = 404, description = "No such role", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_role_scopes(
    management: Management<RolesRead>,
    Id(id): Id<RoleId>,
    page: OptionalPage,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let search = search::parse(query.as_deref(), &resources::SCOPE_FIELDS)?;
    let mut tx = management.read().await?;
    super::find(&mut tx, &id).await?;
    let total = resources::count_scopes_of_role(&mut tx, &id, search.as_ref()).await;
    let total = total.map_err(ApiError::from_search)?;
    let scopes = resources::list_scopes_of_role(&mut tx, &id, search.as_ref(), page.slice()).await;
    let scopes = beside_resources(&mut tx, scopes.map_err(ApiError::from_search)?).await?;
    page.answer(total, scopes)
}

/// Lets a role carry more scopes.
#[utoipa::path(
    post, path = "/api/roles/{id}/scopes", tag = "Roles",
    params(("id" = String, Path, description = "The role")),
    request_body = AddRoleScopes,
    responses(
        (status = 201, description = "Every scope that the role carries now", body = Vec<RoleScopeView>),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such role or scope", body = ApiErrorBody),
        (status = 422, description = "The role carries one of the scopes already", body = ApiErrorBody),
    ),
)]
pub(super) async fn add_role_scopes(
    management: Management<RolesWrite>,
    Id(id): Id<RoleId>,
    JsonBody(body): JsonBody<AddRoleScopes>,
) -> Result<(StatusCode, Json<Vec<RoleScopeView>>), ApiError> {
    let mut tx = management.begin_revision(Changed::Role(&id)).await?;
    let role = super::find(&mut tx, &id).await?;
    super::refuse_internal(&role.name)?;
    let carried = resources::scopes_of_role(&mut tx, &id).await?;
    if carried.iter().any(|scope| body.scope_ids.as_slice().contains(&scope.id)) {
        return Err(ApiError::new(ApiCode::RoleScopeExists, "The role carries one of the scopes already."));
    }
    add(&management, &mut tx, &role, body.scope_ids.as_slice()).await?;
    let scopes = views(&mut tx, &id).await?;
    let details = json!({ "roleId": id, "scopeIds": body.scope_ids.as_slice() });
    tx.audit(AuditKey::ManagementRoleAddScopes, details).await?;
    let event = Event::new(EventType::RoleScopesUpdated, StatusCode::CREATED).data(&scopes)?;
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(scopes)))
}

/// Takes a scope from a role.
#[utoipa::path(
    delete, path = "/api/roles/{id}/scopes/{scopeId}", tag = "Roles",
    params(("id" = String, Path, description = "The role"), ("scopeId" = String, Path, description = "The scope")),
    responses(
        (status = 204, description = "Taken"),
        AccessRefused,
        (status = 404, description = "No such role, or it does not carry this scope", body = ApiErrorBody),
        (status = 422, description = "It is what makes the last administrator", body = ApiErrorBody),
    ),
)]
pub(super) async fn remove_role_scope(
    management: Management<RolesWrite>,
    IdPair(id, scope_id): IdPair<RoleId, ScopeId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::Role(&id)).await?;
    super::refuse_internal(&super::find(&mut tx, &id).await?.name)?;
    built_in::refuse_role(&id)?;
    let scopes = resources::find_scopes(&mut tx, std::slice::from_ref(&scope_id)).await?;
    privilege_guard::check_scopes(&management, &mut tx, &scopes).await?;
    let administered = Administered::before(&management, &mut tx).await?;
    if !roles::remove_scope(&mut tx, &id, &scope_id).await? {
        return Err(ApiError::nothing_to_delete("scope of the role", &scope_id));
    }
    administered.check(&management, &mut tx).await?;
    let details = json!({ "roleId": id, "scopeId": scope_id });
    tx.audit(AuditKey::ManagementRoleRemoveScope, details).await?;
    tx.emit(&Event::new(EventType::RoleScopesUpdated, StatusCode::NO_CONTENT)).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Adds scopes to a role, if allowed: those of the Management API only to roles for machines, by callers who have all
/// of it.
async fn add(management: &Caller, tx: &mut Tx, role: &Role, scope_ids: &[ScopeId]) -> Result<(), ApiError> {
    check(management, tx, role, scope_ids).await?;
    roles::add_scopes(tx, &role.id, scope_ids).await.map_err(|error| ApiError::from_write(error, "scope"))
}

/// Refuses scopes that a role cannot get, or that this caller may not add.
pub(super) async fn check(
    management: &Caller,
    tx: &mut Tx,
    role: &Role,
    scope_ids: &[ScopeId],
) -> Result<(), ApiError> {
    built_in::refuse_role(&role.id)?;
    let scopes = resources::find_scopes(tx, scope_ids).await?;
    if scopes.len() < scope_ids.len() {
        return Err(ApiError::unknown_relation("scope"));
    }
    if privilege_guard::check_scopes(management, tx, &scopes).await? && role.kind == RoleType::User {
        let code = ApiCode::RoleManagementApiScopesNotAssignableToUserRole;
        let message = "Scopes of the Management API cannot be given to a role for users.";
        return Err(ApiError::new(code, message));
    }
    Ok(())
}

/// The scopes of a role, each with its resource.
pub(super) async fn views(tx: &mut Tx, role_id: &RoleId) -> Result<Vec<RoleScopeView>, ApiError> {
    let scopes = resources::list_scopes_of_role(tx, role_id, None, Slice::ALL).await?;
    beside_resources(tx, scopes).await
}

async fn beside_resources(tx: &mut Tx, scopes: Vec<Scope>) -> Result<Vec<RoleScopeView>, ApiError> {
    let ids: BTreeSet<_> = scopes.iter().map(|scope| &scope.resource_id).collect();
    let found = resources::find_all(tx, &ids.into_iter().collect::<Vec<_>>()).await?;
    let beside = |scope: Scope| {
        let resource = found.iter().find(|resource| resource.id == scope.resource_id)?.clone();
        Some(RoleScopeView { scope: scope.into_view(), resource: resource.into_view() })
    };
    Ok(scopes.into_iter().filter_map(beside).collect())
}
