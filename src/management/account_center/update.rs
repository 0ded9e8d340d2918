//! `PATCH /api/account-center`.

use super::view::AccountCenterView;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::account_center::AccountCenterChange;
use claimsmith_domain::management::ConfigsWrite;
use claimsmith_storage::sign_in::settings::ACCOUNT_CENTER;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::patch::PatchBody;
use serde_json::{Value, json};

/// Changes settings of people's own accounts: what is left out stays, also of `fields`, where null switches one off.
#[utoipa::path(
    patch, path = "/api/account-center", tag = "Account center",
    summary = "Change the settings of people's own accounts",
    request_body = AccountCenterChange,
    responses(
        (status = 200, description = "The settings", body = AccountCenterView),
        BodyRefused, AccessRefused,
    ),
)]
pub(super) async fn update_account_center(
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
    Ok(Json(settings.into()))
}

/// The names of the changed settings.
fn differences(before: &Value, after: &Value) -> Vec<String> {
    let members = after.as_object().into_iter().flatten();
    members.filter(|(name, value)| before.get(*name) != Some(*value)).map(|(name, _)| name.clone()).collect()
}
