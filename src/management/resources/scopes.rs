//! `/api/resources/{resourceId}/scopes`.

use super::refuse_change;
use crate::parameters::{PageParameters, SearchParameters};
use crate::refusals::{AccessRefused, BodyRefused, NotSearchable};
use crate::views::IntoView;
use axum::Json;
use axum::extract::RawQuery;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::resources::{CreateScope, ScopeView, UpdateScope};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{ResourceId, ScopeId};
use claimsmith_domain::management::{RecentIfAsked, ResourcesRead, ResourcesWrite};
use claimsmith_domain::scope;
use claimsmith_identity::access::privilege_guard;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::resources::{self, Resource, Scope};
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{self as storage, Tx};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::search;
use serde_json::json;

/// Lists the scopes of a resource, oldest first.
#[utoipa::path(
    get, path = "/api/resources/{resourceId}/scopes", tag = "Resources",
    params(("resourceId" = String, Path, description = "The resource"), SearchParameters, PageParameters),
    responses(
        (status = 200, description = "The page", body = Vec<ScopeView>, headers(
            ("Total-Number" = i64, description = "How many there are in all"),
            ("Link" = String, description = "URLs of the first, previous, next and last page"),
        )),
        AccessRefused, NotSearchable,
        (status = 404, description = "No such resource", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_scopes(
    management: Management<ResourcesRead>,
    Id(id): Id<ResourceId>,
    page: Page,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let search = search::parse(query.as_deref(), &resources::SCOPE_FIELDS)?;
    let mut tx = management.read().await?;
    find(&mut tx, &id).await?;
    let total = resources::count_scopes(&mut tx, &id, search.as_ref()).await.map_err(ApiError::from_search)?;
    let scopes = resources::list_scopes(&mut tx, &id, search.as_ref(), page.slice()).await;
    let scopes = scopes.map_err(ApiError::from_search)?;
    page.answer(total, scopes.into_iter().map(IntoView::<ScopeView>::into_view).collect())
}

/// Creates a scope of a resource.
#[utoipa::path(
    post, path = "/api/resources/{resourceId}/scopes", tag = "Resources",
    params(("resourceId" = String, Path, description = "The resource")),
    request_body = CreateScope,
    responses(
        (status = 201, description = "The scope", body = ScopeView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such resource", body = ApiErrorBody),
        (status = 422, description = "The resource has a scope of this name", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_scope(
    management: Management<ResourcesWrite>,
    Id(id): Id<ResourceId>,
    JsonBody(body): JsonBody<CreateScope>,
) -> Result<(StatusCode, Json<ScopeView>), ApiError> {
    refuse_ungrantable(body.name.as_str())?;
    let scope = Scope {
        id: management.app.random.id(21)?.into(),
        resource_id: id,
        name: body.name.into(),
        description: body.description.map(Into::into),
        created_at: management.now(),
    };

    let mut tx = management.begin_revision(Changed::Nothing).await?;
    let resource = find(&mut tx, &scope.resource_id).await?;
    refuse_change(&management, &resource)?;
    match resources::insert_scope(&mut tx, &scope).await {
        Err(storage::Error::Conflict) => return Err(name_exists()),
        result => result.map_err(|error| ApiError::from_write(error, "resource"))?,
    }
    let details = json!({ "resourceId": resource.id, "scopeId": scope.id });
    tx.audit(AuditKey::ManagementScopeCreate, details).await?;
    let view: ScopeView = scope.into_view();
    tx.emit(&Event::new(EventType::ScopeCreated, StatusCode::CREATED).data(&view)?).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// Deletes a scope of a resource; no role carries it any more.
#[utoipa::path(
    delete, path = "/api/resources/{resourceId}/scopes/{scopeId}", tag = "Resources",
    params(
        ("resourceId" = String, Path, description = "The resource"),
        ("scopeId" = String, Path, description = "The scope"),
    ),
    responses(
        (status = 204, description = "Deleted"),
        (status = 400, description = "The resource is the Management API", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such resource or scope", body = ApiErrorBody),
        (status = 422, description = "It is a scope of the console", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_scope(
    management: Management<ResourcesWrite>,
    IdPair(id, scope_id): IdPair<ResourceId, ScopeId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::All).await?;
    refuse_change(&management, &find(&mut tx, &id).await?)?;
    if !resources::delete_scope(&mut tx, &id, &scope_id).await? {
        return Err(ApiError::nothing_to_delete("scope", &scope_id));
    }
    let details = json!({ "resourceId": id, "scopeId": scope_id });
    tx.audit(AuditKey::ManagementScopeDelete, details).await?;
    tx.emit(&Event::new(EventType::ScopeDeleted, StatusCode::NO_CONTENT)).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

fn name_exists() -> ApiError {
    ApiError::new(ApiCode::ScopeNameExists, "The resource has a scope of this name.")
}

async fn find(tx: &mut Tx, id: &ResourceId) -> Result<Resource, ApiError> {
    resources::find(tx, id).await?.ok_or_else(|| ApiError::not_found("resource", id))
}

/// Refuses a scope name that no request could contain, since it could never be granted.
fn refuse_ungrantable(name: &str) -> Result<(), ApiError> {
    if name.contains(char::is_whitespace) {
        let message = "The scope name cannot contain any spaces.";
        return Err(ApiError::new(ApiCode::ScopeNameWithSpace, message));
    }
    if scope::words(name).is_none() {
        let details = "Error in key path \"name\": expected printable ASCII without \" and \\";
        return Err(ApiError::invalid_input("body", details));
    }
    Ok(())
}

/// Changes a scope of a resource.
#[utoipa::path(
    patch, path = "/api/resources/{resourceId}/scopes/{scopeId}", tag = "Resources",
    params(
        ("resourceId" = String, Path, description = "The resource"),
        ("scopeId" = String, Path, description = "The scope"),
    ),
    request_body = UpdateScope,
    responses(
        (status = 200, description = "The scope", body = ScopeView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such resource or scope", body = ApiErrorBody),
        (status = 422, description = "The resource has a scope of this name", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_scope(
    management: Management<RecentIfAsked<ResourcesWrite>>,
    IdPair(id, scope_id): IdPair<ResourceId, ScopeId>,
    JsonBody(body): JsonBody<UpdateScope>,
) -> Result<Json<ScopeView>, ApiError> {
    if let Some(name) = body.name.as_ref() {
        refuse_ungrantable(name.as_str())?;
    }
    let mut tx = management.begin_revision(Changed::All).await?;
    refuse_change(&management, &find(&mut tx, &id).await?)?;
    let found = resources::find_scope(&mut tx, &scope_id).await?.filter(|scope| scope.resource_id == id);
    let mut scope = found.ok_or_else(|| ApiError::nothing_to_change("scope", &scope_id))?;
    if let Some(name) = body.name.0.map(String::from).filter(|name| *name != scope.name) {
        privilege_guard::check_scope_renamed(&management, &mut tx, &scope_id).await?;
        scope.name = name;
    }
    if let Some(description) = body.description {
        scope.description = description.map(Into::into);
    }
    match resources::update_scope(&mut tx, &scope).await {
        Err(storage::Error::Conflict) => return Err(name_exists()),
        result => result?,
    }
    let details = json!({ "resourceId": id, "scopeId": scope_id });
    tx.audit(AuditKey::ManagementScopeUpdate, details).await?;
    let view: ScopeView = scope.into_view();
    tx.emit(&Event::new(EventType::ScopeDataUpdated, StatusCode::OK).data(&view)?).await?;
    tx.commit().await?;
    Ok(Json(view))
}
