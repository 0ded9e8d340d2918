//! Begins a sign-in, and a repeated one: an authorization request of the built-in client at this server's own
//! authorization endpoint, with `state`, `nonce` and PKCE (OpenID Connect Core section 3.1.2).
//!
//! It requests only an ID token. The console calls the Management API within the process, as the administrator, so no
//! access token for its resource is ever issued to a browser.

use super::pending::PendingConsoleSignIn;
use super::session::{self, IDLE_MS};
use super::{ASSETS, CALLBACK, HOME, at, to_sign_in};
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use claimsmith_domain::authorization::pkce;
use claimsmith_domain::console::BuiltInClient;
use claimsmith_domain::console_link;
use claimsmith_pages::failure::PageError;
use claimsmith_services::app::App;
use claimsmith_web::extract::form::Form;
use claimsmith_web::redirect::{see_other, with_cookie};

/// Maximum bytes of the path to return to: it is kept in a cookie.
const MAX_PATH_BYTES: usize = 1024;
/// Maximum bytes of the code of an invitation.
const MAX_CODE_BYTES: usize = 64;
/// The console only needs the user's identity.
const SCOPE: &str = "openid";

/// Redirects the browser to sign-in.
pub(super) async fn sign_in(
    State(app): State<App>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, PageError> {
    let query = Form::of_query(query.as_deref().unwrap_or_default()).unwrap_or_default();
    let pending = PendingConsoleSignIn::begin(&app, return_to(&query), None)?;
    // After the idle timeout the user must authenticate again, although their session at the server lasts longer.
    let max_age = (IDLE_MS / 1000).to_string();
    let more: &[(&str, &str)] = match query.all("account").next() {
        Some("another") => &[("prompt", "select_account")],
        _ => &[],
    };
    send(&app, &headers, &pending, &[&[("max_age", &*max_age)][..], more].concat())
}

/// Makes a signed-in user sign in again.
pub(super) async fn sign_in_again(
    State(app): State<App>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, PageError> {
    let query = Form::of_query(query.as_deref().unwrap_or_default()).unwrap_or_default();
    let return_to = return_to(&query);
    let Some(found) = session::find(&app, &headers).await? else {
        return Ok(see_other(&to_sign_in(&app, &return_to)));
    };
    let user = &found.user;
    let hint = user.username.as_deref().or(user.primary_email.as_deref()).or(user.primary_phone.as_deref());
    let pending = PendingConsoleSignIn::begin(&app, return_to, Some(user.id.clone()))?;
    send(&app, &headers, &pending, &[("prompt", "login"), ("max_age", "0"), ("login_hint", hint.unwrap_or_default())])
}

fn send(
    app: &App,
    headers: &HeaderMap,
    pending: &PendingConsoleSignIn,
    more: &[(&str, &str)],
) -> Result<Response, PageError> {
    let redirect_uri = at(app, CALLBACK);
    let challenge = pkce::challenge(&pending.verifier);
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([
            ("client_id", BuiltInClient::Console.id()),
            ("redirect_uri", &redirect_uri),
            ("response_type", "code"),
            ("scope", SCOPE),
            ("state", &pending.state),
            ("nonce", &pending.nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ])
        .extend_pairs(more.iter().filter(|(_, value)| !value.is_empty()))
        .finish();
    Ok(with_cookie(see_other(&format!("{}/auth?{query}", app.issuer.name())), &pending.keep(app, headers)?))
}

/// The path of the console to return to; the first page for anything else.
fn return_to(query: &Form) -> String {
    let wanted = query.all("return").next().unwrap_or_default();
    if is_own(wanted) || is_invitation(wanted) { wanted.to_owned() } else { HOME.to_owned() }
}

/// The path of the page of an invitation.
pub(super) fn invitation_path(code: &str) -> String {
    format!("{}?code={code}", console_link::PATH)
}

/// Whether a text is the path of the page of an invitation: somebody without a role returns there to claim it.
pub(super) fn is_invitation(path: &str) -> bool {
    let code = path.strip_prefix(console_link::PATH).and_then(|rest| rest.strip_prefix("?code="));
    let is_code = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    code.is_some_and(|code| !code.is_empty() && code.len() <= MAX_CODE_BYTES && code.bytes().all(is_code))
}

/// Whether a text is the path of a screen, with or without a query. Paths of the sign-in itself are not.
pub(super) fn is_own(path: &str) -> bool {
    let Some(rest) = path.strip_prefix(HOME) else { return false };
    let is_plain = path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\' && byte != b'#');
    let name = rest.split('?').next().unwrap_or_default();
    let is_door = ["/sign-in", "/callback", "/step-up", "/sign-out", "/setup"].contains(&name);
    (rest.is_empty() || rest.starts_with(['/', '?']))
        && path.len() <= MAX_PATH_BYTES
        && is_plain
        && !is_door
        && !path.starts_with(ASSETS)
        && !path.contains("/../")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_screens_are_returned_to() {
        for path in ["/console", "/console/users", "/console?q=1", "/console/users/u1?tab=roles&q=%2F%2Fevil.test"] {
            assert!(is_own(path), "{path}");
        }
        let long = format!("/console/{}", "x".repeat(MAX_PATH_BYTES));
        for path in [
            "",
            "/",
            "/consoles",
            "//evil.test/console",
            "https://evil.test/console",
            "/console/../sign-out",
            "/console/a\\b",
            "/console/a\nb",
            "/console/a b",
            "/console/#x",
            "/console/sign-in?return=/console",
            "/console/callback?code=1",
            "/console/setup?code=1",
            "/console/assets/a.css",
            "/account",
            &long,
        ] {
            assert!(!is_own(path), "{path}");
        }
    }
}
