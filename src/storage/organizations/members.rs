//! Members of organizations, and their roles there.

use crate::organizations::held_roles::{self, HeldRole};
use crate::organizations::scopes::OrganizationScope;
use crate::sql::conditions::Conditions;
use crate::sql::links::{LinkChanges, Links};
use crate::sql::slice::{Count, Slice};
use crate::sql::trigrams::Trigrams;
use crate::users::{self, User};
use crate::{Dialect, Result, Tx};
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::id::{OrganizationId, OrganizationRoleId, UserId};

/// The members of an organization.
pub const MEMBERS: Links<OrganizationId, UserId> =
    Links::new("organization_users", &["organization_id"], "user_id").counted_in("member_counts");

/// The roles of a member.
pub const ROLES: Links<(OrganizationId, UserId), OrganizationRoleId> =
    Links::new("organization_user_roles", &["organization_id", "user_id"], "organization_role_id");

/// The members who have a role.
const HOLDERS: Links<(OrganizationId, OrganizationRoleId), UserId> =
    Links::new("organization_user_roles", &["organization_id", "organization_role_id"], "user_id");

/// The filter of a list of members.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'w> {
    /// Part of the id, username, email address, phone number or name.
    pub part: Option<&'w str>,
    /// With this role in the organization.
    pub role_id: Option<&'w OrganizationRoleId>,
}

/// A user who is a member of an organization.
#[derive(Clone, Debug, crate::Row)]
pub struct FeaturedUser {
    /// The organization.
    pub organization_id: OrganizationId,
    /// The number of its members.
    pub total: i64,
    /// The user.
    pub id: UserId,
    /// URL of a picture.
    pub avatar: Option<String>,
    /// Display name.
    pub name: Option<String>,
}

/// The texts that a member is found by, as one.
const WHOLE: &str = "EXISTS (SELECT 1 FROM users u WHERE u.id = user_id AND \
     (u.id || ' ' || COALESCE(u.username_key, '') || ' ' || COALESCE(u.email_key, '') || ' ' || \
     COALESCE(u.primary_phone, '') || ' ' || COALESCE(u.name_key, '')) LIKE ? ESCAPE '\\')";
/// The same one by one, as in PostgreSQL's index of trigrams: a word is never in two of them.
const WORD: &str = "EXISTS (SELECT 1 FROM users u WHERE u.id = user_id AND (u.id LIKE ? OR u.username_key LIKE ? \
     OR u.email_key LIKE ? OR u.primary_phone LIKE ? OR u.name_key LIKE ?))";
/// If the index of trigrams finds more users than this, the members are read in their order.
const MAX_CANDIDATES: i64 = 10_000;

impl Filter<'_> {
    async fn conditions(self, tx: &mut Tx, organization_id: &OrganizationId) -> Result<Conditions> {
        let candidates = self.candidates(tx).await?;
        let mut conditions = Conditions::on(self.table(), tx);
        conditions.text("organization_id = ?", Some(organization_id));
        conditions.text("organization_role_id = ?", self.role_id.map(OrganizationRoleId::as_str));
        conditions.text(
            "user_id IN (SELECT id FROM users WHERE place IN \
             (SELECT rowid FROM _user_trigrams WHERE _user_trigrams MATCH ?))",
            candidates.as_deref(),
        );
        let is_word = self.part.is_some_and(|part| !part.contains(' ')) && tx.dialect() == Dialect::Postgres;
        conditions.part(if is_word { WORD } else { WHOLE }, self.part);
        Ok(conditions)
    }

    /// The query of SQLite's index of trigrams, if it finds few users.
    async fn candidates(self, tx: &mut Tx) -> Result<Option<String>> {
        if tx.dialect() == Dialect::Postgres {
            return Ok(None);
        }
        let Some(Trigrams { query, .. }) = self.part.and_then(Trigrams::of_words) else { return Ok(None) };
        let sql = "SELECT COUNT(*) AS count FROM \
             (SELECT 1 AS one FROM _user_trigrams WHERE _user_trigrams MATCH $1 LIMIT $2) AS counted";
        let found = tx.sql(sql).searching().bind(&query).bind(MAX_CANDIDATES + 1).one::<Count>().await?.count;
        Ok((found <= MAX_CANDIDATES).then_some(query))
    }

    /// Every holder of a role is a member.
    fn table(self) -> &'static str {
        if self.role_id.is_some() { HOLDERS.table } else { MEMBERS.table }
    }
}

/// Adds users as members. Returns those who were not members before.
pub async fn add(tx: &mut Tx, organization_id: &OrganizationId, user_ids: &[UserId]) -> Result<Vec<UserId>> {
    let added = MEMBERS.add(tx, organization_id, user_ids).await?;
    users::touch_all(tx, &added).await?;
    Ok(added)
}

/// Replaces the members. The caller must also bump the revision of the organization: any number of users may leave.
pub async fn replace(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    user_ids: &[UserId],
) -> Result<LinkChanges<UserId>> {
    let changes = MEMBERS.replace(tx, organization_id, user_ids).await?;
    users::touch_all(tx, &changes.added).await?;
    Ok(changes)
}

/// Removes a member from an organization. `false` if the user is not a member.
pub async fn remove(tx: &mut Tx, organization_id: &OrganizationId, user_id: &UserId) -> Result<bool> {
    let removed = MEMBERS.remove(tx, organization_id, user_id).await?;
    users::touch(tx, user_id).await?;
    Ok(removed)
}

/// Assigns roles to a member. Returns the new ones.
pub async fn add_roles(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    user_id: &UserId,
    role_ids: &[OrganizationRoleId],
) -> Result<Vec<OrganizationRoleId>> {
    users::touch(tx, user_id).await?;
    ROLES.add(tx, (organization_id, user_id), role_ids).await
}

/// Assigns each of these roles to each of these members. Returns the new pairs of member and role.
pub async fn add_roles_to_all(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    user_ids: &[UserId],
    role_ids: &[OrganizationRoleId],
) -> Result<Vec<(UserId, OrganizationRoleId)>> {
    users::touch_all(tx, user_ids).await?;
    held_roles::add_to_all(tx, (ROLES, HOLDERS), organization_id, (user_ids, role_ids)).await
}

/// Replaces the roles of a member.
pub async fn replace_roles(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    user_id: &UserId,
    role_ids: &[OrganizationRoleId],
) -> Result<LinkChanges<OrganizationRoleId>> {
    users::touch(tx, user_id).await?;
    ROLES.replace(tx, (organization_id, user_id), role_ids).await
}

/// Removes a role from a member. `false` if the member does not have it.
pub async fn remove_role(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    user_id: &UserId,
    role_id: &OrganizationRoleId,
) -> Result<bool> {
    users::touch(tx, user_id).await?;
    ROLES.remove(tx, (organization_id, user_id), role_id).await
}

/// Members, by id: the indexes have no other order.
pub async fn list(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    wanted: Filter<'_>,
    slice: Slice,
) -> Result<Vec<User>> {
    let conditions = wanted.conditions(tx, organization_id).await?;
    let sql = format!(
        "SELECT {} FROM users WHERE id IN \
         (SELECT user_id FROM {}{} ORDER BY user_id LIMIT {} OFFSET {}) ORDER BY id",
        users::COLUMNS,
        wanted.table(),
        conditions.sql(),
        conditions.next(0),
        conditions.next(1),
    );
    conditions.bind_to(tx.assembled(sql)).bind(slice.limit).bind(slice.offset).all().await
}

/// The number of matching members.
pub async fn count(tx: &mut Tx, organization_id: &OrganizationId, wanted: Filter<'_>) -> Result<i64> {
    match wanted {
        Filter { part: None, role_id: None } => MEMBERS.count(tx, organization_id).await,
        Filter { part: None, role_id: Some(role_id) } => HOLDERS.count(tx, (organization_id, role_id)).await,
        Filter { part: Some(_), .. } => wanted.conditions(tx, organization_id).await?.count(tx).await,
    }
}

/// Sums up the member counts of at most `limit` organizations, on PostgreSQL, where each change is a row.
pub async fn add_up_counts(tx: &mut Tx, limit: i64) -> Result<()> {
    if tx.dialect() == Dialect::Sqlite {
        return Ok(());
    }
    // Two concurrent nodes split the rows between them.
    let sql = "WITH changed AS (SELECT DISTINCT organization_id FROM member_counts WHERE NOT is_sum LIMIT $1), \
         taken AS (SELECT seq FROM member_counts WHERE organization_id IN (SELECT organization_id FROM changed) \
             FOR UPDATE SKIP LOCKED), \
         gone AS (DELETE FROM member_counts WHERE seq IN (SELECT seq FROM taken) RETURNING organization_id, value) \
         INSERT INTO member_counts (organization_id, value, is_sum) \
             SELECT organization_id, SUM(value), TRUE FROM gone GROUP BY organization_id HAVING SUM(value) <> 0";
    tx.sql(sql).bind(limit).execute().await?;
    Ok(())
}

/// Up to three members of each of the given organizations. Organizations without members have no row.
pub async fn featured(tx: &mut Tx, organization_ids: &[&OrganizationId]) -> Result<Vec<FeaturedUser>> {
    MEMBERS.featured(tx, organization_ids, "users", "t.id, t.avatar, t.name").await
}

/// The roles that these members have in an organization, by name.
pub async fn roles_of(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    user_ids: &[&UserId],
) -> Result<Vec<HeldRole<UserId>>> {
    held_roles::roles_of(tx, ROLES, organization_id, user_ids).await
}

/// The organization scopes that a member has through roles, by name.
pub async fn scopes_of(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    user_id: &UserId,
) -> Result<Vec<OrganizationScope>> {
    tx.sql(
        "SELECT s.id, s.name, s.description FROM organization_scopes s WHERE s.id IN ( \
             SELECT rs.organization_scope_id FROM organization_role_scopes rs \
             JOIN organization_user_roles ou ON ou.organization_role_id = rs.organization_role_id \
             WHERE ou.organization_id = $1 AND ou.user_id = $2) ORDER BY s.name, s.id",
    )
    .bind(organization_id)
    .bind(user_id)
    .all()
    .await
}

/// The roles of a user in all organizations, by name.
pub async fn roles_by_organization(tx: &mut Tx, user_id: &UserId) -> Result<Vec<HeldRole<OrganizationId>>> {
    held_roles::roles_by_organization(tx, ROLES, user_id).await
}

/// Whether a member has this primary email address, ignoring case.
pub async fn has_email(tx: &mut Tx, organization_id: &OrganizationId, email: &str) -> Result<bool> {
    let row: Count = tx
        .sql(
            "SELECT COUNT(*) AS count FROM organization_users ou JOIN users u ON u.id = ou.user_id \
             WHERE ou.organization_id = $1 AND u.email_key = $2",
        )
        .bind(organization_id)
        .bind(fold(email))
        .one()
        .await?;
    Ok(row.count > 0)
}
