//! Refuses a change of one's own account that would remove the last sign-in method.

use super::AccountRefusal;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::sign_in_means::SignInMeans;
use claimsmith_storage::users::{User, passkeys, sso_identities};
use claimsmith_storage::{self as storage, Document as _, Tx};

/// The sign-in methods that a user has.
pub async fn sign_in_means(tx: &mut Tx, user: &User, settings: &SignInExperience) -> storage::Result<SignInMeans> {
    let linked = user.identities.as_object().filter(|_| !user.identities.is_unreadable());
    Ok(SignInMeans {
        username: user.username.is_some(),
        email: user.primary_email.is_some(),
        phone: user.primary_phone.is_some(),
        password: user.password_digest.is_some(),
        // Only connectors that the settings name allow sign-in.
        identity: linked.is_some_and(|linked| linked.keys().any(|target| settings.signs_in_at(target))),
        passkey: !passkeys::of_user(tx, &user.id).await?.is_empty(),
        company: !sso_identities::of_user(tx, &user.id).await?.is_empty(),
    })
}

/// Refuses a change after which a user can no longer sign in (if they could before), or has no identifier left.
pub fn refuse_last_sign_in_method(
    before: SignInMeans,
    after: SignInMeans,
    settings: &SignInExperience,
) -> Result<(), AccountRefusal> {
    let is_lost = !after.opens(settings) && (before.opens(settings) || !after.is_named());
    if before != after && is_lost { Err(AccountRefusal::LastSignInMethod) } else { Ok(()) }
}
