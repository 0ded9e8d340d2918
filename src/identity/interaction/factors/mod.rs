//! Second factors during an interaction: verifying existing ones, and setting up new ones. Backup codes are a fallback
//! for one-time passwords.

pub mod backup_codes;
pub mod bind;
pub mod codes;
pub(crate) mod guesses;
pub(crate) mod holder;
pub mod totp;

use super::current::CurrentInteraction;
use super::refusal::InteractionRefusal;

/// Refuses an interaction whose user still has to prove or set up a second factor, with the next step.
pub async fn check(current: &CurrentInteraction) -> Result<(), InteractionRefusal> {
    let holder = holder::of_interaction(current).await?;
    holder.check_proved(&current.progress)?;
    holder.check_set_up(&current.progress)
}
