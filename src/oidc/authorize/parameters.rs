//! The parameters of an authorization request: as sent, or as pushed by the client (RFC 9126).

use super::answer::AuthorizationFailure;
use claimsmith_domain::id::ApplicationId;
use claimsmith_services::app::App;
use claimsmith_services::tokens;
use claimsmith_storage::Tx;
use claimsmith_storage::sessions::pushed_requests;
use claimsmith_web::error::OAuthError;
use claimsmith_web::extract::form::Form;
use serde_json::Value;

/// The prefix of the `request_uri` of a pushed request.
pub(super) const PUSHED_PREFIX: &str = "urn:ietf:params:oauth:request_uri:";

/// Replaces `one_time_token` in a pushed request, of which only the hash is kept. Clients never send it.
pub(super) const PUSHED_TOKEN_HASH: &str = "one_time_token_hash";

/// The parameters, and where they come from.
pub(super) struct Parameters {
    pub form: Form,
    pub source: ParameterSource,
}

/// How the parameters of a request arrived.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ParameterSource {
    /// By the browser.
    Browser,
    /// By the client, which pushes them now.
    Push,
    /// By the client, which pushed them before: the hash of their `request_uri`.
    Pushed(String),
}

/// The parameters of a request. A `request_uri` that was not pushed is left in them, and is refused like any other.
pub(super) async fn gather(app: &App, tx: &mut Tx, form: Form) -> Result<Parameters, AuthorizationFailure> {
    let pushed = form.one("request_uri")?.and_then(|uri| uri.strip_prefix(PUSHED_PREFIX));
    let Some(reference) = pushed else { return Ok(Parameters { form, source: ParameterSource::Browser }) };
    let unknown =
        || AuthorizationFailure::Page(OAuthError::invalid_request_uri("request_uri is unknown or has expired"));
    let hash = tokens::hash(reference);
    let found = pushed_requests::find_live(tx, &hash, app.clock.now_ms()).await?.ok_or_else(unknown)?;
    let sender = form.one("client_id")?.map(ApplicationId::from);
    if sender.as_ref() != Some(&found.application_id) {
        return Err(AuthorizationFailure::Page(OAuthError::invalid_request(
            "client_id is not that of the pushed request",
        )));
    }
    Ok(Parameters { form: Form::of_pairs(pairs(&found.parameters)), source: ParameterSource::Pushed(hash) })
}

/// Names and values as they are stored.
pub(super) fn pairs(stored: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let pair = |pair: &Value| Some((text(pair.get(0)?)?, text(pair.get(1)?)?));
    stored.as_array().into_iter().flatten().filter_map(pair).collect()
}
