//! A new password for one's own account. Ends all other sessions of the user.

use super::owner::Owner;
use super::proof;
use super::refusal::OwnAccountRefusal;
use super::settings::check_edited;
use crate::accounts::{self, NewPassword, RetainedSession, change_password};
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::audit_key::{AuditKey, AuditOperation};
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::password_policy::UserInfo;
use claimsmith_storage::sign_in::settings::EXPERIENCE;

/// Sets the password.
pub async fn set(owner: &Owner, password: &str) -> Result<(), OwnAccountRefusal> {
    let outcome = write(owner, password).await;
    owner.note(AuditKey::of_account(AuditOperation::UserSetPassword), outcome)
}

async fn write(owner: &Owner, password: &str) -> Result<(), OwnAccountRefusal> {
    let mut tx = owner.read().await?;
    let user = owner.user(&mut tx).await?;
    owner.check_administers(&mut tx).await?;
    check_edited(&mut tx, &[Field::Password]).await?;
    // Before hashing, which is expensive, and again in the transaction.
    proof::check_if_possible(owner, &mut tx, &user).await?;
    let policy = EXPERIENCE.find(&mut tx).await?.password_policy;
    drop(tx);
    let info = UserInfo {
        name: user.name.as_deref(),
        username: user.username.as_deref(),
        email: user.primary_email.as_deref(),
        phone: user.primary_phone.as_deref(),
    };
    let (app, ip) = (&owner.app, owner.origin.ip);
    let issues = app.passwords.issues(&policy, password, Some(&info));
    if !issues.is_empty() {
        return Err(InteractionRefusal::Password(issues).into());
    }
    // A current hash that is too expensive to verify counts as a different password.
    let ticket = accounts::admit_new_password(&app.passwords, ip, owner.now())?;
    if user.password_digest.is_some() {
        match accounts::verify_password(&app.db, &app.passwords, &ticket, Some(&user), password).await {
            Ok(_) => return Err(OwnAccountRefusal::SamePassword),
            Err(accounts::AccountRefusal::WrongPassword | accounts::AccountRefusal::UnverifiablePassword(_)) => {}
            Err(other) => return Err(other.into()),
        }
    }
    let digest = accounts::digest(&app.passwords, &ticket, NewPassword::Plain(password.to_owned())).await?;
    let (mut work, user) = owner.begin().await?;
    check_edited(&mut work, &[Field::Password]).await?;
    proof::check_if_possible(owner, &mut work, &user).await?;
    let retained = RetainedSession { session_id: owner.session_id(), grant_id: owner.grant_id() };
    change_password(&mut work, &owner.user_id, digest, retained).await?;
    Ok(work.commit().await?)
}
