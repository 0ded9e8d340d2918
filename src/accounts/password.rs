//! Sets and verifies the password of a user. Hashing takes long, so it is done before a transaction begins.

use super::refusal::{AccountRefusal, of_password};
use super::signed_in::{self, Kept};
use super::{UserView, begin_update};
use crate::documents::user::PasswordAlgorithm;
use crate::domain::id::UserId;
use crate::passwords::{self, PasswordError, PasswordMatch, Passwords};
use crate::storage::Db;
use crate::storage::users::{self, User};
use crate::unit_of_work::UnitOfWork;
use serde_json::json;
use std::fmt;
use std::net::IpAddr;

/// A password in a request.
pub(crate) enum NewPassword {
    /// As it is typed.
    Plain(String),
    /// A digest from another system.
    Digest(PasswordDigest),
}

/// The digest of a password.
#[derive(Clone)]
pub(crate) struct PasswordDigest {
    /// In the encoding of the algorithm.
    pub digest: String,
    /// How it was made.
    pub algorithm: PasswordAlgorithm,
}

impl fmt::Debug for PasswordDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PasswordDigest").field("algorithm", &self.algorithm).finish_non_exhaustive()
    }
}

/// The digest of a new password: Argon2id, or the imported one if it is not too expensive to verify. `client` is the
/// client address.
pub(crate) async fn digest(
    passwords: &Passwords,
    password: NewPassword,
    client: Option<IpAddr>,
) -> Result<PasswordDigest, AccountRefusal> {
    match password {
        NewPassword::Plain(password) => {
            let digest = passwords.digest(password, client).await.map_err(of_password)?;
            Ok(PasswordDigest { digest, algorithm: PasswordAlgorithm::Argon2id })
        }
        NewPassword::Digest(given) => {
            passwords::check(&given.digest, given.algorithm).map_err(AccountRefusal::DigestTooCostly)?;
            Ok(given)
        }
    }
}

/// Gives a user a new password: `User.Data.Updated`. They are signed out everywhere.
pub(crate) async fn set_password(
    work: &mut UnitOfWork,
    id: &UserId,
    password: PasswordDigest,
) -> Result<UserView, AccountRefusal> {
    write(work, id, password, Kept::default(), 200).await
}

/// Gives somebody the new password that they chose for themselves: `User.Data.Updated`. They stay signed in where they
/// did so, and nowhere else.
pub(crate) async fn change_password(
    work: &mut UnitOfWork,
    id: &UserId,
    password: PasswordDigest,
    kept: Kept<'_>,
) -> Result<UserView, AccountRefusal> {
    write(work, id, password, kept, 204).await
}

async fn write(
    work: &mut UnitOfWork,
    id: &UserId,
    password: PasswordDigest,
    kept: Kept<'_>,
    status: u16,
) -> Result<UserView, AccountRefusal> {
    let mut update = begin_update(work, id).await?;
    signed_in::end_others(update.work(), id, kept).await?;
    update.user.password_digest = Some(password.digest);
    update.user.password_algorithm = Some(password.algorithm.as_str().to_owned());
    update.save("User.SetPassword", json!({}), status).await
}

/// Refuses a wrong password. If the password is right, a digest of an older algorithm is replaced. Answers the digest
/// that it is of from now on.
pub(crate) async fn verify_password(
    db: &Db,
    passwords: &Passwords,
    user: &User,
    password: &str,
    client: Option<IpAddr>,
) -> Result<String, AccountRefusal> {
    let algorithm = user.password_algorithm.as_deref().and_then(PasswordAlgorithm::parse);
    let (Some(digest), Some(algorithm)) = (&user.password_digest, algorithm) else {
        return Err(AccountRefusal::WrongPassword);
    };
    match passwords.verify(password, digest, algorithm, client).await.map_err(of_password)? {
        PasswordMatch::Yes => Ok(digest.clone()),
        PasswordMatch::No => Err(AccountRefusal::WrongPassword),
        PasswordMatch::Never(excess) => {
            tracing::warn!(user = user.id.as_str(), %excess, "the hash of a password is too expensive; it was not verified");
            Err(AccountRefusal::UnverifiablePassword(excess))
        }
        PasswordMatch::Outdated => {
            let renewed = match passwords.digest(password.to_owned(), client).await {
                // It is verified; another time will do.
                Err(PasswordError::Busy) => return Ok(digest.clone()),
                renewed => renewed?,
            };
            let mut tx = db.begin().await?;
            users::renew_digest(&mut tx, &user.id, digest, &renewed).await?;
            tx.commit().await?;
            Ok(renewed)
        }
    }
}
