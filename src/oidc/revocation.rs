//! `POST /oidc/token/revocation` (RFC 7009): an application revokes a token that was issued to it.

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::ApplicationId;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_services::app::App;
use claimsmith_services::audit::Actor;
use claimsmith_services::tokens;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::issuing::issuances;
use claimsmith_storage::sessions::grants;
use claimsmith_storage::sessions::refresh_tokens::{self, RefreshToken};
use claimsmith_web::error::OAuthError;
use claimsmith_web::extract::client::{AuthenticatedClient, ClientEndpoint, ClientProof};
use claimsmith_web::extract::form::Form;
use serde_json::{Value, json};

/// Revokes a token of this client. A token that is not live is no error; one of another client is.
pub async fn revoke_token(
    State(app): State<App>,
    Extension(origin): Extension<RequestOrigin>,
    headers: HeaderMap,
    body: Body,
) -> Result<StatusCode, OAuthError> {
    let form = Form::read(&headers, body).await?;
    let now = app.clock.now_ms();
    let mut tx = app.db.read().await?;
    let AuthenticatedClient { client, snapshot, proof } =
        AuthenticatedClient::prove(&app, ClientEndpoint::Revocation, &mut tx, (&headers, &form)).await?;
    form.refuse_repeated("")?;
    let missing = || OAuthError::invalid_request("missing required parameter 'token'");
    let token = form.one("token")?.ok_or_else(missing)?;
    if let Some(found) = refresh_tokens::find(&mut tx, &tokens::hash(token)).await? {
        drop(tx);
        return revoke_refresh_token(&app, (&client.application.id, &proof), origin, &found).await;
    }
    let live = tokens::access::check(&mut tx, &snapshot, app.issuer.name(), token, now).await?;
    drop(tx);
    let Some(live) = live else { return Ok(StatusCode::OK) };
    if live.issuance.application_id != client.application.id {
        return Err(OAuthError::invalid_request("the token was not issued to this client"));
    }

    let actor = Actor::Application { id: client.application.id.clone() };
    let mut tx = UnitOfWork::begin(&app.db, actor, origin, now).await?;
    if issuances::revoke(&mut tx, &live.issuance.jti, now).await? {
        let details = json!({ "userId": live.issuance.user_id, "jti": live.issuance.jti });
        tx.audit(AuditKey::RevokeToken, with(details, &proof)).await?;
    }
    tx.commit().await?;
    Ok(StatusCode::OK)
}

/// Revokes a refresh token with all that came from the same code (RFC 7009 section 2.1).
async fn revoke_refresh_token(
    app: &App,
    (client_id, proof): (&ApplicationId, &ClientProof),
    origin: RequestOrigin,
    token: &RefreshToken,
) -> Result<StatusCode, OAuthError> {
    if token.application_id != *client_id {
        return Err(OAuthError::invalid_request("the token was not issued to this client"));
    }
    let actor = Actor::Application { id: client_id.clone() };
    let now = app.clock.now_ms();
    let mut tx = UnitOfWork::begin(&app.db, actor, origin, now).await?;
    grants::revoke_family(&mut tx, &token.grant_id, &token.family_id, now).await?;
    let details = json!({ "userId": token.user_id, "grantId": token.grant_id });
    tx.audit(AuditKey::RevokeToken, with(details, proof)).await?;
    tx.commit().await?;
    Ok(StatusCode::OK)
}

/// The details of an audit entry, with the secret or key that the client used.
fn with(mut details: Value, proof: &ClientProof) -> Value {
    if let Some(details) = details.as_object_mut() {
        details.extend(proof.detail());
    }
    details
}
