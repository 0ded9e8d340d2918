//! What people chose about second factors and passkeys.

use crate::documents::user_settings::UserSettings;
use crate::domain::id::UserId;
use crate::storage::{self, users};
use crate::unit_of_work::UnitOfWork;

/// Changes the settings of a user, who may have none yet; answers all of them.
pub(crate) async fn change_settings(
    work: &mut UnitOfWork,
    id: &UserId,
    change: impl FnOnce(&mut UserSettings),
) -> Result<UserSettings, storage::Error> {
    let now = work.now();
    let mut settings = users::settings::find(work, id).await?.unwrap_or_default();
    change(&mut settings);
    users::settings::put(work, id, &settings, now).await?;
    Ok(settings)
}
