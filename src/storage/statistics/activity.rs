//! Activity over time: counts per minute, and per hour once they are older.

use crate::sql::filter::Placeholders;
use crate::{Result, Tx};
use std::collections::BTreeMap;

/// An hour in milliseconds, to which old counts are summed up.
const HOUR_MS: i64 = 3_600_000;

/// The activity of one kind and name.
#[derive(Clone, Debug, Default, PartialEq, Eq, crate::Row)]
pub struct Sample {
    /// Such as `tokens`.
    pub kind: String,
    /// Such as a grant type; empty if the kind has no names.
    pub name: String,
    /// Number of occurrences, including failures.
    pub count: i64,
    /// Number of failures.
    pub failures: i64,
    /// Total duration in microseconds.
    pub microseconds: i64,
    /// Duration of the slowest one, in microseconds.
    pub slowest: i64,
}

/// The activity within a time step.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct TimeBucket {
    /// Start of the step, Unix milliseconds.
    #[column(rename = "began")]
    pub at: i64,
    /// The activity.
    #[column(flatten)]
    pub sample: Sample,
}

/// Adds the counts of a node for the minute that starts at `bucket`, Unix milliseconds.
pub async fn add(tx: &mut Tx, bucket: i64, node: &str, samples: &[Sample]) -> Result<()> {
    if samples.is_empty() {
        return Ok(());
    }
    let rows = Placeholders::of(tx).rows(8, samples.len());
    let mut statement = tx.assembled(format!(
        "INSERT INTO activity (bucket, node, kind, name, count, failures, microseconds, slowest) VALUES {rows} \
         ON CONFLICT (bucket, kind, name, node) DO UPDATE SET count = activity.count + excluded.count, \
         failures = activity.failures + excluded.failures, \
         microseconds = activity.microseconds + excluded.microseconds, \
         slowest = CASE WHEN excluded.slowest > activity.slowest THEN excluded.slowest ELSE activity.slowest END"
    ));
    for sample in samples {
        statement = statement
            .bind(bucket)
            .bind(node)
            .bind(&sample.kind)
            .bind(&sample.name)
            .bind(sample.count)
            .bind(sample.failures)
            .bind(sample.microseconds)
            .bind(sample.slowest);
    }
    statement.execute().await?;
    Ok(())
}

/// The counts of all nodes from `from` (inclusive) to `to` (exclusive), by steps of `step` milliseconds since 1970, in
/// order.
pub async fn by_step(tx: &mut Tx, from: i64, to: i64, step: i64) -> Result<Vec<TimeBucket>> {
    tx.sql(
        "SELECT bucket / $1 * $1 AS began, kind, name, CAST(SUM(count) AS BIGINT) AS count, \
         CAST(SUM(failures) AS BIGINT) AS failures, CAST(SUM(microseconds) AS BIGINT) AS microseconds, \
         MAX(slowest) AS slowest FROM activity WHERE bucket >= $2 AND bucket < $3 \
         GROUP BY began, kind, name ORDER BY began, kind, name",
    )
    .bind(step)
    .bind(from)
    .bind(to)
    .all()
    .await
}

#[derive(crate::Row)]
struct Row {
    bucket: i64,
    #[column(flatten)]
    sample: Sample,
}

/// Sums up at most `limit` per-minute counts before a time, Unix milliseconds, to hours of all nodes. Returns their
/// number.
pub async fn roll_up(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    // Delete first, so that counts that another node is summing up are not counted twice.
    let minutes: Vec<Row> = tx
        .sql(
            "DELETE FROM activity WHERE (bucket, kind, name, node) IN (SELECT bucket, kind, name, node FROM activity \
             WHERE bucket < $1 AND node <> '' ORDER BY bucket, kind, name, node LIMIT $2) \
             RETURNING bucket, kind, name, count, failures, microseconds, slowest",
        )
        .bind(before)
        .bind(limit)
        .all()
        .await?;
    let rolled = minutes.len() as u64;
    let mut hours: BTreeMap<i64, BTreeMap<(String, String), Sample>> = BTreeMap::new();
    for Row { bucket, sample } in minutes {
        let of_hour = hours.entry(bucket.div_euclid(HOUR_MS) * HOUR_MS).or_default();
        let sum = of_hour.entry((sample.kind.clone(), sample.name.clone())).or_default();
        *sum = Sample {
            count: sum.count + sample.count,
            failures: sum.failures + sample.failures,
            microseconds: sum.microseconds + sample.microseconds,
            slowest: sum.slowest.max(sample.slowest),
            ..sample
        };
    }
    for (hour, sums) in hours {
        let sums: Vec<Sample> = sums.into_values().collect();
        add(tx, hour, "", &sums).await?;
    }
    Ok(rolled)
}

/// Deletes at most `limit` counts before a time, Unix milliseconds, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM activity WHERE (bucket, kind, name, node) IN (SELECT bucket, kind, name, node FROM activity \
         WHERE bucket < $1 ORDER BY bucket, kind, name, node LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await
}
