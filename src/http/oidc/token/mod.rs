//! `POST /oidc/token`: authenticate the client, then hand over to the grant (decisions 3 to 8).

mod client_credentials;
mod token_exchange;

use crate::app::App;
use crate::http::error::OAuthError;
use crate::http::extract::client::AuthenticatedClient;
use crate::http::extract::form::Form;
use crate::http::request_info::RequestInfo;
use crate::random;
use crate::storage::audit::Log;
use crate::storage::subject_tokens::LiveSubject;
use crate::telemetry::TOKEN_REQUESTS;
use crate::tokens::{self, CLIENT_CREDENTIALS, Client, Issued, Opening, Refusal, Snapshot, TOKEN_EXCHANGE};
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::types::Json;
use std::sync::Arc;

/// How often an exchange starts over when what it relies on changed while it ran.
const ATTEMPTS: usize = 5;

/// A token request whose client is authenticated.
struct TokenRequest<'r> {
    app: &'r App,
    form: &'r Form,
    info: &'r RequestInfo,
    client: Arc<Client>,
    snapshot: Arc<Snapshot>,
    subject: Option<LiveSubject>,
    now: i64,
}

/// What the endpoint answers (RFC 6749 section 5.1, RFC 8693 section 2.2.1).
#[derive(Serialize)]
struct TokenResponse {
    access_token: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    issued_token_type: Option<&'static str>,
    token_type: &'static str,
    expires_in: i64,
    scope: String,
}

/// Issues a token by one of the grants.
pub async fn issue_token(
    State(app): State<App>,
    Extension(info): Extension<RequestInfo>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let form = match Form::read(&headers, body).await {
        Ok(form) => form,
        Err(error) => return refuse("none", error),
    };
    let grant = match form.all("grant_type").next() {
        Some(CLIENT_CREDENTIALS) => "client_credentials",
        Some(TOKEN_EXCHANGE) => "token-exchange",
        _ => "none",
    };
    match answer(&app, &headers, &form, &info).await {
        Ok(response) => {
            metrics::counter!(TOKEN_REQUESTS, "grant" => grant, "outcome" => "issued").increment(1);
            ([(header::CACHE_CONTROL, "no-store"), (header::PRAGMA, "no-cache")], axum::Json(response)).into_response()
        }
        Err(error) => refuse(grant, error),
    }
}

fn refuse(grant: &'static str, error: OAuthError) -> Response {
    metrics::counter!(TOKEN_REQUESTS, "grant" => grant, "outcome" => error.error).increment(1);
    tracing::info!(grant, error = error.error, description = %error.description, "token request refused");
    error.into_response()
}

async fn answer(app: &App, headers: &HeaderMap, form: &Form, info: &RequestInfo) -> Result<TokenResponse, OAuthError> {
    for _ in 0..ATTEMPTS {
        let Opening { revision, subject } = app.openings.open(token_exchange::shown_hash(form)).await?;
        let (mut tx, now) = (app.db.reader(), app.clock.now_ms());
        let snapshot = app.directory.at(revision, &mut tx, now).await?;
        let AuthenticatedClient { client, snapshot } =
            AuthenticatedClient::prove_at(snapshot, &mut tx, headers, form, now).await?;
        let grant_type = form.one("grant_type")?;
        let grant_type =
            grant_type.ok_or_else(|| OAuthError::invalid_request("missing required parameter 'grant_type'"))?;
        // A repeated `resource` has its own error, told by the grant.
        form.refuse_repeated("resource")?;
        let application_id = client.application.id.clone();
        let request = TokenRequest { app, form, info, client, snapshot, subject, now };
        let result = match grant_type {
            CLIENT_CREDENTIALS => client_credentials::grant(request, tx).await,
            TOKEN_EXCHANGE => token_exchange::grant(request, tx).await,
            _ => return Err(OAuthError::unsupported_grant_type()),
        };
        match result {
            Ok(issued) => return Ok(TokenResponse::new(issued, grant_type)),
            Err(Failure::Refused(error)) => {
                app.issuer.note(refusal_log(grant_type, &application_id, &error, info, app.clock.now_ms())?);
                return Err(error);
            }
            // Somebody changed what the grant rests on while it ran: decide again on what is true now.
            Err(Failure::Stale) => {}
        }
    }
    Err(OAuthError::temporarily_unavailable())
}

/// What the audit log keeps of a refused grant; the tokens that were shown are not part of it.
fn refusal_log(
    grant_type: &str,
    application_id: &str,
    error: &OAuthError,
    info: &RequestInfo,
    now: i64,
) -> Result<Log, OAuthError> {
    let key = tokens::audit_key(grant_type);
    let mut payload = info.audit();
    payload.insert("key".to_owned(), json!(key));
    payload.insert("result".to_owned(), json!("Error"));
    payload.insert("applicationId".to_owned(), json!(application_id));
    payload.insert("error".to_owned(), json!({ "code": error.error, "message": error.description }));
    Ok(Log { id: random::id_at(now)?, key: key.to_owned(), payload: Json(Value::Object(payload)), created_at: now })
}

impl TokenResponse {
    fn new(issued: Issued, grant_type: &str) -> Self {
        Self {
            access_token: issued.access_token,
            issued_token_type: (grant_type == TOKEN_EXCHANGE).then_some(tokens::ACCESS_TOKEN_TYPE),
            token_type: "Bearer",
            expires_in: issued.expires_in,
            scope: issued.scope,
        }
    }
}

/// Why a grant gave no token.
enum Failure {
    /// The client is told.
    Refused(OAuthError),
    /// It starts over.
    Stale,
}

impl<E: Into<OAuthError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Refused(error.into())
    }
}

/// What the client is told of a refused issuance.
fn failure_of(refusal: Refusal, spent: fn() -> OAuthError) -> Failure {
    match refusal {
        Refusal::Stale => Failure::Stale,
        Refusal::Spent => Failure::Refused(spent()),
        Refusal::Denied(message) => Failure::Refused(OAuthError::denied(message)),
        Refusal::PluginFailed { plugin, outcome } => {
            tracing::warn!(plugin, outcome, "no token: a plugin failed and its policy is to deny");
            Failure::Refused(OAuthError::server_error())
        }
        Refusal::Failed(tokens::Error::Busy) => Failure::Refused(OAuthError::temporarily_unavailable()),
        Refusal::Failed(error) => Failure::Refused(error.into()),
    }
}
