//! `GET /api/custom-profile-fields` and `GET /api/custom-profile-fields/{name}`.

use super::view::CustomProfileFieldView;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::management::ConfigsRead;
use claimsmith_storage::sign_in::custom_profile_fields;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;

/// Lists the fields of a profile, in their order.
#[utoipa::path(
    get, path = "/api/custom-profile-fields", tag = "Custom profile fields", summary = "List custom profile fields",
    responses(
        (status = 200, description = "The fields", body = Vec<CustomProfileFieldView>),
        AccessRefused,
    ),
)]
pub(super) async fn list_custom_profile_fields(
    management: Management<ConfigsRead>,
) -> Result<Json<Vec<CustomProfileFieldView>>, ApiError> {
    let all = custom_profile_fields::list(&mut management.read().await?).await?;
    Ok(Json(all.into_iter().map(CustomProfileFieldView::from).collect()))
}

/// Shows a field of a profile.
#[utoipa::path(
    get, path = "/api/custom-profile-fields/{name}", tag = "Custom profile fields",
    summary = "Show a custom profile field",
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
    Ok(Json(found.ok_or_else(|| ApiError::nothing_to_delete("custom profile field", &name))?.into()))
}
