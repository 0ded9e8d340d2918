//! `/api/resources`: the routes, and the operations on resources; those on their scopes are in `scopes.rs`.

mod scopes;

use crate::describe::routes;
use crate::parameters::OptionalPageParameters;
use crate::refusals::{AccessRefused, BodyRefused};
use crate::views::IntoView;
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::resources::{
    CreateResource, ListedResource, ResourceView, ResourceWithScopes, ScopeView, SetDefault, UpdateResource,
};
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::resource::slash_variant;
use claimsmith_domain::id::ResourceId;
use claimsmith_domain::management::{ResourcesRead, ResourcesWrite};
use claimsmith_identity::access::built_in;
use claimsmith_services::app::App;
use claimsmith_storage as storage;
use claimsmith_storage::Tx;
use claimsmith_storage::resources::{self, Resource, Scope};
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use claimsmith_web::extract::page::OptionalPage;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::create_resource, self::list_resources))
        .routes(routes!(self::show_resource, self::update_resource, self::delete_resource))
        .routes(routes!(self::set_resource_default))
        .routes(routes!(scopes::create_scope, scopes::list_scopes))
        .routes(routes!(scopes::update_scope, scopes::delete_scope))
}

impl IntoView<ResourceView> for Resource {
    fn into_view(self) -> ResourceView {
        ResourceView {
            tenant_id: Tenant,
            id: self.id,
            name: self.name,
            indicator: self.indicator,
            is_default: self.is_default,
            access_token_ttl: self.access_token_ttl,
        }
    }
}

impl IntoView<ScopeView> for Scope {
    fn into_view(self) -> ScopeView {
        ScopeView {
            tenant_id: Tenant,
            id: self.id,
            resource_id: self.resource_id,
            name: self.name,
            description: self.description,
            created_at: self.created_at,
        }
    }
}

/// Additional data of a list, beside the resources.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Include {
    include_scopes: Option<String>,
}

/// Lists resources, newest first; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/resources", tag = "Resources",
    params(
        OptionalPageParameters,
        ("includeScopes" = Option<bool>, Query, description = "`true` or `1`: with the `scopes` of each"),
    ),
    responses(
        (status = 200, description = "The resources; `scopes` only when asked for", body = Vec<ListedResource>),
        (status = 400, description = "No such page, or a parameter that is repeated", body = ApiErrorBody),
        AccessRefused,
    ),
)]
pub(super) async fn list_resources(
    management: Management<ResourcesRead>,
    page: OptionalPage,
    Filters(include): Filters<Include>,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    let total = resources::count(&mut tx).await?;
    let resources = resources::list(&mut tx, page.slice()).await?;
    let with_scopes = matches!(include.include_scopes.as_deref(), Some("true" | "1"));
    let mut scopes: HashMap<ResourceId, Vec<ScopeView>> = HashMap::new();
    if with_scopes {
        let ids: Vec<_> = resources.iter().map(|resource| &resource.id).collect();
        for scope in resources::scopes_of_all(&mut tx, &ids).await? {
            scopes.entry(scope.resource_id.clone()).or_default().push(scope.into_view());
        }
    }
    let views = resources.into_iter().map(|resource| {
        let scopes = with_scopes.then(|| scopes.remove(&resource.id).unwrap_or_default());
        ListedResource { resource: resource.into_view(), scopes }
    });
    page.answer(total, views.collect())
}

/// Registers an API that takes access tokens.
#[utoipa::path(
    post, path = "/api/resources", tag = "Resources",
    request_body = CreateResource,
    responses(
        (status = 201, description = "The resource", body = ResourceWithScopes),
        BodyRefused, AccessRefused,
        (status = 422, description = "The indicator is in use, or differs from one only by the slash after its host",
            body = ApiErrorBody),
    ),
)]
pub(super) async fn create_resource(
    management: Management<ResourcesWrite>,
    JsonBody(body): JsonBody<CreateResource>,
) -> Result<(StatusCode, Json<ResourceWithScopes>), ApiError> {
    let ttl = match body.access_token_ttl.0 {
        Some(seconds) => seconds.into(),
        None => i64::try_from(management.app.config.tokens.access_token_ttl.as_secs())?,
    };
    let resource = Resource {
        id: management.app.random.id(21)?.into(),
        name: body.name.into(),
        indicator: body.indicator.into(),
        is_default: false,
        access_token_ttl: ttl,
        created_at: management.now(),
    };

    let mut tx = management.begin_revision(Changed::Nothing).await?;
    let in_use = |message: &str| ApiError::new(ApiCode::ResourceResourceIdentifierInUse, message);
    if let Some(variant) = slash_variant(&resource.indicator)
        && resources::find_by_indicator(&mut tx, &variant).await?.is_some()
    {
        return Err(in_use("This resource indicator is already in use, with another slash at its end."));
    }
    match resources::insert(&mut tx, &resource).await {
        Err(storage::Error::Conflict) => return Err(in_use("This resource indicator is already in use.")),
        result => result?,
    }
    tx.audit(AuditKey::ManagementResourceCreate, json!({ "resourceId": resource.id })).await?;
    tx.commit().await?;
    let view = ResourceWithScopes { resource: resource.into_view(), scopes: Vec::new() };
    Ok((StatusCode::CREATED, Json(view)))
}

/// Shows a resource.
#[utoipa::path(
    get, path = "/api/resources/{id}", tag = "Resources",
    params(("id" = String, Path, description = "The resource")),
    responses(
        (status = 200, description = "The resource", body = ResourceView),
        AccessRefused,
        (status = 404, description = "No such resource", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_resource(
    management: Management<ResourcesRead>,
    Id(id): Id<ResourceId>,
) -> Result<Json<ResourceView>, ApiError> {
    let resource = resources::find(&mut management.read().await?, &id).await?;
    Ok(Json(resource.ok_or_else(|| ApiError::not_found("resource", &id))?.into_view()))
}

/// Changes a resource.
#[utoipa::path(
    patch, path = "/api/resources/{id}", tag = "Resources",
    params(("id" = String, Path, description = "The resource")),
    request_body = UpdateResource,
    responses(
        (status = 200, description = "The resource", body = ResourceView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such resource", body = ApiErrorBody),
        (status = 422, description = "It is the console's resource", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_resource(
    management: Management<ResourcesWrite>,
    Id(id): Id<ResourceId>,
    JsonBody(body): JsonBody<UpdateResource>,
) -> Result<Json<ResourceView>, ApiError> {
    let mut tx = management.begin_revision(Changed::Resource).await?;
    let mut resource = find(&mut tx, &id).await?;
    refuse_change(&management, &resource)?;
    if let Some(name) = body.name.0 {
        resource.name = name.into();
    }
    if let Some(seconds) = body.access_token_ttl.0 {
        resource.access_token_ttl = seconds.into();
    }
    resources::update(&mut tx, &resource).await?;
    tx.audit(AuditKey::ManagementResourceUpdate, json!({ "resourceId": id })).await?;
    tx.commit().await?;
    Ok(Json(resource.into_view()))
}

/// Makes a resource the default one, which no other is then, or takes that from it.
#[utoipa::path(
    patch, path = "/api/resources/{id}/is-default", tag = "Resources",
    params(("id" = String, Path, description = "The resource")),
    request_body = SetDefault,
    responses(
        (status = 200, description = "The resource", body = ResourceView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such resource", body = ApiErrorBody),
        (status = 422, description = "It is the console's resource", body = ApiErrorBody),
    ),
)]
pub(super) async fn set_resource_default(
    management: Management<ResourcesWrite>,
    Id(id): Id<ResourceId>,
    JsonBody(body): JsonBody<SetDefault>,
) -> Result<Json<ResourceView>, ApiError> {
    let mut tx = management.begin_revision(Changed::Resource).await?;
    let mut resource = find(&mut tx, &id).await?;
    // As the default resource, the Management API's tokens would be issued to requests that name no resource.
    refuse_change(&management, &resource)?;
    resources::set_default(&mut tx, &id, body.is_default).await?;
    resource.is_default = body.is_default;
    let details = json!({ "resourceId": id, "isDefault": body.is_default });
    tx.audit(AuditKey::ManagementResourceSetDefault, details).await?;
    tx.commit().await?;
    Ok(Json(resource.into_view()))
}

async fn find(tx: &mut Tx, id: &ResourceId) -> Result<Resource, ApiError> {
    resources::find(tx, id).await?.ok_or_else(|| ApiError::nothing_to_change("resource", id))
}

/// Deletes a resource with its scopes.
///
/// Tokens that were issued for it live on until they expire.
#[utoipa::path(
    delete, path = "/api/resources/{id}", tag = "Resources",
    params(("id" = String, Path, description = "The resource")),
    responses(
        (status = 204, description = "Deleted"),
        (status = 400, description = "The resource is the Management API", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such resource", body = ApiErrorBody),
        (status = 422, description = "It is the console's resource", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_resource(
    management: Management<ResourcesWrite>,
    Id(id): Id<ResourceId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::All).await?;
    let resource = resources::find(&mut tx, &id).await?.ok_or_else(|| ApiError::nothing_to_delete("resource", &id))?;
    built_in::refuse_resource(&id)?;
    if is_management(&management, &resource) {
        let message = "The Management API's own resource cannot be deleted.";
        return Err(ApiError::new(ApiCode::ResourceCannotDeleteManagementApi, message));
    }
    resources::delete(&mut tx, &id).await?;
    tx.audit(AuditKey::ManagementResourceDelete, json!({ "resourceId": id })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Whether it is the resource of the Management API.
fn is_management(management: &Caller, resource: &Resource) -> bool {
    resource.indicator == management.app.config.tokens.management_resource
}

/// Refuses to change one of the server's own resources.
fn refuse_change(management: &Caller, resource: &Resource) -> Result<(), ApiError> {
    built_in::refuse_resource(&resource.id)?;
    if is_management(management, resource) {
        let message = "The Management API's own resource cannot be changed.";
        return Err(ApiError::new(ApiCode::ResourceCannotModifyManagementApi, message));
    }
    Ok(())
}
