//! `/api/organization-roles`: the routes, the operations on organization roles, and the check of which roles can be
//! assigned to users and which to applications.

mod resource_scopes;
mod scopes;

use crate::describe::routes;
use crate::parameters::PageParameters;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchPage};
use crate::relations;
use crate::views::IntoView;
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::organization_roles::{
    CarriedResource, CarriedResourceScopeView, CarriedScopeView, CreateOrganizationRole, OrganizationRoleView,
    OrganizationRoleWithScopes, UpdateOrganizationRole,
};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::OrganizationRoleId;
use claimsmith_domain::management::{OrganizationsRead, OrganizationsWrite, RecentIfAsked};
use claimsmith_identity::access::privilege_guard;
use claimsmith_services::app::App;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::organizations::role_scopes::{CarriedResourceScope, CarriedScope, RESOURCE_SCOPES, SCOPES};
use claimsmith_storage::organizations::roles::OrganizationRole;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{Tx, organizations};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::query::Query;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::create_organization_role, self::list_organization_roles))
        .routes(routes!(self::show_organization_role, self::update_organization_role, self::delete_organization_role))
        .routes(routes!(
            scopes::list_organization_role_scopes,
            scopes::add_organization_role_scopes,
            scopes::replace_organization_role_scopes
        ))
        .routes(routes!(scopes::remove_organization_role_scope))
        .routes(routes!(
            resource_scopes::list_organization_role_resource_scopes,
            resource_scopes::add_organization_role_resource_scopes,
            resource_scopes::replace_organization_role_resource_scopes
        ))
        .routes(routes!(resource_scopes::remove_organization_role_resource_scope))
}

/// 422 unless these are existing roles of this type.
pub(super) async fn check(tx: &mut Tx, role_ids: &[OrganizationRoleId], kind: RoleType) -> Result<(), ApiError> {
    let found = organizations::roles::find_all(tx, role_ids).await?;
    if found.len() < role_ids.len() {
        return Err(relations::missing("organization role"));
    }
    if found.iter().any(|role| role.kind != kind) {
        return Err(relations::unfit(match kind {
            RoleType::User => "Only organization roles for users can be given to a user.",
            RoleType::MachineToMachine => "Only organization roles for applications can be given to an application.",
        }));
    }
    Ok(())
}

/// Lists organization roles by name.
#[utoipa::path(
    get, path = "/api/organization-roles", tag = "Organization roles",
    params(
        ("q" = Option<String>, Query, description = "Part of the id, the name or the description, in any case"),
        PageParameters,
    ),
    responses(
        (status = 200, description = "The page", body = Vec<OrganizationRoleWithScopes>, headers(
            ("Total-Number" = i64, description = "How many there are in all"),
            ("Link" = String, description = "URLs of the first, previous, next and last page"),
        )),
        AccessRefused, NoSuchPage,
    ),
)]
pub(super) async fn list_organization_roles(
    management: Management<OrganizationsRead>,
    query: Query,
    page: Page,
) -> Result<Response, ApiError> {
    let part = query.one("q")?;
    let mut tx = management.read().await?;
    let total = organizations::roles::count(&mut tx, part).await.map_err(ApiError::from_search)?;
    let roles = organizations::roles::list(&mut tx, part, page.slice()).await.map_err(ApiError::from_search)?;
    let ids: Vec<_> = roles.iter().map(|role| &role.id).collect();
    let scopes = organizations::role_scopes::carried(&mut tx, &ids).await?;
    let resource_scopes = organizations::role_scopes::carried_of_resources(&mut tx, &ids).await?;
    page.answer(total, roles.into_iter().map(|role| view(role, &scopes, &resource_scopes)).collect())
}

fn view(
    role: OrganizationRole,
    scopes: &[CarriedScope],
    resource_scopes: &[CarriedResourceScope],
) -> OrganizationRoleWithScopes {
    let scopes = scopes.iter().filter(|scope| scope.role_id == role.id);
    let resource_scopes = resource_scopes.iter().filter(|scope| scope.role_id == role.id);
    OrganizationRoleWithScopes {
        scopes: scopes.map(|scope| CarriedScopeView { id: scope.id.clone(), name: scope.name.clone() }).collect(),
        resource_scopes: resource_scopes
            .map(|scope| CarriedResourceScopeView {
                id: scope.id.clone(),
                name: scope.name.clone(),
                resource: CarriedResource { id: scope.resource_id.clone(), name: scope.resource_name.clone() },
            })
            .collect(),
        role: role.into_view(),
    }
}

/// Creates an organization role.
#[utoipa::path(
    post, path = "/api/organization-roles", tag = "Organization roles",
    request_body = CreateOrganizationRole,
    responses(
        (status = 201, description = "The role", body = OrganizationRoleView),
        BodyRefused, AccessRefused,
        (status = 422, description = "The name is in use, or there is no such scope", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_organization_role(
    management: Management<OrganizationsWrite>,
    JsonBody(body): JsonBody<CreateOrganizationRole>,
) -> Result<(StatusCode, Json<OrganizationRoleView>), ApiError> {
    let role = OrganizationRole {
        id: management.app.random.id(21)?.into(),
        name: body.name.into(),
        description: body.description.map(Into::into),
        kind: body.r#type,
    };
    let scope_ids = body.organization_scope_ids.as_ref().map_or(&[][..], IdList::as_slice);
    let resource_scope_ids = body.resource_scope_ids.as_ref().map_or(&[][..], IdList::as_slice);

    let mut tx = management.begin_revision(Changed::Nothing).await?;
    let written = organizations::roles::insert(&mut tx, &role).await;
    written.map_err(|error| relations::from_naming(error, "organization role"))?;
    let linked = SCOPES.add(&mut tx, &role.id, scope_ids).await;
    linked.map_err(|error| relations::from_write(error, "organization scope"))?;
    resource_scopes::check(&management, &mut tx, resource_scope_ids).await?;
    let linked = RESOURCE_SCOPES.add(&mut tx, &role.id, resource_scope_ids).await;
    linked.map_err(|error| relations::from_write(error, "scope"))?;
    let details = json!({
        "organizationRoleId": role.id, "organizationScopeIds": scope_ids, "resourceScopeIds": resource_scope_ids,
    });
    tx.audit(AuditKey::ManagementOrganizationRoleCreate, details).await?;
    if !scope_ids.is_empty() || !resource_scope_ids.is_empty() {
        let event = Event::new(EventType::OrganizationRoleScopesUpdated, StatusCode::CREATED);
        tx.emit(&event.of("organizationRoleId", &role.id)).await?;
    }
    let view: OrganizationRoleView = role.into_view();
    let event = Event::new(EventType::OrganizationRoleCreated, StatusCode::CREATED).data(&view)?;
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// Shows an organization role.
#[utoipa::path(
    get, path = "/api/organization-roles/{id}", tag = "Organization roles",
    params(("id" = String, Path, description = "The organization role")),
    responses(
        (status = 200, description = "The role", body = OrganizationRoleView),
        AccessRefused,
        (status = 404, description = "No such role", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_organization_role(
    management: Management<OrganizationsRead>,
    Id(id): Id<OrganizationRoleId>,
) -> Result<Json<OrganizationRoleView>, ApiError> {
    let role = organizations::roles::find(&mut management.read().await?, &id).await?;
    Ok(Json(role.ok_or_else(|| ApiError::not_found("organization role", &id))?.into_view()))
}

/// Changes an organization role.
#[utoipa::path(
    patch, path = "/api/organization-roles/{id}", tag = "Organization roles",
    params(("id" = String, Path, description = "The organization role")),
    request_body = UpdateOrganizationRole,
    responses(
        (status = 200, description = "The role", body = OrganizationRoleView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such role", body = ApiErrorBody),
        (status = 422, description = "The name is in use", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_organization_role(
    management: Management<RecentIfAsked<OrganizationsWrite>>,
    Id(id): Id<OrganizationRoleId>,
    JsonBody(body): JsonBody<UpdateOrganizationRole>,
) -> Result<Json<OrganizationRoleView>, ApiError> {
    let mut tx = management.begin_revision(Changed::OrganizationRole(&id)).await?;
    let role = organizations::roles::find(&mut tx, &id).await?;
    let mut role = role.ok_or_else(|| ApiError::nothing_to_change("organization role", &id))?;
    if let Some(name) = body.name.0.map(String::from).filter(|name| *name != role.name) {
        privilege_guard::check_organization_role_renamed(&management, &mut tx, &id).await?;
        role.name = name;
    }
    if let Some(description) = body.description {
        role.description = description.map(Into::into);
    }
    let written = organizations::roles::update(&mut tx, &role).await;
    written.map_err(|error| relations::from_naming(error, "organization role"))?;
    let details = json!({ "organizationRoleId": id });
    tx.audit(AuditKey::ManagementOrganizationRoleUpdate, details).await?;
    let view: OrganizationRoleView = role.into_view();
    let event = Event::new(EventType::OrganizationRoleDataUpdated, StatusCode::OK).data(&view)?;
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok(Json(view))
}

/// Deletes an organization role; members lose it.
#[utoipa::path(
    delete, path = "/api/organization-roles/{id}", tag = "Organization roles",
    params(("id" = String, Path, description = "The organization role")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such role", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_organization_role(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationRoleId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::OrganizationRole(&id)).await?;
    if !organizations::roles::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("organization role", &id));
    }
    let details = json!({ "organizationRoleId": id });
    tx.audit(AuditKey::ManagementOrganizationRoleDelete, details).await?;
    let event = Event::new(EventType::OrganizationRoleDeleted, StatusCode::NO_CONTENT);
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
