//! What people have because they signed in: sessions, and the tokens that applications got from them. Suspension, a new
//! password and deletion end it.

use crate::domain::id::UserId;
use crate::storage::sessions::{self, grants, known_browsers};
use crate::storage::{Result, Tx};
use crate::unit_of_work::UnitOfWork;

/// Signs a user out everywhere, forgets the browsers in which they signed in, and revokes the tokens that came from it;
/// the applications are told (back-channel logout). What they consented to stays.
pub(super) async fn end(work: &mut UnitOfWork, id: &UserId) -> Result<()> {
    let now = work.now();
    let tx: &mut Tx = work;
    sessions::delete_of_user(tx, id).await?;
    known_browsers::delete_of_user(tx, id).await?;
    grants::end_tokens_of_user(tx, id, now).await
}
