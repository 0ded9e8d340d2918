//! Changes that leave users without a way to sign in: whom they affect, and the operator's consent to them. One for the
//! sign-in settings and for connectors.

use crate::form::Form;
use crate::refusal::ApiRefusal;
use serde_json::Value;

/// The field by which the operator accepts it.
const ACCEPTED: &str = "locks-users-out";

/// The users whom a change locks out.
pub(crate) struct LockedOut {
    pub(crate) count: u64,
    /// Ids and names of the first ones.
    pub(crate) users: Vec<(String, String)>,
}

impl LockedOut {
    /// The operation of a change, which is refused if it locks users out, unless the form accepts that.
    pub(crate) fn refusing(operation: &str, form: &Form) -> String {
        if form.is_ticked(ACCEPTED) { operation.to_owned() } else { format!("{operation}?refuseLockout=true") }
    }

    /// Reads them from a refusal of the API.
    pub(crate) fn of(refusal: &ApiRefusal) -> Option<Self> {
        if !refusal.is_lockout() {
            return None;
        }
        let text = |user: &Value, name: &str| user[name].as_str().unwrap_or_default().to_owned();
        let users = refusal.data["users"].as_array().into_iter().flatten();
        let users: Vec<_> = users.map(|user| (text(user, "id"), text(user, "name"))).collect();
        Some(Self { count: refusal.data["count"].as_u64().unwrap_or(1), users })
    }

    /// The text for the alert of a form, and the affected users, of a refusal.
    pub(crate) fn split(refusal: &ApiRefusal) -> (String, Option<Self>) {
        match Self::of(refusal) {
            Some(locked_out) => (String::new(), Some(locked_out)),
            None => (refusal.text(), None),
        }
    }

    /// The number of those who are not named.
    pub(crate) fn others(&self) -> u64 {
        self.count.saturating_sub(self.users.len() as u64)
    }
}
