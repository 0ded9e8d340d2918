//! A sign-in for the console that is under way. The browser keeps it, encrypted, for ten minutes, beside those of other
//! tabs; the answer to it uses it up, and its code counts once.

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

/// How long somebody has to sign in, in milliseconds.
const LIFETIME_MS: i64 = 10 * 60_000;
/// The most that one browser keeps.
const MAX_KEPT: usize = 5;
/// Between those; it is no character of base64.
const SEPARATOR: char = '.';
/// What stands in the place of a row, for encryption.
const ROW: &str = "cookie";

/// A sign-in that is under way. It has no `Debug`, so that its secrets reach no log.
#[derive(Serialize, Deserialize)]
pub(super) struct PendingConsoleSignIn {
    pub state: String,
    pub nonce: String,
    /// The verifier of PKCE.
    pub verifier: String,
    /// The path to go to afterwards.
    pub return_to: String,
    /// Who has to sign in again; none when anybody may.
    pub user_id: Option<UserId>,
    /// Unix milliseconds.
    pub started_at: i64,
}

/// Why it could not be kept.
#[derive(Debug, thiserror::Error)]
pub(super) enum PendingError {
    /// See [`RandomError`].
    #[error(transparent)]
    Random(#[from] RandomError),
    /// See [`EncryptionError`].
    #[error(transparent)]
    Encryption(#[from] EncryptionError),
    /// It could not be written.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

impl From<PendingError> for PageError {
    fn from(error: PendingError) -> Self {
        Self::failed(&error)
    }
}

impl PendingConsoleSignIn {
    /// Begins one now.
    pub(super) fn begin(app: &App, return_to: String, user_id: Option<UserId>) -> Result<Self, PendingError> {
        let random = &app.random;
        let (state, nonce, verifier) = (random.secret(43)?, random.secret(43)?, random.secret(64)?);
        Ok(Self { state, nonce, verifier, return_to, user_id, started_at: app.clock.now_ms() })
    }

    /// The cookie that keeps it, before those that the browser keeps already.
    pub(super) fn keep(&self, app: &App, headers: &HeaderMap) -> Result<Cookie<'static>, PendingError> {
        let text = serde_json::to_vec(self)?;
        let own = app.cipher.encrypt(Purpose::ConsoleSignIn, ROW, &text)?;
        let others = kept(app, headers).into_iter().map(|(sealed, _)| sealed);
        Ok(cookie(app, [own].into_iter().chain(others)))
    }

    /// The one of this state that this browser keeps, if its time is not over.
    pub(super) fn of(app: &App, headers: &HeaderMap, state: &str) -> Option<Self> {
        let is_it = |pending: &Self| bool::from(pending.state.as_bytes().ct_eq(state.as_bytes()));
        kept(app, headers).into_iter().map(|(_, pending)| pending).find(is_it)
    }

    /// The cookie of a browser that has used it up, and keeps the others.
    pub(super) fn used(&self, app: &App, headers: &HeaderMap) -> Cookie<'static> {
        let others: Vec<String> = kept(app, headers)
            .into_iter()
            .filter(|(_, pending)| pending.state != self.state)
            .map(|(sealed, _)| sealed)
            .collect();
        if others.is_empty() { BrowserCookie::ConsoleSignIn.clear(app) } else { cookie(app, others.into_iter()) }
    }
}

/// Those that a browser keeps and whose time is not over, the newest first, each as it is kept.
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

/// The cookie of so many as fit.
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
