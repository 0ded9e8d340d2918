//! The users who have a credential that some settings of sign-in accept, and none that others accept: whom a change of
//! the settings leaves without a way in. Suspended users do not count.

use crate::sql::conditions::Conditions;
use crate::sql::slice::Slice;
use crate::{Result, Tx};
use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::IdentifierType;
use claimsmith_domain::sign_in_experience::accepted_credentials::AcceptedCredentials;

/// A user, by the first of their names.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct LockedOutUser {
    /// The user.
    pub id: UserId,
    /// Their name, username, email address or phone number.
    pub label: Option<String>,
}

/// Their number.
pub async fn count(tx: &mut Tx, before: &AcceptedCredentials, after: &AcceptedCredentials) -> Result<i64> {
    let conditions = conditions(tx, before, after);
    conditions.count(tx).await
}

/// The first `limit` of them, the oldest accounts first.
pub async fn list(
    tx: &mut Tx,
    (before, after): (&AcceptedCredentials, &AcceptedCredentials),
    limit: i64,
) -> Result<Vec<LockedOutUser>> {
    let conditions = conditions(tx, before, after);
    let columns = "id, COALESCE(name, username, primary_email, primary_phone) AS label";
    conditions.list(tx, columns, "created_at, id", Slice { limit, offset: 0 }).all().await
}

fn conditions(tx: &Tx, before: &AcceptedCredentials, after: &AcceptedCredentials) -> Conditions {
    let mut conditions = Conditions::on("users", tx);
    conditions.holds("is_suspended = FALSE");
    let had = has_any(&mut conditions, before);
    conditions.holds(had);
    let has = has_any(&mut conditions, after);
    conditions.holds(format!("NOT {has}"));
    conditions
}

/// The condition that a user has one of these credentials.
fn has_any(conditions: &mut Conditions, accepted: &AcceptedCredentials) -> String {
    let named = |identifiers: &[IdentifierType]| {
        let columns = identifiers.iter().map(|identifier| match identifier {
            IdentifierType::Username => "username IS NOT NULL",
            IdentifierType::Email => "primary_email IS NOT NULL",
            IdentifierType::Phone => "primary_phone IS NOT NULL",
        });
        columns.collect::<Vec<_>>().join(" OR ")
    };
    let mut ways = Vec::new();
    if !accepted.passwords.is_empty() {
        ways.push(format!("(password_digest IS NOT NULL AND ({}))", named(&accepted.passwords)));
    }
    if !accepted.codes.is_empty() {
        ways.push(named(&accepted.codes));
    }
    if !accepted.social_targets.is_empty() {
        let targets: Vec<_> =
            accepted.social_targets.iter().map(|target| conditions.bind_text(target.clone())).collect();
        ways.push(format!(
            "EXISTS (SELECT 1 FROM user_identities WHERE user_id = users.id AND target IN ({}))",
            targets.join(",")
        ));
    }
    if accepted.passkeys {
        ways.push("EXISTS (SELECT 1 FROM passkeys WHERE user_id = users.id)".to_owned());
    }
    if accepted.companies {
        ways.push("EXISTS (SELECT 1 FROM sso_identities WHERE user_id = users.id)".to_owned());
    }
    if ways.is_empty() { "(1 = 0)".to_owned() } else { format!("({})", ways.join(" OR ")) }
}
