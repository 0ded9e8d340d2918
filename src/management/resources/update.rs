//! `PATCH /api/resources/{id}` and `PATCH /api/resources/{id}/is-default`.

use super::create::Ttl;
use super::protect;
use super::view::ResourceView;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::ResourceId;
use claimsmith_domain::management::ResourcesWrite;
use claimsmith_json::present;
use claimsmith_storage::Tx;
use claimsmith_storage::resources::{self, Resource};
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// What is to change; what is left out stays. The indicator cannot change: tokens carry it.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "Orders", "accessTokenTtl": 600 }))]
pub(super) struct UpdateResource {
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 256)]
    name: Option<Text<1, 256>>,
    /// Seconds; of tokens that are issued from now on.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = u32, required = false, minimum = 1, maximum = 31_536_000)]
    access_token_ttl: Option<Ttl>,
}

/// Whether a resource is to be the default one.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "isDefault": true }))]
pub(super) struct SetDefault {
    /// `true` takes it from the resource that is the default one now.
    is_default: bool,
}

/// Changes a resource.
#[utoipa::path(
    patch, path = "/api/resources/{id}", tag = "Resources", summary = "Change a resource",
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
    protect::refuse_change(&management, &resource)?;
    if let Some(name) = body.name {
        resource.name = name.into();
    }
    if let Some(Ttl(seconds)) = body.access_token_ttl {
        resource.access_token_ttl = i64::from(seconds);
    }
    resources::update(&mut tx, &resource).await?;
    tx.audit(AuditKey::ManagementResourceUpdate, json!({ "resourceId": id })).await?;
    tx.commit().await?;
    Ok(Json(resource.into()))
}

/// Makes a resource the default one, which no other is then, or takes that from it.
#[utoipa::path(
    patch, path = "/api/resources/{id}/is-default", tag = "Resources", summary = "Make a resource the default one",
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
    protect::refuse_change(&management, &resource)?;
    resources::set_default(&mut tx, &id, body.is_default).await?;
    resource.is_default = body.is_default;
    let details = json!({ "resourceId": id, "isDefault": body.is_default });
    tx.audit(AuditKey::ManagementResourceSetDefault, details).await?;
    tx.commit().await?;
    Ok(Json(resource.into()))
}

async fn find(tx: &mut Tx, id: &ResourceId) -> Result<Resource, ApiError> {
    resources::find(tx, id).await?.ok_or_else(|| ApiError::nothing_to_change("resource", id))
}
