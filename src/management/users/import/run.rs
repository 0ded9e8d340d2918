//! An import in progress: records are read into batches, each of which is one transaction. If the client disconnects,
//! the current batch is rolled back and the import ends.

use super::csv::Columns;
use super::members;
use super::records::{BrokenOff, Content, ImportRecord, MAX_RECORD_BYTES, Records};
use crate::users::columns::SUSPENDED;
use crate::users::{Plain, new_user};
use axum::body::Bytes;
use claimsmith_api::users::import::{ImportCounts, ImportEnd, ImportLine, ImportStop, RefusedUser};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::management::UsersWrite;
use claimsmith_identity::accounts::{self, NewUser};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::json::{deserialize, has_nul, object_in};
use claimsmith_web::extract::management::Management;
use futures_util::stream::{self, Stream, StreamExt as _};
use serde_json::{Map, Value};
use std::convert::Infallible;
use std::time::Duration;

/// Maximum users per transaction: other writes wait for it as long as for a few requests. With a hundred, a token
/// during an import took 24 ms instead of 1.4.
const USERS_PER_BATCH: usize = 10;
/// Maximum bytes of the records of a batch, so that many large ones are not in memory at once.
const BYTES_PER_BATCH: usize = 4 << 20;
/// Records between two progress reports.
const RECORDS_PER_PROGRESS: u64 = 1000;
/// Attempts to hash a password while the hasher is busy, and the pause between them.
const DIGEST_ATTEMPTS: usize = 30;
const DIGEST_PAUSE: Duration = Duration::from_secs(1);

/// An import in progress.
pub(super) struct Import {
    management: Management<UsersWrite>,
    records: Records,
    columns: Option<Columns>,
    is_trial: bool,
    counts: ImportCounts,
    is_over: bool,
}

/// A refused record.
struct RefusedRecord {
    line: u64,
    error: ApiError,
}

/// The reason that an import ends before its body does.
enum Stop {
    /// With this error.
    Error(ApiError),
    /// The server shuts down.
    Server,
}

impl From<BrokenOff> for Stop {
    fn from(_: BrokenOff) -> Self {
        let message = "The body of the request broke off, or came too slowly.";
        Self::Error(ApiError::new(ApiCode::RequestBodyIncomplete, message))
    }
}

/// A batch: users with their lines, and records that were refused already.
#[derive(Default)]
struct ImportBatch {
    lines: Vec<u64>,
    users: Vec<NewUser>,
    failures: Vec<RefusedRecord>,
    bytes: usize,
    /// Whether it is the last batch.
    is_last: bool,
}

impl Import {
    pub(super) fn new(
        management: Management<UsersWrite>,
        records: Records,
        columns: Option<Columns>,
        is_trial: bool,
    ) -> Self {
        Self { management, records, columns, is_trial, counts: ImportCounts::default(), is_over: false }
    }

    /// The results, line by line. The import proceeds as the client reads them.
    pub(super) fn lines(self) -> impl Stream<Item = Result<Bytes, Infallible>> {
        stream::unfold(self, async |mut import| {
            while !import.is_over {
                let lines = import.step().await;
                if !lines.is_empty() {
                    return Some((Ok(lines.into()), import));
                }
            }
            None
        })
        // The compression layer polls once more after the end.
        .fuse()
    }

    /// Runs a batch, and returns its results.
    async fn step(&mut self) -> Vec<u8> {
        let before = self.counts.lines / RECORDS_PER_PROGRESS;
        let mut batch = ImportBatch::default();
        let mut stop = self.gather(&mut batch).await.err();
        let is_last = batch.is_last || stop.is_some();
        match self.create(batch.lines, batch.users).await {
            Ok(refused) => batch.failures.extend(refused),
            Err(error) => stop = Some(Stop::Error(error)),
        }
        self.counts.failed += batch.failures.len() as u64;
        batch.failures.sort_by_key(|failure| failure.line);
        let mut lines = Vec::new();
        for RefusedRecord { line, error } in &batch.failures {
            let (code, message) = texts(error);
            say(&mut lines, &ImportLine::Refused(RefusedUser { line: *line, code, message }));
        }
        if self.counts.lines / RECORDS_PER_PROGRESS > before {
            say(&mut lines, &ImportLine::Progress(self.counts));
        }
        self.is_over = is_last || stop.is_some();
        if self.is_over {
            say(&mut lines, &self.end(stop.as_ref()));
        }
        lines
    }

    fn end(&self, stop: Option<&Stop>) -> ImportLine {
        let end = ImportEnd { counts: self.counts, dry_run: self.is_trial };
        let (code, message) = match stop {
            None => return ImportLine::Done(end),
            Some(Stop::Error(error)) => texts(error),
            Some(Stop::Server) => ("server.stopping".to_owned(), "The server is stopping.".to_owned()),
        };
        ImportLine::Stopped(ImportStop { code, message, end })
    }

    /// Reads records until the batch is full or the body ends.
    async fn gather(&mut self, batch: &mut ImportBatch) -> Result<(), Stop> {
        let stopping = self.management.app.stopping.clone();
        while batch.lines.len() + batch.failures.len() < USERS_PER_BATCH && batch.bytes < BYTES_PER_BATCH {
            let next = stopping.run_until_cancelled(self.records.next()).await.ok_or(Stop::Server)?;
            let Some(ImportRecord { line, content }) = next? else {
                batch.is_last = true;
                break;
            };
            batch.bytes += match &content {
                Content::Text(text) => text.len(),
                Content::Fields(fields) => fields.iter().map(Vec::len).sum(),
                Content::TooLong => 0,
            };
            let body = match self.body(content) {
                Ok(Some(body)) => Ok(body),
                Ok(None) => continue,
                Err(error) => Err(error),
            };
            self.counts.lines += 1;
            let user = match body {
                Ok(body) => user(&self.management, body, self.is_trial).await,
                Err(error) => Err(error),
            };
            match user {
                Ok(user) => {
                    batch.lines.push(line);
                    batch.users.push(user);
                }
                Err(error) => batch.failures.push(RefusedRecord { line, error }),
            }
        }
        Ok(())
    }

    /// The body of `POST /api/users` for a record; `None` for an empty one.
    fn body(&self, content: Content) -> Result<Option<Map<String, Value>>, ApiError> {
        match (content, &self.columns) {
            (Content::Fields(fields), Some(columns)) => columns.body(fields),
            (Content::Text(text), _) => object_in(&text).map(Some),
            (Content::TooLong | Content::Fields(_), _) => {
                let message = format!("A line must not be longer than {MAX_RECORD_BYTES} bytes.");
                Err(ApiError::new(ApiCode::RequestLineTooLong, message))
            }
        }
    }

    /// Creates the users of a batch. If that fails, such as by a conflict with a concurrent change, each user gets its
    /// own transaction.
    async fn create(&mut self, lines: Vec<u64>, users: Vec<NewUser>) -> Result<Vec<RefusedRecord>, ApiError> {
        if users.is_empty() {
            return Ok(Vec::new());
        }
        let together = transaction(&self.management, users.clone(), self.is_trial).await;
        let refusals = if let Ok(refusals) = together { refusals } else { self.create_alone(users).await? };
        let refused: Vec<RefusedRecord> = lines
            .iter()
            .zip(refusals)
            .filter_map(|(line, refusal)| Some(RefusedRecord { line: *line, error: refusal?.into() }))
            .collect();
        self.counts.created += (lines.len() - refused.len()) as u64;
        Ok(refused)
    }

    /// Creates each of these users in its own transaction.
    async fn create_alone(&mut self, users: Vec<NewUser>) -> Result<Vec<Option<accounts::AccountRefusal>>, ApiError> {
        let mut refusals = Vec::with_capacity(users.len());
        for user in users {
            refusals.push(match transaction(&self.management, vec![user], self.is_trial).await {
                Ok(refusal) => refusal.into_iter().next().flatten(),
                Err(accounts::AccountRefusal::Failed(error)) => return Err(ApiError::failed(&*error)),
                Err(refusal) => Some(refusal),
            });
        }
        Ok(refusals)
    }
}

/// The validated user of a body.
async fn user(
    management: &Management<UsersWrite>,
    mut body: Map<String, Value>,
    is_trial: bool,
) -> Result<NewUser, ApiError> {
    let is_suspended = match body.remove(SUSPENDED) {
        None | Some(Value::Null) => false,
        Some(Value::Bool(is_suspended)) => is_suspended,
        Some(_) => {
            let details = format!("Error in key path \"{SUSPENDED}\": expected true or false");
            return Err(ApiError::invalid_input("body", details));
        }
    };
    // Exports write null for missing values.
    body.retain(|_, value| !value.is_null());
    members::check(&body)?;
    let body = Value::Object(body);
    if has_nul(&body) {
        return Err(ApiError::invalid_input("body", "Error in a text: NUL characters are not accepted"));
    }
    let plain = if is_trial { Plain::LeftOut } else { Plain::Digested };
    // Interactive sign-ins have priority; an import can wait.
    for _ in 1..DIGEST_ATTEMPTS {
        match new_user(management, deserialize(body.clone())?, plain).await {
            Err(error) if error.code() == ApiCode::UserPasswordBusy => tokio::time::sleep(DIGEST_PAUSE).await,
            outcome => return outcome.map(|user| NewUser { is_suspended, ..user }),
        }
    }
    let user = new_user(management, deserialize(body)?, plain).await?;
    Ok(NewUser { is_suspended, ..user })
}

/// Creates users in one transaction, which a dry run rolls back.
async fn transaction(
    management: &Management<UsersWrite>,
    users: Vec<NewUser>,
    is_trial: bool,
) -> Result<Vec<Option<accounts::AccountRefusal>>, accounts::AccountRefusal> {
    let mut work = management.begin().await?;
    let refusals = accounts::create_each(&mut work, users).await?;
    if !is_trial {
        work.commit().await?;
    }
    Ok(refusals)
}

fn texts(error: &ApiError) -> (String, String) {
    (error.code().text().to_owned(), error.told().to_owned())
}

fn say(lines: &mut Vec<u8>, line: &ImportLine) {
    // Neither numbers nor texts can fail.
    if let Ok(line) = serde_json::to_vec(line) {
        lines.extend(line);
        lines.push(b'\n');
    }
}
