//! `POST /oidc/token/introspection` (RFC 7662): token introspection for confidential clients. See
//! `docs/decisions/revocation.md`.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use claimsmith_services::app::App;
use claimsmith_services::tokens::{self, Client, Snapshot, access::ActiveToken};
use claimsmith_storage::sessions::refresh_tokens::{self, RefreshToken};
use claimsmith_storage::{Tx, users};
use claimsmith_web::error::OAuthError;
use claimsmith_web::extract::client::{AuthenticatedClient, ClientEndpoint};
use claimsmith_web::extract::form::Form;
use serde_json::{Value, json};

/// Returns the token's claims, or only `active: false` for a token that is not live or that this client may not see.
pub async fn introspect_token(State(app): State<App>, headers: HeaderMap, body: Body) -> Result<Response, OAuthError> {
    let form = Form::read(&headers, body).await?;
    let mut tx = app.db.read().await?;
    let AuthenticatedClient { client, snapshot, .. } =
        AuthenticatedClient::prove(&app, ClientEndpoint::Introspection, &mut tx, (&headers, &form))
            .await?
            .confidential()?;
    form.refuse_repeated("")?;
    let missing = || OAuthError::invalid_request("missing required parameter 'token'");
    let token = form.one("token")?.ok_or_else(missing)?;
    if let Some(found) = refresh_tokens::find(&mut tx, &tokens::hash(token)).await? {
        let seen = is_live(&mut tx, &found, app.clock.now_ms()).await? && found.application_id == client.application.id;
        let answer = if seen { describe_refresh_token(&found, app.issuer.name()) } else { json!({ "active": false }) };
        return Ok(([(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response());
    }
    let live = tokens::access::check(&mut tx, &snapshot, app.issuer.name(), token, app.clock.now_ms()).await?;
    let seen = match live {
        Some(live) if may_see(&mut tx, &snapshot, &client, &live).await? => Some(live),
        _ => None,
    };
    let answer = seen.map_or_else(|| json!({ "active": false }), describe);
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response())
}

/// A client may see its own tokens, and tokens for resources of which its roles grant it a scope.
async fn may_see(
    tx: &mut claimsmith_storage::Tx,
    snapshot: &Snapshot,
    client: &Client,
    live: &ActiveToken,
) -> Result<bool, OAuthError> {
    if live.issuance.application_id == client.application.id {
        return Ok(true);
    }
    let Some(indicator) = &live.issuance.resource else { return Ok(false) };
    let resource = snapshot.resource(tx, indicator).await?;
    Ok(resource.is_some_and(|resource| client.held.contains_key(&resource.id)))
}

fn describe(live: ActiveToken) -> Value {
    let mut claims = live.claims;
    claims.insert("active".to_owned(), json!(true));
    claims.insert("token_type".to_owned(), json!("Bearer"));
    Value::Object(claims)
}

/// Whether a refresh token can be used: it was not replaced, and its user is active.
async fn is_live(tx: &mut Tx, token: &RefreshToken, now: i64) -> Result<bool, OAuthError> {
    if token.consumed_at.is_some() || token.expires_at <= now {
        return Ok(false);
    }
    Ok(users::find(tx, &token.user_id).await?.is_some_and(|user| !user.is_suspended))
}

fn describe_refresh_token(token: &RefreshToken, issuer: &str) -> Value {
    let scope = token.authorization_details.as_ref().map(|authorized| authorized.scope.join(" ")).unwrap_or_default();
    json!({
        "active": true,
        "iss": issuer,
        "sub": token.user_id,
        "client_id": token.application_id,
        "scope": scope,
        "iat": token.created_at / 1000,
        "exp": token.expires_at / 1000,
    })
}
