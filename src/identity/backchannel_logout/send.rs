//! One attempt: the logout token, the request, and the application's response (OpenID Connect Back-Channel Logout 1.0
//! sections 2.5 and 2.8).

use super::results::LogoutOutcome;
use bytes::Bytes;
use claimsmith_domain::documents::uri_rule::UriRule;
use claimsmith_services::app::App;
use claimsmith_services::delivery_queue::backoff;
use claimsmith_services::egress::{Budget, Excess, OutgoingRequest};
use claimsmith_services::tokens::{self, LogoutToken};
use claimsmith_services::webhooks::delivery::told;
use claimsmith_storage::sessions::backchannel_logouts::Leased;

/// Maximum bytes of a response that are read; the response is discarded.
const MAX_RESPONSE_BYTES_READ: usize = 64 << 10;

/// The reason that no request could be sent.
enum Unsendable {
    /// The notification is obsolete; do not retry.
    Never(&'static str),
    /// A temporary failure; retry.
    Later(String),
}

impl<E: Into<tokens::Error>> From<E> for Unsendable {
    fn from(error: E) -> Self {
        let error = error.into();
        tracing::warn!(%error, "a logout token cannot be made; trying again");
        Self::Later("the logout token cannot be made".to_owned())
    }
}

/// Notifies an application that a session has ended.
pub(super) async fn tell(app: &App, leased: &Leased) -> LogoutOutcome {
    let now = app.clock.now_ms();
    let request = match request(app, leased, now).await {
        Ok(request) => request,
        Err(Unsendable::Never(why)) => return LogoutOutcome::given_up(why),
        Err(Unsendable::Later(why)) => return LogoutOutcome::failed(why),
    };
    let time = app.config.webhooks.timeout;
    let budget = Budget { time, response_bytes: MAX_RESPONSE_BYTES_READ, excess: Excess::CutOff };
    let answer = match app.delivery.egress.send(request, &budget).await {
        Ok(answer) => answer,
        Err(error) => return LogoutOutcome::failed(told(&error)),
    };
    match answer.status {
        200 | 204 => LogoutOutcome::Delivered,
        400 => LogoutOutcome::given_up("the application answered 400"),
        status => {
            let retry_after = answer.headers.iter().find(|(name, _)| name == "retry-after");
            let hold = retry_after.and_then(|(_, value)| backoff::retry_after(value, now));
            LogoutOutcome::Failed { error: format!("the application answered {status}"), hold, is_final: false }
        }
    }
}

/// The request, to the application's current back-channel logout URI.
async fn request(app: &App, leased: &Leased, now: i64) -> Result<OutgoingRequest, Unsendable> {
    let mut tx = app.db.read().await?;
    let snapshot = app.authorizations.current(&mut tx, now).await?;
    let client = snapshot.client(&mut tx, &leased.application_id).await?;
    drop(tx);
    let client = client.ok_or(Unsendable::Never("there is no such application any more"))?;
    let uri = client.application.oidc_client_metadata.backchannel_logout_uri.as_deref();
    let uri = uri.ok_or(Unsendable::Never("the application has no backchannelLogoutUri any more"))?;
    if UriRule::Private.fault_of_stored(uri).is_some() {
        return Err(Unsendable::Never("the backchannelLogoutUri is neither https nor on this machine"));
    }
    let jti = app.random.id(21)?;
    let token = LogoutToken {
        user_id: &leased.user_id,
        client_id: &leased.application_id,
        session_id: &leased.session_id,
        algorithm: client.application.custom_client_metadata.id_token_algorithm(),
        jti: &jti,
    };
    let token = token.sign(&snapshot.keys, app.issuer.name(), now)?;
    let body = form_urlencoded::Serializer::new(String::new()).append_pair("logout_token", &token).finish();
    Ok(OutgoingRequest {
        method: "POST".to_owned(),
        url: uri.to_owned(),
        headers: vec![("content-type".to_owned(), "application/x-www-form-urlencoded".to_owned())],
        body: Some(Bytes::from(body)),
    })
}
