//! Group commit of issuances: consumes the subject token, re-checks the presented tokens and the authorization data,
//! and writes the issuance record and the audit entry, in one transaction
//! (`docs/decisions/single-use-and-commit-order.md`). Waiting writes share a transaction; each caller gets its own
//! result.

use super::batch::{Batch, Queue};
use super::error::Error;
use crate::clock::Clock;
use crate::storage::audit::{self, Log};
use crate::storage::issuances::{self, Issuance};
use crate::storage::revisions::{self, Change, Changed};
use crate::storage::{self, Db, Dialect, Tx, subject_tokens, users};
use crate::supervisor::Tasks;
use std::collections::{BTreeSet, HashMap, HashSet};

/// One write, with the data that its decision depends on.
#[derive(Debug)]
pub struct Write {
    /// The authorization revision of the decision.
    pub revision: i64,
    /// The users that the decision depends on, each with the revision at which it was read.
    pub users: Vec<(String, i64)>,
    /// The `jti` of the actor token, which must still be live.
    pub actor_jti: Option<String>,
    /// The subject token to consume.
    pub subject_token_id: Option<String>,
    /// The hash of the personal access token, if one is exchanged.
    pub personal_access_token: Option<String>,
    /// The record of the token.
    pub issuance: Issuance,
    /// The audit entry.
    pub log: Log,
}

/// The result of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// It is durable: the token may be sent to the client.
    Committed,
    /// The authorization data changed: the request starts over.
    Stale,
    /// The subject token, or the personal access token, was not live any more.
    Spent,
}

/// The queue in front of the database's writer. Its workers end when it is dropped.
pub struct GroupCommit(Queue<Commits>);

impl GroupCommit {
    /// Starts the workers: one for SQLite, whose writer is one connection, a few for PostgreSQL.
    #[must_use]
    pub fn start(db: &Db, clock: &Clock, tasks: &Tasks) -> Self {
        let workers = match db.dialect() {
            Dialect::Sqlite => 1,
            Dialect::Postgres => 4,
        };
        let commits = (0..workers).map(|_| Commits { db: db.clone(), clock: clock.clone() });
        Self(Queue::start(commits, "write queue", tasks))
    }

    /// Writes, and returns after the commit.
    pub async fn write(&self, write: Write) -> Result<Written, Error> {
        self.0.ask(Job::Write(Box::new(write))).await
    }

    /// Queues an audit entry without waiting for it. `false` if the queue is full.
    #[must_use]
    pub fn note(&self, log: Log) -> bool {
        self.0.post(Job::Note(Box::new(log)))
    }
}

/// A job of the queue.
enum Job {
    /// A write whose caller waits for its result.
    Write(Box<Write>),
    /// An audit entry of a refusal, without a waiting caller.
    Note(Box<Log>),
}

/// The database writer: one transaction for all waiting jobs.
struct Commits {
    db: Db,
    clock: Clock,
}

impl Batch for Commits {
    type Job = Job;
    type Answer = Written;

    async fn run(&mut self, jobs: &[Job]) -> storage::Result<Vec<Written>> {
        let (mut writes, mut notes) = (Vec::new(), Vec::new());
        for job in jobs {
            match job {
                Job::Write(write) => writes.push(write.as_ref()),
                Job::Note(log) => notes.push(log.as_ref()),
            }
        }
        let mut written = commit(&self.db, &writes, &notes, self.clock.now_ms()).await?.into_iter();
        let answer = |job: &Job| match job {
            Job::Write(_) => written.next().unwrap_or(Written::Stale),
            Job::Note(_) => Written::Committed,
        };
        Ok(jobs.iter().map(answer).collect())
    }
}

/// Runs one transaction for all of `writes` and `notes`; returns one result for each write.
async fn commit(db: &Db, writes: &[&Write], notes: &[&Log], now: i64) -> storage::Result<Vec<Written>> {
    let mut tx = db.begin_issuing().await?;
    let mut results = standing(&mut tx, writes, now).await?;
    let candidates = |results: &[Written]| -> Vec<usize> {
        (0..writes.len()).filter(|index| results[*index] == Written::Committed).collect()
    };

    let wanted: BTreeSet<&str> =
        candidates(&results).iter().filter_map(|index| writes[*index].subject_token_id.as_deref()).collect();
    let mut consumed: HashSet<String> =
        subject_tokens::consume(&mut tx, &wanted.into_iter().collect::<Vec<_>>(), now).await?.into_iter().collect();
    for index in candidates(&results) {
        if writes[index].subject_token_id.as_ref().is_some_and(|id| !consumed.remove(id)) {
            results[index] = Written::Spent;
        }
    }

    let shown: BTreeSet<&str> =
        candidates(&results).iter().filter_map(|index| writes[*index].personal_access_token.as_deref()).collect();
    let live = users::personal_access_tokens::hold(&mut tx, &shown.into_iter().collect::<Vec<_>>(), now).await?;
    for index in candidates(&results) {
        if writes[index].personal_access_token.as_ref().is_some_and(|hash| !live.contains(hash)) {
            results[index] = Written::Spent;
        }
    }

    let kept: Vec<&Write> = candidates(&results).into_iter().map(|index| writes[index]).collect();
    issuances::insert(&mut tx, &kept.iter().map(|write| &write.issuance).collect::<Vec<_>>()).await?;
    let logs: Vec<&Log> = kept.iter().map(|write| &write.log).chain(notes.iter().copied()).collect();
    audit::append(&mut tx, &logs).await?;
    tx.commit().await?;
    Ok(results)
}

/// Which of the writes depend on data that are still current. The data are locked until the transaction ends.
async fn standing(tx: &mut Tx, writes: &[&Write], now: i64) -> storage::Result<Vec<Written>> {
    let authorized = Authorized::read(tx, writes).await?;
    let ids: BTreeSet<&str> = writes.iter().flat_map(|write| &write.users).map(|(id, _)| id.as_str()).collect();
    let held = users::hold(tx, &ids.into_iter().collect::<Vec<_>>()).await?;
    let active: HashMap<&str, i64> =
        held.iter().filter(|user| !user.is_suspended).map(|user| (user.id.as_str(), user.revision)).collect();
    let jtis: BTreeSet<&str> = writes.iter().filter_map(|write| write.actor_jti.as_deref()).collect();
    let live = issuances::hold_live(tx, &jtis.into_iter().collect::<Vec<_>>(), now).await?;
    let live: HashSet<&str> = live.iter().map(String::as_str).collect();
    let stands = |write: &Write| {
        authorized.stands(write)
            && write.users.iter().all(|(id, seen)| active.get(id.as_str()) == Some(seen))
            && write.actor_jti.as_deref().is_none_or(|jti| live.contains(jti))
    };
    Ok(writes.iter().map(|write| if stands(write) { Written::Committed } else { Written::Stale }).collect())
}

/// The changes since the oldest decision of some writes.
struct Authorized {
    revision: i64,
    /// `None`: too many changes to list.
    changes: Option<Vec<Change>>,
}

impl Authorized {
    async fn read(tx: &mut Tx, writes: &[&Write]) -> storage::Result<Self> {
        let revision = revisions::current(tx).await?;
        let oldest = writes.iter().map(|write| write.revision).min().unwrap_or(revision);
        let changes =
            if oldest < revision { revisions::changes_since(tx, oldest, revision).await? } else { Some(Vec::new()) };
        Ok(Self { revision, changes })
    }

    /// Whether nothing changed that this write depends on.
    fn stands(&self, write: &Write) -> bool {
        if write.revision == self.revision {
            return true;
        }
        let Some(changes) = &self.changes else { return false };
        let concerns = |change: &&Change| match change.changed() {
            Changed::All | Changed::Keys => true,
            Changed::Application(id) => write.issuance.application_id == id,
            // The plugins' input for a user contains the user's organizations.
            Changed::Organization(id) => {
                !write.users.is_empty() || write.issuance.organization_id.as_deref() == Some(id)
            }
        };
        !changes.iter().filter(|change| change.revision > write.revision).any(|change| concerns(&change))
    }
}
