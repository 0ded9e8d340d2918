//! `POST /oidc/token`: authenticates the client (`docs/decisions/client-authentication.md`), then dispatches to the
//! grant.

pub(super) mod refused;

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use claimsmith_config::telemetry::TOKEN_REQUESTS;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::grant::token_exchange::ACCESS_TOKEN_TYPE;
use claimsmith_domain::id::ApplicationId;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_identity::grants::{self, GrantErrorCode, GrantFailure, GrantRefusal, TokenRequest};
use claimsmith_services::activity::ActivityKind;
use claimsmith_services::app::App;
use claimsmith_services::tokens::{IssuedTokens, RequestState};
use claimsmith_web::error::OAuthError;
use claimsmith_web::extract::client::{AuthenticatedClient, ClientEndpoint, ClientProof, Credentials};
use claimsmith_web::extract::form::Form;
use serde::Serialize;
use serde_json::{Map, Value};
use std::time::Instant;

/// The maximum number of attempts, if the data that an exchange depends on changes while it runs.
const MAX_ATTEMPTS: usize = 12;
/// The first attempts, during which other transactions may still write; later attempts hold back writes.
const CONCURRENT_ATTEMPTS: usize = 2;

/// The authenticated client, also if its request is refused afterwards.
#[derive(Default)]
pub(super) struct ProvenClient {
    pub(super) client_id: Option<ApplicationId>,
    /// The credential that it used.
    pub(super) proof: Option<ClientProof>,
}

/// The response (RFC 6749 section 5.1, RFC 8693 section 2.2.1).
#[derive(Serialize)]
struct TokenResponse {
    access_token: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    issued_token_type: Option<&'static str>,
    token_type: &'static str,
    expires_in: i64,
    /// Omitted if no scope was granted, except for token exchange.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id_token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refresh_token: Option<String>,
}

/// Issues a token by one of the grants.
pub async fn issue_token(
    State(app): State<App>,
    Extension(origin): Extension<RequestOrigin>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let form = match Form::read(&headers, body).await {
        Ok(form) => form,
        Err(error) => {
            refused::note(&app, &origin, GrantType::UNKNOWN_AUDIT_KEY, ProvenClient::default(), &error);
            return refuse(None, &origin, error);
        }
    };
    let grant = form.all("grant_type").next().and_then(GrantType::parse);
    let counted = ActivityKind::Token(grant);
    let started = Instant::now();
    let mut proven = ProvenClient::default();
    match answer(&app, &headers, &form, &origin, &mut proven).await {
        Ok(response) => {
            app.activity.count(counted, false, started.elapsed());
            metrics::counter!(TOKEN_REQUESTS, "grant" => label(grant), "outcome" => "issued").increment(1);
            ([(header::CACHE_CONTROL, "no-store"), (header::PRAGMA, "no-cache")], axum::Json(response)).into_response()
        }
        Err(error) => {
            let key = grant.map_or(GrantType::UNKNOWN_AUDIT_KEY, GrantType::audit_key);
            // `authorization_pending` is not a refusal: a waiting device polls every few seconds.
            if error.error != GrantErrorCode::AuthorizationPending.text() {
                app.activity.count(counted, true, started.elapsed());
                refused::note(&app, &origin, key, proven, &error);
            }
            refuse(grant, &origin, error)
        }
    }
}

fn label(grant: Option<GrantType>) -> &'static str {
    grant.map_or(GrantType::UNKNOWN, GrantType::metric)
}

/// The response of a refusal. That of a failure names the request: its details are in the log and the audit log only.
fn refuse(grant: Option<GrantType>, origin: &RequestOrigin, error: OAuthError) -> Response {
    let grant = label(grant);
    metrics::counter!(TOKEN_REQUESTS, "grant" => grant, "outcome" => error.error).increment(1);
    let detail = error.detail().unwrap_or_default();
    tracing::info!(grant, error = error.error, description = %error.description, detail, "token request refused");
    error.for_request(origin.request_id.as_deref()).into_response()
}

/// `proven` is set to the client once it is authenticated.
async fn answer(
    app: &App,
    headers: &HeaderMap,
    form: &Form,
    origin: &RequestOrigin,
    proven: &mut ProvenClient,
) -> Result<TokenResponse, OAuthError> {
    let mut credentials = Credentials::read(ClientEndpoint::Token, headers, form)?;
    let mut hold = None;
    for attempt in 0..MAX_ATTEMPTS {
        if attempt >= CONCURRENT_ATTEMPTS && hold.is_none() {
            hold = Some(app.backpressure.hold().await);
        }
        let RequestState { revision, found } = app.request_states.read(grants::presented(form)).await?;
        let (mut tx, now) = (app.db.reader(), app.clock.now_ms());
        let snapshot = app.authorizations.at(revision, &mut tx, now).await?;
        let AuthenticatedClient { client, snapshot, proof } =
            AuthenticatedClient::prove_at(app, snapshot, &mut tx, &mut credentials).await?;
        let client_id = Some(client.application.id.clone());
        *proven = ProvenClient { client_id, proof: Some(proof) };
        let grant_type = form.one("grant_type")?;
        let grant_type =
            grant_type.ok_or_else(|| OAuthError::invalid_request("missing required parameter 'grant_type'"))?;
        // The grant reports a repeated `resource` with its own error.
        form.refuse_repeated("resource")?;
        let grant_type = GrantType::parse(grant_type).ok_or_else(GrantRefusal::unsupported_grant_type)?;
        let audit = proven.details();
        let request = TokenRequest { app, parameters: form, origin, client, snapshot, found, audit, now };
        match grants::issue(grant_type, request, tx).await {
            Ok(issued) => return Ok(TokenResponse::new(issued, grant_type)),
            Err(GrantFailure::Refused(refusal)) => return Err(refusal.into()),
            // Data that the grant depends on changed while it ran: decide again on the current data.
            Err(GrantFailure::Stale) => {}
        }
    }
    Err(OAuthError::temporarily_unavailable())
}

impl ProvenClient {
    /// The details of the audit log beside the client: the secret or key that it used.
    fn details(&self) -> Map<String, Value> {
        self.proof.iter().filter_map(ClientProof::detail).collect()
    }
}

impl TokenResponse {
    fn new(issued: IssuedTokens, grant_type: GrantType) -> Self {
        Self {
            access_token: issued.access_token,
            issued_token_type: (grant_type == GrantType::TokenExchange).then_some(ACCESS_TOKEN_TYPE),
            token_type: "Bearer",
            expires_in: issued.expires_in,
            scope: Some(issued.scope).filter(|scope| grant_type == GrantType::TokenExchange || !scope.is_empty()),
            id_token: issued.id_token,
            refresh_token: issued.refresh_token,
        }
    }
}
