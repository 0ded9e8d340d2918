//! Queues: tables whose rows are delivered. A row is `pending` and due at a time, or leased, which is a due time in the
//! near future under the name of a lease (`claim`); in the end it is `delivered`, `dead` or `dropped`.

use super::column::Bind;
use super::filter::Placeholders;
use crate::{Dialect, Result, Tx};

/// A lease to take.
#[derive(Clone, Copy, Debug)]
pub struct Lease<'a> {
    /// The unique name of this lease.
    pub name: &'a str,
    /// Unix milliseconds.
    pub now: i64,
    /// When it expires, Unix milliseconds.
    pub until: i64,
}

/// The next state of a delivery after a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryDecision {
    /// It is attempted again at this time, Unix milliseconds.
    At(i64),
    /// It is dead: it is not retried.
    Dead,
    /// It is dropped: it must not be delivered.
    Dropped,
}

impl RetryDecision {
    /// The state, the due time, the time of the end, and the attempts to count.
    const fn columns(self, now: i64) -> (&'static str, Option<i64>, Option<i64>, i64) {
        match self {
            Self::At(time) => ("pending", Some(time), None, 1),
            Self::Dead => ("dead", None, Some(now), 1),
            Self::Dropped => ("dropped", None, Some(now), 0),
        }
    }
}

/// A table with the columns `seq` (the order), `state`, `due_at`, `claim`, `attempts`, `note` and `finished_at`.
pub(crate) struct QueueTable {
    /// The name of the table.
    pub table: &'static str,
    /// The column that identifies a row.
    pub key: &'static str,
    /// The column of the receiver.
    pub receiver: &'static str,
}

impl QueueTable {
    /// Selects `columns` of the due rows of the receiver `$1` at the time `$2`, oldest first.
    pub(crate) fn due(&self, columns: &str, limit: &str) -> String {
        let Self { table, receiver, .. } = self;
        format!(
            "SELECT {columns} FROM {table} WHERE {receiver} = $1 AND due_at <= $2 ORDER BY due_at, seq LIMIT {limit}"
        )
    }

    /// Leases at most `limit` due rows of a receiver, in order. Skips rows that another node is leasing.
    pub(crate) async fn lease(&self, tx: &mut Tx, receiver: &str, lease: Lease<'_>, limit: i64) -> Result<u64> {
        let skip = match tx.dialect() {
            Dialect::Sqlite => "",
            Dialect::Postgres => " FOR UPDATE SKIP LOCKED",
        };
        self.lease_of(tx, receiver, &format!("{}{skip}", self.due("seq", "$5")), lease, limit).await
    }

    /// Leases the rows whose `seq` the SQL `wanted` selects, for the receiver `$1`, at the time `$2`, at most `$5`.
    pub(crate) async fn lease_of(
        &self,
        tx: &mut Tx,
        receiver: &str,
        wanted: &str,
        lease: Lease<'_>,
        limit: i64,
    ) -> Result<u64> {
        tx.assembled(format!("UPDATE {} SET claim = $3, due_at = $4 WHERE seq IN ({wanted})", self.table))
            .bind(receiver)
            .bind(lease.now)
            .bind(lease.name)
            .bind(lease.until)
            .bind(limit)
            .execute()
            .await
    }

    /// Marks these as delivered, whichever worker has the lease now.
    pub(crate) async fn succeed<'k, K: Bind<'k>>(
        &self,
        tx: &mut Tx,
        keys: impl ExactSizeIterator<Item = K>,
        now: i64,
    ) -> Result<u64> {
        if keys.len() == 0 {
            return Ok(0);
        }
        let mut placeholders = Placeholders::of(tx);
        let sql = format!(
            "UPDATE {} SET state = 'delivered', due_at = NULL, claim = NULL, attempts = attempts + 1, note = NULL, \
             finished_at = {} WHERE {} IN ({}) AND state = 'pending'",
            self.table,
            placeholders.list(1),
            self.key,
            placeholders.list(keys.len()),
        );
        tx.assembled(sql).bind(now).bind_all(keys).execute().await
    }

    /// Changes the state of a row after a failed attempt. `false` if its lease has passed to another worker.
    pub(crate) async fn move_on<'k>(
        &self,
        tx: &mut Tx,
        key: impl Bind<'k>,
        lease: &str,
        (next, note): (RetryDecision, &str),
        now: i64,
    ) -> Result<bool> {
        let (state, due_at, finished_at, attempts) = next.columns(now);
        let moved = tx
            .assembled(format!(
                "UPDATE {} SET state = $1, due_at = $2, claim = NULL, note = $3, finished_at = $4, \
                 attempts = attempts + $5 WHERE {} = $6 AND claim = $7",
                self.table, self.key
            ))
            .bind(state)
            .bind(due_at)
            .bind(note)
            .bind(finished_at)
            .bind(attempts)
            .bind(key)
            .bind(lease)
            .execute()
            .await?;
        Ok(moved > 0)
    }

    /// Changes the states of rows after failed attempts, in one statement: the key, the name of the lease, what comes
    /// next, and the reason, of each. Skips rows whose lease has passed to another worker, and returns the number of the
    /// others.
    pub(crate) async fn move_on_all<'k, K: Bind<'k>>(
        &self,
        tx: &mut Tx,
        failed: impl ExactSizeIterator<Item = (K, &'k str, RetryDecision, &'k str)>,
        now: i64,
    ) -> Result<u64> {
        if failed.len() == 0 {
            return Ok(0);
        }
        let Self { table, key, .. } = self;
        let rows = Placeholders::of(tx).rows(7, failed.len());
        let mut statement = tx.assembled(format!(
            "UPDATE {table} AS q SET state = v.column2, due_at = v.column3, claim = NULL, note = v.column4, \
             finished_at = v.column5, attempts = q.attempts + v.column6 FROM (VALUES {rows}) AS v \
             WHERE q.{key} = v.column1 AND q.claim = v.column7"
        ));
        for (key, lease, next, note) in failed {
            let (state, due_at, finished_at, attempts) = next.columns(now);
            statement = statement.bind(key).bind(state).bind(due_at).bind(note);
            statement = statement.bind(finished_at).bind(attempts).bind(lease);
        }
        statement.execute().await
    }

    /// Moves all due times after `now` back by `by` milliseconds, because the clock went back by as much.
    pub(crate) async fn bring_forward(&self, tx: &mut Tx, now: i64, by: i64) -> Result<u64> {
        tx.assembled(format!("UPDATE {} SET due_at = due_at - $1 WHERE due_at > $2", self.table))
            .bind(by)
            .bind(now)
            .execute()
            .await
    }

    /// Deletes at most `limit` rows that were finished before a time, Unix milliseconds.
    pub(crate) async fn delete_finished(&self, tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
        let table = self.table;
        tx.assembled(format!(
            "DELETE FROM {table} WHERE seq IN (SELECT seq FROM {table} WHERE finished_at < $1 \
             ORDER BY finished_at LIMIT $2)"
        ))
        .bind(before)
        .bind(limit)
        .execute()
        .await
    }
}
