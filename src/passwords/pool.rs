//! The thread pool for password hashing, with a bounded fair queue: one client may fill half of it, and clients are
//! served round-robin. A request that waits too long, or whose client is gone, is dropped.

use crate::domain::client_address;
use rustix::process::nice;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::sync::oneshot;

/// The most jobs in the queue or in progress, of one client at most half.
const QUEUE_CAPACITY: usize = 128;
/// How long a job waits in the queue.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);

/// The niceness of the threads: requests that need no digest do not wait for those that do.
const NICENESS: i32 = 10;

/// Why a job was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PoolFailure {
    /// The queue is full, in total or for this client; or the job waited too long.
    Busy,
    /// The work panicked, or the pool is gone.
    Lost,
}

/// The threads and their queue. The threads end when it is dropped.
pub(super) struct Pool(Arc<PoolState>);

struct PoolState {
    queue: Mutex<JobQueue>,
    changed: Condvar,
    capacity: usize,
    timeout: Duration,
}

/// A client. `None`: a client without an address.
type ClientAddress = Option<IpAddr>;
type HashJob = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct JobQueue {
    /// Clients with waiting jobs, the next one first.
    waiting: VecDeque<(ClientAddress, VecDeque<HashJob>)>,
    /// The number of jobs of each client, waiting or in progress.
    taken: HashMap<ClientAddress, usize>,
    is_closed: bool,
}

impl Pool {
    /// A pool of so many threads.
    pub(super) fn start(threads: usize) -> Self {
        Self::with(threads, QUEUE_CAPACITY, QUEUE_TIMEOUT)
    }

    fn with(threads: usize, capacity: usize, timeout: Duration) -> Self {
        let shared = Arc::new(PoolState { queue: Mutex::default(), changed: Condvar::new(), capacity, timeout });
        for _ in 0..threads.max(1) {
            let shared = Arc::clone(&shared);
            if let Err(error) = thread::Builder::new().name("passwords".to_owned()).spawn(move || shared.work()) {
                tracing::error!(%error, "a password hashing thread could not be started");
            }
        }
        Self(shared)
    }

    /// Has work done for a client.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        client: ClientAddress,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PoolFailure> {
        let (start, started) = oneshot::channel::<()>();
        let (answer, answered) = oneshot::channel();
        let job = move || {
            // The caller has given up.
            if start.send(()).is_ok() {
                let _ = answer.send(work());
            }
        };
        self.0.enter(client.map(client_address::share), Box::new(job))?;
        let in_time = tokio::time::timeout(self.0.timeout, started).await;
        in_time.map_err(|_| PoolFailure::Busy)?.map_err(|_| PoolFailure::Lost)?;
        answered.await.map_err(|_| PoolFailure::Lost)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut queue = self.0.queue();
        queue.is_closed = true;
        queue.waiting.clear();
        drop(queue);
        self.0.changed.notify_all();
    }
}

impl PoolState {
    fn queue(&self) -> MutexGuard<'_, JobQueue> {
        // Nothing panics while it is held.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, client: ClientAddress, job: HashJob) -> Result<(), PoolFailure> {
        let mut queue = self.queue();
        let all: usize = queue.taken.values().sum();
        let own = queue.taken.get(&client).copied().unwrap_or_default();
        if all >= self.capacity || own >= self.capacity.div_ceil(2) {
            return Err(PoolFailure::Busy);
        }
        queue.taken.insert(client, own + 1);
        match queue.waiting.iter_mut().find(|(known, _)| *known == client) {
            Some((_, jobs)) => jobs.push_back(job),
            None => queue.waiting.push_back((client, VecDeque::from([job]))),
        }
        drop(queue);
        self.changed.notify_one();
        Ok(())
    }

    fn work(&self) {
        // On Linux it is that of the thread, elsewhere of the whole process. A failure costs the priority alone.
        if cfg!(target_os = "linux") {
            let _ = nice(NICENESS);
        }
        while let Some((client, job)) = self.next() {
            if catch_unwind(AssertUnwindSafe(job)).is_err() {
                tracing::error!("password hashing panicked");
            }
            self.queue().leave(client);
        }
    }

    /// The next job; waits for one. `None` when the pool is gone.
    fn next(&self) -> Option<(ClientAddress, HashJob)> {
        let mut queue = self.queue();
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some(next) = queue.next() {
                return Some(next);
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl JobQueue {
    /// The first job of the next client (round-robin).
    fn next(&mut self) -> Option<(ClientAddress, HashJob)> {
        let (client, mut jobs) = self.waiting.pop_front()?;
        let job = jobs.pop_front()?;
        if !jobs.is_empty() {
            self.waiting.push_back((client, jobs));
        }
        Some((client, job))
    }

    fn leave(&mut self, client: ClientAddress) {
        if let Some(own) = self.taken.get_mut(&client) {
            *own -= 1;
            if *own == 0 {
                self.taken.remove(&client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

    use super::*;
    use std::sync::mpsc;
    use tokio::task::JoinHandle;

    const ONE: ClientAddress = Some(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1)));
    const OTHER: ClientAddress = Some(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2)));
    const LONG: Duration = Duration::from_secs(600);

    /// Keeps the pool's only thread busy until the returned value is dropped.
    async fn occupy(
        pool: &Arc<Pool>,
        client: ClientAddress,
    ) -> (mpsc::Sender<()>, JoinHandle<Result<(), PoolFailure>>) {
        let (release, released) = mpsc::channel::<()>();
        let (start, started) = oneshot::channel();
        let pool = Arc::clone(pool);
        let task = tokio::spawn(async move {
            let work = move || {
                let _ = start.send(());
                let _ = released.recv();
            };
            pool.run(client, work).await
        });
        started.await.unwrap();
        (release, task)
    }

    /// Adds a job to the queue.
    async fn ask(
        pool: &Arc<Pool>,
        client: ClientAddress,
        name: &'static str,
        done: &mpsc::Sender<&'static str>,
    ) -> JoinHandle<Result<(), PoolFailure>> {
        let (pool, done) = (Arc::clone(pool), done.clone());
        let (before, own) = (waiting(&pool), Arc::clone(&pool));
        let task = tokio::spawn(async move { pool.run(client, move || done.send(name).unwrap()).await });
        while !task.is_finished() && waiting(&own) == before {
            tokio::task::yield_now().await;
        }
        task
    }

    fn waiting(pool: &Pool) -> usize {
        pool.0.queue().waiting.iter().map(|(_, jobs)| jobs.len()).sum()
    }

    #[tokio::test]
    async fn clients_take_turns() {
        let pool = Arc::new(Pool::with(1, 100, LONG));
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
        assert_eq!(order.iter().collect::<Vec<_>>(), ["one 1", "other 1", "one 2", "other 2", "one 3"]);
    }

    #[tokio::test]
    async fn a_client_has_half_of_the_places_and_all_have_all() {
        let pool = Arc::new(Pool::with(1, 5, LONG));
        let (done, _order) = mpsc::channel();
        let (release, first) = occupy(&pool, ONE).await;
        let mut tasks = vec![ask(&pool, ONE, "second", &done).await, ask(&pool, ONE, "third", &done).await];
        assert_eq!(pool.run(ONE, || ()).await, Err(PoolFailure::Busy), "half of five are three");
        tasks.push(ask(&pool, OTHER, "other", &done).await);
        tasks.push(ask(&pool, None, "unknown", &done).await);
        assert_eq!(pool.run(OTHER, || ()).await, Err(PoolFailure::Busy), "five are five");
        drop(release);
        for task in tasks {
            task.await.unwrap().unwrap();
        }
        first.await.unwrap().unwrap();
        while !pool.0.queue().taken.is_empty() {
            tokio::task::yield_now().await;
        }
        assert_eq!(pool.run(ONE, || 1).await, Ok(1), "the capacity is free again");
    }

    #[tokio::test]
    async fn waiting_jobs_time_out_and_abandoned_jobs_are_dropped() {
        let pool = Arc::new(Pool::with(1, 5, Duration::from_millis(200)));
        let (done, order) = mpsc::channel();
        let (release, _first) = occupy(&pool, ONE).await;
        let late = ask(&pool, OTHER, "late", &done).await;
        assert_eq!(late.await.unwrap(), Err(PoolFailure::Busy));
        drop((release, done));
        assert!(order.recv().is_err(), "dropped undone");
    }

    #[tokio::test]
    async fn a_panic_costs_its_own_answer_alone() {
        let pool = Pool::with(1, 5, LONG);
        assert_eq!(pool.run(ONE, || std::panic::panic_any(())).await, Err::<(), _>(PoolFailure::Lost));
        assert_eq!(pool.run(ONE, || 1).await, Ok(1));
    }
}
