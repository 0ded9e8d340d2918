//! `/api/users/{userId}/mfa-verifications`: second factors. A secret is shown once, at its creation.

use crate::refusals::{AccessRefused, BodyRefused};
use crate::views::IntoView;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::users::sign_in::{CreateFactor, CreatedFactor, FactorView};
use claimsmith_domain::clock::iso8601;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::id::{FactorId, UserId};
use claimsmith_domain::management::{Recent, UsersRead, UsersWrite};
use claimsmith_identity::access::privilege_guard;
use claimsmith_identity::accounts::{self, BackupCodes, NewFactor, mfa};
use claimsmith_storage::users;
use claimsmith_storage::users::mfa::MfaFactor;
use claimsmith_storage::users::passkeys::Passkey;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};

/// Lists the second factors of a user.
#[utoipa::path(
    get, path = "/api/users/{userId}/mfa-verifications", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 200, description = "The factors, without their secrets", body = Vec<FactorView>),
        AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_factors(
    management: Management<UsersRead>,
    Id(id): Id<UserId>,
) -> Result<Json<Vec<FactorView>>, ApiError> {
    let mut tx = management.read().await?;
    super::find(&mut tx, &id).await?;
    let passkeys = users::passkeys::of_user(&mut tx, &id).await?.into_iter().map(IntoView::into_view);
    let factors = users::mfa::list(&mut tx, &id).await?;
    let factors = factors.into_iter().map(|factor| view(&management, factor)).collect::<Result<Vec<_>, _>>()?;
    Ok(Json(passkeys.chain(factors).collect()))
}

/// Gives a user a second factor.
///
/// The answer is the only place that shows its secret.
#[utoipa::path(
    post, path = "/api/users/{userId}/mfa-verifications", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    request_body = CreateFactor,
    responses(
        (status = 200, description = "The factor with its secret", body = CreatedFactor),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
        (status = 422, description = "The user has one of this type, or the secret is none", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_factor(
    management: Management<Recent<UsersWrite>>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<CreateFactor>,
) -> Result<Json<CreatedFactor>, ApiError> {
    let new = match body {
        CreateFactor::Totp { secret } => NewFactor::totp(secret)?,
        CreateFactor::BackupCode { codes } => NewFactor::backup_codes(codes)?,
    };
    let mut tx = management.begin().await?;
    privilege_guard::check_user(&management, &mut tx, &id).await?;
    let user = accounts::add_factor(&mut tx, &management.app.cipher, &id, &new, None).await?;
    tx.commit().await?;
    Ok(Json(match new {
        NewFactor::Totp(secret) => {
            let service = management.app.config.server.base_url.to_string();
            CreatedFactor::Totp {
                secret_qr_code: mfa::qr_code_of(&service, &user, &secret).map_err(|error| ApiError::failed(&error))?,
                secret,
            }
        }
        NewFactor::BackupCodes(codes) => CreatedFactor::BackupCode { codes },
    }))
}

/// Takes a second factor from a user.
#[utoipa::path(
    delete, path = "/api/users/{userId}/mfa-verifications/{verificationId}", tag = "Users",
    params(
        ("userId" = String, Path, description = "The user"),
        ("verificationId" = String, Path, description = "The factor"),
    ),
    responses(
        (status = 204, description = "Taken"),
        AccessRefused,
        (status = 404, description = "No such user or factor", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_factor(
    management: Management<Recent<UsersWrite>>,
    IdPair(id, factor_id): IdPair<UserId, FactorId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    privilege_guard::check_user(&management, &mut tx, &id).await?;
    if !accounts::remove_factor(&mut tx, &id, &factor_id).await? {
        return Err(ApiError::nothing_to_delete("second factor", &factor_id));
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

fn view(management: &Caller, factor: MfaFactor) -> Result<FactorView, ApiError> {
    let remain_codes = if factor.kind == FactorType::BackupCode {
        Some(BackupCodes::read(&management.app.cipher, &factor)?.remaining())
    } else {
        None
    };
    Ok(FactorView {
        id: factor.id,
        r#type: factor.kind,
        created_at: iso8601(factor.created_at),
        name: None,
        agent: None,
        last_used_at: None,
        remain_codes,
    })
}

impl IntoView<FactorView> for Passkey {
    fn into_view(self) -> FactorView {
        FactorView {
            id: self.id,
            r#type: FactorType::WebAuthn,
            created_at: iso8601(self.created_at),
            name: self.name,
            agent: self.agent,
            last_used_at: self.last_used_at.map(iso8601),
            remain_codes: None,
        }
    }
}
