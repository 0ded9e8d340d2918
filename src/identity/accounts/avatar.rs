//! Uploaded pictures of users: an unused one is kept for an hour, a used one as long as a user has it.

use super::AccountRefusal;
use claimsmith_domain::avatar::{ID_CHARS, id_of};
use claimsmith_domain::id::{AvatarId, InteractionId, UserId};
use claimsmith_domain::random;
use claimsmith_services::pictures::Picture;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::users::avatars::{self, Avatar};
use claimsmith_storage::{self as storage, Tx};

/// Lifetime of a picture that is not chosen: an hour, like that of an interaction, in milliseconds.
const PENDING_MS: i64 = 3_600_000;

/// The uploader of a picture.
#[derive(Clone, Copy, Debug)]
pub enum Uploader<'u> {
    /// A user.
    User(&'u UserId),
    /// A user who is registering, in this interaction.
    Registration(&'u InteractionId),
}

/// Stores an uploaded picture, replacing the uploader's previous one if that was not chosen. Returns its id.
pub async fn keep_avatar(
    work: &mut UnitOfWork,
    uploader: Uploader<'_>,
    picture: Picture,
) -> Result<AvatarId, AccountRefusal> {
    let (mut user_id, mut interaction_id) = (None, None);
    match uploader {
        Uploader::User(id) => {
            avatars::delete_pending_of_user(work, id).await?;
            user_id = Some(id.clone());
        }
        Uploader::Registration(id) => {
            avatars::delete_of_interaction(work, id).await?;
            interaction_id = Some(id.clone());
        }
    }
    let now = work.now();
    let avatar = Avatar {
        id: random::secret(ID_CHARS)?.into(),
        user_id,
        interaction_id,
        media_type: picture.media_type.to_owned(),
        content: picture.bytes,
        created_at: now,
        expires_at: Some(now + PENDING_MS),
    };
    avatars::insert(work, &avatar).await?;
    Ok(avatar.id)
}

/// Sets a user's picture to this URL: an uploaded picture becomes theirs unless another user has it, and their other
/// uploaded pictures are deleted.
pub(super) async fn choose(tx: &mut Tx, user_id: &UserId, address: Option<&str>) -> storage::Result<()> {
    let id = address.and_then(id_of);
    if let Some(id) = &id {
        avatars::give(tx, id, user_id).await?;
    }
    avatars::delete_others(tx, user_id, id.as_ref()).await?;
    Ok(())
}
