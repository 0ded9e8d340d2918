//! `GET` and `POST /oidc/me`: the userinfo endpoint (OpenID Connect Core section 5.3). It returns the claims that the
//! scopes of the access token grant (`docs/decisions/user-claims.md`).

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::Response;
use claimsmith_domain::scope;
use claimsmith_domain::user_scope::OPENID;
use claimsmith_services::app::App;
use claimsmith_services::tokens::{self, access::ActiveToken, user_claims};

use claimsmith_storage::organizations::consents;
use claimsmith_web::conditional;
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
        Some(token) => {
            let claims = claims_of(&app, token).await?;
            let bytes = serde_json::to_vec(&claims).map_err(|error| OAuthError::failed(&error))?;
            let answered = conditional::answer((&method, &headers), "application/json", bytes);
            let mut response = answered.map_err(|error| OAuthError::failed(&error))?;
            response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            Ok(response)
        }
        None => Ok(bearer::required()),
    }
}

async fn claims_of(app: &App, token: &str) -> Result<Map<String, Value>, OAuthError> {
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
    Ok(claims)
}
