//! Second factors during an interaction: proving those that the user has, and setting up new ones. Backup codes stand in
//! for one-time passwords.

pub(crate) mod backup_codes;
pub(crate) mod bind;
pub(crate) mod codes;
pub(in crate::interaction) mod guesses;
pub(in crate::interaction) mod holder;
pub(crate) mod totp;

use super::current::Current;
use super::refusal::InteractionRefusal;

/// Refuses with what the user of the interaction still has to do about second factors.
pub(crate) async fn check(current: &Current) -> Result<(), InteractionRefusal> {
    let holder = holder::of_interaction(current).await?;
    holder.check_proved(&current.progress)?;
    holder.check_set_up(&current.progress)
}
