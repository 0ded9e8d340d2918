//! Clients of this server in its own process, such as the console: they call the functions behind its endpoints instead
//! of HTTP, since the server does not need to know a URL at which it reaches itself.

use axum::Extension;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use claimsmith_domain::id::{ApplicationId, SessionId, UserId};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_oidc::token;
use claimsmith_pages::failure::PageError;
use claimsmith_runtime::json::{self, INCOMING};
use claimsmith_services::app::App;
use data_encoding::BASE64URL_NOPAD;
use serde::Deserialize;
use serde_json::{Map, Value};
use subtle::ConstantTimeEq;

/// Maximum bytes of a response.
const MAX_ANSWER_BYTES: usize = 1024 * 1024;

/// The response of the token endpoint.
#[derive(Deserialize)]
pub(super) struct TokenResponse {
    #[serde(rename = "access_token")]
    pub access: String,
    #[serde(rename = "id_token")]
    pub id: Option<String>,
    #[serde(rename = "refresh_token")]
    pub refresh: Option<String>,
}

/// An error response (RFC 6749 section 5.2).
#[derive(Deserialize)]
struct TokenErrorResponse {
    error: String,
    #[serde(default)]
    error_description: String,
}

/// The signed-in user of an ID token.
pub(super) struct SignedIn {
    pub user_id: UserId,
    pub session_id: Option<SessionId>,
    /// The time of authentication, Unix seconds.
    pub auth_time: i64,
}

/// Calls the token endpoint as a public client; the error is its error response.
pub(super) async fn ask_for_tokens(
    app: &App,
    origin: &RequestOrigin,
    client_id: &str,
    parameters: &[(&str, &str)],
) -> Result<TokenResponse, String> {
    let (headers, body) = form(client_id, parameters);
    // Boxed: an endpoint is a large future, and several are awaited by one handler.
    let answer = Box::pin(token::issue_token(State(app.clone()), Extension(origin.clone()), headers, body)).await;
    read(answer).await
}

/// The user of an ID token, if it is signed by the server, issued to this client, for the sign-in with this nonce, and
/// not expired (OpenID Connect Core section 3.1.3.7).
pub(super) async fn check_id_token(
    app: &App,
    client_id: &ApplicationId,
    id_token: &str,
    nonce: &str,
) -> Result<Option<SignedIn>, PageError> {
    let now = app.clock.now_ms();
    let snapshot = app.authorizations.current(&mut app.db.read().await?, now).await?;
    let Some(verified) = snapshot.keys.verify_hint(id_token, app.issuer.name()) else { return Ok(None) };
    let claims = claims(id_token).unwrap_or_default();
    let number = |name: &str| claims.get(name).and_then(Value::as_i64).unwrap_or_default();
    let given = claims.get("nonce").and_then(Value::as_str).unwrap_or_default();
    let is_ours = verified.client_id == *client_id
        && bool::from(given.as_bytes().ct_eq(nonce.as_bytes()))
        && number("exp").saturating_mul(1000) > now;
    Ok(is_ours.then(|| SignedIn {
        user_id: verified.user_id,
        session_id: verified.session_id.map(SessionId::from),
        auth_time: number("auth_time"),
    }))
}

/// The claims of a JWT, which is not verified.
pub(super) fn claims(token: &str) -> Option<Map<String, Value>> {
    let payload = BASE64URL_NOPAD.decode(token.split('.').nth(1)?.as_bytes()).ok()?;
    json::read(&payload, INCOMING).ok()
}

/// The form of a request by a public client.
pub(super) fn form(client_id: &str, parameters: &[(&str, &str)]) -> (HeaderMap, Body) {
    let body = form_urlencoded::Serializer::new(String::new())
        .append_pair("client_id", client_id)
        .extend_pairs(parameters)
        .finish();
    let content_type = HeaderValue::from_static("application/x-www-form-urlencoded");
    (HeaderMap::from_iter([(header::CONTENT_TYPE, content_type)]), Body::from(body))
}

/// Reads the response of an endpoint; the error is its error response.
pub(super) async fn read<T: for<'d> Deserialize<'d>>(answer: Response) -> Result<T, String> {
    let unreadable = || "The endpoint's answer could not be read.".to_owned();
    let is_success = answer.status().is_success();
    let bytes = to_bytes(answer.into_body(), MAX_ANSWER_BYTES).await.map_err(|_| unreadable())?;
    if is_success {
        return json::read(&bytes, INCOMING).map_err(|_| unreadable());
    }
    let TokenErrorResponse { error, error_description } = json::read(&bytes, INCOMING).map_err(|_| unreadable())?;
    Err(format!("The server refused: {error}: {error_description}"))
}
