//! Authentication by an assertion that the client signed (`private_key_jwt`). The response to an invalid one gives no
//! details; the log has the reason.

use super::endpoint::ClientEndpoint;
use super::{AuthenticatedClient, ClientProof};
use crate::error::OAuthError;
use claimsmith_domain::documents::client_authentication::AuthMethod;
use claimsmith_services::app::App;
use claimsmith_services::client_keys::{self, Assertion, AssertionRefusal, KeySet};
use claimsmith_services::tokens::{Client, Snapshot, hash};
use claimsmith_storage::Tx;
use claimsmith_storage::issuing::client_assertions::AssertionUse;
use std::sync::Arc;

/// The assertion of a request.
pub(super) struct ShownAssertion {
    read: Result<Assertion, AssertionRefusal>,
    /// Where it is shown.
    endpoint: ClientEndpoint,
    /// Whether this request has used it. It may be looked at again, by the authorization data as they are then.
    is_used: bool,
}

/// What an assertion is checked by.
struct AssertionContext {
    client: Arc<Client>,
    snapshot: Arc<Snapshot>,
    keys: Arc<KeySet>,
}

impl ShownAssertion {
    /// Reads an assertion of this type; `named` is the `client_id` beside it, if there is one.
    pub(super) fn read(endpoint: ClientEndpoint, text: &str, kind: &str, named: Option<&str>) -> Self {
        let read = if kind == client_keys::TYPE { Assertion::read(text) } else { Err(AssertionRefusal::Type) };
        let is_theirs = |assertion: &Assertion| named.is_none_or(|named| assertion.client_id.as_str() == named);
        let read = read
            .and_then(|assertion| if is_theirs(&assertion) { Ok(assertion) } else { Err(AssertionRefusal::Client) });
        Self { read, endpoint, is_used: false }
    }

    /// Authenticates its client. `tx` is another connection afterwards: none is held while keys are fetched, or while
    /// the use of the assertion is written.
    pub(super) async fn prove(
        &mut self,
        app: &App,
        snapshot: Arc<Snapshot>,
        tx: &mut Tx,
    ) -> Result<AuthenticatedClient, OAuthError> {
        let Self { read, endpoint, is_used } = self;
        let assertion = read.as_ref().map_err(|why| refuse(*why, None))?;
        let refuse = |why: AssertionRefusal| refuse(why, Some(assertion));
        let now = app.clock.now_ms();
        assertion.check_times(now).map_err(refuse)?;
        let AssertionContext { client, snapshot, keys } = registered(app, snapshot, tx, assertion, *endpoint).await?;
        let key = assertion.signer(&keys).ok_or_else(|| refuse(AssertionRefusal::Signature))?;
        let proof = ClientProof::Assertion { kid: key.kid.clone(), algorithm: assertion.algorithm.name() };
        if !*is_used {
            *tx = app.db.reader();
            if !app.issuer.claim(use_of(assertion, now)).await? {
                return Err(refuse(AssertionRefusal::Used));
            }
            *is_used = true;
        }
        Ok(AuthenticatedClient { client, snapshot, proof })
    }
}

/// The client and its keys; fetched, if they are elsewhere and those that are here do not do.
async fn registered(
    app: &App,
    snapshot: Arc<Snapshot>,
    tx: &mut Tx,
    assertion: &Assertion,
    endpoint: ClientEndpoint,
) -> Result<AssertionContext, OAuthError> {
    let issuer = app.issuer.name();
    let client = client_of(&snapshot, tx, assertion, (issuer, endpoint)).await?;
    if let Some(keys) = client.keys.clone() {
        return Ok(AssertionContext { client, snapshot, keys });
    }
    let no_keys = || refuse(AssertionRefusal::NoKeys, Some(assertion));
    let uri = client.application.oidc_client_metadata.jwks_uri.clone().ok_or_else(no_keys)?;
    // Without a name, the key may be a new one whenever no known one fits.
    let suits = |keys: &KeySet| match assertion.kid.as_deref() {
        Some(kid) => keys.may_verify(Some(kid), assertion.algorithm),
        None => assertion.signer(keys).is_some(),
    };
    if let Some(keys) = app.client_keys.known(&uri, suits) {
        return Ok(AssertionContext { client, snapshot, keys });
    }
    *tx = app.db.reader();
    let keys = app.client_keys.fetched(&uri, suits).await.ok_or_else(no_keys)?;
    // Meanwhile the client may have changed, or registered other keys.
    let snapshot = app.authorizations.current(tx, app.clock.now_ms()).await?;
    let client = client_of(&snapshot, tx, assertion, (issuer, endpoint)).await?;
    if client.application.oidc_client_metadata.jwks_uri != Some(uri) {
        return Err(no_keys());
    }
    Ok(AssertionContext { client, snapshot, keys })
}

/// The client, if it may authenticate like that, with an assertion for this audience.
async fn client_of(
    snapshot: &Snapshot,
    tx: &mut Tx,
    assertion: &Assertion,
    (issuer, endpoint): (&str, ClientEndpoint),
) -> Result<Arc<Client>, OAuthError> {
    let client = snapshot.client(tx, &assertion.client_id).await?;
    let may = |client: &Arc<Client>| {
        client.application.oidc_client_metadata.accepts(client.application.kind, AuthMethod::PrivateKeyJwt)
    };
    let client = client.filter(may).ok_or_else(|| refuse(AssertionRefusal::Method, Some(assertion)))?;
    let setting = client.application.custom_client_metadata.client_assertion_audience.unwrap_or_default();
    let checked = assertion.check_audience(setting, issuer, &endpoint.url(issuer));
    checked.map_err(|why| refuse(why, Some(assertion)))?;
    Ok(client)
}

/// The use of an assertion that was found to be valid at `now`.
fn use_of(assertion: &Assertion, now: i64) -> AssertionUse {
    let Assertion { client_id, jti, expires_at, .. } = assertion;
    // The length says where the one ends and the other begins.
    let hash = hash(&format!("{}:{}:{jti}", client_id.len(), client_id.as_str()));
    AssertionUse { hash, expires_at: *expires_at, checked_at: now }
}

/// 401 for every reason, with the reason in the log.
fn refuse(why: AssertionRefusal, assertion: Option<&Assertion>) -> OAuthError {
    let client_id = assertion.map(|assertion| assertion.client_id.as_str());
    tracing::info!(client_id, reason = why.why(), "client assertion refused");
    OAuthError::invalid_client(false)
}
