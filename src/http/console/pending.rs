//! A pending sign-in of the console. The browser keeps it in an encrypted cookie for ten minutes, beside those of other
//! tabs. The response uses it up, and its code is accepted once.

use axum::http::HeaderMap;
use axum_extra::extract::cookie::Cookie;
use claimsmith_domain::id::UserId;
use claimsmith_domain::random::RandomError;
use claimsmith_pages::failure::PageError;
use claimsmith_runtime::json::{self, INCOMING};
use claimsmith_services::app::App;
use claimsmith_services::encryption::{EncryptionError, Purpose};
use claimsmith_web::cookies::{BrowserCookie, MAX_KEPT_BYTES};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

/// The time that a user has to sign in, in milliseconds.
const LIFETIME_MS: i64 = 10 * 60_000;
/// Maximum number that one browser keeps.
const MAX_KEPT: usize = 5;
/// Separates them in the cookie; it is not a base64 character.
const SEPARATOR: char = '.';
/// The row id that encryption needs, for a value that has no row.
const ROW: &str = "cookie";

/// A pending sign-in. It does not implement `Debug`, so that its secrets are not logged.
#[derive(Serialize, Deserialize)]
pub(super) struct PendingConsoleSignIn {
    pub state: String,
    pub nonce: String,
    /// The PKCE code verifier.
    pub verifier: String,
    /// The path to return to.
    pub return_to: String,
    /// The user who has to sign in again; `None`: any user.
    pub user_id: Option<UserId>,
    /// Unix milliseconds.
    pub started_at: i64,
}

/// The reason that it could not be stored.
#[derive(Debug, thiserror::Error)]
pub(super) enum PendingError {
    /// See [`RandomError`].
    #[error(transparent)]
    Random(#[from] RandomError),
    /// See [`EncryptionError`].
    #[error(transparent)]
    Encryption(#[from] EncryptionError),
    /// It could not be serialized.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

impl From<PendingError> for PageError {
    fn from(error: PendingError) -> Self {
        Self::failed(&error)
    }
}

impl PendingConsoleSignIn {
    /// Begins a sign-in now.
    pub(super) fn begin(app: &App, return_to: String, user_id: Option<UserId>) -> Result<Self, PendingError> {
        let random = &app.random;
        let (state, nonce, verifier) = (random.secret(43)?, random.secret(43)?, random.secret(64)?);
        Ok(Self { state, nonce, verifier, return_to, user_id, started_at: app.clock.now_ms() })
    }

    /// The cookie that stores it, before those that the browser has already.
    pub(super) fn keep(&self, app: &App, headers: &HeaderMap) -> Result<Cookie<'static>, PendingError> {
        let text = serde_json::to_vec(self)?;
        let own = app.cipher.encrypt(Purpose::ConsoleSignIn, ROW, &text)?;
        let others = kept(app, headers).into_iter().map(|(sealed, _)| sealed);
        Ok(cookie(app, [own].into_iter().chain(others)))
    }

    /// The pending sign-in with this state in this browser, unless it has expired.
    pub(super) fn of(app: &App, headers: &HeaderMap, state: &str) -> Option<Self> {
        let is_it = |pending: &Self| bool::from(pending.state.as_bytes().ct_eq(state.as_bytes()));
        kept(app, headers).into_iter().map(|(_, pending)| pending).find(is_it)
    }

    /// The cookie without this one, which is used up.
    pub(super) fn used(&self, app: &App, headers: &HeaderMap) -> Cookie<'static> {
        let others: Vec<String> = kept(app, headers)
            .into_iter()
            .filter(|(_, pending)| pending.state != self.state)
            .map(|(sealed, _)| sealed)
            .collect();
        if others.is_empty() { BrowserCookie::ConsoleSignIn.clear(app) } else { cookie(app, others.into_iter()) }
    }
}

/// The pending sign-ins of a browser that have not expired, newest first, each with its sealed form.
fn kept(app: &App, headers: &HeaderMap) -> Vec<(String, PendingConsoleSignIn)> {
    let value = BrowserCookie::ConsoleSignIn.value(app, headers).unwrap_or_default();
    let read = |sealed: &str| {
        let text = app.cipher.decrypt(Purpose::ConsoleSignIn, ROW, sealed).ok()?;
        let pending: PendingConsoleSignIn = json::read(&text, INCOMING).ok()?;
        let age = app.clock.now_ms() - pending.started_at;
        (0..LIFETIME_MS).contains(&age).then(|| (sealed.to_owned(), pending))
    };
    value.split(SEPARATOR).take(MAX_KEPT).filter_map(read).collect()
}

/// A cookie with as many as fit.
fn cookie(app: &App, sealed: impl Iterator<Item = String>) -> Cookie<'static> {
    let mut value = String::new();
    for (index, one) in sealed.take(MAX_KEPT).enumerate() {
        if index > 0 {
            if value.len() + 1 + one.len() > MAX_KEPT_BYTES {
                break;
            }
            value.push(SEPARATOR);
        }
        value.push_str(&one);
    }
    BrowserCookie::ConsoleSignIn.set(app, value)
}
