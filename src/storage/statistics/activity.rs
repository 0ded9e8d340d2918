//! What happened over time: counts by the minute, and by the hour once they are older.

use crate::sql::filter::Placeholders;
use crate::{Result, Tx};
use std::collections::BTreeMap;

/// Milliseconds of an hour, whose counts are added up when they are old.
const HOUR_MS: i64 = 3_600_000;

/// What happened of one kind and name.
#[derive(Clone, Debug, Default, PartialEq, Eq, crate::Row)]
pub struct Sample {
    /// Such as `tokens`.
    pub kind: String,
    /// Such as a grant type; empty where a kind has no names.
    pub name: String,
    /// How often, failures included.
    pub count: i64,
    /// How often it failed.
    pub failures: i64,
    /// How long all of them took.
    pub microseconds: i64,
    /// How long the slowest took.
    pub slowest: i64,
}

/// The same within a step of time.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct TimeBucket {
    /// When it began, Unix milliseconds.
    #[column(rename = "began")]
    pub at: i64,
    /// What happened in it.
    #[column(flatten)]
    pub sample: Sample,
}

/// Adds what a node counted in the minute that began at `bucket`, Unix milliseconds.
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

/// What all nodes counted from a time until before another one, by steps of `step` milliseconds since 1970, in order.
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

/// Adds up the minutes before a time, Unix milliseconds, to hours of all nodes: at most `limit` of them. Answers how
/// many they were.
pub async fn roll_up(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    // Deleted first: what another node is adding up at this moment is not counted twice.
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

/// Deletes at most `limit` counts before a time, Unix milliseconds, and answers how many.
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
