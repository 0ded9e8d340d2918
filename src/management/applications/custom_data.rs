//! `PATCH /api/applications/{id}/custom-data`.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::ApplicationId;
use claimsmith_domain::management::ApplicationsWrite;
use claimsmith_identity::access::privilege_guard;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{Document as _, applications};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::{Map, Value, json};

/// Maximum bytes of merged custom data: as much as one request body could have.
const MAX_CUSTOM_DATA_BYTES: usize = 1024 * 1024;

/// Merges members into the custom data of an application: those that are named replace what there was, all others stay.
#[utoipa::path(
    patch, path = "/api/applications/{id}/custom-data", tag = "Applications",
    params(("id" = String, Path, description = "The application")),
    request_body(content = Object, example = json!({ "region": "eu" })),
    responses(
        (status = 200, description = "All of the custom data", body = Object,
            example = json!({ "plan": "gold", "region": "eu" })),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such application", body = ApiErrorBody),
        (status = 422, description = "It is an application of the server's own", body = ApiErrorBody),
    ),
)]
pub(super) async fn merge_application_custom_data(
    management: Management<ApplicationsWrite>,
    Id(id): Id<ApplicationId>,
    JsonBody(body): JsonBody<Map<String, Value>>,
) -> Result<Json<Value>, ApiError> {
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    let mut application =
        applications::find(&mut tx, &id).await?.ok_or_else(|| ApiError::nothing_to_change("application", &id))?;
    privilege_guard::check_application(&management, &mut tx, &id).await?;
    if application.custom_data.is_unreadable() {
        return Err(ApiError::unreadable("custom data"));
    }
    let mut members = match application.custom_data.0 {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    members.extend(body);
    let merged = Value::Object(members);
    if merged.to_string().len() > MAX_CUSTOM_DATA_BYTES {
        let details =
            format!("Error in the body: expected custom data of at most {MAX_CUSTOM_DATA_BYTES} bytes in all");
        return Err(ApiError::invalid_input("body", details));
    }
    application.custom_data.0 = merged;
    applications::update(&mut tx, &application).await?;
    let details = json!({ "changedApplicationId": id });
    tx.audit(AuditKey::ManagementApplicationUpdateCustomData, details).await?;
    tx.commit().await?;
    Ok(Json(application.custom_data.0))
}
