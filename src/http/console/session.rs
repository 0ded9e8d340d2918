//! Sessions of the console. One lasts half an hour without use and twelve hours at most, ends with the user's session
//! at the server, and gets a new cookie at every sign-in. The roles are read for every request.

pub(super) use claimsmith_identity::access::console_sessions::IDLE_MS;

use axum::http::HeaderMap;
use claimsmith_domain::console::ConsoleRoles;
use claimsmith_domain::id::{SessionId, UserId};
use claimsmith_domain::random::RandomError;
use claimsmith_identity::access::console_sessions;
use claimsmith_pages::failure::PageError;
use claimsmith_services::app::App;
use claimsmith_services::encryption::{EncryptionError, Purpose};
use claimsmith_services::tokens;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::console;
use claimsmith_storage::console::sessions::ConsoleSession;
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{self as storage, roles, sessions};
use claimsmith_web::cookies::BrowserCookie;

/// Characters of the secret at the start of a cookie, of an alphabet of 64: more than 256 bits.
const SECRET_CHARS: usize = 43;
/// The row id of the keyed hash that seals a cookie, which has no row.
const SEAL: &str = "cookie";
/// Resolution of the time of last use, in milliseconds: a minute, so that not every request writes.
const TOUCH_MS: i64 = 60_000;
/// The value that the token of forms is a keyed hash of.
const CSRF: &str = "csrf";

/// A browser at the console.
pub(super) struct LiveSession {
    pub session: ConsoleSession,
    pub user: User,
    pub roles: ConsoleRoles,
}

/// The live session of a browser.
pub(super) async fn find(app: &App, headers: &HeaderMap) -> Result<Option<LiveSession>, PageError> {
    let Some(hash) = BrowserCookie::Console.hash(app, headers) else { return Ok(None) };
    let mut tx = app.db.read().await?;
    let Some(session) = console_sessions::find(app, &mut tx, &hash).await? else { return Ok(None) };
    let Some(user) = users::find(&mut tx, &session.user_id).await? else { return Ok(None) };
    let roles = roles::console::of_user(&mut tx, &user.id).await?;
    Ok(Some(LiveSession { session, user, roles }))
}

/// Whether the browser's cookie was issued for a session, even if that has ended and was deleted.
pub(super) fn has_existed(app: &App, headers: &HeaderMap) -> bool {
    let cookie = BrowserCookie::Console.value(app, headers);
    let parts = cookie.as_deref().and_then(|cookie| cookie.split_at_checked(SECRET_CHARS));
    parts.is_some_and(|(secret, seal)| app.cipher.is_digest(Purpose::ConsoleCookie, SEAL, secret, seal))
}

impl LiveSession {
    /// Records that the session is in use, together with the user's session at the server.
    pub(super) async fn touch(&self, app: &App) -> storage::Result<()> {
        let now = app.clock.now_ms();
        if now - self.session.last_active_at < TOUCH_MS {
            return Ok(());
        }
        let mut tx = app.db.begin().await?;
        sessions::touch(&mut tx, &self.session.session_id, &self.user.id, now).await?;
        console::sessions::touch(&mut tx, &self.session.hash, now).await?;
        tx.commit().await
    }

    /// The display name of the user.
    pub(super) fn name(&self) -> &str {
        name_of(&self.user)
    }

    /// The token of the session's forms. It is derived from the user's session at the server, so that open forms still
    /// work after signing in again, and cannot be computed without the server's key.
    pub(super) fn csrf(&self, app: &App) -> Result<String, EncryptionError> {
        app.cipher.digest(Purpose::ConsoleForm, &self.session.session_id, CSRF)
    }

    /// The token under earlier encryption keys.
    pub(super) fn earlier_csrf(&self, app: &App) -> Vec<String> {
        app.cipher.earlier_digests(Purpose::ConsoleForm, &self.session.session_id, CSRF).collect()
    }

    /// Whether this is the token of the session's forms.
    pub(super) fn is_csrf(&self, app: &App, shown: &str) -> bool {
        app.cipher.is_digest(Purpose::ConsoleForm, &self.session.session_id, CSRF, shown)
    }
}

/// The display name of a user: their name, or what they sign in with.
pub(super) fn name_of(user: &User) -> &str {
    let names = [&user.name, &user.username, &user.primary_email, &user.primary_phone];
    names.into_iter().flatten().find(|name| !name.is_empty()).map_or(user.id.as_str(), String::as_str)
}

/// The reason that a session could not begin.
#[derive(Debug, thiserror::Error)]
pub(super) enum BeginError {
    /// See [`RandomError`].
    #[error(transparent)]
    Random(#[from] RandomError),
    /// See [`EncryptionError`].
    #[error(transparent)]
    Encryption(#[from] EncryptionError),
    /// See [`storage::Error`].
    #[error("the database failed")]
    Storage(#[from] storage::Error),
}

impl From<BeginError> for PageError {
    fn from(error: BeginError) -> Self {
        Self::failed(&error)
    }
}

/// Begins a session for a signed-in user, replacing the one that the browser had; returns its new cookie.
/// [`storage::Error::Missing`] if the user's session at the server has ended.
pub(super) async fn begin(
    work: &mut UnitOfWork,
    app: &App,
    old_hash: Option<&str>,
    (user_id, session_id): (&UserId, &SessionId),
    authenticated_at: i64,
) -> Result<String, BeginError> {
    let (cookie, now) = (new_cookie(app)?, work.now());
    if let Some(old) = old_hash {
        console::sessions::delete(work, old).await?;
    }
    let session = ConsoleSession {
        hash: tokens::hash(&cookie),
        session_id: session_id.clone(),
        user_id: user_id.clone(),
        authenticated_at,
        created_at: now,
        last_active_at: now,
    };
    console::sessions::insert(work, &session).await?;
    Ok(cookie)
}

/// Renews the session of a user who has just proved their identity: it gets another cookie, which is returned with it,
/// and lasts no longer than before. `None` if the session has ended.
pub(super) async fn renew(
    work: &mut UnitOfWork,
    app: &App,
    old: &ConsoleSession,
) -> Result<Option<(String, ConsoleSession)>, BeginError> {
    if !console::sessions::delete(work, &old.hash).await? {
        return Ok(None);
    }
    let (cookie, now) = (new_cookie(app)?, work.now());
    let renewed =
        ConsoleSession { hash: tokens::hash(&cookie), authenticated_at: now, last_active_at: now, ..old.clone() };
    console::sessions::insert(work, &renewed).await?;
    Ok(Some((cookie, renewed)))
}

/// A new cookie: a secret, and the seal that proves that this server made it.
fn new_cookie(app: &App) -> Result<String, BeginError> {
    let secret = app.random.secret(SECRET_CHARS)?;
    Ok(format!("{secret}{}", app.cipher.digest(Purpose::ConsoleCookie, SEAL, &secret)?))
}
