//! `/api/account-center`: the settings of users' own accounts.

use crate::describe::routes;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_api::account_center::AccountCenterView;
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::account_center::{AccountCenter, AccountCenterChange};
use claimsmith_domain::management::{ConfigsRead, ConfigsWrite};
use claimsmith_services::app::App;
use claimsmith_storage::sign_in::settings::ACCOUNT_CENTER;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::patch::PatchBody;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(self::show_account_center, self::update_account_center))
}

/// Shows the settings of people's own accounts.
#[utoipa::path(
    get, path = "/api/account-center", tag = "Account center",
    responses(
        (status = 200, description = "The settings", body = AccountCenterView),
        AccessRefused,
    ),
)]
async fn show_account_center(management: Management<ConfigsRead>) -> Result<Json<AccountCenterView>, ApiError> {
    let settings = ACCOUNT_CENTER.find(&mut management.read().await?).await?;
    Ok(Json(view(settings)))
}

/// Changes settings of people's own accounts: what is left out stays, also of `fields`, where null switches one off.
#[utoipa::path(
    patch, path = "/api/account-center", tag = "Account center",
    request_body = AccountCenterChange,
    responses(
        (status = 200, description = "The settings", body = AccountCenterView),
        BodyRefused, AccessRefused,
    ),
)]
async fn update_account_center(
    management: Management<ConfigsWrite>,
    change: PatchBody<AccountCenterChange>,
) -> Result<Json<AccountCenterView>, ApiError> {
    let mut tx = management.begin().await?;
    let before = ACCOUNT_CENTER.lock(&mut tx).await?;
    let shown = serde_json::to_value(&before)?;
    let settings = before.changed(change.over(&shown)?);
    ACCOUNT_CENTER.put(&mut tx, &settings).await?;
    let changed = differences(&shown, &serde_json::to_value(&settings)?);
    tx.audit(AuditKey::ManagementAccountCenterUpdate, json!({ "changedSettings": changed })).await?;
    tx.commit().await?;
    Ok(Json(view(settings)))
}

/// The names of the changed settings.
fn differences(before: &Value, after: &Value) -> Vec<String> {
    let members = after.as_object().into_iter().flatten();
    members.filter(|(name, value)| before.get(*name) != Some(*value)).map(|(name, _)| name.clone()).collect()
}

fn view(settings: AccountCenter) -> AccountCenterView {
    AccountCenterView { tenant_id: Tenant, id: Tenant, settings }
}
