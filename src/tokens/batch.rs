//! Work that is done for everybody who waits at once: a worker takes what waits, does it together, answers each, and
//! takes what came meanwhile. There is no timer; a caller who is alone is served alone, at once.

use super::error::Error;
use crate::lifecycle::Tasks;
use crate::storage;
use std::sync::Arc;
use tokio::sync::{Mutex, mpsc, oneshot};

/// Most jobs that are done together; keeps statements below SQLite's limit of bound values (15 × 64 of 32,766).
const LARGEST: usize = 64;
/// Most jobs that wait; more are refused at once.
const QUEUE: usize = 4096;

/// What is done together.
pub(super) trait Batch: Send + 'static {
    /// What one caller wants.
    type Job: Send + Sync;
    /// What one caller hears.
    type Answer: Send;

    /// Does all of `jobs`, and answers each in their order; or fails, and has done none of them.
    fn run(&mut self, jobs: &[Self::Job]) -> impl Future<Output = storage::Result<Vec<Self::Answer>>> + Send;
}

type Waiting<B> = (<B as Batch>::Job, oneshot::Sender<Result<<B as Batch>::Answer, Error>>);

/// The queue in front of a [`Batch`]. Its workers end when it is dropped.
pub(super) struct Queue<B: Batch>(mpsc::Sender<Waiting<B>>);

impl<B: Batch> Queue<B> {
    /// Starts a worker for each of `batches`, beside each other.
    pub(super) fn start(batches: impl IntoIterator<Item = B>, name: &'static str, tasks: &Tasks) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let waiting = Arc::new(Mutex::new(waiting));
        for batch in batches {
            tasks.spawn(name, work(batch, waiting.clone()));
        }
        Self(queue)
    }

    /// Has one job done, soon. `false` when too many wait.
    pub(super) fn post(&self, job: B::Job) -> bool {
        self.0.try_send((job, oneshot::channel().0)).is_ok()
    }

    /// Has one job done. [`Error::Busy`] when too many wait.
    pub(super) async fn ask(&self, job: B::Job) -> Result<B::Answer, Error> {
        let (answer, answered) = oneshot::channel();
        self.0.try_send((job, answer)).map_err(|_| Error::Busy)?;
        answered.await.map_err(|_| Error::Busy)?
    }
}

async fn work<B: Batch>(mut batch: B, waiting: Arc<Mutex<mpsc::Receiver<Waiting<B>>>>) {
    loop {
        let taken = take(&mut *waiting.lock().await).await;
        if taken.is_empty() {
            return;
        }
        let (jobs, callers): (Vec<_>, Vec<_>) = taken.into_iter().unzip();
        let answers = match batch.run(&jobs).await {
            Ok(answers) => answers.into_iter().map(Ok).collect(),
            Err(error) if jobs.len() == 1 => vec![Err(error.into())],
            // One job that cannot be done must not take its neighbours with it.
            Err(error) => {
                tracing::warn!(%error, jobs = jobs.len(), "shared work failed, each part of it is done alone");
                let mut alone = Vec::with_capacity(jobs.len());
                for job in &jobs {
                    alone.push(do_alone(&mut batch, job).await);
                }
                alone
            }
        };
        for (caller, answer) in callers.into_iter().zip(answers) {
            if let Err(Err(error)) = caller.send(answer) {
                tracing::warn!(%error, "work that nobody waits for failed");
            }
        }
    }
}

/// All that waits; nothing when the queue has ended.
async fn take<T>(waiting: &mut mpsc::Receiver<T>) -> Vec<T> {
    let mut taken = Vec::with_capacity(LARGEST);
    waiting.recv_many(&mut taken, LARGEST).await;
    // Those who are about to get in line, get in line: without this the first of them would be served alone.
    tokio::task::yield_now().await;
    while taken.len() < LARGEST
        && let Ok(more) = waiting.try_recv()
    {
        taken.push(more);
    }
    taken
}

async fn do_alone<B: Batch>(batch: &mut B, job: &B::Job) -> Result<B::Answer, Error> {
    batch.run(std::slice::from_ref(job)).await?.pop().ok_or(Error::Busy)
}
