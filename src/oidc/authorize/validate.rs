//! Validation of authorization requests. Until the redirect URI is known to be the client's, a refusal is shown to the
//! user; after that, it is sent to the client (RFC 6749 section 4.1.2.1).

use super::answer::{AuthorizationFailure, ReplyTo};
use super::parameters::{PUSHED_TOKEN_HASH, ParameterSource, Parameters};
use super::request_object;
use claimsmith_domain::authorization::redirect_uri;
use claimsmith_domain::authorization::request::{AuthorizationRequest, ResponseMode};
use claimsmith_domain::outsider_rows::MAX_REQUEST_BYTES;
use claimsmith_identity::grants::authorization_request::{self, MAX_TEXT_BYTES};
use claimsmith_identity::interaction::start;
use claimsmith_services::app::App;
use claimsmith_services::tokens::{Client, Snapshot};
use claimsmith_storage::Tx;
use claimsmith_web::error::OAuthError;
use claimsmith_web::extract::form::Form;
use std::sync::Arc;

/// Parameters that must not be ignored and are not supported, with the error for each.
const NOT_SUPPORTED: [(&str, &str); 3] = [
    ("request", "request_not_supported"),
    ("request_uri", "request_uri_not_supported"),
    ("registration", "registration_not_supported"),
];

/// A valid request, with its client.
pub(super) struct Valid {
    pub client: Arc<Client>,
    pub request: AuthorizationRequest,
}

pub(super) async fn validate(
    app: &App,
    tx: &mut Tx,
    snapshot: &Snapshot,
    parameters: &Parameters,
) -> Result<Valid, AuthorizationFailure> {
    let form = &parameters.form;
    let (client, to) = recipient(tx, snapshot, form).await?;
    if parameters.source == ParameterSource::Browser && must_push(&client) {
        let error = OAuthError::invalid_request("this client must push its authorization requests");
        return Err(AuthorizationFailure::Application(Box::new(to), error));
    }
    let request = read(app, tx, snapshot, form, &client, &to).await;
    let mut request = match request {
        Ok(request) => request,
        Err(error) => return Err(AuthorizationFailure::Application(Box::new(to), error)),
    };
    if is_too_long(&request) {
        let error = OAuthError::invalid_request("the request is too long");
        return Err(AuthorizationFailure::Application(Box::new(to), error));
    }
    // Browsers never legitimately send a parameter of this name.
    if let ParameterSource::Pushed(hash) = &parameters.source {
        request.pushed_hash = Some(hash.clone());
        request.one_time_token_hash = form.all(PUSHED_TOKEN_HASH).next().map(str::to_owned);
    }
    Ok(Valid { client, request })
}

/// Whether a request is larger than one may be while its user signs in.
pub(crate) fn is_too_long(request: &AuthorizationRequest) -> bool {
    start::bytes_of(request) > MAX_REQUEST_BYTES
}

/// The client, and where its answer goes.
async fn recipient(
    tx: &mut Tx,
    snapshot: &Snapshot,
    form: &Form,
) -> Result<(Arc<Client>, ReplyTo), AuthorizationFailure> {
    let page = AuthorizationFailure::Page;
    let missing = |name: &str| page(OAuthError::invalid_request(format!("missing required parameter '{name}'")));
    let id = form.one("client_id")?.ok_or_else(|| missing("client_id"))?;
    let client = snapshot.client(tx, &id.into()).await?.ok_or_else(|| page(OAuthError::unknown_client()))?;
    let uri = form.one("redirect_uri")?.ok_or_else(|| missing("redirect_uri"))?;
    let registered = &client.application.oidc_client_metadata.redirect_uris;
    if !redirect_uri::is_registered(uri, registered, client.application.kind) {
        let description = "redirect_uri did not match any of the client's registered redirect_uris";
        return Err(page(OAuthError::invalid_redirect_uri(description)));
    }
    if !client.application.custom_client_metadata.uses_codes(client.application.kind) {
        return Err(page(OAuthError::unauthorized_client("this client cannot use the authorization endpoint")));
    }
    // A repeated or too long `state` is refused below, in an answer without it.
    // A request with a request object is refused as well, the way that the object says if nothing else does.
    let sent = |name: &str| match form.one(name) {
        Ok(Some(value)) => Some(value.to_owned()),
        Ok(None) => request_object::text(form, name),
        Err(_) => None,
    };
    let mode = sent("response_mode").as_deref().and_then(ResponseMode::parse);
    let default_mode = || ResponseMode::default_of(&sent("response_type").unwrap_or_default());
    let to = ReplyTo {
        redirect_uri: uri.to_owned(),
        response_mode: mode.unwrap_or_else(default_mode),
        state: sent("state").filter(|state| state.len() <= MAX_TEXT_BYTES),
    };
    Ok((client, to))
}

/// Whether the authorization requests of this client must be pushed (RFC 9126 section 6).
fn must_push(client: &Client) -> bool {
    client.application.custom_client_metadata.require_pushed_authorization_requests == Some(true)
}

async fn read(
    app: &App,
    tx: &mut Tx,
    snapshot: &Snapshot,
    form: &Form,
    client: &Client,
    to: &ReplyTo,
) -> Result<AuthorizationRequest, OAuthError> {
    refuse_not_supported(form)?;
    match form.one("response_type")? {
        Some("code") => {}
        None => return Err(OAuthError::invalid_request("missing required parameter 'response_type'")),
        Some(_) => return Err(OAuthError::unsupported_response_type()),
    }
    if form.one("response_mode")?.is_some_and(|mode| ResponseMode::parse(mode).is_none()) {
        return Err(OAuthError::invalid_request("unsupported response_mode requested"));
    }
    Ok(AuthorizationRequest {
        redirect_uri: to.redirect_uri.clone(),
        response_mode: to.response_mode,
        state: authorization_request::text(form, "state")?,
        code_challenge: authorization_request::code_challenge(form, client)?,
        ..authorization_request::read(app, tx, snapshot, form, client).await?
    })
}

/// Refuses unsupported parameters that must not be ignored, and repeated ones.
pub(crate) fn refuse_not_supported(form: &Form) -> Result<(), OAuthError> {
    form.refuse_repeated("resource")?;
    for (name, error) in NOT_SUPPORTED {
        if form.one(name)?.is_some() {
            return Err(OAuthError::not_supported(error, name));
        }
    }
    Ok(())
}
