//! Back-channel logouts: notifications to applications that a user's sign-in has ended. They are written in the
//! transaction that ends it (transactional outbox), and leased by the workers of all nodes.

use crate::sql::filter::Placeholders;
use crate::sql::queue::QueueTable;
use crate::{Dialect, Json, Lease, Outbox, Result, RetryDecision, Tx};
use claimsmith_domain::documents::application::OidcClientMetadata;
use claimsmith_domain::id::{ApplicationId, GrantId, SessionId, UserId};
use std::collections::BTreeSet;

/// Maximum number of rows in one statement.
const ROWS_PER_STATEMENT: usize = 500;

const QUEUE: QueueTable = QueueTable { table: "backchannel_logouts", key: "seq", receiver: "application_id" };

/// The thing that ends.
#[derive(Clone, Copy, Debug)]
pub enum Ended<'e> {
    /// One session, at all applications.
    Session(&'e SessionId),
    /// One grant: the access of one application.
    Grant(&'e GrantId),
    /// Every session of a user.
    User(&'e UserId),
}

impl Ended<'_> {
    /// The column of grants that selects those that end, and its value.
    fn grants(&self) -> (&'static str, &str) {
        match self {
            Self::Session(id) => ("session_id", id),
            Self::Grant(id) => ("id", id),
            Self::User(id) => ("user_id", id),
        }
    }
}

#[derive(crate::Row)]
struct LogoutAddress {
    id: ApplicationId,
    oidc_client_metadata: Json<OidcClientMetadata>,
}

#[derive(crate::Row)]
struct EndedSignIn {
    application_id: ApplicationId,
    user_id: UserId,
    session_id: SessionId,
    has_tokens: bool,
}

/// Queues a logout for every affected application that got tokens and has a `backchannelLogoutUri`. Locks the grants
/// that end, so that no token is issued under them meanwhile. Notifies the worker of this process after the commit.
pub async fn append(tx: &mut Tx, ended: Ended<'_>, now: i64) -> Result<()> {
    let (column, value) = ended.grants();
    // Locks the applications first, as their deletion does, to prevent deadlocks, and so that none is deleted
    // meanwhile.
    let (applications, grants) = match tx.dialect() {
        Dialect::Sqlite => ("", ""),
        Dialect::Postgres => (" FOR KEY SHARE", " FOR UPDATE"),
    };
    let addresses: Vec<LogoutAddress> = tx
        .assembled(format!(
            "SELECT id, oidc_client_metadata FROM applications WHERE id IN \
             (SELECT application_id FROM grants WHERE {column} = $1) ORDER BY id{applications}"
        ))
        .bind(value)
        .all()
        .await?;
    let sign_ins: Vec<EndedSignIn> = tx
        .assembled(format!(
            "SELECT application_id, user_id, session_id, has_tokens FROM grants \
             WHERE {column} = $1 AND session_id IS NOT NULL ORDER BY id{grants}"
        ))
        .bind(value)
        .all()
        .await?;
    let has_address = |id: &ApplicationId| {
        let known = addresses.iter().find(|address| address.id == *id);
        known.is_some_and(|address| address.oidc_client_metadata.backchannel_logout_uri.is_some())
    };
    let told: BTreeSet<_> = sign_ins
        .iter()
        .filter(|one| one.has_tokens && has_address(&one.application_id))
        .map(|one| (&one.application_id, &one.session_id, &one.user_id))
        .collect();
    let told: Vec<_> = told.into_iter().collect();
    for part in told.chunks(ROWS_PER_STATEMENT) {
        let rows = Placeholders::of(tx).rows(5, part.len());
        let columns = "application_id, session_id, user_id, due_at, created_at";
        let mut statement = tx.assembled(format!("INSERT INTO backchannel_logouts ({columns}) VALUES {rows}"));
        for (application_id, session_id, user_id) in part {
            statement = statement.bind(*application_id).bind(*session_id).bind(*user_id).bind(now).bind(now);
        }
        statement.execute().await?;
        tx.notify(Outbox::Logouts);
    }
    Ok(())
}

#[derive(crate::Row)]
struct NextDue {
    due_at: Option<i64>,
}

/// When the next logout is due, Unix milliseconds.
pub async fn next_due(tx: &mut Tx) -> Result<Option<i64>> {
    let sql = "SELECT MIN(due_at) AS due_at FROM backchannel_logouts WHERE due_at IS NOT NULL";
    Ok(tx.sql(sql).one::<NextDue>().await?.due_at)
}

/// An application with due logouts.
#[derive(Clone, Debug, crate::Row)]
pub struct DueApplication {
    /// Its id.
    pub id: ApplicationId,
    /// Logouts in progress, on all nodes.
    pub in_flight: i64,
}

/// The applications with due logouts, locked until the transaction ends. Skips those that another node has locked.
pub async fn due_applications(tx: &mut Tx, now: i64) -> Result<Vec<DueApplication>> {
    let lock = match tx.dialect() {
        Dialect::Sqlite => "",
        // This lock does not block writing rows that refer to the application.
        Dialect::Postgres => " FOR NO KEY UPDATE OF a SKIP LOCKED",
    };
    tx.assembled(format!(
        "SELECT a.id, (SELECT COUNT(*) FROM backchannel_logouts l WHERE l.application_id = a.id \
         AND l.claim IS NOT NULL AND l.due_at > $1) AS in_flight FROM applications a \
         WHERE EXISTS (SELECT 1 FROM backchannel_logouts l WHERE l.application_id = a.id AND l.due_at <= $1) \
         ORDER BY a.id{lock}"
    ))
    .bind(now)
    .all()
    .await
}

/// A leased logout.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct Leased {
    /// The sequence number.
    pub seq: i64,
    /// The receiving application.
    pub application_id: ApplicationId,
    /// The signed-out user.
    pub user_id: UserId,
    /// The session.
    pub session_id: SessionId,
    /// Previous attempts, without this one.
    pub attempts: i64,
}

/// Leases at most `limit` due logouts of an application, oldest first.
pub async fn lease(tx: &mut Tx, id: &ApplicationId, lease: Lease<'_>, limit: i64) -> Result<Vec<Leased>> {
    QUEUE.lease(tx, id, lease, limit).await?;
    tx.sql(
        "SELECT seq, application_id, user_id, session_id, attempts FROM backchannel_logouts \
         WHERE application_id = $1 AND claim = $2 ORDER BY seq",
    )
    .bind(id)
    .bind(lease.name)
    .all()
    .await
}

/// Marks these as delivered, whichever worker has the lease now.
pub async fn succeed(tx: &mut Tx, ids: &[i64], now: i64) -> Result<u64> {
    QUEUE.succeed(tx, ids.iter(), now).await
}

/// Changes the state of a logout after a failed attempt. `false` if its lease has passed to another worker.
pub async fn move_on(tx: &mut Tx, seq: i64, lease: &str, next: RetryDecision, note: &str, now: i64) -> Result<bool> {
    QUEUE.move_on(tx, seq, lease, (next, note), now).await
}

/// Moves all due times after `now` back by `by` milliseconds, because the clock went back by as much.
pub async fn bring_forward(tx: &mut Tx, now: i64, by: i64) -> Result<u64> {
    QUEUE.bring_forward(tx, now, by).await
}

/// Deletes at most `limit` logouts that were finished before a time, Unix milliseconds, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    QUEUE.delete_finished(tx, before, limit).await
}
