//! The first read of every token request and authorization request: the authorization revision and what the request
//! presents, with all that its decision needs. Concurrent requests share one statement for each kind.

use super::batch::{Batch, BatchQueue};
use super::error::Error;
use crate::supervisor::Tasks;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::id::ApplicationId;
use claimsmith_storage::issuing::subject_tokens::{self, LiveSubject};
use claimsmith_storage::sessions::Session;
use claimsmith_storage::sessions::grants::Grant;
use claimsmith_storage::sessions::presented::{
    self, BrowserSession, MAX_SESSIONS, PresentedCode, PresentedToken, WantedBrowsers,
};
use claimsmith_storage::{self as storage, Db, Dialect, Tx, revisions};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// What a request presents, by its hash.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Presented {
    /// Nothing that is read at once.
    Nothing,
    /// A subject token.
    SubjectToken(String),
    /// An authorization code.
    Code(String),
    /// A refresh token.
    RefreshToken(String),
    /// The session cookie of a browser.
    Browser(PresentedBrowser),
}

/// A browser with a session cookie that asks for a code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PresentedBrowser {
    /// The hash of the cookie.
    pub hash: String,
    /// The application that asks.
    pub application_id: ApplicationId,
    /// Sessions that were not used since have ended, Unix milliseconds.
    pub idle_since: i64,
}

/// What the database has of it.
#[derive(Clone, Debug, Default)]
pub enum Found {
    /// Nothing.
    #[default]
    Nothing,
    /// The subject of the subject token, if the token is live and its user active.
    Subject(LiveSubject),
    /// The code with its user.
    Code(Box<PresentedCode>),
    /// The refresh token with its user.
    RefreshToken(Box<PresentedToken>),
    /// The live sessions of the browser with active users, most recently used first.
    Browser(Vec<BrowserSession>),
}

/// The state of the database when a request began.
pub struct RequestState {
    /// The authorization revision.
    pub revision: i64,
    /// What was presented.
    pub found: Found,
}

/// The queue in front of the shared reads. Its workers end when it is dropped.
pub struct RequestStates(BatchQueue<Reads>);

impl RequestStates {
    /// Starts the workers: one for SQLite, where a second one would compete for the same CPU, and several for
    /// PostgreSQL, to hide the network latency.
    #[must_use]
    pub fn start(db: &Db, clock: &Clock, tasks: &Tasks) -> Self {
        let workers = match db.dialect() {
            Dialect::Sqlite => 1,
            Dialect::Postgres => 4,
        };
        let reads = (0..workers).map(|_| Reads { db: db.clone(), clock: clock.clone(), kept: None });
        Self(BatchQueue::start(reads, "read queue", tasks))
    }

    /// Reads the state for a request that presents this.
    pub async fn read(&self, presented: Presented) -> Result<RequestState, Error> {
        self.0.ask(presented).await
    }
}

struct Reads {
    db: Db,
    clock: Clock,
    /// The connection of the last read. Returning it to the pool would cost as much as the read itself.
    kept: Option<Tx>,
}

impl Batch for Reads {
    type Job = Presented;
    type Answer = RequestState;

    async fn run(&mut self, jobs: &[Presented]) -> storage::Result<Vec<RequestState>> {
        let mut tx = self.kept.take().unwrap_or_else(|| self.db.reader());
        let read = FirstRead::of(&mut tx, jobs, self.clock.now_ms()).await?;
        if self.db.dialect() == Dialect::Sqlite {
            self.kept = Some(tx);
        }
        Ok(read.answers(jobs))
    }
}

/// What was read for some requests.
#[derive(Default)]
struct FirstRead {
    /// The oldest revision of its statements: what is read at a newer one may be newer than that, but never older.
    revision: Option<i64>,
    found: HashMap<Presented, Found>,
}

impl FirstRead {
    /// One statement for each kind of what is presented; for nothing, that of the revision alone.
    async fn of(tx: &mut Tx, jobs: &[Presented], now: i64) -> storage::Result<Self> {
        let mut read = Self::default();
        let hashes = distinct(jobs.iter().filter_map(Presented::subject_token));
        if !hashes.is_empty() {
            let (revision, found) = subject_tokens::open(tx, &hashes, now).await?;
            let named = |one: LiveSubject| (Presented::SubjectToken(one.hash.clone()), Found::Subject(one));
            read.add(revision, found.into_iter().map(named));
        }
        let hashes = distinct(jobs.iter().filter_map(Presented::code));
        if !hashes.is_empty() {
            let (revision, found) = presented::codes(tx, &hashes).await?;
            let named = |one: PresentedCode| (Presented::Code(one.code.hash.clone()), Found::Code(Box::new(one)));
            read.add(revision, found.into_iter().map(named));
        }
        let hashes = distinct(jobs.iter().filter_map(Presented::refresh_token));
        if !hashes.is_empty() {
            let (revision, found) = presented::refresh_tokens(tx, &hashes).await?;
            let named = |one: PresentedToken| {
                (Presented::RefreshToken(one.token.hash.clone()), Found::RefreshToken(Box::new(one)))
            };
            read.add(revision, found.into_iter().map(named));
        }
        let browsers: Vec<&PresentedBrowser> = jobs.iter().filter_map(Presented::browser).collect();
        if let Some(idle_since) = browsers.iter().map(|browser| browser.idle_since).min() {
            let hashes = distinct(browsers.iter().map(|browser| browser.hash.as_str()));
            let applications = distinct(browsers.iter().map(|browser| browser.application_id.as_str()));
            let wanted = WantedBrowsers { hashes: &hashes, applications: &applications, now, idle_since };
            let (revision, sessions) = presented::browsers(tx, wanted).await?;
            let named = |browser: &&PresentedBrowser| {
                (Presented::Browser(PresentedBrowser::clone(browser)), Found::Browser(browser.sessions(&sessions)))
            };
            read.add(revision, browsers.iter().map(named));
        }
        if read.revision.is_none() {
            read.revision = Some(revisions::current(tx).await?);
        }
        Ok(read)
    }

    fn add(&mut self, revision: i64, found: impl IntoIterator<Item = (Presented, Found)>) {
        self.revision = Some(self.revision.map_or(revision, |known| known.min(revision)));
        self.found.extend(found);
    }

    /// The answers of these jobs. Only a job whose twin comes later gets a copy.
    fn answers(mut self, jobs: &[Presented]) -> Vec<RequestState> {
        let revision = self.revision.unwrap_or_default();
        let answer = |(index, job): (usize, &Presented)| {
            let has_twin = jobs.iter().skip(index + 1).any(|later| later == job);
            let found = if has_twin { self.found.get(job).cloned() } else { self.found.remove(job) };
            RequestState { revision, found: found.unwrap_or_default() }
        };
        jobs.iter().enumerate().map(answer).collect()
    }
}

impl Presented {
    fn subject_token(&self) -> Option<&str> {
        if let Self::SubjectToken(hash) = self { Some(hash) } else { None }
    }

    fn code(&self) -> Option<&str> {
        if let Self::Code(hash) = self { Some(hash) } else { None }
    }

    fn refresh_token(&self) -> Option<&str> {
        if let Self::RefreshToken(hash) = self { Some(hash) } else { None }
    }

    fn browser(&self) -> Option<&PresentedBrowser> {
        if let Self::Browser(browser) = self { Some(browser) } else { None }
    }
}

impl PresentedBrowser {
    /// The sessions of this browser among those of several, each with the newest grant to the application; in the order
    /// of [`claimsmith_storage::sessions::of_browser`].
    fn sessions(&self, all: &[BrowserSession]) -> Vec<BrowserSession> {
        let mut sessions: Vec<BrowserSession> = Vec::new();
        for one in all {
            let Session { browser_hash, last_active_at, id, .. } = &one.session;
            if *browser_hash != self.hash || *last_active_at <= self.idle_since {
                continue;
            }
            let grant = one.grant.as_ref().filter(|grant| grant.application_id == self.application_id);
            match sessions.iter_mut().find(|known| known.session.id == *id) {
                None => sessions.push(BrowserSession { grant: grant.cloned(), ..one.clone() }),
                Some(known) if grant.map(newness) < known.grant.as_ref().map(newness) => {}
                Some(known) => known.grant = grant.cloned(),
            }
        }
        sessions.sort_by(|one, other| recency(&other.session).cmp(&recency(&one.session)));
        sessions.truncate(MAX_SESSIONS);
        sessions
    }
}

/// The newer grant has more.
fn newness(grant: &Grant) -> (i64, Reverse<&str>) {
    (grant.created_at, Reverse(grant.id.as_str()))
}

/// The session that was used more recently has more.
fn recency(session: &Session) -> (i64, i64, Reverse<&str>) {
    (session.last_active_at, session.authenticated_at, Reverse(session.id.as_str()))
}

/// The different ones of some texts.
fn distinct<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let texts: BTreeSet<&str> = texts.collect();
    texts.into_iter().collect()
}
