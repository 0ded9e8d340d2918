//! Administrators, in place of a machine's token: the console's door puts an [`AuthenticatedAdministrator`] into the
//! extensions of the requests that it makes in process, and a token of the command line represents one
//! (`docs/decisions/people-who-administer.md`). No request from the network can bring such an extension.

use super::{AccessRefusal, console_sessions};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::console::operations::RECENT_MS;
use claimsmith_domain::console::{BuiltInClient, ConsoleRole, ConsoleRoles, Operation, SignInAge};
use claimsmith_domain::id::UserId;
use claimsmith_services::app::App;
use claimsmith_services::tokens::access::ActiveToken;
use claimsmith_storage::sessions::{self, Session, grants};
use claimsmith_storage::{self as storage, Tx, roles};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// For how long a screen uses what was read of a session when it was opened.
const LONGEST_USE: Duration = Duration::from_millis(500);

/// An authenticated administrator.
#[derive(Clone, Debug)]
pub struct AuthenticatedAdministrator {
    /// Who it is.
    pub user_id: UserId,
    /// What they hold now, and brought along.
    pub roles: ConsoleRoles,
    /// When they last proved who they are, Unix milliseconds.
    pub authenticated_at_ms: i64,
    /// Through which of the server's own applications they came.
    pub client: BuiltInClient,
    /// The session by which what they hold is read anew, where they came through the door of the console.
    pub door: Option<ConsoleDoor>,
}

/// The console session of an administrator. Streams may use it long after the screen was opened, so their rights must
/// be read again.
#[derive(Clone, Debug)]
pub struct ConsoleDoor {
    session_hash: Arc<str>,
    read_at: Instant,
}

impl ConsoleDoor {
    /// The session of this hash, which was read now.
    #[must_use]
    pub fn now(session_hash: &str) -> Self {
        Self { session_hash: session_hash.into(), read_at: Instant::now() }
    }

    /// The hash of its cookie.
    #[must_use]
    pub fn session_hash(&self) -> &str {
        &self.session_hash
    }
}

impl AuthenticatedAdministrator {
    /// The person behind a live token for the console's resource, with what they hold at this moment. `None`: it was
    /// issued to another application than the command line, or to no user.
    pub async fn of_token(tx: &mut Tx, live: &ActiveToken) -> storage::Result<Option<Self>> {
        let client = BuiltInClient::parse(&live.issuance.application_id);
        let (Some(client @ BuiltInClient::CommandLine), Some(user_id)) = (client, live.issuance.user_id.clone()) else {
            return Ok(None);
        };
        let held = roles::console::of_user(tx, &user_id).await?;
        let roles = ConsoleRoles::from_scope(&live.issuance.scope).and(held);
        let session_id = match &live.issuance.grant_id {
            Some(id) => grants::find(tx, id).await?.and_then(|grant| grant.session_id),
            None => None,
        };
        let session = match &session_id {
            Some(id) => sessions::find(tx, id).await?.filter(|session| session.user_id == user_id),
            None => None,
        };
        // Without a session there was no proof of identity: the token was made at the terminal. A later sign-in
        // elsewhere that renewed the session does not count either.
        let is_own = |session: &Session| session.details.0.as_ref().is_some_and(|details| details.own_client);
        let authenticated_at_ms = session.filter(is_own).map_or(0, |session| session.authenticated_at);
        Ok(Some(Self { user_id, roles, authenticated_at_ms, client, door: None }))
    }

    /// The same person as they are now: with the roles that they hold, and none if their session has ended.
    pub async fn now(&self, app: &App) -> storage::Result<Option<Self>> {
        let Some(door) = self.door.as_ref().filter(|door| door.read_at.elapsed() >= LONGEST_USE) else {
            return Ok(Some(self.clone()));
        };
        let mut tx = app.db.read().await?;
        let session = console_sessions::find(app, &mut tx, &door.session_hash).await?;
        let Some(session) = session.filter(|session| session.user_id == self.user_id) else { return Ok(None) };
        let roles = roles::console::of_user(&mut tx, &self.user_id).await?;
        Ok(Some(Self { roles, authenticated_at_ms: session.authenticated_at, ..self.clone() }))
    }

    /// Whether they proved within the last ten minutes who they are.
    #[must_use]
    pub fn is_recent(&self, now: i64) -> bool {
        now - self.authenticated_at_ms < RECENT_MS
    }

    /// Whether they administer everything.
    #[must_use]
    pub fn is_admin(&self) -> bool {
        self.roles.has(ConsoleRole::Admin)
    }

    /// Refuses an operation that their roles, or the age of their sign-in, do not allow.
    pub fn check(&self, operation: Operation, now: i64) -> Result<(), AccessRefusal> {
        if !operation.is_for(self.roles) {
            return Err(AccessRefusal::forbidden("The console roles of the user do not allow this operation."));
        }
        if operation.sign_in == SignInAge::Recent { self.demand_recent(now) } else { Ok(()) }
    }

    /// Refuses what needs a recent sign-in.
    pub fn demand_recent(&self, now: i64) -> Result<(), AccessRefusal> {
        if self.is_recent(now) {
            return Ok(());
        }
        let message = "This needs a sign-in of the last ten minutes.";
        Err(AccessRefusal::Denied(ApiCode::ConsoleFreshSignInRequired, message))
    }
}
