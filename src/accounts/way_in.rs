//! Nobody loses the last way to sign in by what they change themselves.

use super::Refusal;
use crate::domain::sign_in_experience::methods::SignIn;
use crate::domain::way_in::Held;
use crate::storage::Document as _;
use crate::storage::users::User;

/// Refuses a change after which a user could not sign in, who could before.
pub(crate) fn refuse_last_way_in(before: &User, after: &User, sign_in: &SignIn) -> Result<(), Refusal> {
    let (before, after) = (held(before), held(after));
    let has_name = after.username || after.email || after.phone || after.identity;
    if !has_name || before.opens(sign_in) && !after.opens(sign_in) { Err(Refusal::LastWayIn) } else { Ok(()) }
}

fn held(user: &User) -> Held {
    Held {
        username: user.username.is_some(),
        email: user.primary_email.is_some(),
        phone: user.primary_phone.is_some(),
        password: user.password_digest.is_some(),
        identity: !user.identities.is_unreadable()
            && user.identities.as_object().is_some_and(|linked| !linked.is_empty()),
    }
}
