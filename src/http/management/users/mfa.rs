//! `/api/users/{userId}/mfa-verifications`: second factors. A secret is shown once, when it is made.

use crate::domain::management::{UsersRead, UsersWrite};
use crate::domain::mfa::{self as rules, FactorType};
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::{Id, IdPair};
use crate::http::extract::json::JsonBody;
use crate::http::extract::management::{Caller, Management};
use crate::http::management::refusals::{BodyRefused, Refused};
use crate::mfa;
use crate::random;
use crate::storage::users::mfa::MfaFactor;
use crate::storage::users::{self, User};
use crate::storage::{self, Tx};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_runtime::json;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A new factor. What is not given is made.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(tag = "type")]
#[schema(example = json!({ "type": "Totp", "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" }))]
pub(super) enum CreateFactor {
    /// Time-based one-time passwords (RFC 6238).
    Totp {
        /// At least 128 bits in base 32.
        #[serde(default)]
        secret: Option<String>,
    },
    /// Codes that work once.
    BackupCode {
        /// Ten of ten letters and digits.
        #[serde(default)]
        codes: Option<Vec<String>>,
    },
}

/// A factor that was made.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(tag = "type")]
#[schema(example = json!({
    "type": "Totp", "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
    "secretQrCode": "data:image/svg+xml;base64,PHN2Zy8+"
}))]
pub(super) enum CreatedFactor {
    /// Time-based one-time passwords.
    #[serde(rename_all = "camelCase")]
    Totp {
        /// Base 32.
        secret: String,
        /// A picture of it for authenticator applications, as a data URI.
        secret_qr_code: String,
    },
    /// Codes that work once.
    BackupCode {
        /// The codes.
        codes: Vec<String>,
    },
}

/// A factor.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "f2c7t4z9k1x6b3n8m5q0w", "type": "BackupCode", "createdAt": "2025-10-09T08:53:20.000Z", "remainCodes": 10
}))]
pub(super) struct FactorView {
    id: String,
    #[schema(value_type = FactorType)]
    r#type: String,
    /// ISO 8601.
    created_at: String,
    /// How many backup codes are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    remain_codes: Option<usize>,
}

/// Lists the second factors of a user.
#[utoipa::path(
    get, path = "/api/users/{userId}/mfa-verifications", tag = "Users", summary = "List the second factors of a user",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 200, description = "The factors, without their secrets", body = Vec<FactorView>),
        Refused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_factors(
    management: Management<UsersRead>,
    Id(id): Id,
) -> Result<Json<Vec<FactorView>>, ApiError> {
    let mut tx = management.read().await?;
    find(&mut tx, &id).await?;
    let factors = users::mfa::list(&mut tx, &id).await?;
    Ok(Json(factors.into_iter().map(|factor| view(&management, factor)).collect::<Result<_, _>>()?))
}

/// Gives a user a second factor. The answer is the only place that shows its secret.
#[utoipa::path(
    post, path = "/api/users/{userId}/mfa-verifications", tag = "Users", summary = "Add a second factor to a user",
    params(("userId" = String, Path, description = "The user")),
    request_body = CreateFactor,
    responses(
        (status = 200, description = "The factor with its secret", body = CreatedFactor),
        BodyRefused, Refused,
        (status = 404, description = "No such user", body = ApiErrorBody),
        (status = 422, description = "The user has one of this type, or the secret is none", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_factor(
    management: Management<UsersWrite>,
    Id(id): Id,
    JsonBody(body): JsonBody<CreateFactor>,
) -> Result<Json<CreatedFactor>, ApiError> {
    let (kind, secret) = match body {
        CreateFactor::Totp { secret } => (FactorType::Totp, totp_secret(secret)?),
        CreateFactor::BackupCode { codes } => (FactorType::BackupCode, serde_json::to_string(&backup_codes(codes)?)?),
    };
    let factor_id = random::id(21)?;
    let factor = MfaFactor {
        sealed: mfa::encrypt(&management.app.cipher, &factor_id, &secret)?,
        id: factor_id,
        user_id: id,
        kind: kind.as_str().to_owned(),
        created_at: management.now(),
    };
    let mut tx = management.begin().await?;
    let user = users::find_to_change(&mut tx, &factor.user_id).await?;
    let user = user.ok_or_else(|| ApiError::unknown_user(&factor.user_id))?;
    if kind == FactorType::BackupCode && users::mfa::list(&mut tx, &user.id).await?.is_empty() {
        let code = "session.mfa.backup_code_can_not_be_alone";
        return Err(ApiError::unprocessable(code, "Backup codes stand beside another factor."));
    }
    users::mfa::insert(&mut tx, &factor).await.map_err(|error| in_use(error, kind))?;
    let details = json!({ "userId": user.id, "factorId": factor.id, "type": factor.kind });
    management.audit(&mut tx, "Management.User.AddMfaFactor", details).await?;
    tx.commit().await?;
    Ok(Json(match kind {
        FactorType::Totp => CreatedFactor::Totp { secret_qr_code: qr_code(&management, &user, &secret)?, secret },
        FactorType::BackupCode => CreatedFactor::BackupCode { codes: json::read(&secret, json::STORED)? },
    }))
}

/// Takes a second factor from a user.
#[utoipa::path(
    delete, path = "/api/users/{userId}/mfa-verifications/{verificationId}", tag = "Users",
    summary = "Take a second factor from a user",
    params(
        ("userId" = String, Path, description = "The user"),
        ("verificationId" = String, Path, description = "The factor"),
    ),
    responses(
        (status = 204, description = "Taken"),
        Refused,
        (status = 404, description = "No such user or factor", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_factor(
    management: Management<UsersWrite>,
    IdPair(id, factor_id): IdPair,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    if !users::mfa::delete(&mut tx, &id, &factor_id).await? {
        return Err(ApiError::nothing_to_delete("second factor", &factor_id));
    }
    let details = json!({ "userId": id, "factorId": factor_id });
    management.audit(&mut tx, "Management.User.DeleteMfaFactor", details).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn find(tx: &mut Tx, id: &str) -> Result<User, ApiError> {
    users::find(tx, id).await?.ok_or_else(|| ApiError::unknown_user(id))
}

fn view(management: &Caller, factor: MfaFactor) -> Result<FactorView, ApiError> {
    let remain_codes = if factor.kind == FactorType::BackupCode.as_str() {
        let codes = mfa::decrypt(&management.app.cipher, &factor)?;
        Some(json::read::<Vec<String>>(&codes, json::STORED)?.len())
    } else {
        None
    };
    let created_at = crate::clock::iso8601(factor.created_at);
    Ok(FactorView { id: factor.id, r#type: factor.kind, created_at, remain_codes })
}

fn totp_secret(given: Option<String>) -> Result<String, ApiError> {
    match given {
        None => Ok(mfa::new_totp_secret()?),
        Some(secret) if mfa::is_totp_secret(&secret) => Ok(secret),
        Some(_) => Err(ApiError::unprocessable("user.totp_secret_invalid", "The secret is no base 32 of 128 bits.")),
    }
}

fn backup_codes(given: Option<Vec<String>>) -> Result<Vec<String>, ApiError> {
    match given {
        None => (0..rules::BACKUP_CODES).map(|_| Ok(random::id(rules::BACKUP_CODE_LENGTH)?)).collect(),
        Some(codes) if rules::are_backup_codes(&codes) => Ok(codes),
        Some(_) => {
            let message = "Backup codes are ten different ones of ten letters and digits.";
            Err(ApiError::unprocessable("user.wrong_backup_code_format", message))
        }
    }
}

fn in_use(error: storage::Error, kind: FactorType) -> ApiError {
    match (error, kind) {
        (storage::Error::Conflict, FactorType::Totp) => {
            ApiError::unprocessable("user.totp_already_in_use", "The user has an authenticator already.")
        }
        (storage::Error::Conflict, FactorType::BackupCode) => {
            ApiError::unprocessable("user.backup_code_already_in_use", "The user has backup codes already.")
        }
        (other, _) => other.into(),
    }
}

fn qr_code(management: &Caller, user: &User, secret: &str) -> Result<String, ApiError> {
    let host = management.app.config.server.base_url.to_string();
    let names = [&user.username, &user.primary_email, &user.primary_phone];
    let name = names.into_iter().flatten().next().unwrap_or(&user.id);
    Ok(mfa::qr_code(&host, name, secret)?)
}
