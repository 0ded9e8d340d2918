//! What people do to their own account while they sign in or register: the events say in which interaction.

use super::change::begin_update;
use super::create::{NewUser, insert};
use super::factors::add_staged_factor;
use super::password::PasswordDigest;
use super::{Refusal, UserFields};
use crate::domain::event::EventType;
use crate::domain::id::UserId;
use crate::domain::mfa::FactorType;
use crate::domain::staged_factors::StagedFactor;
use crate::encryption::Cipher;
use crate::storage::users::User;
use crate::unit_of_work::UnitOfWork;
use crate::webhooks::{Event, Interaction};

/// Creates a user who registers: `User.Created`. `during` says in which interaction.
pub(crate) async fn register(
    work: &mut UnitOfWork,
    new: NewUser,
    during: impl FnOnce(&UserId) -> Interaction,
) -> Result<User, Refusal> {
    let user = insert(work, new).await?;
    let event = Event::during(EventType::UserCreated, during(&user.id));
    work.emit(&event.data(&UserFields::from(user.clone()))?).await?;
    Ok(user)
}

/// What a user gets of what was given in an interaction.
#[derive(Default)]
pub(crate) struct Completion {
    /// A user name.
    pub username: Option<String>,
    /// A password.
    pub password: Option<PasswordDigest>,
    /// Second factors, backup codes last.
    pub factors: Vec<(FactorType, StagedFactor)>,
}

/// Gives a user what they lacked, and second factors: `User.Data.Updated`.
pub(crate) async fn complete(
    work: &mut UnitOfWork,
    cipher: &Cipher,
    id: &UserId,
    given: Completion,
    during: Interaction,
) -> Result<User, Refusal> {
    for (kind, staged) in given.factors {
        add_staged_factor(work, cipher, id, kind, staged).await?;
    }
    let mut update = begin_update(work, id).await?;
    if given.username.is_some() {
        update.user.username = given.username;
    }
    if let Some(PasswordDigest { digest, algorithm }) = given.password {
        update.user.password_digest = Some(digest);
        update.user.password_algorithm = Some(algorithm.as_str().to_owned());
    }
    update.save_during("User.Update", during).await
}
