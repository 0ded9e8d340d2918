//! The thread pool for password hashing, with a bounded, fair queue. A request that waits too long, or whose client is
//! gone, is dropped.

use super::queue::{Client, Full, Job, JobQueue, Lane, QueueLimits, Started};
use rustix::process::nice;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::sync::oneshot;

/// The places of the queue.
const PLACES: QueueLimits = QueueLimits { all: 128, for_verification: 32 };
/// How long a job waits in the queue.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);

/// The niceness of the threads: requests without hashing are not delayed by those with it.
const NICENESS: i32 = 10;

/// Why a job was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PoolFailure {
    /// The queue is full, in total or for this client; or the job waited too long.
    Busy,
    /// The work panicked, or the pool is gone.
    Lost,
}

impl From<Full> for PoolFailure {
    fn from(Full: Full) -> Self {
        Self::Busy
    }
}

/// The threads and their queue. The threads end when it is dropped.
pub(super) struct Pool(Arc<PoolState>);

struct PoolState {
    jobs: Mutex<Jobs>,
    changed: Condvar,
    timeout: Duration,
}

struct Jobs {
    queue: JobQueue<HashJob>,
    is_closed: bool,
}

struct HashJob {
    /// Notifies the caller that the work begins, or that the job was dropped for another one.
    start: oneshot::Sender<Result<(), PoolFailure>>,
    work: Box<dyn FnOnce() + Send>,
}

impl Job for HashJob {
    fn is_abandoned(&self) -> bool {
        self.start.is_closed()
    }
}

impl Pool {
    /// A pool of so many threads.
    pub(super) fn start(threads: usize) -> Self {
        Self::with(threads, PLACES, QUEUE_TIMEOUT)
    }

    fn with(threads: usize, places: QueueLimits, timeout: Duration) -> Self {
        let jobs = Mutex::new(Jobs { queue: JobQueue::new(places), is_closed: false });
        let shared = Arc::new(PoolState { jobs, changed: Condvar::new(), timeout });
        for _ in 0..threads.max(1) {
            let shared = Arc::clone(&shared);
            if let Err(error) = thread::Builder::new().name("passwords".to_owned()).spawn(move || shared.work()) {
                tracing::error!(%error, "a password hashing thread could not be started");
            }
        }
        Self(shared)
    }

    /// Runs work for a client.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        (lane, client): (Lane, Client),
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PoolFailure> {
        let (start, started) = oneshot::channel();
        let (answer, answered) = oneshot::channel();
        let work = move || {
            let _ = answer.send(work());
        };
        self.0.enter(lane, client, HashJob { start, work: Box::new(work) })?;
        let in_time = tokio::time::timeout(self.0.timeout, started).await;
        in_time.map_err(|_| PoolFailure::Busy)?.map_err(|_| PoolFailure::Lost)??;
        answered.await.map_err(|_| PoolFailure::Lost)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut jobs = self.0.jobs();
        jobs.is_closed = true;
        jobs.queue.clear();
        drop(jobs);
        self.0.changed.notify_all();
    }
}

impl PoolState {
    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        // Nothing panics while it is held.
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, lane: Lane, client: Client, job: HashJob) -> Result<(), Full> {
        let dropped = self.jobs().queue.enter(lane, client, job)?;
        self.changed.notify_one();
        if let Some(job) = dropped {
            let _ = job.start.send(Err(PoolFailure::Busy));
        }
        Ok(())
    }

    fn work(&self) {
        // On Linux it applies to the thread, elsewhere to the whole process. A failure only costs the priority.
        if cfg!(target_os = "linux") {
            let _ = nice(NICENESS);
        }
        while let Some(Started { job, place }) = self.next() {
            // The caller may have given up.
            if job.start.send(Ok(())).is_ok() && catch_unwind(AssertUnwindSafe(job.work)).is_err() {
                tracing::error!("password hashing panicked");
            }
            self.jobs().queue.leave(place);
        }
    }

    /// The next job; waits for one. `None` when the pool is gone.
    fn next(&self) -> Option<Started<HashJob>> {
        let mut jobs = self.jobs();
        loop {
            if jobs.is_closed {
                return None;
            }
            if let Some(next) = jobs.queue.next() {
                return Some(next);
            }
            jobs = self.changed.wait(jobs).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

    use super::*;
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::mpsc;
    use tokio::task::JoinHandle;

    const ONE: Client = Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)));
    const OTHER: Client = Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2)));
    const LONG: Duration = Duration::from_secs(600);

    fn places(all: usize) -> QueueLimits {
        QueueLimits { all, for_verification: 0 }
    }

    /// Keeps the pool's only thread busy until the returned value is dropped.
    async fn occupy(pool: &Arc<Pool>, client: Client) -> (mpsc::Sender<()>, JoinHandle<Result<(), PoolFailure>>) {
        let (release, released) = mpsc::channel::<()>();
        let (start, started) = oneshot::channel();
        let pool = Arc::clone(pool);
        let task = tokio::spawn(async move {
            let work = move || {
                let _ = start.send(());
                let _ = released.recv();
            };
            pool.run((Lane::NewPassword, client), work).await
        });
        started.await.unwrap();
        (release, task)
    }

    /// Adds a job to the queue.
    async fn ask(
        pool: &Arc<Pool>,
        client: Client,
        name: &'static str,
        done: &mpsc::Sender<&'static str>,
    ) -> JoinHandle<Result<(), PoolFailure>> {
        let (pool, done) = (Arc::clone(pool), done.clone());
        let (before, own) = (waiting(&pool), Arc::clone(&pool));
        let work = move || done.send(name).unwrap();
        let task = tokio::spawn(async move { pool.run((Lane::NewPassword, client), work).await });
        while !task.is_finished() && waiting(&own) == before {
            tokio::task::yield_now().await;
        }
        task
    }

    fn waiting(pool: &Pool) -> usize {
        pool.0.jobs().queue.len()
    }

    #[tokio::test]
    async fn clients_take_turns() {
        let pool = Arc::new(Pool::with(1, places(100), LONG));
        let (done, order) = mpsc::channel();
        let (release, first) = occupy(&pool, ONE).await;
        let mut tasks = Vec::new();
        for name in ["one 1", "one 2", "one 3"] {
            tasks.push(ask(&pool, ONE, name, &done).await);
        }
        for name in ["other 1", "other 2"] {
            tasks.push(ask(&pool, OTHER, name, &done).await);
        }
        drop(release);
        for task in tasks {
            task.await.unwrap().unwrap();
        }
        first.await.unwrap().unwrap();
        drop(done);
        // The job that ran was one's turn.
        assert_eq!(order.iter().collect::<Vec<_>>(), ["other 1", "one 1", "other 2", "one 2", "one 3"]);
    }

    #[tokio::test]
    async fn a_full_queue_takes_a_newcomer_and_drops_the_newest_of_whoever_has_most() {
        let pool = Arc::new(Pool::with(1, places(6), LONG));
        let (done, order) = mpsc::channel();
        let (release, first) = occupy(&pool, ONE).await;
        let mut tasks = vec![ask(&pool, ONE, "second", &done).await];
        let newest = ask(&pool, ONE, "third", &done).await;
        assert_eq!(pool.run((Lane::NewPassword, ONE), || ()).await, Err(PoolFailure::Busy), "half of six are three");
        for name in ["other 1", "other 2"] {
            tasks.push(ask(&pool, OTHER, name, &done).await);
        }
        tasks.push(ask(&pool, None, "unknown", &done).await);
        let own = Arc::clone(&pool);
        let third: Client = Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 3)));
        let newcomer = tokio::spawn(async move { own.run((Lane::Verification, third), || ()).await });
        assert_eq!(newest.await.unwrap(), Err(PoolFailure::Busy), "it made room");
        drop(release);
        for task in tasks {
            task.await.unwrap().unwrap();
        }
        newcomer.await.unwrap().unwrap();
        first.await.unwrap().unwrap();
        drop(done);
        assert!(!order.iter().any(|name| name == "third"));
        while !pool.0.jobs().queue.is_idle() {
            tokio::task::yield_now().await;
        }
        assert_eq!(pool.run((Lane::NewPassword, ONE), || 1).await, Ok(1), "the places are free again");
    }

    #[tokio::test]
    async fn waiting_jobs_time_out_and_abandoned_jobs_are_dropped() {
        let pool = Arc::new(Pool::with(1, places(5), Duration::from_millis(200)));
        let (done, order) = mpsc::channel();
        let (release, _first) = occupy(&pool, ONE).await;
        let late = ask(&pool, OTHER, "late", &done).await;
        assert_eq!(late.await.unwrap(), Err(PoolFailure::Busy));
        drop((release, done));
        assert!(order.recv().is_err(), "dropped undone");
    }

    #[tokio::test]
    async fn a_panic_costs_its_own_answer_alone() {
        let (pool, own) = (Pool::with(1, places(5), LONG), (Lane::Verification, ONE));
        assert_eq!(pool.run(own, || std::panic::panic_any(())).await, Err::<(), _>(PoolFailure::Lost));
        assert_eq!(pool.run(own, || 1).await, Ok(1));
    }
}
