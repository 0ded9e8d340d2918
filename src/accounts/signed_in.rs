//! What people have because they signed in: sessions, and the tokens that applications got from them. Suspension and a
//! new password end it; deletion takes it along.

use crate::domain::id::UserId;
use crate::storage::sessions::{self, grants, known_browsers};
use crate::storage::{Result, Tx};
use crate::unit_of_work::UnitOfWork;

/// Signs a user out everywhere, forgets the browsers in which they signed in, and revokes the tokens that came from it. What they consented to stays.
pub(super) async fn end(work: &mut UnitOfWork, id: &UserId) -> Result<()> {
    let now = work.now();
    let tx: &mut Tx = work;
    sessions::delete_of_user(tx, id).await?;
    known_browsers::delete_of_user(tx, id).await?;
    grants::end_tokens_of_user(tx, id, now).await
}
