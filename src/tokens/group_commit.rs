//! Group commit of issuances: consume what is for a single use, re-check what was shown and authorized, keep the record and
//! the audit entry, in one transaction (`docs/decisions/single-use-and-commit-order.md`). Waiting writes share a
//! transaction; each caller hears of its own alone.

use super::batch::{Batch, Queue};
use super::error::Error;
use crate::clock::Clock;
use crate::domain::id::UserId;
use crate::storage::audit::Log;
use crate::storage::issuances::Issuance;
use crate::storage::issuing::{self, Consume, Held, RestsOn, WriteBatch};
use crate::storage::revisions::{self, Change, Changed};
use crate::storage::{self, Db, Dialect, Tx};
use crate::supervisor::Tasks;

/// One write, with what it relies on.
#[derive(Debug)]
pub struct Write {
    /// The revision of what may be granted by which the grant was decided.
    pub revision: i64,
    /// The users that the grant relies on, with the revision at which each was looked at.
    pub users: Vec<(UserId, i64)>,
    /// The `jti` of the actor's token, which has to be live still.
    pub actor_jti: Option<String>,
    /// What is used up by it.
    pub consume: Option<Consume>,
    /// The hash of the personal access token that it rests on.
    pub personal_access_token: Option<String>,
    /// The record of the token.
    pub issuance: Issuance,
    /// The audit entry.
    pub log: Log,
}

/// What came of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// It is durable: the token may be shown.
    Committed,
    /// What was authorized has changed: look again from the start.
    Stale,
    /// What was to be used up, or the personal access token, was not live any more.
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

    /// Writes, and answers after the commit.
    pub async fn write(&self, write: Write) -> Result<Written, Error> {
        self.0.ask(Job::Write(Box::new(write))).await
    }

    /// Adds an entry to the audit log, soon. A refusal is not worth a wait: `false` when too much waits.
    #[must_use]
    pub fn note(&self, log: Log) -> bool {
        self.0.post(Job::Note(Box::new(log)))
    }
}

/// What waits in the queue.
enum Job {
    /// A write whose caller waits for what came of it.
    Write(Box<Write>),
    /// An entry of the audit log that nobody waits for: something was refused.
    Note(Box<Log>),
}

/// One transaction for all that waits.
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

/// One transaction for all of `writes` and `notes`; answers one result for each write. What they rest on is held first,
/// so that nothing of it changes between the decision and the commit.
async fn commit(db: &Db, writes: &[&Write], notes: &[&Log], now: i64) -> storage::Result<Vec<Written>> {
    let mut tx = db.begin_issuing().await?;
    let mut held = issuing::hold(&mut tx, &rests_on(writes), now).await?;
    let authorized = Authorized::read(&mut tx, writes, held.revision).await?;
    let (mut results, mut batch) = (Vec::with_capacity(writes.len()), WriteBatch::default());
    for write in writes {
        let written = judge(write, &authorized, &mut held);
        if written == Written::Committed {
            batch.consume.extend(&write.consume);
            batch.issuances.push(&write.issuance);
            batch.logs.push(&write.log);
        }
        results.push(written);
    }
    batch.logs.extend(notes);
    issuing::write(&mut tx, &batch, now).await?;
    tx.commit().await?;
    Ok(results)
}

/// All that these writes rest on.
fn rests_on<'w>(writes: &[&'w Write]) -> RestsOn<'w> {
    let mut rests_on = RestsOn::default();
    for write in writes {
        rests_on.users.extend(write.users.iter().map(|(id, _)| id));
        rests_on.tokens.extend(write.actor_jti.as_deref());
        rests_on.personal_access_tokens.extend(write.personal_access_token.as_deref());
        rests_on.single_use.extend(&write.consume);
    }
    rests_on
}

/// Whether what a write rests on is still true. It takes what it consumes: the next one in the batch finds it spent.
fn judge(write: &Write, authorized: &Authorized, held: &mut Held) -> Written {
    let unchanged = authorized.stands(write)
        && write.users.iter().all(|(id, seen)| held.users.get(id) == Some(seen))
        && write.actor_jti.as_ref().is_none_or(|jti| held.tokens.contains(jti));
    if !unchanged {
        return Written::Stale;
    }
    let live = write.personal_access_token.as_ref().is_none_or(|hash| held.personal_access_tokens.contains(hash))
        && write.consume.as_ref().is_none_or(|credential| held.single_use.remove(credential));
    if live { Written::Committed } else { Written::Spent }
}

/// What was changed since the oldest of some writes was decided.
struct Authorized {
    revision: i64,
    /// `None`: too much to know.
    changes: Option<Vec<Change>>,
}

impl Authorized {
    async fn read(tx: &mut Tx, writes: &[&Write], revision: i64) -> storage::Result<Self> {
        let oldest = writes.iter().map(|write| write.revision).min().unwrap_or(revision);
        let changes =
            if oldest < revision { revisions::changes_since(tx, oldest, revision).await? } else { Some(Vec::new()) };
        Ok(Self { revision, changes })
    }

    /// Whether nothing changed that this write rests on.
    fn stands(&self, write: &Write) -> bool {
        if write.revision == self.revision {
            return true;
        }
        let Some(changes) = &self.changes else { return false };
        let concerns = |change: &&Change| match change.changed() {
            Changed::All | Changed::Keys => true,
            Changed::Application(id) => write.issuance.application_id == *id,
            // What plugins were told of a user names their organizations.
            Changed::Organization(id) => !write.users.is_empty() || write.issuance.organization_id.as_ref() == Some(id),
        };
        !changes.iter().filter(|change| change.revision > write.revision).any(|change| concerns(&change))
    }
}
