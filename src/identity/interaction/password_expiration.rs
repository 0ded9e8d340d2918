//! Expired passwords: whoever knows one does not sign in with it, but resets it first, by a code or a link.

use super::administrators::administers;
use super::current::CurrentInteraction;
use super::refusal::InteractionRefusal;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_storage::Tx;
use claimsmith_storage::users::{User, password_age};

/// Refuses a password that has expired. Those of administrators never do: no code or link could reset them.
pub(super) async fn check(
    current: &CurrentInteraction,
    tx: &mut Tx,
    settings: &SignInExperience,
    user: &User,
) -> Result<(), InteractionRefusal> {
    let policy = &settings.password_expiration;
    if !policy.is_on() {
        return Ok(());
    }
    let age = password_age::find(tx, &user.id).await?.ok_or(InteractionRefusal::UnknownUser)?;
    let now = current.app.clock.now_ms();
    let is_over = age.is_password_expired || policy.is_over(age.password_updated_at, age.created_at, now);
    if is_over && !administers(&current.app, tx, &user.id).await? {
        return Err(InteractionRefusal::PasswordExpired);
    }
    Ok(())
}
