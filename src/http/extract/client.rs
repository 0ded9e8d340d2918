//! Client authentication at the OIDC endpoints (`docs/decisions/client-authentication.md`, RFC 6749 section 2.3).

use super::form::{Form, decode};
use crate::app::App;
use crate::base64;
use crate::domain::id::ApplicationId;
use crate::http::error::OAuthError;
use crate::storage::Tx;
use crate::tokens::{Client, Snapshot, hash};
use axum::http::{HeaderMap, header};
use std::sync::Arc;
use subtle::ConstantTimeEq;

/// An authenticated client, or a public client.
pub struct AuthenticatedClient {
    /// The client.
    pub client: Arc<Client>,
    /// The snapshot of the authorization data from which it was authenticated.
    pub snapshot: Arc<Snapshot>,
    /// The name of the secret that it used.
    pub secret_name: Option<String>,
}

/// The client credentials of a request.
struct Shown {
    id: ApplicationId,
    secret: Option<String>,
    by_header: bool,
}

impl AuthenticatedClient {
    /// Authenticates the client of a request.
    pub async fn prove(app: &App, tx: &mut Tx, headers: &HeaderMap, form: &Form) -> Result<Self, OAuthError> {
        let now = app.clock.now_ms();
        let snapshot = app.authorizations.current(tx, now).await?;
        Self::prove_at(snapshot, tx, headers, form, now).await
    }

    /// Authenticates the client of a request by the snapshot from its beginning.
    pub async fn prove_at(
        snapshot: Arc<Snapshot>,
        tx: &mut Tx,
        headers: &HeaderMap,
        form: &Form,
        now: i64,
    ) -> Result<Self, OAuthError> {
        let shown = Shown::read(headers, form)?;
        let refused = || OAuthError::invalid_client(shown.by_header);
        let client = snapshot.client(tx, &shown.id).await?.ok_or_else(refused)?;
        let mut secret_name = None;
        if client.kind.is_confidential() {
            let secret = shown.secret.as_deref().ok_or_else(refused)?;
            if !shown.by_header && !client.kind.may_post_secret() {
                return Err(refused());
            }
            secret_name = Some(prove_secret(&client, secret, now, shown.by_header)?);
        } else if shown.secret.is_some() || shown.by_header {
            return Err(refused());
        }
        Ok(Self { client, snapshot, secret_name })
    }

    /// Refuses public clients.
    pub fn confidential(self) -> Result<Self, OAuthError> {
        if self.client.kind.is_confidential() { Ok(self) } else { Err(OAuthError::invalid_client(false)) }
    }
}

impl Shown {
    fn read(headers: &HeaderMap, form: &Form) -> Result<Self, OAuthError> {
        let body_id = form.one("client_id")?;
        let body_secret = form.one("client_secret")?;
        let mut authorizations = headers.get_all(header::AUTHORIZATION).iter();
        let Some(authorization) = authorizations.next() else {
            let Some(id) = body_id else {
                // No authentication at all is `invalid_client`: docs/decisions/token-endpoint-errors.md.
                return Err(OAuthError::invalid_client(false));
            };
            return Ok(Self { id: id.into(), secret: body_secret.map(str::to_owned), by_header: false });
        };
        let (id, secret) = authorization
            .to_str()
            .ok()
            .filter(|_| authorizations.next().is_none())
            .and_then(basic)
            .ok_or_else(|| OAuthError::invalid_request("invalid authorization header value format"))?;
        if body_secret.is_some() {
            let description = "client authentication must only be provided using one mechanism";
            return Err(OAuthError::invalid_request(description));
        }
        if body_id.is_some_and(|body_id| body_id != id) {
            return Err(OAuthError::invalid_request("client_id mismatch"));
        }
        Ok(Self { id: id.into(), secret: Some(secret), by_header: true })
    }
}

/// Id and secret of a Basic header, each form-decoded (RFC 6749 section 2.3.1).
fn basic(authorization: &str) -> Option<(String, String)> {
    let (scheme, credentials) = authorization.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let text = String::from_utf8(base64::decode(credentials.trim())?).ok()?;
    let (id, secret) = text.split_once(':')?;
    Some((decode(id)?, decode(secret)?))
}

/// Compares with every secret of the client, in constant time each; answers the name of the one it is.
fn prove_secret(client: &Client, secret: &str, now: i64, by_header: bool) -> Result<String, OAuthError> {
    let shown = hash(secret);
    let known = client.secrets.iter().filter(|known| bool::from(known.hash.as_bytes().ct_eq(shown.as_bytes())));
    let mut expired = false;
    for secret in known {
        if secret.expires_at.is_none_or(|end| end > now) {
            return Ok(secret.name.clone());
        }
        expired = true;
    }
    if expired {
        return Err(OAuthError::invalid_request("client secret has expired"));
    }
    Err(OAuthError::invalid_client(by_header))
}
