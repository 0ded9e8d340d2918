//! Client authentication at the OIDC endpoints (`docs/decisions/client-authentication.md`, RFC 6749 section 2.3, RFC
//! 7523).

mod assertion;
mod endpoint;
mod presented;

use super::form::Form;
use crate::error::OAuthError;
use axum::http::HeaderMap;
use claimsmith_domain::documents::client_authentication::AuthMethod;
use claimsmith_services::app::App;
use claimsmith_services::tokens::{Client, Snapshot, hash};
use claimsmith_storage::Tx;
pub use endpoint::ClientEndpoint;
pub use presented::Credentials;
use presented::PresentedCredentials;
use serde_json::{Value, json};
use std::sync::Arc;
use subtle::ConstantTimeEq;

/// An authenticated client, or a public client.
pub struct AuthenticatedClient {
    /// The client.
    pub client: Arc<Client>,
    /// The snapshot of the authorization data from which it was authenticated.
    pub snapshot: Arc<Snapshot>,
    /// What it showed.
    pub proof: ClientProof,
}

/// What a client showed, as the audit log keeps it: never the secret or the assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientProof {
    /// Nothing: a public client.
    Nothing,
    /// The secret of this name.
    Secret(String),
    /// An assertion, signed with this key.
    Assertion {
        /// The key's name, if it has one.
        kid: Option<String>,
        /// The algorithm.
        algorithm: &'static str,
    },
}

impl ClientProof {
    /// The member of an audit entry.
    #[must_use]
    pub fn detail(&self) -> Option<(String, Value)> {
        match self {
            Self::Nothing => None,
            Self::Secret(name) => Some(("applicationSecret".to_owned(), json!({ "name": name }))),
            Self::Assertion { kid, algorithm } => {
                let key = json!({ "method": AuthMethod::PrivateKeyJwt, "kid": kid, "algorithm": algorithm });
                Some(("applicationKey".to_owned(), key))
            }
        }
    }
}

impl AuthenticatedClient {
    /// Authenticates the client of a request to this endpoint.
    pub async fn prove(
        app: &App,
        endpoint: ClientEndpoint,
        tx: &mut Tx,
        (headers, form): (&HeaderMap, &Form),
    ) -> Result<Self, OAuthError> {
        let mut credentials = Credentials::read(endpoint, headers, form)?;
        let snapshot = app.authorizations.current(tx, app.clock.now_ms()).await?;
        Self::prove_at(app, snapshot, tx, &mut credentials).await
    }

    /// Authenticates the client of a request by the snapshot from its beginning. An assertion is used by this, once for
    /// the same credentials. With an assertion, `tx` is another connection afterwards.
    pub async fn prove_at(
        app: &App,
        snapshot: Arc<Snapshot>,
        tx: &mut Tx,
        credentials: &mut Credentials,
    ) -> Result<Self, OAuthError> {
        let (id, proof) = match &mut credentials.0 {
            PresentedCredentials::Assertion(assertion) => return assertion.prove(app, snapshot, tx).await,
            PresentedCredentials::Id(id) => (id, None),
            PresentedCredentials::Secret { id, secret, method } => (id, Some((secret.as_str(), *method))),
        };
        let method = proof.map_or(AuthMethod::None, |(_, method)| method);
        let by_header = method == AuthMethod::ClientSecretBasic;
        let refused = || OAuthError::invalid_client(by_header);
        let client = snapshot.client(tx, id).await?.ok_or_else(refused)?;
        if !client.application.oidc_client_metadata.accepts(client.application.kind, method) {
            return Err(refused());
        }
        let proof = match proof {
            None => ClientProof::Nothing,
            Some((secret, _)) => ClientProof::Secret(prove_secret(&client, secret, app.clock.now_ms(), by_header)?),
        };
        Ok(Self { client, snapshot, proof })
    }

    /// Refuses public clients.
    pub fn confidential(self) -> Result<Self, OAuthError> {
        if self.client.application.kind.is_confidential() { Ok(self) } else { Err(OAuthError::invalid_client(false)) }
    }
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
