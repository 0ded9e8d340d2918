//! The pending state of a trial sign-in, kept in an `HttpOnly` cookie that the browser sends only to the pages of this
//! trial.

use super::model::page_of;
use crate::base_path;
use crate::caller::Caller;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use data_encoding::BASE64URL_NOPAD;
use serde::{Deserialize, Serialize};

const COOKIE: &str = "claimsmith_try";
/// How long the operator has to sign in, in seconds.
pub(super) const LIFETIME_SECONDS: i64 = 600;

/// What the response is verified against. Has no `Debug`, so that its secrets do not reach a log.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct PendingTrialSignIn {
    pub(super) state: String,
    pub(super) nonce: String,
    /// The PKCE code verifier.
    pub(super) verifier: String,
    /// The API that the token is requested for; empty for this server's own endpoints.
    pub(super) resource: String,
    pub(super) organization: String,
    /// The temporary client secret of this trial: name and value.
    pub(super) secret: Option<(String, String)>,
}

impl PendingTrialSignIn {
    /// Reads the state from the request's cookie.
    pub(super) fn of(caller: &Caller) -> Option<Self> {
        let cookies = caller.headers().get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let (_, value) = pairs.find(|(name, _)| *name == COOKIE)?;
        claimsmith_json::read(&BASE64URL_NOPAD.decode(value.as_bytes()).ok()?, claimsmith_json::INCOMING).ok()
    }

    /// Stores the state in a cookie of the response.
    pub(super) fn keep(&self, caller: &Caller, id: &str, response: Response) -> Response {
        let value = serde_json::to_vec(self).map(|json| BASE64URL_NOPAD.encode(&json)).unwrap_or_default();
        set(caller, id, &value, LIFETIME_SECONDS, response)
    }

    /// Deletes the cookie.
    pub(super) fn forget(caller: &Caller, id: &str, response: Response) -> Response {
        set(caller, id, "", 0, response)
    }
}

fn set(caller: &Caller, id: &str, value: &str, seconds: i64, mut response: Response) -> Response {
    let path = format!("{}{}", base_path::of(&caller.console().base_url), page_of(id));
    let secure = if caller.console().base_url.starts_with("https:") { "; Secure" } else { "" };
    // Lax, because the browser returns from the sign-in pages by a top-level navigation.
    let cookie = format!("{COOKIE}={value}; Path={path}/try; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}
