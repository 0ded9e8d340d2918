//! Users in lists: searched, in parts, and counted.

use super::conditions::Conditions;
use super::search::Column;
use super::slice::{Count, Slice};
use super::users::{COLUMNS, User};
use super::{Result, Tx};
use crate::domain::search::Search;

/// The fields of users that can be searched.
pub const FIELDS: [&str; 5] = ["id", "primaryEmail", "primaryPhone", "username", "name"];

pub(super) const SEARCHED: [Column; 5] = [
    Column { field: "id", name: "id", folded: Some("id") },
    Column { field: "primaryEmail", name: "primary_email", folded: Some("email_key") },
    Column { field: "primaryPhone", name: "primary_phone", folded: Some("primary_phone") },
    Column { field: "username", name: "username", folded: Some("username_key") },
    Column { field: "name", name: "name", folded: Some("name_key") },
];

/// Which users a list holds; all of them when nothing is asked for.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Those that this finds.
    pub search: Option<Search>,
    /// Those who do not hold this role.
    pub without_role: Option<String>,
    /// Those who are not members of this organization.
    pub outside_organization: Option<String>,
}

impl Filter {
    fn conditions(&self, tx: &Tx) -> Conditions {
        let mut conditions = Conditions::on("users", tx);
        conditions.search(self.search.as_ref(), &SEARCHED);
        conditions.text("id NOT IN (SELECT user_id FROM user_roles WHERE role_id = ?)", self.without_role.as_deref());
        conditions.text(
            "id NOT IN (SELECT user_id FROM organization_users WHERE organization_id = ?)",
            self.outside_organization.as_deref(),
        );
        conditions
    }

    fn is_empty(&self) -> bool {
        self.search.is_none() && self.without_role.is_none() && self.outside_organization.is_none()
    }
}

const NEWEST_FIRST: &str = "created_at DESC, id";
const OLDEST_FIRST: &str = "created_at, id DESC";
/// So many rows are skipped in no time.
const NEAR: i64 = 10_000;

/// Users, newest first. The page is found in the index alone, from the nearer end, and its rows are read then.
pub async fn list(tx: &mut Tx, filter: &Filter, slice: Slice) -> Result<Vec<User>> {
    let (slice, order) = if slice.offset > NEAR && filter.is_empty() {
        from_the_nearer_end(slice, count(tx, filter).await?)
    } else {
        (slice, NEWEST_FIRST)
    };
    let conditions = filter.conditions(tx);
    let sql = format!(
        "SELECT {COLUMNS} FROM users WHERE id IN \
         (SELECT id FROM users{} ORDER BY {order} LIMIT {} OFFSET {}) ORDER BY {NEWEST_FIRST}",
        conditions.sql(),
        conditions.next(0),
        conditions.next(1),
    );
    conditions.bind_to(tx.assembled(sql)).bind(slice.limit).bind(slice.offset).all().await
}

/// The same part of a list of so many, counted from its other end where that is nearer.
fn from_the_nearer_end(slice: Slice, total: i64) -> (Slice, &'static str) {
    let behind = total - slice.offset;
    if behind >= slice.offset {
        return (slice, NEWEST_FIRST);
    }
    let limit = slice.limit.min(behind).max(0);
    (Slice { limit, offset: (behind - limit).max(0) }, OLDEST_FIRST)
}

/// How many users there are.
pub async fn count(tx: &mut Tx, filter: &Filter) -> Result<i64> {
    if !filter.is_empty() {
        return filter.conditions(tx).count(tx).await;
    }
    let total = tx.sql("SELECT CAST(SUM(value) AS BIGINT) AS count FROM totals WHERE name = 'users'");
    Ok(total.one::<Count>().await?.count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_the_same_from_either_end() {
        let slice = |limit, offset| Slice { limit, offset };
        let table = [
            (slice(20, 40), (slice(20, 40), NEWEST_FIRST)),
            (slice(20, 60), (slice(20, 20), OLDEST_FIRST)),
            (slice(20, 90), (slice(10, 0), OLDEST_FIRST)),
            (slice(20, 100), (slice(0, 0), OLDEST_FIRST)),
            (slice(20, 500), (slice(0, 0), OLDEST_FIRST)),
        ];
        for (wanted, expected) in table {
            assert_eq!(from_the_nearer_end(wanted, 100), expected, "{wanted:?}");
        }
    }
}
