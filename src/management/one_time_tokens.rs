//! `/api/one-time-tokens`: links that sign a user in, register one, or reset a forgotten password, once.

use crate::describe::routes;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::one_time_tokens::{CreateOneTimeToken, OneTimeTokenView, SetStatus, Settled, VerifyToken};
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::documents::one_time_token::{Context, Status};
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::management::{OrganizationsWrite, Recent, UsersRead, UsersWrite};
use claimsmith_domain::one_time_token::TokenRefusal;
use claimsmith_identity::access::privilege_guard;
use claimsmith_identity::accounts;
use claimsmith_services::app::App;
use claimsmith_services::tokens;
use claimsmith_storage as storage;
use claimsmith_storage::users;
use claimsmith_storage::verification::one_time_tokens::{self, Filter, OneTimeToken};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::query::Query;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

/// Random characters of a token: more than 180 bits.
const TOKEN_LENGTH: usize = 32;
/// Default lifetime of a token, in seconds.
const DEFAULT_LIFETIME_SECONDS: u32 = 600;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::create_one_time_token, self::list_one_time_tokens))
        .routes(routes!(self::verify_one_time_token))
        .routes(routes!(self::show_one_time_token, self::delete_one_time_token))
        .routes(routes!(self::set_one_time_token_status))
}

/// Lists one-time tokens, newest first.
#[utoipa::path(
    get, path = "/api/one-time-tokens", tag = "One-time tokens",
    params(
        ("email" = Option<String>, Query, description = "For whom, in any case"),
        ("status" = Option<Status>, Query, description = "As they are now"),
        ("page" = Option<u32>, Query, description = "The page, from 1"),
        ("page_size" = Option<u32>, Query, description = "Items of a page, at most 100"),
    ),
    responses(
        (status = 200, description = "The tokens, without what was shown once", body = Vec<OneTimeTokenView>),
        (status = 400, description = "A parameter is not what the operation takes", body = ApiErrorBody),
        AccessRefused,
    ),
)]
async fn list_one_time_tokens(
    management: Management<UsersRead>,
    page: Page,
    query: Query,
) -> Result<Response, ApiError> {
    let email = query.one("email")?.map(fold);
    let status = match query.one("status")? {
        None => None,
        Some(name) => {
            let refused = || ApiError::invalid_input("query", "Error in key path \"status\": there is no such status");
            Some(Status::parse(name).ok_or_else(refused)?)
        }
    };
    let wanted = Filter { email: email.as_deref(), status };
    let now = management.now();
    let mut tx = management.read().await?;
    let total = one_time_tokens::count(&mut tx, wanted, now).await?;
    let rows = one_time_tokens::list(&mut tx, wanted, now, page.slice()).await?;
    page.answer(total, rows.into_iter().map(|row| view(row, None, now)).collect())
}

/// Shows a one-time token, without what was shown once.
#[utoipa::path(
    get, path = "/api/one-time-tokens/{id}", tag = "One-time tokens",
    params(("id" = String, Path, description = "The token's id")),
    responses(
        (status = 200, description = "The token", body = OneTimeTokenView),
        AccessRefused,
        (status = 404, description = "No such token", body = ApiErrorBody),
    ),
)]
async fn show_one_time_token(
    management: Management<UsersRead>,
    Id(id): Id<String>,
) -> Result<Json<OneTimeTokenView>, ApiError> {
    let found = one_time_tokens::find(&mut management.read().await?, &id).await?;
    let row = found.ok_or_else(|| ApiError::not_found("one-time token", &id))?;
    Ok(Json(view(row, None, management.now())))
}

/// Makes a token, by which whoever gets it signs in, registers, or chooses a new password with that address, once.
///
/// The application that sends them names it as `one_time_token`, beside `login_hint`.
#[utoipa::path(
    post, path = "/api/one-time-tokens", tag = "One-time tokens",
    request_body = CreateOneTimeToken,
    responses(
        (status = 201, description = "The token", body = OneTimeTokenView),
        BodyRefused, AccessRefused,
    ),
)]
async fn create_one_time_token(
    management: Management<Recent<UsersWrite>>,
    JsonBody(body): JsonBody<CreateOneTimeToken>,
) -> Result<(StatusCode, Json<OneTimeTokenView>), ApiError> {
    let organizations = body.context.as_ref().and_then(|context| context.jit_organization_ids.as_ref());
    if organizations.is_some_and(|ids| !ids.is_empty()) && !management.holds::<OrganizationsWrite>() {
        let message = "Adding somebody to organizations needs the scope \"organizations:write\", too.";
        return Err(ApiError::forbidden(message));
    }
    if body.context.as_ref().is_some_and(Context::joins_in_vain) {
        let details = "Error in key path \"context.jitOrganizationIds\": nobody joins by a new password";
        return Err(ApiError::invalid_input("body", details));
    }
    let (app, now) = (&management.app, management.now());
    let email = Identifier { kind: IdentifierType::Email, value: body.email.into() }.stored();
    let refused =
        || ApiError::invalid_input("body", "Error in key path \"email\": it is not a valid recipient of messages");
    let identifier = email.ok_or_else(refused)?;
    let token = app.random.secret(TOKEN_LENGTH)?;
    let seconds = body.expires_in.map_or(DEFAULT_LIFETIME_SECONDS, u32::from);
    let row = OneTimeToken {
        id: app.random.id_at(now)?,
        email: fold(&identifier.value),
        hash: tokens::hash(&token),
        context: storage::Json(Some(body.context.unwrap_or_default())),
        status: Status::Active,
        created_at: now,
        expires_at: now + i64::from(seconds) * 1000,
    };
    let mut tx = management.begin().await?;
    if let Some(wanted) = accounts::wanted(&identifier)
        && let Some(user) = users::find_identified(&mut tx, &wanted).await?
    {
        privilege_guard::check_user(&management, &mut tx, &user.id).await?;
    }
    one_time_tokens::insert(&mut tx, &row).await?;
    tx.audit(AuditKey::ManagementOneTimeTokenCreate, json!({ "oneTimeTokenId": row.id, "email": row.email })).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(view(row, Some(token), now))))
}

/// Uses a token, which works once.
#[utoipa::path(
    post, path = "/api/one-time-tokens/verify", tag = "One-time tokens",
    request_body = VerifyToken,
    responses(
        (status = 200, description = "The token, which is used now", body = OneTimeTokenView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such token", body = ApiErrorBody),
    ),
)]
async fn verify_one_time_token(
    management: Management<Recent<UsersWrite>>,
    JsonBody(body): JsonBody<VerifyToken>,
) -> Result<Json<OneTimeTokenView>, ApiError> {
    let now = management.now();
    let mut tx = management.begin().await?;
    let found = one_time_tokens::find_by_hash(&mut tx, &tokens::hash(body.token.as_str())).await?;
    let mut row = found.ok_or_else(|| refuse(TokenRefusal::NotFound))?;
    if fold(&String::from(body.email)) != row.email {
        return Err(refuse(TokenRefusal::OtherEmail));
    }
    // Of concurrent uses, one succeeds.
    if !one_time_tokens::settle(&mut tx, &row.id, Status::Consumed, now).await? {
        let is_now = row.status.at(now, row.expires_at);
        return Err(refuse(TokenRefusal::of(is_now).unwrap_or(TokenRefusal::Consumed)));
    }
    tx.audit(AuditKey::ManagementOneTimeTokenVerify, json!({ "oneTimeTokenId": row.id })).await?;
    tx.commit().await?;
    row.status = Status::Consumed;
    Ok(Json(view(row, None, now)))
}

/// Takes an active token back, or marks it as used.
///
/// One that is over stays so.
#[utoipa::path(
    put, path = "/api/one-time-tokens/{id}/status", tag = "One-time tokens",
    params(("id" = String, Path, description = "The token's id")),
    request_body = SetStatus,
    responses(
        (status = 200, description = "The token", body = OneTimeTokenView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such token", body = ApiErrorBody),
    ),
)]
async fn set_one_time_token_status(
    management: Management<Recent<UsersWrite>>,
    Id(id): Id<String>,
    JsonBody(body): JsonBody<SetStatus>,
) -> Result<Json<OneTimeTokenView>, ApiError> {
    let status = match body.status {
        Settled::Consumed => Status::Consumed,
        Settled::Revoked => Status::Revoked,
        Settled::Active => {
            let code = ApiCode::OneTimeTokenCannotReactivateToken;
            return Err(ApiError::new(code, "A token cannot be made active again."));
        }
    };
    let now = management.now();
    let mut tx = management.begin().await?;
    let found = one_time_tokens::find(&mut tx, &id).await?;
    let mut row = found.ok_or_else(|| ApiError::not_found("one-time token", &id))?;
    if !one_time_tokens::settle(&mut tx, &id, status, now).await? {
        let is_now = row.status.at(now, row.expires_at);
        return Err(refuse(TokenRefusal::of(is_now).unwrap_or(TokenRefusal::Consumed)));
    }
    tx.audit(AuditKey::ManagementOneTimeTokenSetStatus, json!({ "oneTimeTokenId": id, "status": status })).await?;
    tx.commit().await?;
    row.status = status;
    Ok(Json(view(row, None, now)))
}

/// Deletes a one-time token.
#[utoipa::path(
    delete, path = "/api/one-time-tokens/{id}", tag = "One-time tokens",
    params(("id" = String, Path, description = "The token's id")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such token", body = ApiErrorBody),
    ),
)]
async fn delete_one_time_token(
    management: Management<Recent<UsersWrite>>,
    Id(id): Id<String>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    if !one_time_tokens::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("one-time token", &id));
    }
    tx.audit(AuditKey::ManagementOneTimeTokenDelete, json!({ "oneTimeTokenId": id })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A token as of this time. The value `token` is only known at its creation.
fn view(row: OneTimeToken, token: Option<String>, now: i64) -> OneTimeTokenView {
    OneTimeTokenView {
        tenant_id: Tenant,
        status: row.status.at(now, row.expires_at),
        id: row.id,
        email: row.email,
        token,
        context: row.context.0.unwrap_or_default(),
        created_at: row.created_at,
        expires_at: row.expires_at,
    }
}

/// The refusal of a token.
fn refuse(refusal: TokenRefusal) -> ApiError {
    ApiError::new(refusal.code(), refusal.message())
}
