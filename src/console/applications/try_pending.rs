//! A sign-in with an application that an operator tries out. Their browser keeps it for the pages of this trial alone, in
//! a cookie that no script reads.

use super::model::page_of;
use crate::caller::Caller;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use data_encoding::BASE64URL_NOPAD;
use serde::{Deserialize, Serialize};

const COOKIE: &str = "claimsmith_try";
/// How long somebody has to sign in, in seconds.
pub(super) const LIFETIME_SECONDS: i64 = 600;

/// What the answer is held against. It has no `Debug`, so that its secrets reach no log.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct PendingTrialSignIn {
    pub(super) state: String,
    pub(super) nonce: String,
    /// The verifier of PKCE.
    pub(super) verifier: String,
    /// The API that a token is asked for; empty for this server's own endpoints.
    pub(super) resource: String,
    pub(super) organization: String,
    /// A secret made for this trial: its name and its value.
    pub(super) secret: Option<(String, String)>,
}

impl PendingTrialSignIn {
    /// The one that a browser keeps.
    pub(super) fn of(caller: &Caller) -> Option<Self> {
        let cookies = caller.headers().get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let (_, value) = pairs.find(|(name, _)| *name == COOKIE)?;
        claimsmith_json::read(&BASE64URL_NOPAD.decode(value.as_bytes()).ok()?, claimsmith_json::INCOMING).ok()
    }

    /// Gives it to the browser with an answer.
    pub(super) fn keep(&self, caller: &Caller, id: &str, response: Response) -> Response {
        let value = serde_json::to_vec(self).map(|json| BASE64URL_NOPAD.encode(&json)).unwrap_or_default();
        set(caller, id, &value, LIFETIME_SECONDS, response)
    }

    /// Takes it from the browser.
    pub(super) fn forget(caller: &Caller, id: &str, response: Response) -> Response {
        set(caller, id, "", 0, response)
    }
}

fn set(caller: &Caller, id: &str, value: &str, seconds: i64, mut response: Response) -> Response {
    let path = page_of(id);
    let secure = if caller.console().base_url.starts_with("https:") { "; Secure" } else { "" };
    // Lax: the browser comes back from the sign-in pages by a link.
    let cookie = format!("{COOKIE}={value}; Path={path}/try; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}
