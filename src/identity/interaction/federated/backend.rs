//! Account linking by a backend: the authorization URL of the upstream, and the account that a code identifies. Nothing
//! is stored: the nonce and the code verifier are derived from the state and the redirect URI by a key of this server.
//! The upstream accepts each code once.

use super::connector::{self, Connector};
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::upstream::account::ExternalAccount;
use claimsmith_services::app::App;
use claimsmith_services::encryption::{EncryptionError, Purpose};
use claimsmith_services::federation::{CallbackParameters, FederatedAttempt};
use claimsmith_services::tokens;
use claimsmith_storage::sign_in::settings::EXPERIENCE;

/// The parameters of an attempt, from the backend.
pub struct LinkRequest<'r> {
    /// The connector.
    pub connector_id: &'r str,
    /// The state by which the backend recognizes the callback.
    pub state: &'r str,
    /// The redirect URI.
    pub redirect_uri: &'r str,
}

/// The authorization URL for the browser.
pub async fn address(app: &App, request: &LinkRequest<'_>) -> Result<String, InteractionRefusal> {
    let connector = find(app, request).await?;
    let (nonce, verifier) = secrets(app, request)?;
    let attempt = attempt(request, &nonce, &verifier);
    let upstream = (request.connector_id, &connector.upstream);
    app.federation.address(upstream, &attempt, None).await.map_err(InteractionRefusal::upstream)
}

/// Redeems the code: the account, and the target of the connector.
pub async fn account(
    app: &App,
    request: &LinkRequest<'_>,
    code: &str,
    issuer: Option<&str>,
) -> Result<(String, ExternalAccount), InteractionRefusal> {
    if code.is_empty() {
        return Err(InteractionRefusal::InsufficientInfo);
    }
    let connector = find(app, request).await?;
    let (nonce, verifier) = secrets(app, request)?;
    let answer = CallbackParameters { code, issuer };
    let upstream = (request.connector_id, &connector.upstream);
    let account = app.federation.account(upstream, &attempt(request, &nonce, &verifier), &answer).await;
    Ok((connector.realm, account.map_err(InteractionRefusal::upstream)?))
}

async fn find(app: &App, request: &LinkRequest<'_>) -> Result<Connector, InteractionRefusal> {
    if request.state.is_empty() || request.redirect_uri.is_empty() {
        return Err(InteractionRefusal::InsufficientInfo);
    }
    let mut tx = app.db.read().await?;
    let settings = EXPERIENCE.find(&mut tx).await?;
    connector::find(app, &mut tx, &settings, ConnectorKind::Social, request.connector_id).await
}

fn attempt<'a>(request: &LinkRequest<'a>, nonce: &'a str, verifier: &'a str) -> FederatedAttempt<'a> {
    FederatedAttempt { state: request.state, nonce, verifier, redirect_uri: request.redirect_uri }
}

/// The nonce and the code verifier: 64 hexadecimal digits each.
fn secrets(app: &App, request: &LinkRequest<'_>) -> Result<(String, String), EncryptionError> {
    // Hashes, so that different attempts cannot result in the same text.
    let about = format!("{}/{}", tokens::hash(request.state), tokens::hash(request.redirect_uri));
    let made = |what: &str| {
        let digest = app.cipher.digest(Purpose::BackendLink, request.connector_id, &format!("{about}/{what}"))?;
        Ok::<_, EncryptionError>(tokens::hash(&digest))
    };
    Ok((made("nonce")?, made("verifier")?))
}
