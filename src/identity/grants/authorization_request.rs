//! What an authorization request asks for, checked: the same at the authorization endpoint, for a device, and for the
//! preview of a token.

use super::{GrantRefusal, RequestParameters, resource};
use claimsmith_domain::authorization::request::{AuthorizationRequest, DirectSignIn, Prompt, ResponseMode};
use claimsmith_domain::authorization::screen::Screen;
use claimsmith_domain::authorization::{acr, pkce};
use claimsmith_domain::console::built_in;
use claimsmith_domain::id::{ApplicationId, OrganizationId, UserId};
use claimsmith_domain::scope;
use claimsmith_services::app::App;
use claimsmith_services::tokens::{self, Client, ORGANIZATIONS_RESOURCE, Snapshot};
use claimsmith_storage::Tx;

/// The maximum bytes of `scope`, `state`, `nonce` and other texts that are stored.
pub const MAX_TEXT_BYTES: usize = 4096;
/// The maximum number of resources of one request.
const MAX_RESOURCES: usize = 32;

/// What is requested and for which client, the same for every kind of request and answer.
pub async fn read(
    app: &App,
    tx: &mut Tx,
    snapshot: &Snapshot,
    parameters: &RequestParameters,
    client: &Client,
) -> Result<AuthorizationRequest, GrantRefusal> {
    let scope = text(parameters, "scope")?.unwrap_or_default();
    let scope = scope::words(&scope).ok_or_else(GrantRefusal::invalid_scope)?;
    let organization_id = text(parameters, "organization_id")?.map(OrganizationId::from);
    let mut resources = resources(app, tx, snapshot, parameters, &client.application.id).await?;
    let names_none = parameters.all("resource").next().is_none();
    // With `openid`, the token is the opaque one of this server's own endpoints.
    if names_none && organization_id.is_none() && !scope.contains(&"openid") {
        resources.extend(resource::default(app, tx, snapshot).await?.map(|default| default.indicator.clone()));
    }
    Ok(AuthorizationRequest {
        client_id: client.application.id.clone(),
        redirect_uri: String::new(),
        response_mode: ResponseMode::default(),
        state: None,
        nonce: text(parameters, "nonce")?,
        scope: scope.into_iter().map(str::to_owned).collect(),
        resources,
        code_challenge: None,
        prompts: prompts(parameters)?,
        max_age: max_age(parameters)?,
        login_hint: text(parameters, "login_hint")?,
        one_time_token_hash: text(parameters, "one_time_token")?.map(|token| tokens::hash(&token)),
        ui_locales: text(parameters, "ui_locales")?,
        hinted_user: hinted_user(app, snapshot, parameters)?,
        screen: Screen::wanted(parameters.one("first_screen")?, parameters.one("interaction_mode")?),
        direct_sign_in: text(parameters, "direct_sign_in")?.and_then(|wanted| DirectSignIn::parse(&wanted)),
        acr_values: acr::wanted(&text(parameters, "acr_values")?.unwrap_or_default()),
        organization_id,
        pushed_hash: None,
        device: None,
    })
}

/// The value of a text parameter; one that is too long is refused.
pub fn text(parameters: &RequestParameters, name: &str) -> Result<Option<String>, GrantRefusal> {
    match parameters.one(name)? {
        Some(text) if text.len() > MAX_TEXT_BYTES => {
            Err(GrantRefusal::invalid_request(format!("'{name}' is too long")))
        }
        text => Ok(text.map(str::to_owned)),
    }
}

/// The user of the `id_token_hint`, which may have expired.
fn hinted_user(app: &App, snapshot: &Snapshot, parameters: &RequestParameters) -> Result<Option<UserId>, GrantRefusal> {
    let Some(token) = parameters.one("id_token_hint")? else { return Ok(None) };
    let hint = snapshot.keys.verify_hint(token, app.issuer.name());
    let hint = hint.ok_or_else(|| GrantRefusal::invalid_request("could not validate id_token_hint"))?;
    Ok(Some(hint.user_id))
}

/// The requested resources (RFC 8707 section 2.1). The Management API is never one of them, and the console's resource
/// is only for the server's own applications. The organizations are no resource: their scope is what counts.
async fn resources(
    app: &App,
    tx: &mut Tx,
    snapshot: &Snapshot,
    parameters: &RequestParameters,
    client_id: &ApplicationId,
) -> Result<Vec<String>, GrantRefusal> {
    let mut resources: Vec<String> = Vec::new();
    for indicator in parameters.all("resource").filter(|indicator| *indicator != ORGANIZATIONS_RESOURCE) {
        let found = snapshot.named_resource(tx, indicator).await?;
        let found = found.ok_or_else(|| GrantRefusal::no_such_target(resource::UNKNOWN))?;
        if found.indicator == app.config.tokens.management_resource || !built_in::may_ask_for(client_id, &found.id) {
            return Err(GrantRefusal::no_such_target(resource::NOT_PERMITTED));
        }
        if resources.len() == MAX_RESOURCES {
            return Err(GrantRefusal::no_such_target("the request names too many resources"));
        }
        if !resources.contains(&found.indicator) {
            resources.push(found.indicator.clone());
        }
    }
    Ok(resources)
}

/// The `S256` challenge; only confidential clients may go without one, unless their settings require it.
pub fn code_challenge(parameters: &RequestParameters, client: &Client) -> Result<Option<String>, GrantRefusal> {
    let is_required = client.application.custom_client_metadata.require_pkce == Some(true);
    let may_omit = client.application.kind.is_confidential() && !is_required;
    match (parameters.one("code_challenge")?, parameters.one("code_challenge_method")?) {
        (None, None) if may_omit => Ok(None),
        (None, None) => {
            Err(GrantRefusal::invalid_request("Authorization Server policy requires PKCE to be used for this request"))
        }
        (None, Some(_)) => {
            Err(GrantRefusal::invalid_request("code_challenge must be provided with code_challenge_method"))
        }
        (Some(challenge), Some("S256")) if pkce::is_challenge(challenge) => Ok(Some(challenge.to_owned())),
        (Some(_), Some("S256")) => {
            Err(GrantRefusal::invalid_request("code_challenge must be the base64url of a SHA-256"))
        }
        (Some(_), _) => Err(GrantRefusal::invalid_request("not supported value of code_challenge_method")),
    }
}

fn prompts(parameters: &RequestParameters) -> Result<Vec<Prompt>, GrantRefusal> {
    let words = parameters.one("prompt")?.unwrap_or_default().split(' ').filter(|word| !word.is_empty());
    let prompts: Option<Vec<Prompt>> = words.map(Prompt::parse).collect();
    let prompts = prompts.ok_or_else(|| GrantRefusal::invalid_request("unsupported prompt value requested"))?;
    if prompts.len() > 1 && prompts.contains(&Prompt::None) {
        return Err(GrantRefusal::invalid_request("prompt none must only be used alone"));
    }
    Ok(prompts)
}

fn max_age(parameters: &RequestParameters) -> Result<Option<i64>, GrantRefusal> {
    let Some(text) = parameters.one("max_age")? else { return Ok(None) };
    let seconds = text.parse::<u32>().map_err(|_| GrantRefusal::invalid_request("invalid max_age parameter value"))?;
    Ok(Some(seconds.into()))
}
