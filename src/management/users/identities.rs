//! `/api/users/{userId}/identities`: linked accounts of a user at other providers.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::users::UserView;
use claimsmith_api::users::sign_in::{BroughtIdentity, Identity, ShownSsoIdentity};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::id::{SsoConnectorId, UserId};
use claimsmith_domain::management::{Recent, UsersRead, UsersWrite};
use claimsmith_identity::access::privilege_guard;
use claimsmith_identity::accounts::{self, ExternalIdentity};
use claimsmith_identity::interaction::federated::backend::{LinkRequest, account};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_services::tokens::context;
use claimsmith_storage::Document as _;
use claimsmith_storage::users::sso_identities;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::{Value, json};

/// Shows a linked identity.
#[utoipa::path(
    get, path = "/api/users/{userId}/identities/{target}", tag = "Users",
    params(("userId" = String, Path, description = "The user"), ("target" = String, Path, description = "Where")),
    responses(
        (status = 200, description = "The identity", body = Identity),
        AccessRefused,
        (status = 404, description = "No such user or identity", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_identity(
    management: Management<UsersRead>,
    IdPair(id, target): IdPair<UserId, String>,
) -> Result<Json<Value>, ApiError> {
    let user = super::find(&mut management.read().await?, &id).await?;
    Ok(Json(user.identities.get(&target).cloned().ok_or_else(not_linked)?))
}

/// Shows the account of a user at an enterprise connector.
#[utoipa::path(
    get, path = "/api/users/{userId}/sso-identities/{ssoConnectorId}", tag = "Users",
    params(
        ("userId" = String, Path, description = "The user"),
        ("ssoConnectorId" = String, Path, description = "The connector"),
    ),
    responses(
        (status = 200, description = "The account", body = ShownSsoIdentity),
        AccessRefused,
        (status = 404, description = "No such user, or no account there", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_sso_identity(
    management: Management<UsersRead>,
    IdPair(id, connector_id): IdPair<UserId, SsoConnectorId>,
) -> Result<Json<ShownSsoIdentity>, ApiError> {
    let mut tx = management.read().await?;
    super::find(&mut tx, &id).await?;
    let known = sso_identities::of_user(&mut tx, &id).await?;
    let found = known.iter().find(|identity| identity.sso_connector_id == connector_id);
    let unknown = || {
        let message = "The user has no account at this enterprise connector.";
        ApiError::new(ApiCode::UserEnterpriseSsoIdentityNotExists, message)
    };
    Ok(Json(ShownSsoIdentity { sso_identity: context::sso_identity(found.ok_or_else(unknown)?) }))
}

/// Links an identity to a user, in place of what was linked from there.
#[utoipa::path(
    put, path = "/api/users/{userId}/identities/{target}", tag = "Users",
    params(("userId" = String, Path, description = "The user"), ("target" = String, Path, description = "Where")),
    request_body = Identity,
    responses(
        (status = 200, description = "Replaced: all identities of the user", body = Object,
            example = json!({ "github": { "userId": "583231", "details": { "login": "ada" } } })),
        (status = 201, description = "Linked: all identities of the user", body = Object,
            example = json!({ "github": { "userId": "583231", "details": { "login": "ada" } } })),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
        (status = 422, description = "The identity is linked to somebody else", body = ApiErrorBody),
    ),
)]
pub(super) async fn link_identity(
    management: Management<Recent<UsersWrite>>,
    IdPair(id, target): IdPair<UserId, String>,
    JsonBody(body): JsonBody<Identity>,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let mut tx = management.begin().await?;
    let mut update = accounts::begin_update(&mut tx, &id).await?;
    privilege_guard::check_user(&management, update.work(), &id).await?;
    if update.user.identities.is_unreadable() {
        return Err(ApiError::unreadable("list of identities"));
    }
    let identity = serde_json::to_value(&body)?;
    let is_replaced = accounts::replace_identity(&mut update, &target, body.user_id.as_str(), identity).await?;
    let status = if is_replaced { StatusCode::OK } else { StatusCode::CREATED };
    let all = update.user.identities.0.clone();
    update.save(AuditOperation::UserLinkIdentity, json!({ "target": target }), status.as_u16()).await?;
    tx.commit().await?;
    Ok((status, Json(all)))
}

/// Unlinks an identity from a user.
#[utoipa::path(
    delete, path = "/api/users/{userId}/identities/{target}", tag = "Users",
    params(("userId" = String, Path, description = "The user"), ("target" = String, Path, description = "Where")),
    responses(
        (status = 200, description = "The user", body = UserView),
        AccessRefused,
        (status = 404, description = "No such user or identity", body = ApiErrorBody),
    ),
)]
pub(super) async fn unlink_identity(
    management: Management<Recent<UsersWrite>>,
    IdPair(id, target): IdPair<UserId, String>,
) -> Result<Json<UserView>, ApiError> {
    let mut tx = management.begin().await?;
    let mut update = accounts::begin_update(&mut tx, &id).await?;
    privilege_guard::check_user(&management, update.work(), &id).await?;
    accounts::unlink_identity(&mut update, &target).await?;
    let view = update.save(AuditOperation::UserUnlinkIdentity, json!({ "target": target }), 200).await?;
    tx.commit().await?;
    Ok(Json(view))
}

fn not_linked() -> ApiError {
    ApiError::new(ApiCode::UserIdentityNotExist, "No such identity is linked to the user.")
}

/// Links the account of a social connector to a user.
#[utoipa::path(
    post, path = "/api/users/{userId}/identities", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    request_body = BroughtIdentity,
    responses(
        (status = 200, description = "All identities of the user", body = Object,
            example = json!({ "github": { "userId": "583231", "details": { "id": "583231", "name": "Ada" } } })),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
        (status = 422, description = "No such connector, or the account is linked already", body = ApiErrorBody),
    ),
)]
pub(super) async fn link_brought_identity(
    management: Management<Recent<UsersWrite>>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<BroughtIdentity>,
) -> Result<Json<Value>, ApiError> {
    super::find(&mut management.read().await?, &id).await?;
    let text = |name: &str| body.connector_data.get(name).and_then(Value::as_str).unwrap_or_default();
    if !text("error").is_empty() {
        return Err(InteractionRefusal::UpstreamDenied.into());
    }
    let connector_id = body.connector_id.as_str();
    let request = LinkRequest { connector_id, state: text("state"), redirect_uri: text("redirectUri") };
    let issuer = Some(text("iss")).filter(|issuer| !issuer.is_empty());
    // The request to the other server is sent before the transaction.
    let (target, account) = account(&management.app, &request, text("code"), issuer).await?;
    let mut tx = management.begin().await?;
    let mut update = accounts::begin_update(&mut tx, &id).await?;
    privilege_guard::check_user(&management, update.work(), &id).await?;
    if update.user.identities.is_unreadable() {
        return Err(ApiError::unreadable("list of identities"));
    }
    accounts::link_identity(&mut update, ExternalIdentity::Social { target, account }).await?;
    let all = update.user.identities.0.clone();
    update.save(AuditOperation::UserUpdate, json!({ "keys": ["identities"] }), 200).await?;
    tx.commit().await?;
    Ok(Json(all))
}
