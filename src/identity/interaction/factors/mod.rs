//! Second factors during an interaction: proving those that the user has, and setting up new ones. Backup codes stand in
//! for one-time passwords.

pub mod backup_codes;
pub mod bind;
pub mod codes;
pub(in crate::interaction) mod guesses;
pub(in crate::interaction) mod holder;
pub mod totp;

use super::current::Current;
use super::refusal::InteractionRefusal;

/// Refuses with what the user of the interaction still has to do about second factors.
pub async fn check(current: &Current) -> Result<(), InteractionRefusal> {
    let holder = holder::of_interaction(current).await?;
    holder.check_proved(&current.progress)?;
    holder.check_set_up(&current.progress)
}
