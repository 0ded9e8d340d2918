//! Signing in: an authorization request with `state`, `nonce` and PKCE, and the callback, which exchanges the code and
//! checks the ID token (OpenID Connect Core sections 3.1.2 and 3.1.3).

use super::endpoints;
use super::guest::{DemoGuest, DemoPost};
use super::memory::{DemoUser, DemoVisit, PendingDemoSignIn};
use super::show::EnteredReason;
use super::{CALLBACK, PAGE, act, tokens as own_tokens, webhook};
use crate::http::own_client;
use axum::extract::RawQuery;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_domain::authorization::pkce;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_pages::failure::PageError;
use claimsmith_services::tokens;
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::extract::form::Form;
use claimsmith_web::redirect::{see_other, with_cookie};
use subtle::ConstantTimeEq;

/// `offline_access` requests a refresh token; the last two scopes are for the demo's API.
const SCOPE: &str = "openid profile email roles offline_access resource:read resource:write";

/// Sends the browser to the authorization endpoint.
pub(super) async fn begin(DemoPost(guest, form): DemoPost) -> Result<Response, PageError> {
    // Web applications get `offline_access` only with `prompt=consent`; first-party ones do not show a consent page.
    let prompt = if form.all("screen").next() == Some("register") { "create consent" } else { "consent" };
    send_away(&guest, prompt).await
}

/// The same for a visitor with a subject token, which is exchanged after the sign-in.
pub(super) async fn begin_with(mut guest: DemoGuest, subject_token: String) -> Result<Response, PageError> {
    let made = if guest.cookie.is_none() { Some(guest.app.random.secret(43)?) } else { None };
    guest.cookie = made.clone().or(guest.cookie);
    let mut visit = guest.visit.take().unwrap_or_else(|| DemoVisit::begin(guest.now()));
    visit.handed_over = Some(subject_token);
    guest.visit = Some(visit);
    let answer = send_away(&guest, "consent").await?;
    Ok(match made {
        Some(cookie) => with_cookie(answer, &BrowserCookie::Demo.set(&guest.app, cookie)),
        None => answer,
    })
}

async fn send_away(guest: &DemoGuest, prompt: &str) -> Result<Response, PageError> {
    webhook::ensure(guest).await?;
    let random = &guest.app.random;
    let pending =
        PendingDemoSignIn { state: random.secret(32)?, nonce: random.secret(32)?, verifier: random.secret(64)? };
    let redirect_uri = guest.at(CALLBACK);
    let challenge = pkce::challenge(&pending.verifier);
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([
            ("client_id", guest.demo.client_id.as_str()),
            ("redirect_uri", &redirect_uri),
            ("response_type", "code"),
            ("scope", SCOPE),
            ("resource", &guest.demo.resource),
            ("state", &pending.state),
            ("nonce", &pending.nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
            ("prompt", prompt),
        ])
        .finish();
    guest.keep(|visit| visit.pending = Some(pending));
    Ok(see_other(&format!("{}/auth?{query}", guest.app.issuer.name())))
}

/// Handles the callback.
pub(super) async fn finish(guest: DemoGuest, RawQuery(query): RawQuery) -> Result<Response, PageError> {
    let Ok(form) = Form::of_query(query.as_deref().unwrap_or_default()) else {
        return Ok(guest.refuse(StatusCode::BAD_REQUEST, "invalid_request").await);
    };
    let one = |name: &str| form.one(name).ok().flatten().unwrap_or_default();
    let pending = guest.visit.as_ref().and_then(|visit| visit.pending.clone());
    // Refuses responses to a sign-in that this browser did not begin (CSRF, RFC 6749 section 10.12), and those of
    // another issuer (RFC 9207).
    let Some(pending) = pending.filter(|pending| bool::from(pending.state.as_bytes().ct_eq(one("state").as_bytes())))
    else {
        return Ok(guest.refuse(StatusCode::BAD_REQUEST, "state_mismatch").await);
    };
    if one("iss") != guest.app.issuer.name() {
        return Ok(guest.refuse(StatusCode::BAD_REQUEST, "iss_mismatch").await);
    }
    guest.keep(|visit| visit.pending = None);
    let signed_in = if one("error").is_empty() {
        Box::pin(exchange(&guest, one("code"), &pending)).await?
    } else {
        Err(format!("The server refused: {}: {}", one("error"), one("error_description")))
    };
    match signed_in {
        Ok(person) => {
            // The old cookie must not give access to this visit (session fixation).
            if let Some(cookie) = &guest.cookie {
                guest.memory.forget(&tokens::hash(cookie));
            }
            let cookie = guest.app.random.secret(43)?;
            let handed_over = guest.visit.as_ref().and_then(|visit| visit.handed_over.clone());
            let mut visit = DemoVisit::begin(guest.now());
            visit.person = Some(person.clone());
            let guest = DemoGuest { cookie: Some(cookie.clone()), visit: Some(visit.clone()), ..guest };
            guest.memory.keep(tokens::hash(&cookie), visit);
            let page = match handed_over {
                Some(subject_token) => Box::pin(act::act_with(&guest, &person, &subject_token)).await?,
                None => see_other(&guest.at(PAGE)),
            };
            Ok(with_cookie(page, &BrowserCookie::Demo.set(&guest.app, cookie)))
        }
        Err(message) => EnteredReason::alert(&message).show(&guest).await,
    }
}

/// Exchanges the code, checks the ID token, and gets a token for the API.
async fn exchange(
    guest: &DemoGuest,
    code: &str,
    pending: &PendingDemoSignIn,
) -> Result<Result<DemoUser, String>, PageError> {
    let redirect_uri = guest.at(CALLBACK);
    let parameters = [
        ("grant_type", GrantType::AuthorizationCode.as_str()),
        ("code", code),
        ("redirect_uri", &redirect_uri),
        ("code_verifier", &pending.verifier),
    ];
    let answer = match endpoints::token(guest, &parameters).await {
        Ok(answer) => answer,
        Err(message) => return Ok(Err(message)),
    };
    let (Some(id_token), Some(refresh_token)) = (answer.id, answer.refresh) else {
        return Ok(Err("The answer has no ID token and refresh token.".to_owned()));
    };
    let Some(id) = check(guest, &id_token, &pending.nonce).await? else {
        return Ok(Err("The ID token is not for this application, or not of this sign-in.".to_owned()));
    };
    // Profile claims come from the userinfo endpoint.
    let profile = match endpoints::user_info(guest, &answer.access).await {
        Ok(claims) => claims,
        Err(message) => return Ok(Err(message)),
    };
    let known = |name: &str| profile.get(name).and_then(serde_json::Value::as_str).filter(|text| !text.is_empty());
    let name = known("name").or(known("username")).unwrap_or(&id).to_owned();
    let person = DemoUser {
        name,
        id,
        id_token,
        access_token: answer.access,
        api_token: String::new(),
        refresh_token,
        user_info: None,
        acted: None,
    };
    Ok(Box::pin(own_tokens::renew_for_api(guest, person)).await)
}

/// The subject of an ID token.
async fn check(guest: &DemoGuest, id_token: &str, nonce: &str) -> Result<Option<String>, PageError> {
    let signed_in = own_client::check_id_token(&guest.app, &guest.demo.client_id, id_token, nonce).await?;
    Ok(signed_in.map(|signed_in| signed_in.user_id.into()))
}
