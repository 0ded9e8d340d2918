//! Users' own settings of second factors and passkeys.

use claimsmith_domain::documents::user_settings::UserSettings;
use claimsmith_domain::id::UserId;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::{self as storage, users};

/// Changes the settings of a user, creating them if there are none; returns all of them.
pub async fn change_settings(
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
