//! `POST /oidc/token`: authenticates the client (`docs/decisions/client-authentication.md`), then dispatches to the
//! grant.

mod authorization_code;
mod client_credentials;
mod device_code;
mod organization;
pub mod preview;
mod refresh_token;
pub(super) mod refused;
mod sign_in;
mod token_exchange;

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use claimsmith_config::telemetry::TOKEN_REQUESTS;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::grant::token_exchange::ACCESS_TOKEN_TYPE;
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::outsider_rows::RowKind;
use claimsmith_identity::interaction::rows::{self, RowCaller};
use claimsmith_services::activity::ActivityKind;
use claimsmith_services::app::App;
use claimsmith_services::tokens::{Client, IssuanceRefusal, IssuedTokens, RequestState, Snapshot};
use claimsmith_storage::issuing::subject_tokens::LiveSubject;
use claimsmith_web::error::{AUTHORIZATION_PENDING, OAuthError};
use claimsmith_web::extract::client::{AuthenticatedClient, ClientEndpoint, ClientProof, Credentials};
use claimsmith_web::extract::form::Form;
use serde::Serialize;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Instant;

/// The maximum number of attempts, if the data that an exchange depends on changes while it runs.
const MAX_ATTEMPTS: usize = 12;
/// The approximate bytes of a token's rows: itself, what it replaces, and its entry in the audit log.
const REPEATED_TOKEN_BYTES: usize = 1024;
/// The first attempts, during which other transactions may still write; later attempts hold back writes.
const CONCURRENT_ATTEMPTS: usize = 2;

/// A token request whose client is authenticated.
struct TokenRequest<'r> {
    app: &'r App,
    form: &'r Form,
    origin: &'r RequestOrigin,
    client: Arc<Client>,
    snapshot: Arc<Snapshot>,
    subject: Option<LiveSubject>,
    /// What the audit log records of the request, for success and refusal alike.
    audit: Map<String, Value>,
    now: i64,
}

/// The authenticated client, also if its request is refused afterwards.
#[derive(Default)]
pub(super) struct ProvenClient {
    pub(super) client_id: Option<ApplicationId>,
    /// The credential that it used.
    pub(super) proof: Option<ClientProof>,
}

impl TokenRequest<'_> {
    /// Counts a token that this user gets with a reusable credential.
    fn count_repeated(&self, user_id: &UserId) -> Result<(), OAuthError> {
        let caller = RowCaller { client_id: Some(&self.client.application.id), user_id: Some(user_id) };
        let taken = rows::take(self.app, RowKind::Tokens, self.origin, caller, REPEATED_TOKEN_BYTES);
        taken.map_err(|_| OAuthError::temporarily_unavailable())
    }
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
            return refuse(None, error);
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
            if error.error != AUTHORIZATION_PENDING {
                app.activity.count(counted, true, started.elapsed());
                refused::note(&app, &origin, key, proven, &error);
            }
            refuse(grant, error)
        }
    }
}

fn label(grant: Option<GrantType>) -> &'static str {
    grant.map_or(GrantType::UNKNOWN, GrantType::metric)
}

fn refuse(grant: Option<GrantType>, error: OAuthError) -> Response {
    let grant = label(grant);
    metrics::counter!(TOKEN_REQUESTS, "grant" => grant, "outcome" => error.error).increment(1);
    let detail = error.detail().unwrap_or_default();
    tracing::info!(grant, error = error.error, description = %error.description, detail, "token request refused");
    error.into_response()
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
        let RequestState { revision, subject } = app.request_states.read(token_exchange::shown_hash(form)).await?;
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
        let grant_type = GrantType::parse(grant_type).ok_or_else(OAuthError::unsupported_grant_type)?;
        let audit = proven.details();
        let request = TokenRequest { app, form, origin, client, snapshot, subject, audit, now };
        let result = match grant_type {
            GrantType::ClientCredentials => client_credentials::grant(request, tx).await,
            GrantType::TokenExchange => token_exchange::grant(request, tx).await,
            GrantType::AuthorizationCode => authorization_code::grant(request, tx).await,
            GrantType::RefreshToken => refresh_token::grant(request, tx).await,
            GrantType::DeviceCode => device_code::grant(request, tx).await,
            GrantType::Operator => return Err(OAuthError::unsupported_grant_type()),
        };
        match result {
            Ok(issued) => return Ok(TokenResponse::new(issued, grant_type)),
            Err(GrantFailure::Refused(error)) => return Err(error),
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

/// The reason that a grant gave no token.
enum GrantFailure {
    /// Sent to the client.
    Refused(OAuthError),
    /// It starts over.
    Stale,
}

impl<E: Into<OAuthError>> From<E> for GrantFailure {
    fn from(error: E) -> Self {
        Self::Refused(error.into())
    }
}

/// The client's error for a refused issuance.
fn failure_of(refusal: IssuanceRefusal, spent: fn() -> OAuthError) -> GrantFailure {
    match refusal {
        IssuanceRefusal::Stale => GrantFailure::Stale,
        IssuanceRefusal::Spent => GrantFailure::Refused(spent()),
        IssuanceRefusal::Denied(message) => GrantFailure::Refused(OAuthError::denied(message)),
        IssuanceRefusal::PluginFailed { plugin, outcome } => {
            tracing::warn!(plugin, outcome, "token refused: a plugin failed, and its failure policy is deny");
            GrantFailure::Refused(OAuthError::server_error())
        }
        IssuanceRefusal::Failed(error) => GrantFailure::Refused(error.into()),
    }
}
