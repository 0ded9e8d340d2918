//! Group commit of issuances: consumes single-use credentials, re-checks the presented tokens and the authorization
//! data, and writes the issuance record and the audit entry, in one transaction
//! (`docs/decisions/single-use-and-commit-order.md`). Waiting writes share a transaction, also with new subject tokens
//! and, on SQLite, with other changes; each caller gets its own result.

mod at_once;

use super::batch::{Batch, BatchQueue};
use super::commit_delay::Arrival;
use super::error::Error;
use super::shared_change::{self, AttributedChange, SharedChange, WaitingChange};
use super::subject_token::{NewSubjectToken, SubjectTokenWritten};
use super::user_facts::UserFacts;
use crate::audit::Actor;
use crate::supervisor::Tasks;
use crate::unit_of_work::UnitOfWork;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::id::{GrantId, UserId};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_storage::audit::StoredAuditEntry;
use claimsmith_storage::issuing::client_assertions::{self, AssertionUse};
use claimsmith_storage::issuing::issuances::Issuance;
use claimsmith_storage::issuing::{self, Consume, Dependencies, LockedDependencies, WriteBatch};
use claimsmith_storage::revisions::{self, Changed, RevisionChange};
use claimsmith_storage::sessions::refresh_families::RefreshFamily;
use claimsmith_storage::sessions::refresh_tokens::RefreshToken;
use claimsmith_storage::{self as storage, Db, Dialect, Tx};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

/// One write, with the data that its decision depends on.
#[derive(Debug)]
pub(super) struct Write {
    /// The authorization revision of the decision.
    pub revision: i64,
    /// The users that the decision depends on, each with the revision at which it was read.
    pub users: Vec<(UserId, i64)>,
    /// The facts of the represented user, which name their organizations.
    pub facts: Option<Arc<UserFacts>>,
    /// The `jti` of the actor token, which must still be live.
    pub actor_jti: Option<String>,
    /// The single-use credential to consume.
    pub consume: Option<Consume>,
    /// The hash of the personal access token, if one is exchanged.
    pub personal_access_token: Option<String>,
    /// The grant of the user, which must still be live.
    pub grant: Option<GrantId>,
    /// The hash of the refresh token that this write does not replace. It must not have expired or been revoked with
    /// its family; it may have been replaced meanwhile, since its leeway begins only then.
    pub live_refresh_token: Option<String>,
    /// The new refresh token.
    pub refresh_token: Option<RefreshToken>,
    /// The family of the new refresh token, if it gets its key now.
    pub refresh_family: Option<RefreshFamily>,
    /// The record of the token.
    pub issuance: Issuance,
    /// The audit entry.
    pub log: StoredAuditEntry,
}

/// The result of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// It is durable: the token may be sent to the client.
    Committed,
    /// The authorization data changed: the request starts over.
    Stale,
    /// The single-use credential, the personal access token, the refresh token or the grant was no longer live.
    Spent,
}

/// The queue in front of the database's writer. Its workers end when it is dropped.
pub struct GroupCommit {
    queue: BatchQueue<Commits>,
    db: Db,
    clock: Clock,
}

impl GroupCommit {
    /// Starts the workers: one for SQLite, whose writer is one connection, a few for PostgreSQL.
    #[must_use]
    pub fn start(db: &Db, clock: &Clock, tasks: &Tasks) -> Self {
        let workers = match db.dialect() {
            Dialect::Sqlite => 1,
            Dialect::Postgres => 4,
        };
        let commits = (0..workers).map(|_| Commits { db: db.clone(), clock: clock.clone() });
        let queue = BatchQueue::start(commits, "write queue", tasks);
        Self { queue, db: db.clone(), clock: clock.clone() }
    }

    /// Announces a write, so that a commit waits a moment for it.
    pub(super) fn announce(&self) -> Arrival {
        self.queue.announce()
    }

    /// Writes, and returns after the commit. An announced write counts as arrived then.
    pub(super) async fn write(&self, write: Write, arrival: Option<Arrival>) -> Result<Written, Error> {
        match self.queue.ask_announced(Job::Write(Box::new(write)), arrival).await? {
            Answer::Written(written) => Ok(written),
            Answer::SubjectToken(_) => Err(Error::Busy),
        }
    }

    /// Records the use of a client assertion, and returns after the commit: `Written::Spent` if it was used before.
    pub async fn claim(&self, assertion: AssertionUse) -> Result<Written, Error> {
        match self.queue.ask(Job::Claim(assertion)).await? {
            Answer::Written(written) => Ok(written),
            Answer::SubjectToken(_) => Err(Error::Busy),
        }
    }

    /// Writes a subject token with its audit entry, and returns after the commit.
    pub(super) async fn add_subject_token(&self, new: NewSubjectToken) -> Result<SubjectTokenWritten, Error> {
        match self.queue.ask(Job::SubjectToken(Box::new(new))).await? {
            Answer::SubjectToken(written) => Ok(written),
            Answer::Written(_) => Err(Error::Busy),
        }
    }

    /// Makes a change, and returns after the commit. On PostgreSQL it gets a transaction of its own: transactions run
    /// beside each other there, and two that write the rows of many requests could wait for each other.
    pub(super) async fn change<C: SharedChange>(
        &self,
        change: C,
        actor: Actor,
        origin: RequestOrigin,
    ) -> Result<C::Outcome, C::Refusal> {
        if self.db.dialect() == Dialect::Postgres {
            let mut work = UnitOfWork::begin(&self.db, actor, origin, self.clock.now_ms()).await?;
            let outcome = change.write(&mut work).await?;
            work.commit().await?;
            return Ok(outcome);
        }
        let result = shared_change::ChangeResult::<C>::default();
        let change = AttributedChange { change, actor, origin, result: Arc::clone(&result) };
        let committed = match self.queue.ask(Job::Change(Box::new(change))).await {
            Ok(_) => Ok(()),
            Err(Error::Storage(error)) => Err(error),
            Err(other) => {
                tracing::warn!(error = %other, "a change was not written");
                Err(storage::Error::timed_out())
            }
        };
        shared_change::answer::<C>(&result, committed)
    }

    /// Queues an audit entry without waiting for it. `false` if the queue is full.
    #[must_use]
    pub fn note(&self, log: StoredAuditEntry) -> bool {
        self.queue.post(Job::Note(Box::new(log)))
    }
}

/// A job of the queue.
enum Job {
    /// A write whose caller waits for its result.
    Write(Box<Write>),
    /// The use of a client assertion, whose caller waits for its result.
    Claim(AssertionUse),
    /// A new subject token, whose caller waits for its result.
    SubjectToken(Box<NewSubjectToken>),
    /// A change of any kind, whose caller waits for the commit.
    Change(Box<dyn WaitingChange>),
    /// An audit entry of a refusal, without a waiting caller.
    Note(Box<StoredAuditEntry>),
}

/// The result of a job.
enum Answer {
    Written(Written),
    SubjectToken(SubjectTokenWritten),
}

/// The database writer: one transaction for all waiting jobs.
struct Commits {
    db: Db,
    clock: Clock,
}

impl Batch for Commits {
    type Job = Job;
    type Answer = Answer;

    /// SQLite runs one commit at a time, so larger batches pay off. On PostgreSQL a waiting commit keeps the next batch
    /// from being gathered.
    fn max_waits(&self) -> u32 {
        match self.db.dialect() {
            Dialect::Sqlite => 4,
            Dialect::Postgres => 1,
        }
    }

    /// At 1,500 jobs a second three share a commit. Timers take up to a millisecond more.
    fn window(&self) -> Duration {
        match self.db.dialect() {
            Dialect::Sqlite => Duration::from_micros(1500),
            Dialect::Postgres => Duration::from_millis(1),
        }
    }

    async fn run(&mut self, jobs: &[Job]) -> storage::Result<Vec<Answer>> {
        let jobs_by_kind = JobsByKind::of(jobs);
        let Committed { written, subject_tokens, mut claimed } =
            commit(&self.db, &jobs_by_kind, self.clock.now_ms()).await?;
        let (mut written, mut subject_tokens) = (written.into_iter(), subject_tokens.into_iter());
        let answer = |job: &Job| match job {
            Job::Write(_) => Answer::Written(written.next().unwrap_or(Written::Stale)),
            Job::SubjectToken(_) => Answer::SubjectToken(subject_tokens.next().unwrap_or(SubjectTokenWritten::Stale)),
            // Of two uses in the batch, the first one succeeds.
            Job::Claim(assertion) if claimed.remove(&assertion.hash) => Answer::Written(Written::Committed),
            Job::Claim(_) => Answer::Written(Written::Spent),
            Job::Change(_) | Job::Note(_) => Answer::Written(Written::Committed),
        };
        Ok(jobs.iter().map(answer).collect())
    }
}

/// The jobs of a batch.
#[derive(Default)]
struct JobsByKind<'j> {
    writes: Vec<&'j Write>,
    claims: Vec<&'j AssertionUse>,
    subject_tokens: Vec<&'j NewSubjectToken>,
    changes: Vec<&'j dyn WaitingChange>,
    notes: Vec<&'j StoredAuditEntry>,
}

impl<'j> JobsByKind<'j> {
    fn of(jobs: &'j [Job]) -> Self {
        let mut of = Self::default();
        for job in jobs {
            match job {
                Job::Write(write) => of.writes.push(write),
                Job::Claim(assertion) => of.claims.push(assertion),
                Job::SubjectToken(new) => of.subject_tokens.push(new),
                Job::Change(change) => of.changes.push(change.as_ref()),
                Job::Note(log) => of.notes.push(log),
            }
        }
        of
    }

    /// The data that the writes and the new subject tokens depend on.
    fn dependencies(&self) -> Dependencies<'j> {
        let mut dependencies = Dependencies::default();
        for write in &self.writes {
            dependencies.users.extend(write.users.iter().map(|(id, _)| id));
            dependencies.tokens.extend(write.actor_jti.as_deref());
            dependencies.personal_access_tokens.extend(write.personal_access_token.as_deref());
            dependencies.grants.extend(&write.grant);
            dependencies.refresh_tokens.extend(write.live_refresh_token.as_deref());
            dependencies.single_use.extend(&write.consume);
        }
        dependencies.known_users.extend(self.subject_tokens.iter().map(|new| &new.token.user_id));
        dependencies
    }
}

/// The results of a transaction.
struct Committed {
    /// One for each write.
    written: Vec<Written>,
    /// One for each new subject token.
    subject_tokens: Vec<SubjectTokenWritten>,
    /// The hashes of the assertions that were not used before.
    claimed: HashSet<String>,
}

/// Adds the rows of a write that is committed.
fn add<'j>(batch: &mut WriteBatch<'j>, write: &'j Write) {
    batch.consume.extend(&write.consume);
    batch.issuances.push(&write.issuance);
    batch.refresh_tokens.extend(&write.refresh_token);
    batch.refresh_families.extend(&write.refresh_family);
    if matches!(write.consume, Some(Consume::Code(_) | Consume::DeviceCode(_))) {
        batch.first_tokens.extend(&write.grant);
    }
    batch.logs.push(&write.log);
}

/// Runs one transaction for all of `jobs`, on PostgreSQL in one statement if nothing speaks against any. Otherwise
/// it locks the data that they depend on first, so that they do not change between the decision and the commit.
async fn commit(db: &Db, jobs: &JobsByKind<'_>, now: i64) -> storage::Result<Committed> {
    if let Some(committed) = at_once::commit(db, jobs, now).await? {
        return Ok(committed);
    }
    let mut tx = db.begin_issuing().await?;
    // The other jobs depend on nothing that is compared here.
    let is_compared = !jobs.writes.is_empty() || !jobs.subject_tokens.is_empty();
    let mut held = if is_compared {
        issuing::lock_dependencies(&mut tx, &jobs.dependencies(), now).await?
    } else {
        LockedDependencies::default()
    };
    let authorized = Authorized::read(&mut tx, &jobs.writes, held.revision).await?;
    let (mut written, mut batch) = (Vec::with_capacity(jobs.writes.len()), WriteBatch::default());
    for write in &jobs.writes {
        let result = check(write, &authorized, &mut held);
        if result == Written::Committed {
            add(&mut batch, write);
        }
        written.push(result);
    }
    let mut subject_tokens = Vec::with_capacity(jobs.subject_tokens.len());
    for new in &jobs.subject_tokens {
        let result = new.check(&held);
        if result == SubjectTokenWritten::Committed {
            batch.subject_tokens.push(&new.token);
            batch.logs.push(&new.log);
        }
        subject_tokens.push(result);
    }
    batch.logs.extend(&jobs.notes);
    if !batch.subject_tokens.is_empty() || !jobs.changes.is_empty() {
        tx.changes_what_is_shown();
    }
    if jobs.claims.is_empty() && jobs.changes.is_empty() {
        issuing::commit(tx, &batch, now).await?;
        return Ok(Committed { written, subject_tokens, claimed: HashSet::new() });
    }
    issuing::write(&mut tx, &batch, now).await?;
    for change in &jobs.changes {
        tx = change.write(tx, db, now).await?;
    }
    // Last, since this may wait for the claims of another node.
    let claimed = client_assertions::claim(&mut tx, &jobs.claims).await?;
    tx.commit().await?;
    Ok(Committed { written, subject_tokens, claimed })
}

/// Whether a write is still valid. It removes the credential that it consumes, so that the next write in the batch is
/// refused.
fn check(write: &Write, authorized: &Authorized, held: &mut LockedDependencies) -> Written {
    let unchanged = authorized.stands(write)
        && write.users.iter().all(|(id, seen)| held.users.get(id) == Some(seen))
        && write.actor_jti.as_ref().is_none_or(|jti| held.tokens.contains(jti));
    if !unchanged {
        return Written::Stale;
    }
    let live = write.personal_access_token.as_ref().is_none_or(|hash| held.personal_access_tokens.contains(hash))
        && write.grant.as_ref().is_none_or(|id| held.grants.contains(id.as_str()))
        && write.live_refresh_token.as_ref().is_none_or(|hash| held.refresh_tokens.contains(hash))
        && write.consume.as_ref().is_none_or(|credential| held.single_use.remove(credential));
    if live { Written::Committed } else { Written::Spent }
}

/// The changes since the oldest decision of some writes.
struct Authorized {
    revision: i64,
    /// `None`: too many changes to list.
    changes: Option<Vec<RevisionChange>>,
}

impl Authorized {
    async fn read(tx: &mut Tx, writes: &[&Write], revision: i64) -> storage::Result<Self> {
        let oldest = writes.iter().map(|write| write.revision).min().unwrap_or(revision);
        let changes =
            if oldest < revision { revisions::changes_since(tx, oldest, revision).await? } else { Some(Vec::new()) };
        Ok(Self { revision, changes })
    }

    /// Whether nothing that this write depends on has changed.
    fn stands(&self, write: &Write) -> bool {
        if write.revision == self.revision {
            return true;
        }
        let Some(changes) = &self.changes else { return false };
        let concerns = |change: &&RevisionChange| match change.changed() {
            Changed::All | Changed::Keys | Changed::Resource => true,
            Changed::Nothing => false,
            Changed::Application(id) => write.issuance.application_id == *id,
            // The plugins' input for a user contains the user's roles and organizations.
            Changed::Role(id) => write.facts.as_ref().is_some_and(|facts| facts.roles.contains(id)),
            Changed::Organization(id) => {
                write.facts.as_ref().is_some_and(|facts| facts.is_member(id))
                    || write.issuance.organization_id.as_ref() == Some(id)
            }
            Changed::OrganizationRole(id) => {
                write.facts.as_ref().is_some_and(|facts| facts.organization_roles.contains(id))
                    || write.issuance.organization_id.is_some()
            }
        };
        !changes.iter().filter(|change| change.revision > write.revision).any(|change| concerns(&change))
    }
}
