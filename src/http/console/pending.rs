//! A sign-in for the console that is under way. The browser keeps it, encrypted, for ten minutes; the answer to it uses
//! it up, and its code counts once.

use crate::app::App;
use crate::domain::id::UserId;
use crate::encryption::EncryptionError;
use crate::http::cookies::BrowserCookie;
use crate::random::RandomError;
use axum::http::HeaderMap;
use axum_extra::extract::cookie::Cookie;
use claimsmith_runtime::json::{self, INCOMING};
use serde::{Deserialize, Serialize};

/// How long somebody has to sign in, in milliseconds.
const LIFETIME_MS: i64 = 10 * 60_000;
/// What the encryption is for.
const SEALED: (&str, &str) = ("console sign-in", "cookie");

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

impl PendingConsoleSignIn {
    /// Begins one now.
    pub(super) fn begin(app: &App, return_to: String, user_id: Option<UserId>) -> Result<Self, PendingError> {
        let random = &app.random;
        let (state, nonce, verifier) = (random.secret(43)?, random.secret(43)?, random.secret(64)?);
        Ok(Self { state, nonce, verifier, return_to, user_id, started_at: app.clock.now_ms() })
    }

    /// The cookie that keeps it.
    pub(super) fn keep(&self, app: &App) -> Result<Cookie<'static>, PendingError> {
        let text = serde_json::to_vec(self)?;
        Ok(BrowserCookie::ConsoleSignIn.set(app, app.cipher.encrypt(SEALED.0, SEALED.1, &text)?))
    }

    /// The one that this browser keeps, if its time is not over.
    pub(super) fn of(app: &App, headers: &HeaderMap) -> Option<Self> {
        let sealed = BrowserCookie::ConsoleSignIn.value(app, headers)?;
        let text = app.cipher.decrypt(SEALED.0, SEALED.1, &sealed).ok()?;
        let pending: Self = json::read(&text, INCOMING).ok()?;
        let age = app.clock.now_ms() - pending.started_at;
        (0..LIFETIME_MS).contains(&age).then_some(pending)
    }
}
