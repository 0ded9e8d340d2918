//! `PUT /api/custom-profile-fields/{name}`.

use super::body::FieldChange;
use super::view::CustomProfileFieldView;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::management::ConfigsWrite;
use claimsmith_storage::Json as Stored;
use claimsmith_storage::sign_in::custom_profile_fields;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Replaces a field of a profile; its name and its place stay. What people entered before stays, too.
#[utoipa::path(
    put, path = "/api/custom-profile-fields/{name}", tag = "Custom profile fields",
    summary = "Replace a custom profile field",
    params(("name" = String, Path, description = "The name of the field")),
    request_body = FieldChange,
    responses(
        (status = 200, description = "The field", body = CustomProfileFieldView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such field", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_custom_profile_field(
    management: Management<ConfigsWrite>,
    Id(name): Id,
    JsonBody(body): JsonBody<FieldChange>,
) -> Result<Json<CustomProfileFieldView>, ApiError> {
    let field = body.definition(name, true)?;
    let mut tx = management.begin().await?;
    EXPERIENCE.lock(&mut tx).await?;
    let found = custom_profile_fields::find(&mut tx, &field.name).await?;
    let mut row = found.ok_or_else(|| ApiError::nothing_to_change("custom profile field", &field.name))?;
    row.kind = field.kind;
    (row.label, row.description, row.required) = (field.label, field.description, field.required);
    row.config = Stored(field.config);
    custom_profile_fields::update(&mut tx, &row).await?;
    tx.audit(AuditKey::ManagementCustomProfileFieldUpdate, json!({ "name": row.name })).await?;
    tx.commit().await?;
    Ok(Json(row.into()))
}
