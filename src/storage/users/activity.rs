//! Active users per day. Days are numbered from 1970-01-01, UTC.
//!
//! The uses of tokens from before some time are recorded, a row for each day and user; retention moves that time on, and
//! records those of tokens that it deletes. Later uses are read from the records of tokens when somebody asks.
//!
//! How many users there were in a range of days is a sum of few numbers: for each day, its users are counted by the days
//! since they were active before. A user is counted on the first of their days in the range, which is the one that is
//! further from the day before it than from the beginning of the range.

use crate::sql::filter::Placeholders;
use crate::sql::slice::Count;
use crate::{Dialect, Result, Tx};
use claimsmith_domain::id::UserId;
use std::collections::{BTreeMap, BTreeSet};

/// A day in milliseconds.
pub const DAY_MS: i64 = 86_400_000;
/// Uses of the last minute are not recorded in advance, since transactions may still write some.
pub const SETTLED_AFTER_MS: i64 = 60_000;
/// The days since a user was active before, if they never were.
const NEVER: i64 = 1_000_000;
/// Maximum number of users in one statement.
const USERS_PER_STATEMENT: usize = 500;
/// An arbitrary number that no other program uses: "claimday" as ASCII.
const LOCK: i64 = 0x63_6c_61_69_6d_64_61_79;

/// The users of one day.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct ActiveDay {
    /// Days since 1970-01-01.
    pub day: i64,
    /// Number of users who got a token.
    pub count: i64,
}

/// The use of a token that is being deleted, or recorded.
#[derive(crate::Row)]
pub(crate) struct Use {
    created_at: i64,
    user_id: Option<UserId>,
}

#[derive(crate::Row)]
struct Moment {
    moment: i64,
}

#[derive(crate::Row)]
struct AddedUser {
    user_id: UserId,
}

/// The days of a user on both sides of a day.
#[derive(crate::Row)]
struct Neighbours {
    earlier: Option<i64>,
    later: Option<i64>,
}

/// Records active users.
pub(crate) async fn keep(tx: &mut Tx, uses: &[Use]) -> Result<()> {
    let mut days: BTreeMap<i64, BTreeSet<&UserId>> = BTreeMap::new();
    for one in uses {
        if let Some(user_id) = &one.user_id {
            days.entry(one.created_at.div_euclid(DAY_MS)).or_default().insert(user_id);
        }
    }
    if days.is_empty() {
        return Ok(());
    }
    lock(tx).await?;
    let mut changes: BTreeMap<(i64, i64), i64> = BTreeMap::new();
    for (day, user_ids) in days {
        let user_ids: Vec<&UserId> = user_ids.into_iter().collect();
        for part in user_ids.chunks(USERS_PER_STATEMENT) {
            for Neighbours { earlier, later } in add(tx, day, part).await? {
                let gap_to = |day: i64| earlier.map_or(NEVER, |earlier| day - earlier);
                *changes.entry((day, gap_to(day))).or_default() += 1;
                if let Some(later) = later {
                    *changes.entry((later, gap_to(later))).or_default() -= 1;
                    *changes.entry((later, later - day)).or_default() += 1;
                }
            }
        }
    }
    let changes: Vec<_> = changes.into_iter().filter(|(_, change)| *change != 0).collect();
    for part in changes.chunks(USERS_PER_STATEMENT) {
        let rows = Placeholders::of(tx).rows(3, part.len());
        let mut statement = tx.assembled(format!(
            "INSERT INTO active_day_counts (day, gap, users) VALUES {rows} \
             ON CONFLICT (day, gap) DO UPDATE SET users = active_day_counts.users + excluded.users"
        ));
        for ((day, gap), change) in part {
            statement = statement.bind(*day).bind(*gap).bind(*change);
        }
        statement.execute().await?;
    }
    Ok(())
}

/// Lets only one transaction at a time record users, since it reads the other days of each.
async fn lock(tx: &mut Tx) -> Result<()> {
    if tx.dialect() == Dialect::Postgres {
        tx.sql("SELECT pg_advisory_xact_lock($1)").bind(LOCK).execute().await?;
    }
    Ok(())
}

/// Adds a day of these users, and returns the neighbours of those that had not been active on it.
async fn add(tx: &mut Tx, day: i64, user_ids: &[&UserId]) -> Result<Vec<Neighbours>> {
    let rows = Placeholders::of(tx).rows(2, user_ids.len());
    let sql = format!("INSERT INTO active_days (day, user_id) VALUES {rows} ON CONFLICT DO NOTHING RETURNING user_id");
    let mut statement = tx.assembled(sql);
    for user_id in user_ids {
        statement = statement.bind(day).bind(*user_id);
    }
    let added: Vec<AddedUser> = statement.all().await?;
    if added.is_empty() {
        return Ok(Vec::new());
    }
    let mut places = Placeholders::of(tx);
    let (of_day, of_users) = (places.list(1), places.list(added.len()));
    let sql = format!(
        "SELECT (SELECT MAX(o.day) FROM active_days o WHERE o.user_id = a.user_id AND o.day < a.day) AS earlier, \
         (SELECT MIN(o.day) FROM active_days o WHERE o.user_id = a.user_id AND o.day > a.day) AS later \
         FROM active_days a WHERE a.day = {of_day} AND a.user_id IN ({of_users})"
    );
    tx.assembled(sql).bind(day).bind_all(added.iter().map(|user| &user.user_id)).all().await
}

/// The time until which uses are recorded, Unix milliseconds.
async fn recorded_until(tx: &mut Tx) -> Result<i64> {
    let sql = "SELECT value AS moment FROM totals WHERE name = 'uses_counted_until' AND slot = 0";
    Ok(tx.sql(sql).one::<Moment>().await?.moment)
}

/// Records about `limit` of the uses from before a time, Unix milliseconds. `false` once all are recorded. The time until
/// which they are recorded stays behind the last of them: a clock that is ahead for a moment must not hide those to come.
pub async fn count_up(tx: &mut Tx, before: i64, limit: i64) -> Result<bool> {
    lock(tx).await?;
    let from = recorded_until(tx).await?;
    if before <= from {
        return Ok(false);
    }
    let last: Option<Moment> = tx
        .sql(
            "SELECT created_at AS moment FROM issuances WHERE user_id IS NOT NULL AND created_at >= $1 \
             AND created_at < $2 ORDER BY created_at LIMIT 1 OFFSET $3",
        )
        .bind(from)
        .bind(before)
        .bind(limit)
        .optional()
        .await?;
    let is_more = last.is_some();
    let until = if let Some(last) = last {
        // At least a millisecond, however many uses it has.
        last.moment.max(from + 1)
    } else {
        let sql = "SELECT COALESCE(MAX(created_at) + 1, 0) AS moment FROM issuances \
                 WHERE user_id IS NOT NULL AND created_at >= $1 AND created_at < $2";
        tx.sql(sql).bind(from).bind(before).one::<Moment>().await?.moment
    };
    if until <= from {
        return Ok(false);
    }
    let sql = "SELECT created_at, user_id FROM issuances \
         WHERE user_id IS NOT NULL AND created_at >= $1 AND created_at < $2";
    let uses: Vec<Use> = tx.sql(sql).bind(from).bind(until).all().await?;
    keep(tx, &uses).await?;
    let sql = "UPDATE totals SET value = $1 WHERE name = 'uses_counted_until' AND slot = 0";
    tx.sql(sql).bind(until).execute().await?;
    Ok(is_more)
}

/// The beginning of the uses in a range of days that may not be recorded. Read before them: what is recorded in between
/// is left out there.
async fn unrecorded_from(tx: &mut Tx, first: i64) -> Result<i64> {
    Ok(recorded_until(tx).await?.max(first * DAY_MS))
}

/// The active users of each day from `first` to `last`; days without any are omitted.
pub async fn by_day(tx: &mut Tx, first: i64, last: i64) -> Result<Vec<ActiveDay>> {
    let from = unrecorded_from(tx, first).await?;
    tx.sql(
        "SELECT day, CAST(SUM(users) AS BIGINT) AS count FROM (\
         SELECT day, users FROM active_day_counts WHERE day >= $1 AND day <= $2 \
         UNION ALL SELECT latest.day, COUNT(*) AS users FROM (\
         SELECT DISTINCT created_at / 86400000 AS day, user_id FROM issuances \
         WHERE user_id IS NOT NULL AND created_at >= $3 AND created_at < $4) AS latest \
         WHERE NOT EXISTS (SELECT 1 FROM active_days a WHERE a.day = latest.day AND a.user_id = latest.user_id) \
         GROUP BY latest.day) AS active GROUP BY day HAVING SUM(users) > 0 ORDER BY day",
    )
    .bind(first)
    .bind(last)
    .bind(from)
    .bind((last + 1) * DAY_MS)
    .all()
    .await
}

/// The number of users who were active on any day from `first` to `last`.
pub async fn users(tx: &mut Tx, first: i64, last: i64) -> Result<i64> {
    let from = unrecorded_from(tx, first).await?;
    // Days that retention has deleted are not part of the range: nobody is counted on them.
    let statement = tx.sql(
        "SELECT (SELECT CAST(COALESCE(SUM(users), 0) AS BIGINT) FROM active_day_counts \
         WHERE day >= $1 AND day <= $2 AND gap > day - CASE \
         WHEN $1 < (SELECT MIN(day) FROM active_day_counts) THEN (SELECT MIN(day) FROM active_day_counts) ELSE $1 END) \
         + (SELECT COUNT(*) FROM (SELECT DISTINCT user_id FROM issuances \
         WHERE user_id IS NOT NULL AND created_at >= $3 AND created_at < $4) AS latest \
         WHERE NOT EXISTS (SELECT 1 FROM active_days a \
         WHERE a.user_id = latest.user_id AND a.day >= $1 AND a.day <= $2)) AS count",
    );
    let bound = statement.bind(first).bind(last).bind(from).bind((last + 1) * DAY_MS);
    Ok(bound.one::<Count>().await?.count)
}

/// The number of existing users who were created on a day from `first` to `last`.
pub async fn new_users(tx: &mut Tx, first: i64, last: i64) -> Result<i64> {
    let statement = tx.sql("SELECT COUNT(*) AS count FROM users WHERE created_at >= $1 AND created_at < $2");
    Ok(statement.bind(first * DAY_MS).bind((last + 1) * DAY_MS).one::<Count>().await?.count)
}

/// Deletes at most `limit` rows of active days before the day `before`, and returns their number. Their counts go at once.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql("DELETE FROM active_day_counts WHERE day < $1").bind(before).execute().await?;
    let rows = "SELECT day, user_id FROM active_days WHERE day < $1 ORDER BY day, user_id LIMIT $2";
    let sql = format!("DELETE FROM active_days WHERE (day, user_id) IN ({rows})");
    tx.assembled(sql).bind(before).bind(limit).execute().await
}
