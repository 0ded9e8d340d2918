//! The users who have a credential that is accepted before a change of the sign-in settings or of a connector, and none
//! that is accepted after it. Suspended users do not count. Administrators also count if they lose the console, where
//! passwords, passkeys and the enterprise accounts that they linked themselves are accepted, whatever the settings say.

use crate::sql::conditions::Conditions;
use crate::sql::slice::Slice;
use crate::{Result, Tx};
use claimsmith_domain::console::built_in;
use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::IdentifierType;
use claimsmith_domain::sign_in_experience::accepted_credentials::{AcceptedCredentials, ClosedCompany};

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
    let loses = lost(&has_any(&mut conditions, before), &has_any(&mut conditions, after));
    if before.closed_companies == after.closed_companies {
        conditions.holds(loses);
        return conditions;
    }
    // The accounts of connectors alone can make a difference at the console.
    let administers = administers(&mut conditions);
    let loses_console = lost(
        &opens_console(&mut conditions, &before.closed_companies),
        &opens_console(&mut conditions, &after.closed_companies),
    );
    conditions.holds(format!("({loses} OR ({administers} AND {loses_console}))"));
    conditions
}

/// The condition that a user has a role with a scope of the console.
fn administers(conditions: &mut Conditions) -> String {
    let console = conditions.bind_text(built_in::RESOURCE_ID.to_owned());
    format!(
        "EXISTS (SELECT 1 FROM user_roles ur JOIN role_scopes rs ON rs.role_id = ur.role_id \
         JOIN scopes s ON s.id = rs.scope_id WHERE ur.user_id = users.id AND s.resource_id = {console})"
    )
}

/// The condition of `had` without `has`.
fn lost(had: &str, has: &str) -> String {
    format!("({had} AND NOT {has})")
}

/// The condition that an administrator gets into the console.
fn opens_console(conditions: &mut Conditions, closed: &[ClosedCompany]) -> String {
    let account = account(conditions, closed.iter());
    format!(
        "(password_digest IS NOT NULL OR EXISTS (SELECT 1 FROM passkeys WHERE user_id = users.id) OR {account} \
         AND linked_by_owner = TRUE AND sso_connector_id IN \
         (SELECT id FROM sso_connectors WHERE signs_in_administrators = TRUE)))"
    )
}

/// The beginning of the condition that a user has an account at an enterprise connector that none of these closes,
/// without its last parenthesis.
fn account<'c>(conditions: &mut Conditions, closed: impl Iterator<Item = &'c ClosedCompany>) -> String {
    let mut parts = vec!["EXISTS (SELECT 1 FROM sso_identities WHERE user_id = users.id".to_owned()];
    for company in closed {
        let connector = conditions.bind_text(company.connector_id.as_str().to_owned());
        let mut is_closed = format!("sso_connector_id = {connector}");
        if let Some(domains) = &company.domains {
            let of_domain = |domain: &String| {
                let end = conditions.bind_text(format!("%@{domain}"));
                format!("LOWER(COALESCE(users.primary_email, '')) LIKE {end}")
            };
            let any: Vec<String> = std::iter::once("1 = 0".to_owned()).chain(domains.iter().map(of_domain)).collect();
            is_closed = format!("{is_closed} AND ({})", any.join(" OR "));
        }
        parts.push(format!("NOT ({is_closed})"));
    }
    parts.join(" AND ")
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
        let closed = accepted.closed_companies.iter().filter(|company| !company.is_for_administrators);
        ways.push(format!("{})", account(conditions, closed)));
    }
    if ways.is_empty() { "(1 = 0)".to_owned() } else { format!("({})", ways.join(" OR ")) }
}
