//! `POST /api/custom-profile-fields/properties/sie-order`.

use super::view::CustomProfileFieldView;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::bounded_vec::BoundedVec;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::management::ConfigsWrite;
use claimsmith_json::Listed;
use claimsmith_storage::sign_in::custom_profile_fields;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashSet;

/// The places of some fields.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(example = json!({ "order": [{ "name": "company", "sieOrder": 2 }, { "name": "birthdate", "sieOrder": 1 }] }))]
pub(super) struct FieldOrder {
    #[schema(value_type = Vec<FieldPlace>, max_items = 50)]
    order: BoundedVec<Listed<FieldPlace>, 50>,
}

/// The place of a field.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FieldPlace {
    /// The name of the field.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    name: Text<1, 128>,
    /// Its place: people see those with smaller numbers first.
    sie_order: i32,
}

/// Puts fields of a profile in order. Those that are left out keep their places.
#[utoipa::path(
    post, path = "/api/custom-profile-fields/properties/sie-order", tag = "Custom profile fields",
    summary = "Order custom profile fields",
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
    Ok(Json(all.into_iter().map(CustomProfileFieldView::from).collect()))
}
