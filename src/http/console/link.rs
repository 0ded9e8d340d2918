//! Finds a valid one-time link, and consumes it.

use claimsmith_domain::console_link::Purpose;
use claimsmith_services::tokens;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::console::links::{self, ConsoleLink};
use claimsmith_storage::roles::console;
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{self as storage, Tx};

/// A link that is valid now.
pub(super) struct ValidConsoleLink {
    pub stored: ConsoleLink,
    /// The user that it signs in, if it is not for a new account.
    pub user: Option<User>,
}

/// The link of a code, if it is valid.
pub(super) async fn find(tx: &mut Tx, code: &str, now: i64) -> storage::Result<Option<ValidConsoleLink>> {
    let Some(stored) = links::find(tx, &tokens::hash(code), now).await? else { return Ok(None) };
    if stored.purpose == Purpose::Setup && console::count_admins(tx).await? > 0 {
        return Ok(None);
    }
    let user = match &stored.user_id {
        Some(id) => users::find(tx, id).await?.filter(|user| !user.is_suspended),
        None => None,
    };
    Ok((user.is_some() == (stored.purpose == Purpose::Recover)).then_some(ValidConsoleLink { stored, user }))
}

/// Consumes a link in this transaction. `false` if it is no longer valid.
pub(super) async fn use_up(work: &mut UnitOfWork, link: &ValidConsoleLink) -> storage::Result<bool> {
    let now = work.now();
    if link.stored.purpose == Purpose::Setup && console::count_admins(work).await? > 0 {
        return Ok(false);
    }
    if !links::consume(work, &link.stored.hash, now).await? {
        return Ok(false);
    }
    // There is an administrator now, so links for the first one are void.
    links::delete_of(work, Purpose::Setup).await?;
    Ok(true)
}
