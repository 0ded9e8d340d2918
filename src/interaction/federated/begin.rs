//! Sends somebody to another server to sign in: what is to come back is kept with the interaction, which is the
//! browser's.

use super::connector;
use crate::domain::federated::{Door, Federated, Pending};
use crate::domain::id::InteractionId;
use crate::domain::interaction::{InteractionEvent, Method, Verification};
use crate::federation::Attempt;
use crate::interaction::current::Current;
use crate::interaction::refusal::Refusal;
use crate::interaction::step::Step;
use crate::tokens;
use serde_json::json;
use url::Url;

/// How long an answer is waited for: ten minutes, in milliseconds.
const LIFETIME_MS: i64 = 600_000;

/// A sign-in elsewhere that was begun.
pub(crate) struct Begun {
    /// Where the browser goes.
    pub authorization_uri: String,
    /// The verification that it becomes.
    pub verification_id: String,
}

/// What a page says of the sign-in that it begins.
pub(crate) struct Wish<'w> {
    /// The connector.
    pub connector_id: &'w str,
    /// A secret of the page, by which it knows the answer.
    pub state: &'w str,
    /// Where the answer comes to.
    pub redirect_uri: &'w str,
    /// What the person says that they are called.
    pub hint: Option<&'w str>,
}

/// Begins a sign-in at a connector.
pub(crate) async fn begin(current: &mut Current, door: Door, wish: &Wish<'_>) -> Result<Begun, Refusal> {
    let outcome = send(current, door, wish).await;
    current.note(Step::NewFederated(door), outcome)
}

async fn send(current: &mut Current, door: Door, wish: &Wish<'_>) -> Result<Begun, Refusal> {
    let event = current.event()?;
    if event == InteractionEvent::ForgotPassword {
        return Err(Refusal::WrongEvent);
    }
    if wish.state.is_empty() || wish.redirect_uri.is_empty() {
        return Err(Refusal::InsufficientInfo);
    }
    let app = current.app.clone();
    if !comes_back(app.config.server.base_url.as_str(), wish) {
        return Err(Refusal::RedirectUri);
    }
    let settings = current.settings().await?;
    if !event.is_open(settings.sign_in_mode) {
        return Err(Refusal::Closed);
    }
    let connector = connector::find(&app, &mut app.db.read().await?, &settings, door, wish.connector_id).await?;
    let (nonce, verifier) = (app.random.secret(43)?, app.random.secret(64)?);
    let attempt = Attempt { state: wish.state, nonce: &nonce, verifier: &verifier, redirect_uri: wish.redirect_uri };
    let authorization_uri =
        app.federation.address(&connector.upstream, &attempt, wish.hint).await.map_err(Refusal::upstream)?;
    let verification_id = app.random.id(21)?;
    let pending = Pending {
        state: tokens::hash(wish.state),
        secrets: seal(current, &verification_id, &nonce, &verifier)?,
        redirect_uri: wish.redirect_uri.to_owned(),
        expires_at: app.clock.now_ms() + LIFETIME_MS,
    };
    let federated = Federated {
        connector_id: wish.connector_id.to_owned(),
        realm: connector.realm,
        sync_profile: connector.sync_profile,
        owns_address: false,
        pending: Some(pending),
        account: None,
        user_id: None,
    };
    let method = match door {
        Door::Social => Method::Social(federated),
        Door::Enterprise => Method::EnterpriseSso(federated),
    };
    let mut work = current.begin().await?;
    current.progress.keep(Verification { id: verification_id.clone(), method });
    let details = json!({ "verificationId": verification_id, "connectorId": wish.connector_id });
    current.save(&mut work, Step::NewFederated(door), details).await?;
    work.commit().await?;
    Ok(Begun { authorization_uri, verification_id })
}

fn seal(current: &Current, id: &str, nonce: &str, verifier: &str) -> Result<String, Refusal> {
    let secrets = format!("{nonce}.{verifier}");
    Ok(current.app.cipher.encrypt("interactions", &row(current.id(), id), secrets.as_bytes())?)
}

/// What the secrets are encrypted for.
pub(super) fn row(interaction: &InteractionId, verification_id: &str) -> String {
    format!("{interaction}/{verification_id}")
}

/// Whether the answer comes back to this server, at an address for this connector alone: another server cannot pass its
/// own answers off as this one's (RFC 9700 section 4.4.2.2).
fn comes_back(base_url: &str, wish: &Wish<'_>) -> bool {
    let (Ok(own), Ok(url)) = (Url::parse(base_url), Url::parse(wish.redirect_uri)) else { return false };
    let last = url.path_segments().and_then(|mut segments| segments.next_back());
    url.origin() == own.origin()
        && url.fragment().is_none()
        && url.query().is_none()
        && last == Some(wish.connector_id)
        && wish.redirect_uri == url.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_back_to_an_address_of_their_connector() {
        for (redirect_uri, fits) in [
            ("https://id.test/callback/c1", true),
            ("https://id.test/own/pages/c1", true),
            ("https://id.test/callback/c2", false),
            ("https://id.test/callback/c1/", false),
            ("https://id.test/callback/c1?x=1", false),
            ("https://id.test/callback/c1#x", false),
            ("https://id.test.evil.test/callback/c1", false),
            ("http://id.test/callback/c1", false),
            ("https://id.test:444/callback/c1", false),
            ("/callback/c1", false),
            ("", false),
        ] {
            let wish = Wish { connector_id: "c1", state: "s", redirect_uri, hint: None };
            assert_eq!(comes_back("https://id.test", &wish), fits, "{redirect_uri}");
        }
    }
}
