//! Validation of authorization requests. Until the redirect URI is known to be the client's, a refusal is shown to the
//! user; after that, it is sent to the client (RFC 6749 section 4.1.2.1).

use super::answer::{AuthorizationFailure, ReplyTo};
use super::parameters::{PUSHED_TOKEN_HASH, Parameters};
use crate::resource;
use claimsmith_domain::authorization::request::{AuthorizationRequest, DirectSignIn, Prompt, ResponseMode};
use claimsmith_domain::authorization::screen::Screen;
use claimsmith_domain::authorization::{acr, pkce, redirect_uri};
use claimsmith_domain::console::built_in;
use claimsmith_domain::id::{ApplicationId, OrganizationId, UserId};
use claimsmith_domain::outsider_rows::MAX_REQUEST_BYTES;
use claimsmith_domain::scope;
use claimsmith_identity::interaction::start;
use claimsmith_services::app::App;
use claimsmith_services::tokens::{self, Client, Snapshot};
use claimsmith_storage::Tx;
use claimsmith_web::error::OAuthError;
use claimsmith_web::extract::form::Form;
use std::sync::Arc;

/// The maximum bytes of `scope`, `state`, `nonce` and other texts that are stored.
const MAX_TEXT_BYTES: usize = 4096;
/// The maximum number of resources of one request.
const MAX_RESOURCES: usize = 32;
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
    let request = read(app, tx, snapshot, form, &client, &to).await;
    let mut request = match request {
        Ok(request) => request,
        Err(error) => return Err(AuthorizationFailure::Application(to, error)),
    };
    if is_too_long(&request) {
        let error = OAuthError::invalid_request("the request is too long");
        return Err(AuthorizationFailure::Application(to, error));
    }
    // Browsers never legitimately send a parameter of this name.
    if parameters.pushed_hash.is_some() {
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
    let page = |error| AuthorizationFailure::Page(error);
    let missing = |name: &str| page(OAuthError::invalid_request(format!("missing required parameter '{name}'")));
    let id = form.one("client_id").map_err(page)?.ok_or_else(|| missing("client_id"))?;
    let client = snapshot.client(tx, &id.into()).await?.ok_or_else(|| page(OAuthError::unknown_client()))?;
    let uri = form.one("redirect_uri").map_err(page)?.ok_or_else(|| missing("redirect_uri"))?;
    let registered = &client.application.oidc_client_metadata.redirect_uris;
    if !redirect_uri::is_registered(uri, registered, client.application.kind) {
        let description = "redirect_uri did not match any of the client's registered redirect_uris";
        return Err(page(OAuthError::invalid_redirect_uri(description)));
    }
    if !client.application.custom_client_metadata.uses_codes(client.application.kind) {
        return Err(page(OAuthError::unauthorized_client("this client cannot use the authorization endpoint")));
    }
    // A repeated or too long `state` is refused below, in an answer without it.
    let state = form.one("state").ok().flatten().filter(|state| state.len() <= MAX_TEXT_BYTES);
    let mode = form.one("response_mode").ok().flatten().and_then(ResponseMode::parse);
    let to = ReplyTo {
        redirect_uri: uri.to_owned(),
        response_mode: mode.unwrap_or_default(),
        state: state.map(str::to_owned),
    };
    Ok((client, to))
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
        state: text(form, "state")?,
        code_challenge: code_challenge(form, client)?,
        ..common_request(app, tx, snapshot, form, client).await?
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

/// What is requested and for which client, the same for every kind of request and answer.
pub(crate) async fn common_request(
    app: &App,
    tx: &mut Tx,
    snapshot: &Snapshot,
    form: &Form,
    client: &Client,
) -> Result<AuthorizationRequest, OAuthError> {
    let scope = text(form, "scope")?.unwrap_or_default();
    let scope = scope::words(&scope).ok_or_else(OAuthError::invalid_scope)?;
    let organization_id = text(form, "organization_id")?.map(OrganizationId::from);
    let mut resources = resources(app, tx, snapshot, form, &client.application.id).await?;
    // With `openid`, the token is the opaque one of this server's own endpoints.
    if resources.is_empty() && organization_id.is_none() && !scope.contains(&"openid") {
        resources.extend(resource::default(app, tx, snapshot).await?.map(|default| default.indicator.clone()));
    }
    Ok(AuthorizationRequest {
        client_id: client.application.id.clone(),
        redirect_uri: String::new(),
        response_mode: ResponseMode::default(),
        state: None,
        nonce: text(form, "nonce")?,
        scope: scope.into_iter().map(str::to_owned).collect(),
        resources,
        code_challenge: None,
        prompts: prompts(form)?,
        max_age: max_age(form)?,
        login_hint: text(form, "login_hint")?,
        one_time_token_hash: text(form, "one_time_token")?.map(|token| tokens::hash(&token)),
        ui_locales: text(form, "ui_locales")?,
        hinted_user: hinted_user(app, snapshot, form)?,
        screen: Screen::wanted(form.one("first_screen")?, form.one("interaction_mode")?),
        direct_sign_in: text(form, "direct_sign_in")?.and_then(|wanted| DirectSignIn::parse(&wanted)),
        acr_values: acr::wanted(&text(form, "acr_values")?.unwrap_or_default()),
        organization_id,
        device: None,
    })
}

fn text(form: &Form, name: &str) -> Result<Option<String>, OAuthError> {
    match form.one(name)? {
        Some(text) if text.len() > MAX_TEXT_BYTES => Err(OAuthError::invalid_request(format!("'{name}' is too long"))),
        text => Ok(text.map(str::to_owned)),
    }
}

/// The user of the `id_token_hint`, which may have expired.
fn hinted_user(app: &App, snapshot: &Snapshot, form: &Form) -> Result<Option<UserId>, OAuthError> {
    let Some(token) = form.one("id_token_hint")? else { return Ok(None) };
    let hint = snapshot.keys.verify_hint(token, app.issuer.name());
    let hint = hint.ok_or_else(|| OAuthError::invalid_request("could not validate id_token_hint"))?;
    Ok(Some(hint.user_id))
}

/// The requested resources (RFC 8707 section 2.1). The Management API is never one of them, and the console's resource
/// is only for the server's own applications.
async fn resources(
    app: &App,
    tx: &mut Tx,
    snapshot: &Snapshot,
    form: &Form,
    client_id: &ApplicationId,
) -> Result<Vec<String>, OAuthError> {
    let mut resources: Vec<String> = Vec::new();
    for indicator in form.all("resource") {
        let found =
            snapshot.resource(tx, indicator).await?.ok_or_else(|| OAuthError::no_such_target(resource::UNKNOWN))?;
        if found.indicator == app.config.tokens.management_resource || !built_in::may_ask_for(client_id, &found.id) {
            return Err(OAuthError::no_such_target(resource::NOT_PERMITTED));
        }
        if resources.len() == MAX_RESOURCES {
            return Err(OAuthError::no_such_target("the request names too many resources"));
        }
        if !resources.iter().any(|known| known == indicator) {
            resources.push(indicator.to_owned());
        }
    }
    Ok(resources)
}

/// The `S256` challenge; only confidential clients may go without one.
fn code_challenge(form: &Form, client: &Client) -> Result<Option<String>, OAuthError> {
    match (form.one("code_challenge")?, form.one("code_challenge_method")?) {
        (None, None) if client.application.kind.is_confidential() => Ok(None),
        (None, None) => {
            Err(OAuthError::invalid_request("Authorization Server policy requires PKCE to be used for this request"))
        }
        (None, Some(_)) => {
            Err(OAuthError::invalid_request("code_challenge must be provided with code_challenge_method"))
        }
        (Some(challenge), Some("S256")) if pkce::is_challenge(challenge) => Ok(Some(challenge.to_owned())),
        (Some(_), Some("S256")) => {
            Err(OAuthError::invalid_request("code_challenge must be the base64url of a SHA-256"))
        }
        (Some(_), _) => Err(OAuthError::invalid_request("not supported value of code_challenge_method")),
    }
}

fn prompts(form: &Form) -> Result<Vec<Prompt>, OAuthError> {
    let words = form.one("prompt")?.unwrap_or_default().split(' ').filter(|word| !word.is_empty());
    let prompts: Option<Vec<Prompt>> = words.map(Prompt::parse).collect();
    let prompts = prompts.ok_or_else(|| OAuthError::invalid_request("unsupported prompt value requested"))?;
    if prompts.len() > 1 && prompts.contains(&Prompt::None) {
        return Err(OAuthError::invalid_request("prompt none must only be used alone"));
    }
    Ok(prompts)
}

fn max_age(form: &Form) -> Result<Option<i64>, OAuthError> {
    let Some(text) = form.one("max_age")? else { return Ok(None) };
    let seconds = text.parse::<u32>().map_err(|_| OAuthError::invalid_request("invalid max_age parameter value"))?;
    Ok(Some(seconds.into()))
}
