//! `GET /api/sign-in-exp`.

use super::view::SignInExperienceView;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::management::ConfigsRead;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;

/// Shows the settings of sign-in.
#[utoipa::path(
    get, path = "/api/sign-in-exp", tag = "Sign-in experience", summary = "Show the settings of sign-in",
    responses(
        (status = 200, description = "The settings", body = SignInExperienceView),
        AccessRefused,
    ),
)]
pub(super) async fn show_sign_in_experience(
    management: Management<ConfigsRead>,
) -> Result<Json<SignInExperienceView>, ApiError> {
    let settings = EXPERIENCE.find(&mut management.read().await?).await?;
    Ok(Json(settings.into()))
}
