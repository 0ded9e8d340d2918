//! Linking by a back end: where it sends somebody, and whose account it brings back. Nothing is kept of it: the nonce and
//! the code verifier are made of the state and the redirect URI, by a key that only this server has. A code counts once
//! at the other server.

use super::connector::{self, Connector};
use crate::app::App;
use crate::domain::federated::Door;
use crate::domain::upstream::account::ExternalAccount;
use crate::encryption::EncryptionError;
use crate::federation::{Answer, Attempt};
use crate::interaction::refusal::Refusal;
use crate::storage::sign_in::experience;
use crate::tokens;

/// What digests are made for.
const TABLE: &str = "connector_authorizations";

/// What a back end says of an attempt.
pub(crate) struct Errand<'e> {
    /// The connector.
    pub connector_id: &'e str,
    /// By which the back end knows the answer.
    pub state: &'e str,
    /// Where the answer comes to.
    pub redirect_uri: &'e str,
}

/// Where the browser goes.
pub(crate) async fn address(app: &App, errand: &Errand<'_>) -> Result<String, Refusal> {
    let connector = find(app, errand).await?;
    let (nonce, verifier) = secrets(app, errand)?;
    let attempt = attempt(errand, &nonce, &verifier);
    app.federation.address(&connector.upstream, &attempt, None).await.map_err(Refusal::upstream)
}

/// Whose account the code is of, with the target of the connector.
pub(crate) async fn account(
    app: &App,
    errand: &Errand<'_>,
    code: &str,
    issuer: Option<&str>,
) -> Result<(String, ExternalAccount), Refusal> {
    if code.is_empty() {
        return Err(Refusal::InsufficientInfo);
    }
    let connector = find(app, errand).await?;
    let (nonce, verifier) = secrets(app, errand)?;
    let answer = Answer { code, issuer };
    let account = app.federation.account(&connector.upstream, &attempt(errand, &nonce, &verifier), &answer).await;
    Ok((connector.realm, account.map_err(Refusal::upstream)?))
}

async fn find(app: &App, errand: &Errand<'_>) -> Result<Connector, Refusal> {
    if errand.state.is_empty() || errand.redirect_uri.is_empty() {
        return Err(Refusal::InsufficientInfo);
    }
    let mut tx = app.db.read().await?;
    let settings = experience::find(&mut tx).await?;
    connector::find(app, &mut tx, &settings, Door::Social, errand.connector_id).await
}

fn attempt<'a>(errand: &Errand<'a>, nonce: &'a str, verifier: &'a str) -> Attempt<'a> {
    Attempt { state: errand.state, nonce, verifier, redirect_uri: errand.redirect_uri }
}

/// The nonce, and the code verifier: 64 hexadecimal digits each.
fn secrets(app: &App, errand: &Errand<'_>) -> Result<(String, String), EncryptionError> {
    // Hashes, so that no two attempts are the same text.
    let about = format!("{}/{}", tokens::hash(errand.state), tokens::hash(errand.redirect_uri));
    let made = |what: &str| {
        let digest = app.cipher.digest(TABLE, errand.connector_id, &format!("{about}/{what}"))?;
        Ok::<_, EncryptionError>(tokens::hash(&digest))
    };
    Ok((made("nonce")?, made("verifier")?))
}
