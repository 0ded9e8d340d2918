//! `POST /api/custom-profile-fields` and `POST /api/custom-profile-fields/batch`.

use super::body::NewField;
use super::view::CustomProfileFieldView;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::custom_profile_field::CustomProfileField;
use claimsmith_domain::management::ConfigsWrite;
use claimsmith_storage::sign_in::custom_profile_fields::{self, StoredField};
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::{self as storage, Json as Stored};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::{JsonBody, ListBody};
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Maximum number of fields in one request.
const MAX_FIELDS_AT_ONCE: usize = 20;
/// Maximum number of fields: users fill them in on one page.
const MAX_FIELDS: usize = 50;

/// Adds a field of a profile, behind the others.
#[utoipa::path(
    post, path = "/api/custom-profile-fields", tag = "Custom profile fields", summary = "Create a custom profile field",
    request_body = NewField,
    responses(
        (status = 201, description = "The field", body = CustomProfileFieldView),
        BodyRefused, AccessRefused,
        (status = 422, description = "There is one of this name, or there are too many", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_custom_profile_field(
    management: Management<ConfigsWrite>,
    JsonBody(body): JsonBody<NewField>,
) -> Result<(StatusCode, Json<CustomProfileFieldView>), ApiError> {
    let mut created = create(&management, vec![body.definition()?]).await?;
    let field = created.pop().ok_or_else(too_many)?;
    Ok((StatusCode::CREATED, Json(field)))
}

/// Adds fields of a profile, behind the others and in their order: all of them or none.
#[utoipa::path(
    post, path = "/api/custom-profile-fields/batch", tag = "Custom profile fields",
    summary = "Create custom profile fields",
    request_body = Vec<NewField>,
    responses(
        (status = 201, description = "The fields", body = Vec<CustomProfileFieldView>),
        BodyRefused, AccessRefused,
        (status = 422, description = "There is one of this name, or there are too many", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_custom_profile_fields(
    management: Management<ConfigsWrite>,
    ListBody(body): ListBody<NewField>,
) -> Result<(StatusCode, Json<Vec<CustomProfileFieldView>>), ApiError> {
    if body.len() > MAX_FIELDS_AT_ONCE {
        let details = format!("Error in the body: expected at most {MAX_FIELDS_AT_ONCE} fields, found {}", body.len());
        return Err(ApiError::invalid_input("body", details));
    }
    let fields = body.into_iter().map(NewField::definition).collect::<Result<Vec<_>, _>>()?;
    Ok((StatusCode::CREATED, Json(create(&management, fields).await?)))
}

async fn create(
    management: &Management<ConfigsWrite>,
    fields: Vec<CustomProfileField>,
) -> Result<Vec<CustomProfileFieldView>, ApiError> {
    let mut tx = management.begin().await?;
    // Serialized with other additions.
    EXPERIENCE.lock(&mut tx).await?;
    let known = custom_profile_fields::list(&mut tx).await?;
    if known.len() + fields.len() > MAX_FIELDS {
        return Err(too_many());
    }
    let mut last = known.iter().map(|field| field.sie_order).max().unwrap_or_default();
    let mut created = Vec::with_capacity(fields.len());
    for field in fields {
        last = last.saturating_add(1);
        let row = StoredField {
            id: management.app.random.id(21)?,
            name: field.name,
            kind: field.kind,
            label: field.label,
            description: field.description,
            required: field.required,
            config: Stored(field.config),
            created_at: management.now(),
            sie_order: last,
        };
        match custom_profile_fields::insert(&mut tx, &row).await {
            Err(storage::Error::Conflict) => return Err(taken(&row.name)),
            other => other?,
        }
        created.push(row);
    }
    let names: Vec<&str> = created.iter().map(|field| field.name.as_str()).collect();
    tx.audit(AuditKey::ManagementCustomProfileFieldCreate, json!({ "names": names })).await?;
    tx.commit().await?;
    Ok(created.into_iter().map(CustomProfileFieldView::from).collect())
}

fn taken(name: &str) -> ApiError {
    let message = format!("There is a field of the name {name:?} already.");
    ApiError::new(ApiCode::CustomProfileFieldsNameExists, message)
}

fn too_many() -> ApiError {
    let message = format!("There can be {MAX_FIELDS} fields: delete some first.");
    ApiError::new(ApiCode::CustomProfileFieldsTooMany, message)
}
