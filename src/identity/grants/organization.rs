//! What an organization requires of its members before a token for it is issued, for every grant: a second factor, if
//! its `isMfaRequired` is set.

use super::GrantRefusal;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::id::OrganizationId;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{Tx, organizations};

/// Refuses a user who has no second factor if the organization requires one. Sign-in checks that the user proves it.
pub(super) async fn check_second_factor(tx: &mut Tx, user: &User, id: &OrganizationId) -> Result<(), GrantRefusal> {
    let requires = organizations::find(tx, id).await?.is_some_and(|organization| organization.is_mfa_required);
    if !requires || has_second_factor(tx, user).await? {
        return Ok(());
    }
    Err(GrantRefusal::not_a_member("the organization requires a second factor, which the user has not set up"))
}

/// Whether a user has a second factor, or receives codes if the settings accept these as one. Backup codes only replace
/// another factor.
async fn has_second_factor(tx: &mut Tx, user: &User) -> Result<bool, GrantRefusal> {
    let factors = users::mfa::list(tx, &user.id).await?;
    if factors.iter().any(|factor| factor.kind.stands_alone())
        || !users::passkeys::of_user(tx, &user.id).await?.is_empty()
    {
        return Ok(true);
    }
    let receives = |channel| match channel {
        Channel::Email => user.primary_email.is_some(),
        Channel::Phone => user.primary_phone.is_some(),
    };
    let settings = EXPERIENCE.find(tx).await?;
    Ok(settings.mfa.factors.iter().filter_map(|factor| factor.channel()).any(receives))
}
