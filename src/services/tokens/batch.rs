//! Batching for group commit: a worker takes all waiting items, processes them together, answers each, and takes what
//! arrived meanwhile. A single caller is served at once; a batch waits a moment for jobs that are announced, and for
//! those that the rate of arrivals lets expect.

use super::arrival_rate::ArrivalRate;
use super::commit_delay::{Arrival, Expected};
use super::error::Error;
use crate::supervisor::{Tasks, contain};
use claimsmith_storage as storage;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, mpsc, oneshot};

/// Most jobs that are done together; keeps statements below SQLite's limit of bound values (17 × 64 of 32,766).
const MAX_BATCH: usize = 64;
/// Most jobs that wait; more are refused at once.
const QUEUE_CAPACITY: usize = 4096;

/// A kind of work that is done in batches.
pub(super) trait Batch: Send + 'static {
    /// The job of one caller.
    type Job: Send + Sync;
    /// The result of one job.
    type Answer: Send;

    /// The maximum milliseconds that it waits for announced jobs.
    fn max_waits(&self) -> u32 {
        1
    }

    /// How long a batch gathers jobs at most, while others arrive.
    fn window(&self) -> Duration {
        Duration::ZERO
    }

    /// Does all of `jobs` and returns their results in order, or fails and does none of them.
    fn run(&mut self, jobs: &[Self::Job]) -> impl Future<Output = storage::Result<Vec<Self::Answer>>> + Send;
}

type WaitingJob<B> = (<B as Batch>::Job, oneshot::Sender<Result<<B as Batch>::Answer, Error>>);

/// The queue in front of a [`Batch`]. Its workers end when it is dropped.
pub(super) struct BatchQueue<B: Batch> {
    jobs: mpsc::Sender<WaitingJob<B>>,
    expected: Expected,
}

impl<B: Batch> BatchQueue<B> {
    /// Starts a worker for each of `batches`, beside each other.
    pub(super) fn start(batches: impl IntoIterator<Item = B>, name: &'static str, tasks: &Tasks) -> Self {
        let (jobs, waiting) = mpsc::channel(QUEUE_CAPACITY);
        let (waiting, expected) = (Arc::new(Mutex::new(waiting)), Expected::default());
        let rate = Rate::default();
        for batch in batches {
            tasks.spawn(name, work(batch, waiting.clone(), expected.clone(), rate.clone()));
        }
        Self { jobs, expected }
    }

    /// Announces that a job will be queued soon: a batch may wait a moment for it.
    pub(super) fn announce(&self) -> Arrival {
        self.expected.add()
    }

    /// Queues a job without waiting for its result. `false` if the queue is full.
    pub(super) fn post(&self, job: B::Job) -> bool {
        self.jobs.try_send((job, oneshot::channel().0)).is_ok()
    }

    /// Queues a job and waits for its result. [`Error::Busy`] if the queue is full.
    pub(super) async fn ask(&self, job: B::Job) -> Result<B::Answer, Error> {
        self.ask_announced(job, None).await
    }

    /// The same for a job that was announced.
    pub(super) async fn ask_announced(&self, job: B::Job, arrival: Option<Arrival>) -> Result<B::Answer, Error> {
        let (answer, answered) = oneshot::channel();
        self.jobs.try_send((job, answer)).map_err(|_| Error::Busy)?;
        drop(arrival);
        answered.await.map_err(|_| Error::Busy)?
    }
}

/// The arrival rate of a queue, shared by its workers.
#[derive(Clone, Default)]
struct Rate(Arc<std::sync::Mutex<ArrivalRate>>);

impl Rate {
    fn get(&self) -> MutexGuard<'_, ArrivalRate> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn work<B: Batch>(
    mut batch: B,
    waiting: Arc<Mutex<mpsc::Receiver<WaitingJob<B>>>>,
    expected: Expected,
    rate: Rate,
) {
    loop {
        let taken = take(&mut *waiting.lock().await, &expected, &rate, (batch.max_waits(), batch.window())).await;
        if taken.is_empty() {
            return;
        }
        let (jobs, callers): (Vec<_>, Vec<_>) = taken.into_iter().unzip();
        let answers = match run(&mut batch, &jobs).await {
            Ok(answers) => answers.into_iter().map(Ok).collect(),
            Err(error) if jobs.len() == 1 => vec![Err(error)],
            // None of them would get a connection, or the lock of the file, any sooner.
            Err(Error::Storage(error)) if error.is_busy() || error.is_locked_file() => {
                jobs.iter().map(|_| Err(Error::Busy)).collect()
            }
            // A job that fails must not make the others of its batch fail.
            Err(error) => {
                tracing::warn!(%error, jobs = jobs.len(), "a batch failed; its items are processed one by one");
                let mut alone = Vec::with_capacity(jobs.len());
                for job in &jobs {
                    alone.push(do_alone(&mut batch, job).await);
                }
                alone
            }
        };
        rate.get().end(jobs.len(), Instant::now());
        for (caller, answer) in callers.into_iter().zip(answers) {
            if let Err(Err(error)) = caller.send(answer) {
                tracing::warn!(%error, "an item without a waiting caller failed");
            }
        }
    }
}

/// All waiting jobs, and the expected ones; `None` if the queue is closed.
async fn take<T>(
    waiting: &mut mpsc::Receiver<T>,
    expected: &Expected,
    rate: &Rate,
    (max_waits, window): (u32, Duration),
) -> Vec<T> {
    let mut taken = Vec::with_capacity(MAX_BATCH);
    let was_idle = waiting.is_empty();
    if waiting.recv_many(&mut taken, MAX_BATCH).await == 0 {
        return taken;
    }
    let (began, first) = (Instant::now(), taken.len());
    let gathers = rate.get().begin(first, was_idle, window, began);
    // Yields, so that tasks that are about to queue a job do so: without this the first job would be committed alone.
    tokio::task::yield_now().await;
    drain(waiting, &mut taken);
    if taken.len() < MAX_BATCH {
        expected.begin_batch(max_waits).await;
        drain(waiting, &mut taken);
    }
    if gathers {
        gather(waiting, &mut taken, rate, began + window).await;
    }
    rate.get().run(taken.len(), taken.len() - first, Instant::now());
    taken
}

/// Takes what arrives until a time, while more is to be expected.
async fn gather<T>(waiting: &mut mpsc::Receiver<T>, taken: &mut Vec<T>, rate: &Rate, until: Instant) {
    while taken.len() < MAX_BATCH && rate.get().expects_more(taken.len()) {
        let room = MAX_BATCH - taken.len();
        match tokio::time::timeout_at(until.into(), waiting.recv_many(taken, room)).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

/// Takes what waits already.
fn drain<T>(waiting: &mut mpsc::Receiver<T>, taken: &mut Vec<T>) {
    while taken.len() < MAX_BATCH
        && let Ok(more) = waiting.try_recv()
    {
        taken.push(more);
    }
}

async fn do_alone<B: Batch>(batch: &mut B, job: &B::Job) -> Result<B::Answer, Error> {
    run(batch, std::slice::from_ref(job)).await?.pop().ok_or(Error::Busy)
}

/// A panic fails the batch like an error: the worker continues, and the transaction is rolled back.
async fn run<B: Batch>(batch: &mut B, jobs: &[B::Job]) -> Result<Vec<B::Answer>, Error> {
    match contain("shared work", batch.run(jobs)).await {
        Ok(answers) => Ok(answers?),
        Err(panicked) => Err(panicked.into()),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

    use super::*;
    use tokio::sync::Semaphore;

    /// Halves what is even, and panics at what is odd, once it is let.
    struct Halves(Arc<Semaphore>);

    impl Batch for Halves {
        type Job = u32;
        type Answer = u32;

        async fn run(&mut self, jobs: &[u32]) -> storage::Result<Vec<u32>> {
            let _leave = self.0.acquire().await;
            let half = |job: &u32| if job.is_multiple_of(2) { job / 2 } else { panic!("on purpose") };
            Ok(jobs.iter().map(half).collect())
        }
    }

    #[tokio::test]
    async fn a_job_that_panics_fails_alone() {
        let tasks = Tasks::default();
        let leave = Arc::new(Semaphore::new(0));
        let queue = BatchQueue::start([Halves(Arc::clone(&leave))], "halves", &tasks);
        let asked = async { tokio::join!(queue.ask(8), queue.ask(2), queue.ask(3), queue.ask(4)) };
        let let_in = async {
            tokio::task::yield_now().await;
            leave.add_permits(1);
        };
        let ((eight, two, three, four), ()) = tokio::join!(asked, let_in);
        assert_eq!((eight.unwrap(), two.unwrap(), four.unwrap()), (4, 1, 2));
        assert!(matches!(three, Err(Error::Panicked(_))));
        assert_eq!(queue.ask(6).await.unwrap(), 3);
        assert!(!tasks.stopping().is_cancelled());
    }
}
