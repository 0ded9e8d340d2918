//! `POST /api/experience/verification/totp/…` and `…/backup-code/…`: verifies second factors, and generates new ones.

use super::verification::Verified;
use axum::Json;
use claimsmith_domain::documents::text::Text;
use claimsmith_identity::interaction::factors::backup_codes::{self, NewCodes};
use claimsmith_identity::interaction::factors::totp::{self, NewSecret};
use claimsmith_json::present;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::interaction::InProgress;
use claimsmith_web::extract::json::DeclaredJson;
use serde::{Deserialize, Serialize};

/// A secret for one-time passwords.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TotpSecret {
    verification_id: String,
    /// Base32.
    secret: String,
    /// Its QR code, as a data URI.
    secret_qr_code: String,
}

/// A one-time password: of a new secret, if its verification is named, otherwise of the user's authenticator app.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TotpCode {
    code: Text<1, 64>,
    #[serde(default, deserialize_with = "present")]
    verification_id: Option<Text<1, 128>>,
}

/// Backup codes.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Codes {
    verification_id: String,
    codes: Vec<String>,
}

/// A backup code.
#[derive(Deserialize, utoipa::ToSchema)]
pub(super) struct BackupCode {
    code: Text<1, 64>,
}

/// Generates a secret for one-time passwords.
pub(super) async fn new_totp_secret(InProgress(mut current): InProgress) -> Result<Json<TotpSecret>, ApiError> {
    let NewSecret { verification_id, secret, qr_code } = totp::new_secret(&mut current).await?;
    Ok(Json(TotpSecret { verification_id, secret, secret_qr_code: qr_code }))
}

/// Verifies a one-time password.
pub(super) async fn verify_totp(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<TotpCode>,
) -> Result<Json<Verified>, ApiError> {
    let code = body.code.as_str();
    let verification_id = match &body.verification_id {
        Some(id) => totp::confirm(&mut current, id.as_str(), code).await?,
        None => totp::verify(&mut current, code).await?,
    };
    Ok(Json(Verified { verification_id }))
}

/// Generates backup codes.
pub(super) async fn generate_backup_codes(InProgress(mut current): InProgress) -> Result<Json<Codes>, ApiError> {
    let NewCodes { verification_id, codes } = backup_codes::generate(&mut current).await?;
    Ok(Json(Codes { verification_id, codes }))
}

/// Verifies a backup code.
pub(super) async fn verify_backup_code(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<BackupCode>,
) -> Result<Json<Verified>, ApiError> {
    let verification_id = backup_codes::verify(&mut current, body.code.as_str()).await?;
    Ok(Json(Verified { verification_id }))
}
