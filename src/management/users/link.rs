//! `POST /api/users/{userId}/identities`: links a social connector's account by the response that a backend received.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::UserId;
use claimsmith_domain::management::UsersWrite;
use claimsmith_identity::access::privilege_guard;
use claimsmith_identity::accounts::{self, ExternalIdentity};
use claimsmith_identity::interaction::federated::backend::{LinkRequest, account};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_storage::Document as _;
use claimsmith_storage::users;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What the user brought back from the provider.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "connectorId": "c8m2x5z1k9b4", "connectorData": {
        "code": "SplxlOBeZQQYbYS6WxSbIA", "state": "af0ifjsldkj", "redirectUri": "https://app.example.com/linked"
    }
}))]
pub(super) struct BroughtIdentity {
    /// The connector.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    connector_id: Text<1, 128>,
    /// The query that came back, with the `redirectUri` to which it came and the `state` of the authorization URI.
    #[schema(value_type = Object)]
    connector_data: Map<String, Value>,
}

/// Links the account of a social connector to a user.
#[utoipa::path(
    post, path = "/api/users/{userId}/identities", tag = "Users",
    summary = "Link an account of a connector to a user",
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
    management: Management<UsersWrite>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<BroughtIdentity>,
) -> Result<Json<Value>, ApiError> {
    users::find(&mut management.read().await?, &id).await?.ok_or_else(|| ApiError::unknown_user(&id))?;
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
