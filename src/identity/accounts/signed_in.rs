//! Sessions of users, and the tokens that applications obtained in them. Suspension, deletion and a new password end
//! them.

use super::trusted_devices::end_trusted_devices;
use claimsmith_domain::id::{GrantId, SessionId, UserId};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks;
use claimsmith_storage::Tx;
use claimsmith_storage::sessions::{self, grants, known_browsers};
use claimsmith_storage::verification::verification_records;

/// The place where a user stays signed in: the session and the grant of the current request.
#[derive(Clone, Copy, Debug, Default)]
pub struct RetainedSession<'k> {
    /// The session, with the grants of applications in it.
    pub session_id: Option<&'k SessionId>,
    /// The grant, which may have outlived its session.
    pub grant_id: Option<&'k GrantId>,
}

/// Ends all sessions of a user, forgets known browsers, trusted devices and verification records, and revokes all
/// tokens. Applications are notified (back-channel logout). Consents are kept.
pub(super) async fn end(work: &mut UnitOfWork, id: &UserId) -> Result<(), webhooks::Error> {
    let now = work.now();
    end_trusted_devices(work, id, 0).await?;
    let tx: &mut Tx = work;
    sessions::delete_of_user(tx, id).await?;
    known_browsers::delete_of_user(tx, id).await?;
    verification_records::delete_of_user(tx, id).await?;
    Ok(grants::end_tokens_of_user(tx, id, now).await?)
}

/// Like `end`, except for one session or grant.
pub async fn end_others(
    work: &mut UnitOfWork,
    id: &UserId,
    retained: RetainedSession<'_>,
) -> Result<(), webhooks::Error> {
    if retained.session_id.is_none() && retained.grant_id.is_none() {
        return end(work, id).await;
    }
    let now = work.now();
    end_trusted_devices(work, id, 0).await?;
    let tx: &mut Tx = work;
    for grant in grants::of_user(tx, id, None, now).await? {
        let is_of_session = grant.session_id.is_some() && grant.session_id.as_ref() == retained.session_id;
        if !is_of_session && retained.grant_id != Some(&grant.id) {
            grants::end_tokens(tx, &grant.id, now).await?;
        }
    }
    match retained.session_id {
        Some(session_id) => sessions::delete_others_of_user(tx, id, session_id).await?,
        None => sessions::delete_of_user(tx, id).await?,
    };
    known_browsers::delete_of_user(tx, id).await?;
    verification_records::delete_of_user(tx, id).await?;
    Ok(())
}
