//! `GET` and `POST /oidc/me`: the userinfo endpoint (OpenID Connect Core section 5.3). It returns the claims that the
//! scopes of the access token grant (`docs/decisions/user-claims.md`).

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Method, header};
use axum::response::{IntoResponse, Response};
use claimsmith_domain::scope;
use claimsmith_domain::user_scope::OPENID;
use claimsmith_services::app::App;
use claimsmith_services::tokens::{self, access::ActiveToken, user_claims};
use claimsmith_storage::organizations::consents;
use claimsmith_web::error::OAuthError;
use claimsmith_web::extract::bearer;
use claimsmith_web::extract::form::{self, Form};
use serde_json::{Map, Value, json};

/// Returns the claims of the user that the access token represents.
pub async fn show_user(
    State(app): State<App>,
    method: Method,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, OAuthError> {
    let form = if method == Method::POST && form::is_form(&headers) {
        Form::read(&headers, body).await?
    } else {
        Form::default()
    };
    let posted = form.one("access_token")?;
    let sent = headers.get_all(header::AUTHORIZATION).iter().count();
    if sent > 1 || sent == 1 && posted.is_some() {
        return Err(OAuthError::invalid_request("the access token must be sent once, in one place"));
    }
    match bearer::token(&headers).or(posted) {
        Some(token) => answer(&app, token).await,
        None => Ok(bearer::required()),
    }
}

async fn answer(app: &App, token: &str) -> Result<Response, OAuthError> {
    // A JWT is for the resource that its audience names.
    if token.contains('.') {
        return Err(bearer::invalid());
    }
    let now = app.clock.now_ms();
    let mut tx = app.db.read().await?;
    let snapshot = app.authorizations.current(&mut tx, now).await?;
    let live = tokens::access::check(&mut tx, &snapshot, app.issuer.name(), token, now).await?;
    let Some(ActiveToken { issuance, client, user: Some(user), .. }) = live.filter(|live| !live.issuance.exchanged)
    else {
        return Err(bearer::invalid());
    };
    if !scope::contains(&issuance.scope, OPENID) {
        return Err(bearer::lacks(OPENID));
    }
    let chosen = if client.application.is_third_party {
        Some(consents::ORGANIZATIONS.of(&mut tx, (&client.application.id, &user.id)).await?)
    } else {
        None
    };
    let mut claims = Map::from_iter([("sub".to_owned(), json!(user.id))]);
    claims.extend(user_claims::granted(&mut tx, &user, &issuance.scope, chosen.as_deref()).await?);
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(Value::Object(claims))).into_response())
}
