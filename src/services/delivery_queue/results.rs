//! Writes the results of attempts, many in one transaction, and retries while the database is unavailable: an attempt
//! is finished when its result is written. If the database refuses a result, it is written without third-party texts,
//! so that it is counted and does not block other results.

use super::{DeliveryQueue, Error, Worker};
use crate::supervisor::contain;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, Semaphore, mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Most results of one transaction.
const RESULTS_PER_TRANSACTION: usize = 256;
/// How long a transaction waits for the results of attempts that are under way, so that they are written together. A
/// single attempt does not wait.
const GATHERING_TIME: Duration = Duration::from_millis(2);
/// How long it waits before it tries again to write.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// A record to write, with the sender that is notified afterwards.
pub(super) type WaitingRecord<Q> = (<Q as DeliveryQueue>::Record, oneshot::Sender<()>);

/// Writes until the last sender is dropped, or until shutdown while the database is unavailable. Notifies `done` after
/// each transaction. An attempt holds one of the slots until its result is written.
pub(super) async fn run<Q: DeliveryQueue>(
    (queue, worker, slots): (Arc<Q>, Worker, Arc<Semaphore>),
    mut waiting: mpsc::Receiver<WaitingRecord<Q>>,
    done: Arc<Notify>,
    stopping: CancellationToken,
) {
    let mut batch = Vec::new();
    while waiting.recv_many(&mut batch, RESULTS_PER_TRANSACTION).await > 0 {
        let under_way = || worker.concurrency.saturating_sub(slots.available_permits());
        gather(&mut waiting, &mut batch, under_way).await;
        let (records, callers): (Vec<Q::Record>, Vec<_>) = batch.drain(..).unzip();
        records.iter().for_each(Q::count);
        let mut left = records;
        while let Err(error) = write_all(&*queue, &worker, &mut left).await {
            let (attempts, item) = (left.len(), Q::ITEM);
            tracing::warn!(%error, attempts, item, "results of deliveries cannot be written; trying again");
            if stopping.run_until_cancelled(tokio::time::sleep(RETRY_DELAY)).await.is_none() {
                // Their leases expire, and they are attempted again.
                return;
            }
        }
        for caller in callers {
            // The caller need not be waiting any longer.
            let _ = caller.send(());
        }
        done.notify_one();
    }
}

/// Adds the results that come within the gathering time, unless there are no other attempts under way.
async fn gather<T>(waiting: &mut mpsc::Receiver<T>, batch: &mut Vec<T>, under_way: impl Fn() -> usize) {
    let end = Instant::now() + GATHERING_TIME;
    while batch.len() < under_way().min(RESULTS_PER_TRANSACTION) {
        let room = RESULTS_PER_TRANSACTION - batch.len();
        if !matches!(tokio::time::timeout_at(end, waiting.recv_many(batch, room)).await, Ok(1..)) {
            return;
        }
    }
}

/// Writes all of these together or, if one of them cannot be written, each alone. An error means that the database is
/// unavailable; the records that are not written yet are left.
async fn write_all<Q: DeliveryQueue>(queue: &Q, worker: &Worker, records: &mut Vec<Q::Record>) -> Result<(), Error> {
    match try_write(queue, worker, records).await {
        Err(error) if error.is_of_the_values() => {}
        other => return other,
    }
    while let Some(mut record) = records.pop() {
        let written = match try_write(queue, worker, std::slice::from_ref(&record)).await {
            Err(error) if error.is_of_the_values() => {
                record = Q::bare(record);
                let what = "the result of a delivery cannot be written; it is written without the receiver's texts";
                tracing::error!(%error, item = Q::ITEM, ?record, "{what}");
                try_write(queue, worker, std::slice::from_ref(&record)).await
            }
            other => other,
        };
        match written {
            Ok(()) => {}
            Err(error) if error.is_of_the_values() => {
                // Its lease expires, and it is attempted again.
                let what = "the result of a delivery could not be written; the delivery is attempted again";
                tracing::error!(%error, item = Q::ITEM, ?record, "{what}");
            }
            Err(error) => {
                records.push(record);
                return Err(error);
            }
        }
    }
    Ok(())
}

async fn try_write<Q: DeliveryQueue>(queue: &Q, worker: &Worker, records: &[Q::Record]) -> Result<(), Error> {
    contain("delivery results", write(queue, worker, records)).await?
}

async fn write<Q: DeliveryQueue>(queue: &Q, worker: &Worker, records: &[Q::Record]) -> Result<(), Error> {
    let mut tx = worker.db.begin().await?;
    queue.write(&mut tx, records, worker.clock.now_ms()).await?;
    Ok(tx.commit().await?)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use futures_util::FutureExt as _;

    #[tokio::test]
    async fn results_wait_for_those_of_attempts_that_are_under_way() {
        let (results, mut waiting) = mpsc::channel(8);
        let mut batch = vec![1];
        // Nothing else is under way.
        assert!(gather(&mut waiting, &mut batch, || 1).now_or_never().is_some());
        results.send(2).await.unwrap();
        results.send(3).await.unwrap();
        assert!(gather(&mut waiting, &mut batch, || 3).now_or_never().is_some());
        assert_eq!(batch, [1, 2, 3]);
        // One that takes long is not waited for.
        gather(&mut waiting, &mut batch, || 4).await;
        assert_eq!(batch, [1, 2, 3]);
    }
}
