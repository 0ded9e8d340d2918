//! `POST /oidc/request`: pushed authorization requests (RFC 9126). The authenticated client sends its request ahead,
//! and the browser brings a reference, which is used up by the response to the request.

use super::parameters::{PUSHED_PREFIX, PUSHED_TOKEN_HASH, ParameterSource, Parameters};
use super::validate::validate;
use crate::authorize::answer::AuthorizationFailure;
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::outsider_rows::{MAX_REQUEST_BYTES, RowKind};
use claimsmith_identity::interaction::rows::{self, RowCaller};
use claimsmith_services::app::App;
use claimsmith_services::tokens;
use claimsmith_storage::Json;
use claimsmith_storage::sessions::pushed_requests::{self, PushedRequest};
use claimsmith_web::error::OAuthError;
use claimsmith_web::extract::client::{AuthenticatedClient, ClientEndpoint};
use claimsmith_web::extract::form::Form;
use serde_json::json;

/// The lifetime of a reference, in seconds: enough for the browser to arrive.
const LIFETIME_S: i64 = 60;
/// The parameters that are stored: those that this server reads, without those that authenticate the client.
const KEPT: [&str; 22] = [
    "acr_values",
    "code_challenge",
    "code_challenge_method",
    "direct_sign_in",
    "first_screen",
    "id_token_hint",
    "interaction_mode",
    "login_hint",
    "max_age",
    "nonce",
    "one_time_token",
    "organization_id",
    "prompt",
    "redirect_uri",
    "registration",
    "request",
    "resource",
    "response_mode",
    "response_type",
    "scope",
    "state",
    "ui_locales",
];

/// Stores a request, and returns its reference.
pub async fn push_request(
    State(app): State<App>,
    Extension(origin): Extension<RequestOrigin>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, OAuthError> {
    let form = Form::read(&headers, body).await?;
    let now = app.clock.now_ms();
    let mut tx = app.db.read().await?;
    let AuthenticatedClient { client, snapshot, .. } =
        AuthenticatedClient::prove(&app, ClientEndpoint::PushedRequest, &mut tx, (&headers, &form)).await?;
    if form.one("request_uri")?.is_some() {
        return Err(OAuthError::invalid_request("request_uri cannot be pushed"));
    }
    let id = client.application.id.to_string();
    let mut pairs: Vec<(String, String)> =
        form.into_pairs().into_iter().filter(|(name, _)| KEPT.contains(&name.as_str())).collect();
    pairs.push(("client_id".to_owned(), id));
    let stored = json!(pairs.iter().map(kept_of).collect::<Vec<_>>());
    let bytes = stored.to_string().len();
    if bytes > MAX_REQUEST_BYTES {
        return Err(OAuthError::invalid_request("the request is too long"));
    }
    let parameters = Parameters { form: Form::of_pairs(pairs), source: ParameterSource::Push };
    validate(&app, &mut tx, &snapshot, &parameters).await.map_err(|refused| match refused {
        // RFC 9126 section 2.3.
        AuthorizationFailure::Page(error) if error.error == "invalid_redirect_uri" => {
            OAuthError::invalid_request(error.description)
        }
        AuthorizationFailure::Page(error) | AuthorizationFailure::Application(_, error) => error,
        AuthorizationFailure::Expired | AuthorizationFailure::Over(_) => OAuthError::server_error(),
    })?;
    drop(tx);
    // A public client's id is enough to push requests; confidential clients are the operator's own.
    if !client.application.kind.is_confidential() {
        let caller = RowCaller { client_id: Some(&client.application.id), ..RowCaller::default() };
        let taken = rows::take(&app, RowKind::PushedRequests, &origin, caller, bytes);
        taken.map_err(|_| OAuthError::temporarily_unavailable())?;
    }

    let reference = app.random.secret(43)?;
    let row = PushedRequest {
        hash: tokens::hash(&reference),
        application_id: client.application.id.clone(),
        parameters: Json(stored),
        expires_at: now + LIFETIME_S * 1000,
    };
    let mut tx = app.db.begin().await?;
    pushed_requests::insert(&mut tx, &row).await?;
    tx.commit().await?;
    let body = json!({ "request_uri": format!("{PUSHED_PREFIX}{reference}"), "expires_in": LIFETIME_S });
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], axum::Json(body)).into_response())
}

/// A parameter as it is stored: for the token of a one-time link, which signs its user in, only the hash.
fn kept_of((name, value): &(String, String)) -> (String, String) {
    match name.as_str() {
        "one_time_token" => (PUSHED_TOKEN_HASH.to_owned(), tokens::hash(value)),
        _ => (name.clone(), value.clone()),
    }
}
