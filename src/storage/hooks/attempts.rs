//! The results of delivery attempts: one row for each.

use crate::sql::conditions::Conditions;
use crate::sql::filter::Placeholders;
use crate::sql::slice::Slice;
use crate::{Result, Tx};
use claimsmith_domain::id::{DeliveryId, HookId};

/// One request to a receiver, or a transform that failed before it.
#[derive(Clone, Debug, crate::Row)]
pub struct Attempt {
    /// 21 characters.
    pub id: String,
    /// The delivery.
    pub delivery_id: DeliveryId,
    /// The hook.
    pub hook_id: HookId,
    /// Counted from 1.
    pub number: i64,
    /// Unix milliseconds.
    pub started_at: i64,
    /// Until the response was read.
    pub duration_ms: i64,
    /// The status of the response, if any.
    pub status: Option<i64>,
    /// The beginning of its body.
    pub response_body: Option<String>,
    /// The error, if it failed.
    pub error: Option<String>,
}

/// An attempt with its event.
#[derive(Clone, Debug, crate::Row)]
pub struct LoggedAttempt {
    /// The attempt.
    #[column(flatten)]
    pub attempt: Attempt,
    /// Such as `User.Created`.
    #[column(rename = "type")]
    pub kind: String,
    /// The JSON body, without the id of the hook.
    pub payload: String,
    /// The result of the transforms, JSON text.
    pub prepared: Option<String>,
}

/// The filter of a list of attempts.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Of this hook.
    pub hook_id: Option<HookId>,
    /// With this id.
    pub id: Option<String>,
    /// Such as `User.Created`.
    pub kind: Option<String>,
    /// From this time on, Unix milliseconds.
    pub from: Option<i64>,
    /// Until this time, Unix milliseconds.
    pub to: Option<i64>,
}

const COLUMNS: &str =
    "a.id, a.delivery_id, a.hook_id, a.number, a.started_at, a.duration_ms, a.status, a.response_body, a.error";
const TABLE: &str = "attempts a JOIN deliveries d ON d.id = a.delivery_id JOIN events e ON e.id = d.event_id";

impl Filter {
    fn conditions(&self, tx: &Tx) -> Conditions {
        let mut conditions = Conditions::on(TABLE, tx);
        conditions.text("a.hook_id = ?", self.hook_id.as_deref());
        conditions.text("a.id = ?", self.id.as_deref());
        conditions.text("e.type = ?", self.kind.as_deref());
        conditions.number("a.started_at >= ?", self.from);
        conditions.number("a.started_at <= ?", self.to);
        conditions
    }
}

/// Adds attempts. Skips those whose delivery was deleted meanwhile; the others are locked against deletion until the
/// transaction ends.
pub async fn append(tx: &mut Tx, attempts: &[Attempt]) -> Result<()> {
    if attempts.is_empty() {
        return Ok(());
    }
    let lock = match tx.dialect() {
        crate::Dialect::Sqlite => "",
        crate::Dialect::Postgres => " FOR KEY SHARE OF d",
    };
    let rows = Placeholders::of(tx).rows(9, attempts.len());
    let mut statement = tx.assembled(format!(
        "INSERT INTO attempts (id, delivery_id, hook_id, number, started_at, duration_ms, status, response_body, error) \
         SELECT v.column1, v.column2, v.column3, v.column4, v.column5, v.column6, v.column7, v.column8, v.column9 \
         FROM (VALUES {rows}) AS v JOIN deliveries d ON d.id = v.column2{lock}"
    ));
    for attempt in attempts {
        statement = statement
            .bind(&attempt.id)
            .bind(&attempt.delivery_id)
            .bind(&attempt.hook_id)
            .bind(attempt.number)
            .bind(attempt.started_at)
            .bind(attempt.duration_ms)
            .bind(attempt.status)
            .bind(&attempt.response_body)
            .bind(&attempt.error);
    }
    statement.execute().await?;
    Ok(())
}

/// Attempts, newest first.
pub async fn list(tx: &mut Tx, wanted: &Filter, slice: Slice) -> Result<Vec<LoggedAttempt>> {
    let columns = format!("{COLUMNS}, e.type, e.payload, d.prepared");
    wanted.conditions(tx).list(tx, &columns, "a.started_at DESC, a.id DESC", slice).all().await
}

/// The number of matching attempts, at most `most`.
pub async fn count(tx: &mut Tx, wanted: &Filter, most: i64) -> Result<i64> {
    wanted.conditions(tx).count_to(tx, most).await
}

/// The attempts of a delivery, oldest first.
pub async fn of_delivery(tx: &mut Tx, delivery_id: &DeliveryId) -> Result<Vec<Attempt>> {
    let sql = format!("SELECT {COLUMNS} FROM attempts a WHERE a.delivery_id = $1 ORDER BY a.started_at, a.number");
    tx.assembled(sql).bind(delivery_id).all().await
}
