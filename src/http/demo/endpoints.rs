//! The endpoints that the application calls, by the functions that answer them over HTTP: from within, the server need
//! not know by which address it reaches itself.

use super::guest::Guest;
use crate::http::oidc::{revocation, token, userinfo};
use axum::Extension;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use claimsmith_runtime::json::{self, INCOMING};
use data_encoding::BASE64URL_NOPAD;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The most bytes of an answer.
const MAX_ANSWER_BYTES: usize = 1024 * 1024;

/// What the token endpoint answers.
#[derive(Deserialize)]
pub(super) struct Tokens {
    #[serde(rename = "access_token")]
    pub access: String,
    #[serde(rename = "id_token")]
    pub id: Option<String>,
    #[serde(rename = "refresh_token")]
    pub refresh: Option<String>,
}

/// A refusal, as the endpoint says it (RFC 6749 section 5.2).
#[derive(Deserialize)]
struct Refusal {
    error: String,
    #[serde(default)]
    error_description: String,
}

/// Asks the token endpoint; the error says what it answered.
pub(super) async fn token(guest: &Guest, parameters: &[(&str, &str)]) -> Result<Tokens, String> {
    let (headers, body) = form(guest, parameters);
    // Boxed: an endpoint is a large future, and several are awaited by one handler.
    let answer =
        Box::pin(token::issue_token(State(guest.app.clone()), Extension(guest.origin.clone()), headers, body)).await;
    read(answer).await
}

/// Asks the userinfo endpoint.
pub(super) async fn user_info(guest: &Guest, access_token: &str) -> Result<Map<String, Value>, String> {
    let mut headers = HeaderMap::new();
    if let Ok(value) = HeaderValue::try_from(format!("Bearer {access_token}")) {
        headers.insert(header::AUTHORIZATION, value);
    }
    let answer = Box::pin(userinfo::show_user(State(guest.app.clone()), Method::GET, headers, Body::empty())).await;
    read(answer.into_response()).await
}

/// Revokes a refresh token. One that is spent needs no revocation.
pub(super) async fn revoke(guest: &Guest, refresh_token: &str) {
    let (headers, body) = form(guest, &[("token", refresh_token)]);
    let app = State(guest.app.clone());
    if let Err(error) = revocation::revoke_token(app, Extension(guest.origin.clone()), headers, body).await {
        tracing::warn!(error = error.error, "the demo application could not revoke a refresh token");
    }
}

/// The claims of a JWT, to be shown. They are not verified.
pub(super) fn claims(token: &str) -> Option<Map<String, Value>> {
    let payload = BASE64URL_NOPAD.decode(token.split('.').nth(1)?.as_bytes()).ok()?;
    json::read(&payload, INCOMING).ok()
}

/// A form of the application, which is a public client.
fn form(guest: &Guest, parameters: &[(&str, &str)]) -> (HeaderMap, Body) {
    let body = form_urlencoded::Serializer::new(String::new())
        .append_pair("client_id", &guest.demo.client_id)
        .extend_pairs(parameters)
        .finish();
    let content_type = HeaderValue::from_static("application/x-www-form-urlencoded");
    (HeaderMap::from_iter([(header::CONTENT_TYPE, content_type)]), Body::from(body))
}

async fn read<T: for<'d> Deserialize<'d>>(answer: Response) -> Result<T, String> {
    let unreadable = || "The endpoint's answer could not be read.".to_owned();
    let is_success = answer.status().is_success();
    let bytes = to_bytes(answer.into_body(), MAX_ANSWER_BYTES).await.map_err(|_| unreadable())?;
    if is_success {
        return json::read(&bytes, INCOMING).map_err(|_| unreadable());
    }
    let Refusal { error, error_description } = json::read(&bytes, INCOMING).map_err(|_| unreadable())?;
    Err(format!("The server refused: {error}: {error_description}"))
}
