//! `GET /api/account-center`.

use super::view::AccountCenterView;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::management::ConfigsRead;
use claimsmith_storage::sign_in::settings::ACCOUNT_CENTER;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;

/// Shows the settings of people's own accounts.
#[utoipa::path(
    get, path = "/api/account-center", tag = "Account center", summary = "Show the settings of people's own accounts",
    responses(
        (status = 200, description = "The settings", body = AccountCenterView),
        AccessRefused,
    ),
)]
pub(super) async fn show_account_center(
    management: Management<ConfigsRead>,
) -> Result<Json<AccountCenterView>, ApiError> {
    let settings = ACCOUNT_CENTER.find(&mut management.read().await?).await?;
    Ok(Json(settings.into()))
}
