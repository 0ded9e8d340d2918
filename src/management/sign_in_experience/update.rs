//! `PATCH /api/sign-in-exp`.

use super::refusal::refuse;
use super::view::SignInExperienceView;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::connector::ConnectorType;
use claimsmith_domain::documents::message;
use claimsmith_domain::documents::sign_in_experience::change::SignInExperienceChange;
use claimsmith_domain::management::Everything;
use claimsmith_domain::sign_in_experience::checks::SettingsContext;
use claimsmith_pages::phrases;
use claimsmith_services::messages;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::{Tx, connectors};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::patch::PatchBody;
use serde_json::{Value, json};

/// Changes settings of sign-in: what is left out stays, also within objects such as `signUp`.
#[utoipa::path(
    patch, path = "/api/sign-in-exp", tag = "Sign-in experience", summary = "Change the settings of sign-in",
    request_body = SignInExperienceChange,
    responses(
        (status = 200, description = "The settings", body = SignInExperienceView),
        BodyRefused, AccessRefused,
        (status = 422, description = "Settings that do not go together", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_sign_in_experience(
    management: Management<Everything>,
    change: PatchBody<SignInExperienceChange>,
) -> Result<Json<SignInExperienceView>, ApiError> {
    let mut tx = management.begin().await?;
    let before = EXPERIENCE.lock(&mut tx).await?;
    let context = settings_context(&mut tx).await?;
    let shown = serde_json::to_value(&before)?;
    let settings = before.changed(change.over(&shown)?, &context).map_err(refuse)?;
    EXPERIENCE.put(&mut tx, &settings).await?;
    let changed = differences(&shown, &serde_json::to_value(&settings)?);
    tx.audit(AuditKey::ManagementSignInExperienceUpdate, json!({ "changedSettings": changed })).await?;
    tx.commit().await?;
    Ok(Json(settings.into()))
}

/// The objects that settings depend on.
pub(super) async fn settings_context(tx: &mut Tx) -> Result<SettingsContext, ApiError> {
    Ok(SettingsContext {
        email: messages::reaches_from(tx, message::MessageChannel::Email, None).await?,
        phone: messages::reaches_from(tx, message::MessageChannel::Sms, None).await?,
        languages: phrases::languages(tx).await?,
        social_targets: connectors::list(tx, None)
            .await?
            .into_iter()
            .filter(|connector| connector.kind == ConnectorType::Social)
            .map(|connector| connector.target)
            .collect(),
    })
}

/// The names of the changed settings.
fn differences(before: &Value, after: &Value) -> Vec<String> {
    let members = after.as_object().into_iter().flatten();
    members.filter(|(name, value)| before.get(*name) != Some(*value)).map(|(name, _)| name.clone()).collect()
}
