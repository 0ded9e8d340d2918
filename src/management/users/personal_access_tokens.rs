//! `/api/users/{userId}/personal-access-tokens`. A value is shown once, at its creation; the server stores only its
//! SHA-256.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::tenant::Tenant;
use claimsmith_api::users::sign_in::{CreateToken, Named, Renamed, TokenView};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::UserId;
use claimsmith_domain::management::{Recent, UsersRead, UsersWrite};
use claimsmith_identity::access::privilege_guard;
use claimsmith_services::tokens::hash;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage as storage;
use claimsmith_storage::users::personal_access_tokens as tokens;
use claimsmith_storage::users::personal_access_tokens::PersonalAccessToken;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use serde_json::json;

/// What lists show instead of a value.
const MASK: &str = "********";

/// Lists the personal access tokens of a user, by name, with their values masked.
#[utoipa::path(
    get, path = "/api/users/{userId}/personal-access-tokens", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 200, description = "The tokens; each `value` is `********`", body = Vec<TokenView>),
        AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_tokens(
    management: Management<UsersRead>,
    Id(id): Id<UserId>,
) -> Result<Json<Vec<TokenView>>, ApiError> {
    let mut tx = management.read().await?;
    super::find(&mut tx, &id).await?;
    let found = tokens::list(&mut tx, &id).await?;
    Ok(Json(found.into_iter().map(|token| view(token, MASK.to_owned())).collect()))
}

/// Makes a personal access token.
///
/// The answer is the only place that shows its value.
#[utoipa::path(
    post, path = "/api/users/{userId}/personal-access-tokens", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    request_body = CreateToken,
    responses(
        (status = 201, description = "The token, with its value in full", body = TokenView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
        (status = 422, description = "The user has a token of this name", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_token(
    management: Management<Recent<UsersWrite>>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<CreateToken>,
) -> Result<(StatusCode, Json<TokenView>), ApiError> {
    let now = management.now();
    if body.expires_at.is_some_and(|end| end <= now) {
        let details = "Error in key path \"expiresAt\": expected a time in the future";
        return Err(ApiError::invalid_input("body", details));
    }
    let value = format!("pat_{}", management.app.random.secret(32)?);
    let token = PersonalAccessToken {
        user_id: id,
        name: body.name.into(),
        hash: hash(&value),
        created_at: now,
        expires_at: body.expires_at,
    };
    let mut tx = management.begin().await?;
    super::find(&mut tx, &token.user_id).await?;
    privilege_guard::check_user(&management, &mut tx, &token.user_id).await?;
    tokens::insert(&mut tx, &token).await.map_err(name_exists)?;
    audit(&mut tx, AuditKey::ManagementPersonalAccessTokenCreate, &token.user_id, &token.name).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(view(token, value))))
}

/// Gives a personal access token another name.
#[utoipa::path(
    patch, path = "/api/users/{userId}/personal-access-tokens/{name}", tag = "Users",
    params(("userId" = String, Path, description = "The user"), ("name" = String, Path, description = "The token")),
    request_body = Named,
    responses(
        (status = 200, description = "The token", body = TokenView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user or token", body = ApiErrorBody),
        (status = 422, description = "The user has a token of this name", body = ApiErrorBody),
    ),
)]
pub(super) async fn rename_token(
    management: Management<Recent<UsersWrite>>,
    IdPair(id, name): IdPair<UserId, String>,
    JsonBody(body): JsonBody<Named>,
) -> Result<Json<TokenView>, ApiError> {
    rename(&management, &id, &name, body.name.as_str()).await
}

/// Gives a personal access token another name, whose name does not fit into a path.
#[utoipa::path(
    patch, path = "/api/users/{userId}/personal-access-tokens", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    request_body = Renamed,
    responses(
        (status = 200, description = "The token", body = TokenView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user or token", body = ApiErrorBody),
        (status = 422, description = "The user has a token of this name", body = ApiErrorBody),
    ),
)]
pub(super) async fn rename_token_by_name(
    management: Management<Recent<UsersWrite>>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<Renamed>,
) -> Result<Json<TokenView>, ApiError> {
    rename(&management, &id, body.current_name.as_str(), body.name.as_str()).await
}

async fn rename(management: &Caller, id: &UserId, name: &str, new_name: &str) -> Result<Json<TokenView>, ApiError> {
    let mut tx = management.begin().await?;
    privilege_guard::check_user(management, &mut tx, id).await?;
    let renamed = tokens::rename(&mut tx, id, name, new_name).await.map_err(name_exists)?;
    let token = renamed.ok_or_else(|| ApiError::nothing_to_change("personal access token", name))?;
    audit(&mut tx, AuditKey::ManagementPersonalAccessTokenUpdate, id, &token.name).await?;
    tx.commit().await?;
    Ok(Json(view(token, MASK.to_owned())))
}

/// Deletes a personal access token.
#[utoipa::path(
    delete, path = "/api/users/{userId}/personal-access-tokens/{name}", tag = "Users",
    params(("userId" = String, Path, description = "The user"), ("name" = String, Path, description = "The token")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such user or token", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_token(
    management: Management<Recent<UsersWrite>>,
    IdPair(id, name): IdPair<UserId, String>,
) -> Result<StatusCode, ApiError> {
    delete(&management, &id, &name).await
}

/// Deletes a personal access token whose name does not fit into a path.
#[utoipa::path(
    post, path = "/api/users/{userId}/personal-access-tokens/delete", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    request_body = Named,
    responses(
        (status = 204, description = "Deleted"),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user or token", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_token_by_name(
    management: Management<Recent<UsersWrite>>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<Named>,
) -> Result<StatusCode, ApiError> {
    delete(&management, &id, body.name.as_str()).await
}

async fn delete(management: &Caller, id: &UserId, name: &str) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    privilege_guard::check_user(management, &mut tx, id).await?;
    if !tokens::delete(&mut tx, id, name).await? {
        return Err(ApiError::nothing_to_delete("personal access token", name));
    }
    audit(&mut tx, AuditKey::ManagementPersonalAccessTokenDelete, id, name).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

fn view(token: PersonalAccessToken, value: String) -> TokenView {
    TokenView {
        tenant_id: Tenant,
        user_id: token.user_id,
        name: token.name,
        value,
        created_at: token.created_at,
        expires_at: token.expires_at,
    }
}

async fn audit(tx: &mut UnitOfWork, key: AuditKey, id: &UserId, name: &str) -> Result<(), ApiError> {
    Ok(tx.audit(key, json!({ "userId": id, "tokenName": name })).await?)
}

fn name_exists(error: storage::Error) -> ApiError {
    match error {
        storage::Error::Conflict => {
            let code = ApiCode::UserPersonalAccessTokenNameExists;
            ApiError::new(code, "The user has a personal access token of this name.")
        }
        other => ApiError::from_write(other, "user"),
    }
}
