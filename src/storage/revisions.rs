//! The revision of the authorization data (applications, resources, scopes, roles, organizations and signing keys), and
//! what each revision changed. Caches invalidate what changed; a token exchange that depends on it starts over at its
//! commit (`docs/architecture.md#authorization-cache`).

use super::{Dialect, Result, Tx};
use claimsmith_domain::id::{ApplicationId, OrganizationId, OrganizationRoleId, RoleId};
use std::collections::HashSet;
use std::iter;

/// PostgreSQL's advisory lock on the authorization data: shared for commits of tokens, exclusive for changes. A lock on
/// the revision's row would be equivalent, but new shared row locks overtake a waiting exclusive one, so a change could
/// wait forever.
pub(crate) const ADVISORY_LOCK: i64 = 0x0063_6c61_696d_7301;
/// Number of recorded revisions. A cache that is further behind drops everything.
const MAX_REVISIONS: i64 = 1000;
/// Maximum number of changes in one statement.
const CHANGES_PER_STATEMENT: usize = 500;

/// The scope of a change of the authorization data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed<'c> {
    /// Everything: changed scopes of resources, and deleted resources with their dependents.
    All,
    /// Nothing that is cached or that a running decision depends on: new rows without holders, or rows that are always
    /// read fresh. Such a change is only serialized.
    Nothing,
    /// The signing keys.
    Keys,
    /// A resource: its name, its token lifetime, or which one is the default.
    Resource,
    /// One application: its settings, its secrets, its roles.
    Application(&'c ApplicationId),
    /// One organization, as tokens and plugins see it, or its members.
    Organization(&'c OrganizationId),
    /// One organization role, for the members who have it: its name and its scopes. Tokens for organizations depend on
    /// all organization roles.
    OrganizationRole(&'c OrganizationRoleId),
    /// One role, for the users who have it: its name and its scopes.
    Role(&'c RoleId),
}

impl<'c> Changed<'c> {
    fn columns(self) -> (&'static str, &'c str) {
        match self {
            Self::All => ("all", ""),
            Self::Nothing => ("nothing", ""),
            Self::Keys => ("keys", ""),
            Self::Resource => ("resource", ""),
            Self::Application(id) => ("application", id.as_str()),
            Self::Organization(id) => ("organization", id.as_str()),
            Self::OrganizationRole(id) => ("organization role", id.as_str()),
            Self::Role(id) => ("role", id.as_str()),
        }
    }
}

/// A recorded change.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct RevisionChange {
    /// The revision that the change created.
    pub revision: i64,
    kind: String,
    /// The same column four times; the kind tells which one applies.
    application_id: ApplicationId,
    organization_id: OrganizationId,
    organization_role_id: OrganizationRoleId,
    role_id: RoleId,
}

impl RevisionChange {
    /// A change as a transaction records it.
    #[must_use]
    pub fn made(revision: i64, changed: Changed<'_>) -> Self {
        let (kind, id) = changed.columns();
        let kind = kind.to_owned();
        Self {
            revision,
            kind,
            application_id: id.into(),
            organization_id: id.into(),
            organization_role_id: id.into(),
            role_id: id.into(),
        }
    }

    /// The scope of the change. An unknown kind from a newer version affects everything.
    #[must_use]
    pub fn changed(&self) -> Changed<'_> {
        match self.kind.as_str() {
            "keys" => Changed::Keys,
            "nothing" => Changed::Nothing,
            "resource" => Changed::Resource,
            "application" => Changed::Application(&self.application_id),
            "organization" => Changed::Organization(&self.organization_id),
            "organization role" => Changed::OrganizationRole(&self.organization_role_id),
            "role" => Changed::Role(&self.role_id),
            _ => Changed::All,
        }
    }
}

/// The changes of a transaction so far. A transaction creates one revision, however much it changes.
#[derive(Default)]
pub(crate) struct RecordedChanges {
    revision: Option<i64>,
    kinds: HashSet<(&'static str, String)>,
}

#[derive(crate::Row)]
struct Revision {
    value: i64,
}

/// The current revision.
pub async fn current(tx: &mut Tx) -> Result<i64> {
    let row: Revision = tx.sql("SELECT value FROM revisions WHERE name = 'authorization'").one().await?;
    Ok(row.value)
}

/// The changes after `revision`, in order. `None` if some are no longer recorded.
pub async fn changes_since(tx: &mut Tx, revision: i64, current: i64) -> Result<Option<Vec<RevisionChange>>> {
    let changes: Vec<RevisionChange> = tx
        .sql(
            "SELECT revision, kind, id AS application_id, id AS organization_id, id AS organization_role_id, \
             id AS role_id FROM authorization_changes WHERE revision > $1 AND revision <= $2 ORDER BY revision",
        )
        .bind(revision)
        .bind(current)
        .all()
        .await?;
    let mut known = revision;
    for change in &changes {
        if change.revision > known + 1 {
            return Ok(None);
        }
        known = change.revision;
    }
    Ok((known == current).then_some(changes))
}

/// Must be called in every transaction that changes what may be granted, before or after the change. A transaction with
/// several changes calls it first, so that concurrent ones queue here and do not deadlock on each other's rows.
pub async fn bump(tx: &mut Tx, changed: Changed<'_>) -> Result<()> {
    bump_all(tx, &[changed]).await
}

/// The same for changes of many applications.
pub async fn bump_applications(tx: &mut Tx, ids: &[ApplicationId]) -> Result<()> {
    let changes: Vec<Changed> = ids.iter().map(Changed::Application).collect();
    bump_all(tx, &changes).await
}

/// The same for changed scopes of these organization roles.
pub(crate) async fn bump_organization_roles(tx: &mut Tx, ids: &[OrganizationRoleId]) -> Result<()> {
    let changes: Vec<Changed> = ids.iter().map(Changed::OrganizationRole).collect();
    bump_all(tx, &changes).await
}

/// The same for a change of a role that these applications have.
pub(crate) async fn bump_role(tx: &mut Tx, id: &RoleId, held_by: &[ApplicationId]) -> Result<()> {
    let changes: Vec<Changed> = iter::once(Changed::Role(id)).chain(held_by.iter().map(Changed::Application)).collect();
    bump_all(tx, &changes).await
}

async fn bump_all(tx: &mut Tx, changes: &[Changed<'_>]) -> Result<()> {
    let revision = match tx.recorded_changes().revision {
        Some(revision) => revision,
        None => begin(tx).await?,
    };
    let kinds = &mut tx.recorded_changes().kinds;
    let mut new: Vec<(&str, &str)> = Vec::with_capacity(changes.len());
    for change in changes {
        let (kind, id) = change.columns();
        if kinds.insert((kind, id.to_owned())) {
            new.push((kind, id));
        }
    }
    for part in new.chunks(CHANGES_PER_STATEMENT) {
        let row = |number: usize| format!("($1, ${}, ${})", 2 * number + 2, 2 * number + 3);
        let rows = (0..part.len()).map(row).collect::<Vec<_>>().join(", ");
        let sql = format!("INSERT INTO authorization_changes (revision, kind, id) VALUES {rows}");
        let mut statement = tx.assembled(sql).bind(revision);
        for (kind, id) in part {
            statement = statement.bind(*kind).bind(*id);
        }
        statement.execute().await?;
    }
    Ok(())
}

async fn begin(tx: &mut Tx) -> Result<i64> {
    if tx.dialect() == Dialect::Postgres {
        tx.sql("SELECT pg_advisory_xact_lock($1)").bind(ADVISORY_LOCK).execute().await?;
    }
    let row: Revision =
        tx.sql("UPDATE revisions SET value = value + 1 WHERE name = 'authorization' RETURNING value").one().await?;
    // Occasional deletion is enough, since older revisions are never read.
    if row.value % 64 == 0 {
        tx.sql("DELETE FROM authorization_changes WHERE revision <= $1")
            .bind(row.value - MAX_REVISIONS)
            .execute()
            .await?;
    }
    tx.recorded_changes().revision = Some(row.value);
    Ok(row.value)
}
