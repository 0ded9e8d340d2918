//! `POST /oidc/token/revocation` (RFC 7009): an application takes back a token that was issued to it.

use crate::app::App;
use crate::http::error::OAuthError;
use crate::http::extract::client::AuthenticatedClient;
use crate::http::extract::form::Form;
use crate::http::request_info::RequestInfo;
use crate::random;
use crate::storage::audit::{self, Log};
use crate::storage::{Json, issuances};
use crate::tokens;
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde_json::json;

/// Revokes a token of this client. A token that is not live is no error; one of another client is.
pub async fn revoke_token(
    State(app): State<App>,
    Extension(info): Extension<RequestInfo>,
    headers: HeaderMap,
    body: Body,
) -> Result<StatusCode, OAuthError> {
    let form = Form::read(&headers, body).await?;
    let now = app.clock.now_ms();
    let mut tx = app.db.read().await?;
    let AuthenticatedClient { client, snapshot, .. } =
        AuthenticatedClient::prove(&app, &mut tx, &headers, &form).await?;
    form.refuse_repeated("")?;
    let missing = || OAuthError::invalid_request("missing required parameter 'token'");
    let token = form.one("token")?.ok_or_else(missing)?;
    let live = tokens::access::check(&mut tx, &snapshot, app.issuer.name(), token, now).await?;
    drop(tx);
    let Some(live) = live else { return Ok(StatusCode::OK) };
    if live.issuance.application_id != client.application.id {
        return Err(OAuthError::invalid_request("the token was not issued to this client"));
    }

    let mut tx = app.db.begin().await?;
    if issuances::revoke(&mut tx, &live.issuance.jti, now).await? {
        let mut payload = json!({
            "key": "RevokeToken", "result": "Success", "applicationId": client.application.id,
            "userId": live.issuance.user_id, "jti": live.issuance.jti,
        });
        if let Some(payload) = payload.as_object_mut() {
            payload.extend(info.audit());
        }
        let log = Log { id: random::id(21)?, key: "RevokeToken".to_owned(), payload: Json(payload), created_at: now };
        audit::append(&mut tx, &[log]).await?;
    }
    tx.commit().await?;
    Ok(StatusCode::OK)
}
