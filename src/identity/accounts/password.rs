//! Sets and verifies the password of a user. Hashing is slow, so it is done before a transaction begins.

use super::refusal::{AccountRefusal, of_password};
use super::signed_in::{self, RetainedSession};
use super::{begin_update, user_view};
use claimsmith_api::users::UserView;
use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::documents::user::PasswordAlgorithm;
use claimsmith_domain::id::UserId;
use claimsmith_services::passwords::{HashTicket, PasswordMatch, Passwords};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::Db;
use claimsmith_storage::users::{self, User, password_age};
use serde_json::json;
use std::fmt;
use std::net::IpAddr;

/// A password in a request.
pub enum NewPassword {
    /// In plain text.
    Plain(String),
    /// A hash from another system.
    Digest(PasswordDigest),
}

/// The hash of a password.
#[derive(Clone)]
pub struct PasswordDigest {
    /// In the encoding of the algorithm.
    pub digest: String,
    /// The algorithm of the hash.
    pub algorithm: PasswordAlgorithm,
}

impl fmt::Debug for PasswordDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PasswordDigest").field("algorithm", &self.algorithm).finish_non_exhaustive()
    }
}

/// Admits the hashing of a new password, which counts against the limit of the client's IP address.
pub fn admit_new_password(
    passwords: &Passwords,
    client: Option<IpAddr>,
    now: i64,
) -> Result<HashTicket, AccountRefusal> {
    passwords.admit_new(client, now).map_err(of_password)
}

/// Hashes a new password with Argon2id, or accepts an imported hash that a password can match and that is not too
/// expensive to verify.
pub async fn digest(
    passwords: &Passwords,
    ticket: &HashTicket,
    password: NewPassword,
) -> Result<PasswordDigest, AccountRefusal> {
    match password {
        NewPassword::Plain(password) => {
            let digest = passwords.digest(ticket, password).await.map_err(of_password)?;
            Ok(PasswordDigest { digest, algorithm: PasswordAlgorithm::Argon2id })
        }
        NewPassword::Digest(given) => {
            passwords.check(&given.digest, given.algorithm).await??;
            Ok(given)
        }
    }
}

/// Sets the password of a user: `User.Data.Updated`. Ends all their sessions.
pub async fn set_password(
    work: &mut UnitOfWork,
    id: &UserId,
    password: PasswordDigest,
) -> Result<UserView, AccountRefusal> {
    write(work, id, password, RetainedSession::default(), 200).await
}

/// Changes the password by its user: `User.Data.Updated`. Ends all their sessions except the one in use.
pub async fn change_password(
    work: &mut UnitOfWork,
    id: &UserId,
    password: PasswordDigest,
    retained: RetainedSession<'_>,
) -> Result<UserView, AccountRefusal> {
    write(work, id, password, retained, 204).await
}

/// Expires the password of a user, who resets it before the next sign-in with it, or withdraws that. No event: the data
/// of the user stay.
pub async fn set_password_expired(
    work: &mut UnitOfWork,
    id: &UserId,
    is_expired: bool,
) -> Result<UserView, AccountRefusal> {
    let now = work.now();
    let user = password_age::set_expired(work, id, is_expired, now).await?;
    Ok(user_view(user.ok_or_else(|| AccountRefusal::UnknownUser(id.clone()))?))
}

async fn write(
    work: &mut UnitOfWork,
    id: &UserId,
    password: PasswordDigest,
    retained: RetainedSession<'_>,
    status: u16,
) -> Result<UserView, AccountRefusal> {
    let mut update = begin_update(work, id).await?;
    signed_in::end_others(update.work(), id, retained).await?;
    update.user.password_digest = Some(password.digest);
    update.user.password_algorithm = Some(password.algorithm);
    update.save(AuditOperation::UserSetPassword, json!({}), status).await
}

/// Verifies a password. An unknown user costs the same work as a wrong password. After success, an outdated or imported
/// hash is replaced. Returns the hash that is now stored.
pub async fn verify_password(
    db: &Db,
    passwords: &Passwords,
    ticket: &HashTicket,
    user: Option<&User>,
    password: &str,
) -> Result<String, AccountRefusal> {
    let Some((user, digest)) = user.and_then(|user| Some((user, user.password_digest.as_deref()?))) else {
        return verify(passwords, ticket, None, password).await.and(Err(AccountRefusal::WrongPassword));
    };
    let Some(renewed) = verify(passwords, ticket, Some(user), password).await? else { return Ok(digest.to_owned()) };
    let mut tx = db.begin().await?;
    let is_renewed = users::renew_digest(&mut tx, &user.id, digest, &renewed).await?;
    tx.commit().await?;
    if is_renewed {
        return Ok(renewed);
    }
    // The hash was replaced by a concurrent sign-in or a new password: verify against the stored one.
    let now = users::find(&mut db.read().await?, &user.id).await?;
    verify(passwords, ticket, now.as_ref(), password).await?;
    now.and_then(|user| user.password_digest).ok_or(AccountRefusal::WrongPassword)
}

/// Refuses a wrong password. Returns the hash to replace the stored one with, if it needs replacing.
async fn verify(
    passwords: &Passwords,
    ticket: &HashTicket,
    user: Option<&User>,
    password: &str,
) -> Result<Option<String>, AccountRefusal> {
    let stored = user.and_then(|user| {
        let algorithm = user.password_algorithm?;
        Some((user.password_digest.as_deref()?, algorithm))
    });
    match passwords.verify(ticket, password, stored).await.map_err(of_password)? {
        PasswordMatch::Yes => Ok(None),
        PasswordMatch::Renewed(renewed) => Ok(Some(renewed)),
        PasswordMatch::No => Err(AccountRefusal::WrongPassword),
        PasswordMatch::Never(excess) => {
            let user = user.map(|user| user.id.as_str());
            tracing::warn!(user, %excess, "the hash of a password is too expensive; it was not verified");
            Err(AccountRefusal::UnverifiablePassword(excess))
        }
    }
}
