//! `/api/organization-scopes`.

use crate::describe::routes;
use crate::parameters::OptionalPageParameters;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchPage};
use crate::relations;
use crate::views::IntoView;
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::organization_scopes::{CreateOrganizationScope, OrganizationScopeView, UpdateOrganizationScope};
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::OrganizationScopeId;
use claimsmith_domain::management::{OrganizationsRead, OrganizationsWrite, RecentIfAsked};
use claimsmith_identity::access::privilege_guard;
use claimsmith_services::app::App;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::organizations;
use claimsmith_storage::organizations::scopes::OrganizationScope;
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::OptionalPage;
use claimsmith_web::extract::query::Query;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(self::create_organization_scope, self::list_organization_scopes)).routes(
        routes!(self::show_organization_scope, self::update_organization_scope, self::delete_organization_scope),
    )
}

impl IntoView<OrganizationScopeView> for OrganizationScope {
    fn into_view(self) -> OrganizationScopeView {
        OrganizationScopeView { tenant_id: Tenant, id: self.id, name: self.name, description: self.description }
    }
}

/// Lists organization scopes by name; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/organization-scopes", tag = "Organization scopes",
    params(("q" = Option<String>, Query, description = "Part of the name, in any case"), OptionalPageParameters),
    responses(
        (status = 200, description = "The scopes", body = Vec<OrganizationScopeView>),
        AccessRefused, NoSuchPage,
    ),
)]
async fn list_organization_scopes(
    management: Management<OrganizationsRead>,
    query: Query,
    page: OptionalPage,
) -> Result<Response, ApiError> {
    let part = query.one("q")?;
    let mut tx = management.read().await?;
    let total = organizations::scopes::count(&mut tx, part).await.map_err(ApiError::from_search)?;
    let scopes = organizations::scopes::list(&mut tx, part, page.slice()).await.map_err(ApiError::from_search)?;
    page.answer(total, scopes.into_iter().map(IntoView::<OrganizationScopeView>::into_view).collect())
}

/// Creates an organization scope.
#[utoipa::path(
    post, path = "/api/organization-scopes", tag = "Organization scopes",
    request_body = CreateOrganizationScope,
    responses(
        (status = 201, description = "The scope", body = OrganizationScopeView),
        BodyRefused, AccessRefused,
        (status = 422, description = "The name is in use", body = ApiErrorBody),
    ),
)]
async fn create_organization_scope(
    management: Management<OrganizationsWrite>,
    JsonBody(body): JsonBody<CreateOrganizationScope>,
) -> Result<(StatusCode, Json<OrganizationScopeView>), ApiError> {
    let scope = OrganizationScope {
        id: management.app.random.id(21)?.into(),
        name: body.name.into(),
        description: body.description.map(Into::into),
    };
    let mut tx = management.begin().await?;
    let written = organizations::scopes::insert(&mut tx, &scope).await;
    written.map_err(|error| relations::from_naming(error, "organization scope"))?;
    let details = json!({ "organizationScopeId": scope.id });
    tx.audit(AuditKey::ManagementOrganizationScopeCreate, details).await?;
    let view: OrganizationScopeView = scope.into_view();
    let event = Event::new(EventType::OrganizationScopeCreated, StatusCode::CREATED).data(&view)?;
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// Shows an organization scope.
#[utoipa::path(
    get, path = "/api/organization-scopes/{id}", tag = "Organization scopes",
    params(("id" = String, Path, description = "The organization scope")),
    responses(
        (status = 200, description = "The scope", body = OrganizationScopeView),
        AccessRefused,
        (status = 404, description = "No such scope", body = ApiErrorBody),
    ),
)]
async fn show_organization_scope(
    management: Management<OrganizationsRead>,
    Id(id): Id<OrganizationScopeId>,
) -> Result<Json<OrganizationScopeView>, ApiError> {
    let scope = organizations::scopes::find(&mut management.read().await?, &id).await?;
    Ok(Json(scope.ok_or_else(|| ApiError::not_found("organization scope", &id))?.into_view()))
}

/// Changes an organization scope.
#[utoipa::path(
    patch, path = "/api/organization-scopes/{id}", tag = "Organization scopes",
    params(("id" = String, Path, description = "The organization scope")),
    request_body = UpdateOrganizationScope,
    responses(
        (status = 200, description = "The scope", body = OrganizationScopeView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such scope", body = ApiErrorBody),
        (status = 422, description = "The name is in use", body = ApiErrorBody),
    ),
)]
async fn update_organization_scope(
    management: Management<RecentIfAsked<OrganizationsWrite>>,
    Id(id): Id<OrganizationScopeId>,
    JsonBody(body): JsonBody<UpdateOrganizationScope>,
) -> Result<Json<OrganizationScopeView>, ApiError> {
    // Serializes changes: each writes the whole row.
    let mut tx = management.begin_revision(Changed::Nothing).await?;
    let scope = organizations::scopes::find(&mut tx, &id).await?;
    let mut scope = scope.ok_or_else(|| ApiError::nothing_to_change("organization scope", &id))?;
    if let Some(name) = body.name.0.map(String::from).filter(|name| *name != scope.name) {
        privilege_guard::check_organization_scope_renamed(&management, &mut tx, &id).await?;
        scope.name = name;
    }
    if let Some(description) = body.description {
        scope.description = description.map(Into::into);
    }
    let written = organizations::scopes::update(&mut tx, &scope).await;
    written.map_err(|error| relations::from_naming(error, "organization scope"))?;
    let details = json!({ "organizationScopeId": id });
    tx.audit(AuditKey::ManagementOrganizationScopeUpdate, details).await?;
    let view: OrganizationScopeView = scope.into_view();
    let event = Event::new(EventType::OrganizationScopeDataUpdated, StatusCode::OK).data(&view)?;
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok(Json(view))
}

/// Deletes an organization scope; no role carries it any more.
#[utoipa::path(
    delete, path = "/api/organization-scopes/{id}", tag = "Organization scopes",
    params(("id" = String, Path, description = "The organization scope")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such scope", body = ApiErrorBody),
    ),
)]
async fn delete_organization_scope(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationScopeId>,
) -> Result<StatusCode, ApiError> {
    // `Changed::Nothing`: deleting the scope records the roles that had it as changed.
    let mut tx = management.begin_revision(Changed::Nothing).await?;
    if !organizations::scopes::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("organization scope", &id));
    }
    let details = json!({ "organizationScopeId": id });
    tx.audit(AuditKey::ManagementOrganizationScopeDelete, details).await?;
    let event = Event::new(EventType::OrganizationScopeDeleted, StatusCode::NO_CONTENT);
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
