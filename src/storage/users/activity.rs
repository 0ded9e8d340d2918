//! Active users per day: from token records, and from the stored activity of deleted ones. Days are numbered from
//! 1970-01-01, UTC.

use crate::sql::filter::Placeholders;
use crate::sql::slice::Count;
use crate::{Result, Tx};
use claimsmith_domain::id::UserId;
use std::collections::BTreeSet;

/// A day in milliseconds.
pub const DAY_MS: i64 = 86_400_000;

/// The users of one day.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct ActiveDay {
    /// Days since 1970-01-01.
    pub day: i64,
    /// Number of users who got a token.
    pub count: i64,
}

/// The use of a token that is being deleted.
#[derive(crate::Row)]
pub(crate) struct Use {
    created_at: i64,
    user_id: Option<UserId>,
}

/// Records active users.
pub(crate) async fn keep(tx: &mut Tx, uses: &[Use]) -> Result<()> {
    // In a fixed order, so that two nodes do not deadlock.
    let days: BTreeSet<(i64, &UserId)> =
        uses.iter().filter_map(|one| Some((one.created_at.div_euclid(DAY_MS), one.user_id.as_ref()?))).collect();
    if days.is_empty() {
        return Ok(());
    }
    let rows = Placeholders::of(tx).rows(2, days.len());
    let sql = format!("INSERT INTO active_days (day, user_id) VALUES {rows} ON CONFLICT DO NOTHING");
    let mut statement = tx.assembled(sql);
    for (day, user_id) in days {
        statement = statement.bind(day).bind(user_id);
    }
    statement.execute().await?;
    Ok(())
}

/// The active users of each day from `first` to `last`; days without any are omitted.
pub async fn by_day(tx: &mut Tx, first: i64, last: i64) -> Result<Vec<ActiveDay>> {
    tx.sql(
        "SELECT day, COUNT(*) AS count FROM (\
         SELECT day, user_id FROM active_days WHERE day >= $1 AND day <= $2 \
         UNION SELECT created_at / 86400000 AS day, user_id FROM issuances \
         WHERE user_id IS NOT NULL AND created_at >= $3 AND created_at < $4\
         ) AS active GROUP BY day ORDER BY day",
    )
    .bind(first)
    .bind(last)
    .bind(first * DAY_MS)
    .bind((last + 1) * DAY_MS)
    .all()
    .await
}

/// The number of users who were active on any day from `first` to `last`.
pub async fn users(tx: &mut Tx, first: i64, last: i64) -> Result<i64> {
    let statement = tx.sql(
        "SELECT COUNT(*) AS count FROM (\
         SELECT user_id FROM active_days WHERE day >= $1 AND day <= $2 \
         UNION SELECT user_id FROM issuances WHERE user_id IS NOT NULL AND created_at >= $3 AND created_at < $4\
         ) AS active",
    );
    let bound = statement.bind(first).bind(last).bind(first * DAY_MS).bind((last + 1) * DAY_MS);
    Ok(bound.one::<Count>().await?.count)
}

/// The number of existing users who were created on a day from `first` to `last`.
pub async fn new_users(tx: &mut Tx, first: i64, last: i64) -> Result<i64> {
    let statement = tx.sql("SELECT COUNT(*) AS count FROM users WHERE created_at >= $1 AND created_at < $2");
    Ok(statement.bind(first * DAY_MS).bind((last + 1) * DAY_MS).one::<Count>().await?.count)
}

/// Deletes at most `limit` rows of active days before the day `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    let rows = "SELECT day, user_id FROM active_days WHERE day < $1 ORDER BY day, user_id LIMIT $2";
    let sql = format!("DELETE FROM active_days WHERE (day, user_id) IN ({rows})");
    tx.assembled(sql).bind(before).bind(limit).execute().await
}
