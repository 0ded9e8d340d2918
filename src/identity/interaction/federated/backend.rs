//! Linking by a back end: where it sends somebody, and whose account it brings back. Nothing is kept of it: the nonce and
//! the code verifier are made of the state and the redirect URI, by a key that only this server has. A code counts once
//! at the other server.

use super::connector::{self, Connector};
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::upstream::account::ExternalAccount;
use claimsmith_services::app::App;
use claimsmith_services::encryption::{EncryptionError, Purpose};
use claimsmith_services::federation::{CallbackParameters, FederatedAttempt};
use claimsmith_services::tokens;
use claimsmith_storage::sign_in::settings::EXPERIENCE;

/// What a back end says of an attempt.
pub struct LinkRequest<'r> {
    /// The connector.
    pub connector_id: &'r str,
    /// By which the back end knows the answer.
    pub state: &'r str,
    /// Where the answer comes to.
    pub redirect_uri: &'r str,
}

/// Where the browser goes.
pub async fn address(app: &App, request: &LinkRequest<'_>) -> Result<String, InteractionRefusal> {
    let connector = find(app, request).await?;
    let (nonce, verifier) = secrets(app, request)?;
    let attempt = attempt(request, &nonce, &verifier);
    app.federation.address(&connector.upstream, &attempt, None).await.map_err(InteractionRefusal::upstream)
}

/// Whose account the code is of, with the target of the connector.
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
    let account = app.federation.account(&connector.upstream, &attempt(request, &nonce, &verifier), &answer).await;
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

/// The nonce, and the code verifier: 64 hexadecimal digits each.
fn secrets(app: &App, request: &LinkRequest<'_>) -> Result<(String, String), EncryptionError> {
    // Hashes, so that no two attempts are the same text.
    let about = format!("{}/{}", tokens::hash(request.state), tokens::hash(request.redirect_uri));
    let made = |what: &str| {
        let digest = app.cipher.digest(Purpose::BackendLink, request.connector_id, &format!("{about}/{what}"))?;
        Ok::<_, EncryptionError>(tokens::hash(&digest))
    };
    Ok((made("nonce")?, made("verifier")?))
}
