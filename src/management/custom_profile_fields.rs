//! `/api/custom-profile-fields`: the profile fields that users are asked for.

use crate::describe::routes;
use crate::refusals::{AccessRefused, BodyRefused};
use crate::views::IntoView;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::custom_profile_fields::{CustomProfileFieldView, FieldChange, FieldOrder, NewField};
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::custom_profile_field::definition::{self, DefinitionProblem};
use claimsmith_domain::documents::custom_profile_field::CustomProfileField;
use claimsmith_domain::documents::sign_in_experience::ProfileFields;
use claimsmith_domain::management::{ConfigsRead, ConfigsWrite};
use claimsmith_services::app::App;
use claimsmith_storage::sign_in::custom_profile_fields::{self, StoredField};
use claimsmith_storage::sign_in::settings::{ACCOUNT_CENTER, EXPERIENCE};
use claimsmith_storage::{self as storage, Json as Stored};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::{JsonBody, ListBody};
use claimsmith_web::extract::management::Management;
use serde_json::json;
use std::collections::HashSet;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::list_custom_profile_fields, self::create_custom_profile_field))
        .routes(routes!(self::create_custom_profile_fields))
        .routes(routes!(self::order_custom_profile_fields))
        .routes(routes!(
            self::show_custom_profile_field,
            self::update_custom_profile_field,
            self::delete_custom_profile_field
        ))
}

/// Lists the fields of a profile, in their order.
#[utoipa::path(
    get, path = "/api/custom-profile-fields", tag = "Custom profile fields",
    responses(
        (status = 200, description = "The fields", body = Vec<CustomProfileFieldView>),
        AccessRefused,
    ),
)]
pub(super) async fn list_custom_profile_fields(
    management: Management<ConfigsRead>,
) -> Result<Json<Vec<CustomProfileFieldView>>, ApiError> {
    let all = custom_profile_fields::list(&mut management.read().await?).await?;
    Ok(Json(all.into_iter().map(StoredField::into_view).collect()))
}

/// Shows a field of a profile.
#[utoipa::path(
    get, path = "/api/custom-profile-fields/{name}", tag = "Custom profile fields",
    params(("name" = String, Path, description = "The name of the field")),
    responses(
        (status = 200, description = "The field", body = CustomProfileFieldView),
        AccessRefused,
        (status = 404, description = "No such field", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_custom_profile_field(
    management: Management<ConfigsRead>,
    Id(name): Id,
) -> Result<Json<CustomProfileFieldView>, ApiError> {
    let found = custom_profile_fields::find(&mut management.read().await?, &name).await?;
    Ok(Json(found.ok_or_else(|| ApiError::nothing_to_delete("custom profile field", &name))?.into_view()))
}

/// Maximum number of fields in one request.
const MAX_FIELDS_AT_ONCE: usize = 20;
/// Maximum number of fields: users fill them in on one page.
const MAX_FIELDS: usize = 50;

/// Adds a field of a profile, behind the others.
#[utoipa::path(
    post, path = "/api/custom-profile-fields", tag = "Custom profile fields",
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
    let mut created = create(&management, vec![new_field(body)?]).await?;
    let field = created.pop().ok_or_else(too_many)?;
    Ok((StatusCode::CREATED, Json(field)))
}

/// Adds fields of a profile, behind the others and in their order: all of them or none.
#[utoipa::path(
    post, path = "/api/custom-profile-fields/batch", tag = "Custom profile fields",
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
    let fields = body.into_iter().map(new_field).collect::<Result<Vec<_>, _>>()?;
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
    Ok(created.into_iter().map(StoredField::into_view).collect())
}

fn taken(name: &str) -> ApiError {
    let message = format!("There is a field of the name {name:?} already.");
    ApiError::new(ApiCode::CustomProfileFieldsNameExists, message)
}

fn too_many() -> ApiError {
    let message = format!("There can be {MAX_FIELDS} fields: delete some first.");
    ApiError::new(ApiCode::CustomProfileFieldsTooMany, message)
}

/// Replaces a field of a profile; its name and its place stay.
///
/// What people entered before stays, too.
#[utoipa::path(
    put, path = "/api/custom-profile-fields/{name}", tag = "Custom profile fields",
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
    let field = checked(name, body, true)?;
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
    Ok(Json(row.into_view()))
}

/// Puts fields of a profile in order.
///
/// Those that are left out keep their places.
#[utoipa::path(
    post, path = "/api/custom-profile-fields/properties/sie-order", tag = "Custom profile fields",
    request_body = FieldOrder,
    responses(
        (status = 200, description = "All fields, in their order", body = Vec<CustomProfileFieldView>),
        BodyRefused, AccessRefused,
    ),
)]
pub(super) async fn order_custom_profile_fields(
    management: Management<ConfigsWrite>,
    JsonBody(body): JsonBody<FieldOrder>,
) -> Result<Json<Vec<CustomProfileFieldView>>, ApiError> {
    let mut seen = HashSet::new();
    if let Some(twice) = body.order.iter().find(|place| !seen.insert(place.name.as_str())) {
        let message = format!("The field {:?} is named twice.", twice.name.as_str());
        return Err(ApiError::new(ApiCode::RequestInvalidInput, message));
    }
    let mut tx = management.begin().await?;
    EXPERIENCE.lock(&mut tx).await?;
    let mut unknown = Vec::new();
    for place in body.order.iter() {
        if !custom_profile_fields::set_order(&mut tx, place.name.as_str(), place.sie_order.into()).await? {
            unknown.push(place.name.as_str());
        }
    }
    if !unknown.is_empty() {
        let message = format!("There are no fields of these names: {}.", unknown.join(", "));
        let code = ApiCode::CustomProfileFieldsEntityNotExistsWithNames;
        return Err(ApiError::new(code, message).with_data(json!({ "names": unknown })));
    }
    let all = custom_profile_fields::list(&mut tx).await?;
    let names: Vec<&str> = all.iter().map(|field| field.name.as_str()).collect();
    tx.audit(AuditKey::ManagementCustomProfileFieldOrder, json!({ "names": names })).await?;
    tx.commit().await?;
    Ok(Json(all.into_iter().map(StoredField::into_view).collect()))
}

/// Deletes a field of a profile, also from the lists of the settings.
///
/// What people entered stays.
#[utoipa::path(
    delete, path = "/api/custom-profile-fields/{name}", tag = "Custom profile fields",
    params(("name" = String, Path, description = "The name of the field")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such field", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_custom_profile_field(
    management: Management<ConfigsWrite>,
    Id(name): Id,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    let mut sign_in = EXPERIENCE.lock(&mut tx).await?;
    let mut account = ACCOUNT_CENTER.lock(&mut tx).await?;
    if !custom_profile_fields::delete(&mut tx, &name).await? {
        return Err(ApiError::nothing_to_delete("custom profile field", &name));
    }
    if forget(sign_in.sign_up_profile_fields.as_mut(), &name) {
        EXPERIENCE.put(&mut tx, &sign_in).await?;
    }
    if forget(account.profile_fields.as_mut(), &name) {
        ACCOUNT_CENTER.put(&mut tx, &account).await?;
    }
    tx.audit(AuditKey::ManagementCustomProfileFieldDelete, json!({ "name": name })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removes a name from a list; returns whether it was in it.
fn forget(list: Option<&mut ProfileFields>, name: &str) -> bool {
    let Some(list) = list else { return false };
    let before = list.len();
    list.retain(|field| field.name.as_str() != name);
    list.len() < before
}

/// The definition of the field with this name.
fn checked(name: String, body: FieldChange, is_change: bool) -> Result<CustomProfileField, ApiError> {
    let field = CustomProfileField {
        name,
        kind: body.kind,
        label: body.label.0.map(String::from).unwrap_or_default(),
        description: body.description.0.map(String::from),
        required: body.required,
        config: body.config.unwrap_or_default(),
    };
    definition::check(&field, is_change).map_err(refused)?;
    Ok(field)
}

fn new_field(body: NewField) -> Result<CustomProfileField, ApiError> {
    checked(body.name.into(), body.field, false)
}

fn refused(problem: DefinitionProblem) -> ApiError {
    match problem {
        DefinitionProblem::Shape(problem) => ApiError::invalid_input("body", format!("Error in the body: {problem}")),
        other => ApiError::new(other.code(), other.message()),
    }
}

impl IntoView<CustomProfileFieldView> for StoredField {
    fn into_view(self) -> CustomProfileFieldView {
        CustomProfileFieldView {
            tenant_id: Tenant,
            id: self.id,
            name: self.name,
            kind: self.kind,
            label: self.label,
            description: self.description,
            required: self.required,
            config: self.config.0,
            created_at: self.created_at,
            sie_order: self.sie_order,
        }
    }
}
