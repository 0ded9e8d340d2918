//! What people do to their own account while they sign in or register: the events say in which interaction.

use super::change::begin_update;
use super::create::{NewUser, insert};
use super::password::PasswordDigest;
use super::{Refusal, UserFields};
use crate::domain::event::EventType;
use crate::domain::id::UserId;
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

/// Gives a user what they lacked: `User.Data.Updated`.
pub(crate) async fn complete_profile(
    work: &mut UnitOfWork,
    id: &UserId,
    username: Option<String>,
    password: Option<PasswordDigest>,
    during: Interaction,
) -> Result<User, Refusal> {
    let mut update = begin_update(work, id).await?;
    if username.is_some() {
        update.user.username = username;
    }
    if let Some(PasswordDigest { digest, algorithm }) = password {
        update.user.password_digest = Some(digest);
        update.user.password_algorithm = Some(algorithm.as_str().to_owned());
    }
    update.save_during("User.Update", during).await
}
