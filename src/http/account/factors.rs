//! `/api/my-account/mfa-verifications`, `…/mfa-settings` and `…/logto-configs`: second factors.

use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::clock::iso8601;
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::documents::user_settings::{SettingsChange, UserSettings};
use claimsmith_domain::id::FactorId;
use claimsmith_identity::own_account::factors::{self, FactorPlacement, OwnFactor};
use claimsmith_identity::own_account::passkeys;
use claimsmith_json::present;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::account::{OwnAccount, OwnChange};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use serde::Deserialize;
use serde_json::{Value, json};

const SCOPE: &str = "identities";

/// A new factor.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(tag = "type")]
pub(super) enum NewFactor {
    /// An authenticator app.
    Totp {
        /// Base32.
        secret: Text<1, 128>,
        /// The current code of the authenticator app.
        #[serde(default)]
        code: Option<Text<1, 64>>,
    },
    /// Backup codes; each works once.
    BackupCode {
        /// Ten codes of ten letters and digits.
        codes: Vec<String>,
    },
    /// A passkey, whose registration is proved by a verification record.
    #[serde(rename_all = "camelCase")]
    WebAuthn {
        /// The verification record of the registration.
        new_identifier_verification_record_id: Text<1, 128>,
        /// The name that the user gives to it.
        #[serde(default, deserialize_with = "present")]
        name: Option<Text<1, 128>>,
    },
}

/// The secret of the new authenticator app, with its current code.
#[derive(Deserialize, utoipa::ToSchema)]
pub(super) struct Replacement {
    secret: Text<1, 128>,
    code: Text<1, 64>,
}

/// The name that the user gives to a factor.
#[derive(Deserialize, utoipa::ToSchema)]
pub(super) struct Name {
    name: Text<1, 128>,
}

/// The user's choices.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChosenSettings {
    skip_mfa_on_sign_in: bool,
}

/// Lists the factors.
pub(super) async fn list(account: OwnAccount) -> Result<Json<Value>, ApiError> {
    account.demand_field(SCOPE, Field::Mfa)?;
    let factors = factors::list(&account.owner).await?;
    Ok(Json(factors.iter().map(view).collect()))
}

fn view(one: &OwnFactor) -> Value {
    let mut shown = json!({
        "id": one.id, "type": one.kind, "createdAt": iso8601(one.created_at),
    });
    if let Some(name) = &one.name {
        shown["name"] = json!(name);
    }
    if let Some(agent) = &one.agent {
        shown["agent"] = json!(agent);
    }
    if let Some(at) = one.last_used_at {
        shown["lastUsedAt"] = json!(iso8601(at));
    }
    if let Some(left) = one.remaining {
        shown["remainCodes"] = json!(left);
    }
    shown
}

/// Adds a factor.
pub(super) async fn add(account: OwnChange, JsonBody(body): JsonBody<NewFactor>) -> Result<StatusCode, ApiError> {
    account.demand(SCOPE)?;
    match body {
        NewFactor::Totp { secret, code } => {
            let code = code.as_ref().map(Text::as_str);
            factors::add_totp(&account.owner, secret.into(), code, FactorPlacement::Beside).await?;
        }
        NewFactor::BackupCode { codes } => {
            factors::add_backup_codes(&account.owner, Some(codes), FactorPlacement::Beside).await?;
        }
        NewFactor::WebAuthn { new_identifier_verification_record_id: id, name } => {
            passkeys::add(&account.owner, id.as_str(), name.map(String::from)).await?;
        }
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Replaces the authenticator app.
pub(super) async fn replace_totp(
    account: OwnChange,
    JsonBody(body): JsonBody<Replacement>,
) -> Result<StatusCode, ApiError> {
    account.demand(SCOPE)?;
    let Replacement { secret, code } = body;
    factors::add_totp(&account.owner, secret.into(), Some(code.as_str()), FactorPlacement::Instead).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Generates a secret, without storing it.
pub(super) async fn new_secret(account: OwnChange) -> Result<Json<Value>, ApiError> {
    account.demand_field(SCOPE, Field::Mfa)?;
    Ok(Json(json!({ "secret": factors::new_secret()? })))
}

/// Generates backup codes, without storing them.
pub(super) async fn new_codes(account: OwnChange) -> Result<Json<Value>, ApiError> {
    account.demand_field(SCOPE, Field::Mfa)?;
    Ok(Json(json!({ "codes": factors::new_backup_codes()? })))
}

/// Renames a factor.
pub(super) async fn rename(
    account: OwnChange,
    Id(id): Id<FactorId>,
    JsonBody(body): JsonBody<Name>,
) -> Result<StatusCode, ApiError> {
    account.demand(SCOPE)?;
    factors::rename(&account.owner, &id, body.name.as_str()).await?;
    Ok(StatusCode::OK)
}

/// Removes a factor.
pub(super) async fn remove(account: OwnChange, Id(id): Id<FactorId>) -> Result<StatusCode, ApiError> {
    account.demand(SCOPE)?;
    factors::remove(&account.owner, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Shows whether second factors are required at sign-in.
pub(super) async fn show_settings(account: OwnAccount) -> Result<Json<Value>, ApiError> {
    account.demand_field(SCOPE, Field::Mfa)?;
    let chosen = factors::chosen(&account.owner).await?;
    Ok(Json(json!({ "skipMfaOnSignIn": chosen.mfa.skip_mfa_on_sign_in })))
}

/// Changes whether second factors are required at sign-in.
pub(super) async fn change_settings(
    account: OwnChange,
    JsonBody(body): JsonBody<ChosenSettings>,
) -> Result<Json<Value>, ApiError> {
    account.demand(SCOPE)?;
    let change = SettingsChange::skipping_mfa_on_sign_in(body.skip_mfa_on_sign_in);
    let chosen = factors::choose(&account.owner, &change).await?;
    Ok(Json(json!({ "skipMfaOnSignIn": chosen.mfa.skip_mfa_on_sign_in })))
}

/// Shows all choices of the user about second factors and passkeys.
pub(super) async fn show_configs(account: OwnAccount) -> Result<Json<UserSettings>, ApiError> {
    account.demand_field(SCOPE, Field::Mfa)?;
    Ok(Json(factors::chosen(&account.owner).await?))
}

/// Changes the choices of the user about second factors and passkeys.
pub(super) async fn change_configs(
    account: OwnChange,
    JsonBody(change): JsonBody<SettingsChange>,
) -> Result<Json<UserSettings>, ApiError> {
    account.demand(SCOPE)?;
    Ok(Json(factors::choose(&account.owner, &change).await?))
}
