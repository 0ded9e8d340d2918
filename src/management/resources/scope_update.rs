//! `PATCH /api/resources/{resourceId}/scopes/{scopeId}`.

use super::protect;
use super::scopes::{find, name_exists, refuse_ungrantable};
use super::view::ScopeView;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{ResourceId, ScopeId};
use claimsmith_domain::management::ResourcesWrite;
use claimsmith_identity::access::privilege_guard;
use claimsmith_json::present;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{self as storage, resources};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::IdPair;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// What is to change; what is left out stays.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::option_option, reason = "left out, null and a text are three things")]
#[schema(example = json!({ "name": "orders:read", "description": null }))]
pub(super) struct UpdateScope {
    /// Unique per resource; printable ASCII without spaces, `"` and `\` (RFC 6749 section 3.3). Users who hold the scope
    /// hold it by its new name from now on: where roles carry it, another name needs what granting it needs, `roles:write`
    /// (and `organizations:write` where organization roles do) beside `resources:write`.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 256)]
    name: Option<Text<1, 256>>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 256)]
    description: Option<Option<Text<0, 256>>>,
}

/// Changes a scope of a resource.
#[utoipa::path(
    patch, path = "/api/resources/{resourceId}/scopes/{scopeId}", tag = "Resources", summary = "Change a scope",
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
    management: Management<ResourcesWrite>,
    IdPair(id, scope_id): IdPair<ResourceId, ScopeId>,
    JsonBody(body): JsonBody<UpdateScope>,
) -> Result<Json<ScopeView>, ApiError> {
    if let Some(name) = &body.name {
        refuse_ungrantable(name.as_str())?;
    }
    let mut tx = management.begin_revision(Changed::All).await?;
    protect::refuse_change(&management, &find(&mut tx, &id).await?)?;
    let found = resources::find_scope(&mut tx, &scope_id).await?.filter(|scope| scope.resource_id == id);
    let mut scope = found.ok_or_else(|| ApiError::nothing_to_change("scope", &scope_id))?;
    if let Some(name) = body.name.map(String::from).filter(|name| *name != scope.name) {
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
    let view = ScopeView::from(scope);
    tx.emit(&Event::new(EventType::ScopeDataUpdated, StatusCode::OK).data(&view)?).await?;
    tx.commit().await?;
    Ok(Json(view))
}
