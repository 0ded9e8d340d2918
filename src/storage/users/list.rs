//! Lists of users: search, pages, counts.

use crate::sql::conditions::Conditions;
use crate::sql::search::{SearchColumn, Searched};
use crate::sql::slice::{Count, Slice};
use crate::sql::trigrams::Trigrams;
use crate::users::{COLUMNS, User};
use crate::{Dialect, Result, Tx};
use claimsmith_domain::id::{OrganizationId, RoleId};
use claimsmith_domain::search::Search;

/// The fields of users that can be searched.
pub const FIELDS: [&str; 5] = ["id", "primaryEmail", "primaryPhone", "username", "name"];

pub(crate) const SEARCHED: Searched = Searched {
    columns: &[
        SearchColumn { field: "id", name: "id", folded: Some("id") },
        SearchColumn { field: "primaryEmail", name: "primary_email", folded: Some("email_key") },
        SearchColumn { field: "primaryPhone", name: "primary_phone", folded: Some("primary_phone") },
        SearchColumn { field: "username", name: "username", folded: Some("username_key") },
        SearchColumn { field: "name", name: "name", folded: Some("name_key") },
    ],
    key: Some("place"),
};

/// The filter of a list of users; by default all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Matching this search.
    pub search: Option<Search>,
    /// Without this role.
    pub without_role: Option<RoleId>,
    /// Not members of this organization.
    pub outside_organization: Option<OrganizationId>,
    /// Whether the user is suspended.
    pub is_suspended: Option<bool>,
}

impl Filter {
    fn conditions(&self, tx: &Tx) -> Conditions {
        let mut conditions = Conditions::on("users", tx);
        conditions.search(self.search.as_ref(), &SEARCHED);
        // `NOT EXISTS` checks each user of the page, since a role or an organization may have a million users.
        conditions.text(
            "NOT EXISTS (SELECT 1 FROM user_roles r WHERE r.user_id = users.id AND r.role_id = ?)",
            self.without_role.as_deref(),
        );
        conditions.text(
            "NOT EXISTS (SELECT 1 FROM organization_users m WHERE m.user_id = users.id AND m.organization_id = ?)",
            self.outside_organization.as_deref(),
        );
        if let Some(is_suspended) = self.is_suspended {
            conditions.holds(if is_suspended { "is_suspended" } else { "NOT is_suspended" });
        }
        conditions
    }

    /// The number of excluded users, if an index provides it: counting them is faster than counting the rest.
    async fn left_out(&self, tx: &mut Tx) -> Result<Option<i64>> {
        let Self { search: None, without_role, outside_organization, is_suspended } = self else { return Ok(None) };
        let left_out = match (without_role, outside_organization, is_suspended) {
            (Some(role_id), None, None) => {
                let mut holders = Conditions::on("user_roles", tx);
                holders.text("role_id = ?", Some(role_id));
                holders
            }
            (None, Some(organization_id), None) => return Ok(Some(members_of(tx, organization_id).await?)),
            (None, None, Some(false)) => {
                let mut suspended = Conditions::on("users", tx);
                suspended.holds("is_suspended");
                suspended
            }
            _ => return Ok(None),
        };
        Ok(Some(left_out.count(tx).await?))
    }

    /// The users that a search can match, by the index of trigrams, with the conditions that decide; on SQLite alone.
    fn candidates(&self, tx: &Tx) -> Option<Candidates> {
        // Suspended users are few, and have an index.
        let is_usual = tx.dialect() == Dialect::Sqlite && self.is_suspended != Some(true);
        let search = self.search.as_ref().filter(|_| is_usual)?;
        let found = Trigrams::of(search, &SEARCHED)?;
        let rest = Self { search: None, ..self.clone() };
        let decides = if found.exact { &rest } else { self };
        let mut conditions = decides.conditions(tx);
        conditions.searches = true;
        let query = conditions.bind_text(found.query);
        let candidates = format!("(SELECT rowid AS found FROM _user_trigrams WHERE _user_trigrams MATCH {query})");
        let from = if found.exact && !rest.is_narrow() {
            format!("{candidates} AS candidates")
        } else {
            // In this order: the index is read backwards, and no further than the page needs.
            format!("{candidates} AS candidates CROSS JOIN users ON users.place = candidates.found{}", conditions.sql())
        };
        Some(Candidates { from, conditions })
    }

    /// Whether it excludes any users.
    #[must_use]
    pub fn is_narrow(&self) -> bool {
        self.search.is_some()
            || self.without_role.is_some()
            || self.outside_organization.is_some()
            || self.is_suspended.is_some()
    }
}

/// Where a search finds its users: what follows `FROM`, with its values.
struct Candidates {
    from: String,
    conditions: Conditions,
}

/// Number of places per row of `user_blocks`.
const NUMBERS_PER_BLOCK: i64 = 1024;

/// Users, last added first. The page is found with the index only; then its rows are read.
pub async fn list(tx: &mut Tx, filter: &Filter, mut slice: Slice) -> Result<Vec<User>> {
    if let Some(Candidates { from, conditions }) = filter.candidates(tx) {
        let sql = format!(
            "SELECT {COLUMNS} FROM users WHERE place IN \
             (SELECT candidates.found FROM {from} ORDER BY candidates.found DESC LIMIT {} OFFSET {}) ORDER BY place DESC",
            conditions.next(0),
            conditions.next(1),
        );
        return conditions.bind_to(tx.assembled(sql)).bind(slice.limit).bind(slice.offset).all().await;
    }
    let mut conditions = filter.conditions(tx);
    if slice.offset > NUMBERS_PER_BLOCK
        && !filter.is_narrow()
        && let Some(first) = block_at(tx, slice.offset).await?
    {
        conditions.number("place < ?", Some((first.block + 1) * NUMBERS_PER_BLOCK));
        slice.offset -= first.skipped;
    }
    let sql = format!(
        "SELECT {COLUMNS} FROM users WHERE place IN \
         (SELECT place FROM users{} ORDER BY place DESC LIMIT {} OFFSET {}) ORDER BY place DESC",
        conditions.sql(),
        conditions.next(0),
        conditions.next(1),
    );
    conditions.bind_to(tx.assembled(sql)).bind(slice.limit).bind(slice.offset).all().await
}

/// A user, with the position in the order of all users.
#[derive(Clone, Debug, crate::Row)]
pub struct PositionedUser {
    /// Increases with each added user.
    pub place: i64,
    /// The user.
    #[column(flatten)]
    pub user: User,
}

/// At most `limit` users after a place, first added first.
pub async fn after(tx: &mut Tx, filter: &Filter, place: i64, limit: i64) -> Result<Vec<PositionedUser>> {
    let mut conditions = filter.conditions(tx);
    conditions.number("place > ?", Some(place));
    let sql =
        format!("SELECT place, {COLUMNS} FROM users{} ORDER BY place LIMIT {}", conditions.sql(), conditions.next(0));
    conditions.bind_to(tx.assembled(sql)).bind(limit).all().await
}

/// A block of users, and the number of users before it.
#[derive(crate::Row)]
struct Block {
    block: i64,
    skipped: i64,
}

/// The block of the user at `offset`, or the last block.
async fn block_at(tx: &mut Tx, offset: i64) -> Result<Option<Block>> {
    tx.sql(
        "SELECT block, CAST(skipped AS BIGINT) AS skipped FROM \
         (SELECT block, SUM(users) OVER (ORDER BY block DESC) - users AS skipped FROM \
         (SELECT block, SUM(value) AS users FROM user_blocks GROUP BY block) AS blocks) AS behind \
         WHERE skipped <= $1 ORDER BY block LIMIT 1",
    )
    .bind(offset)
    .optional()
    .await
}

/// The number of members of an organization.
async fn members_of(tx: &mut Tx, organization_id: &OrganizationId) -> Result<i64> {
    let sql = "SELECT CAST(COALESCE(SUM(value), 0) AS BIGINT) AS count FROM member_counts WHERE organization_id = $1";
    Ok(tx.sql(sql).bind(organization_id).one::<Count>().await?.count)
}

/// The number of matching users, those whom a search finds at most `most`.
pub async fn count_to(tx: &mut Tx, filter: &Filter, most: i64) -> Result<i64> {
    if let Some(Candidates { from, conditions }) = filter.candidates(tx) {
        let rows = format!("SELECT 1 AS one FROM {from} LIMIT {}", conditions.next(0));
        let statement = tx.assembled(format!("SELECT COUNT(*) AS count FROM ({rows}) AS counted"));
        return Ok(conditions.bind_to(statement).bind(most).one::<Count>().await?.count);
    }
    if filter.search.is_some() { filter.conditions(tx).count_to(tx, most).await } else { count(tx, filter).await }
}

/// The number of matching users.
pub async fn count(tx: &mut Tx, filter: &Filter) -> Result<i64> {
    let left_out = match filter.left_out(tx).await? {
        Some(left_out) => left_out,
        None if filter.is_narrow() => return filter.conditions(tx).count(tx).await,
        None => 0,
    };
    let total = tx.sql("SELECT CAST(SUM(value) AS BIGINT) AS count FROM totals WHERE name = 'users'");
    Ok(total.one::<Count>().await?.count - left_out)
}
