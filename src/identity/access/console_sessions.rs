//! The live session behind the console's cookie, for its door and for the calls that a screen makes later than it was
//! opened: a session that has ended, or whose user is suspended, opens nothing.

use crate::interaction::session::idle_since;
use claimsmith_services::app::App;
use claimsmith_storage::console::sessions::{self, ConsoleSession, MAX_AGE_MS, Since};
use claimsmith_storage::{self as storage, Tx};

/// How long a session lasts that is not used, in milliseconds: half an hour.
pub const IDLE_MS: i64 = 30 * 60_000;

/// The live session of a cookie, by its hash.
pub async fn find(app: &App, tx: &mut Tx, hash: &str) -> storage::Result<Option<ConsoleSession>> {
    let now = app.clock.now_ms();
    let since = Since {
        created: now - MAX_AGE_MS,
        active: now - IDLE_MS,
        sign_in_active: idle_since(&app.config.sessions, now),
    };
    sessions::find(tx, hash, now, since).await
}
