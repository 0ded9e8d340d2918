//! The transactional outbox: events and their deliveries, written in the transaction of the change.

use crate::sql::filter::{self, Placeholders};
use crate::{Outbox, Result, Tx};
use claimsmith_domain::id::{DeliveryId, HookId};

/// An event, as receivers get it.
#[derive(Clone, Debug, crate::Row)]
pub struct OutboxEvent {
    /// 21 characters.
    pub id: String,
    /// Such as `User.Created`.
    #[column(rename = "type")]
    pub kind: String,
    /// The JSON body, without the id of the hook that it goes to.
    pub payload: String,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// An event for one hook.
#[derive(Clone, Debug)]
pub struct NewDelivery {
    /// The same in every attempt.
    pub id: DeliveryId,
    /// The event.
    pub event_id: String,
    /// The hook.
    pub hook_id: HookId,
    /// The entity that the event is about, if the hook is ordered.
    pub entity: Option<String>,
    /// Unix milliseconds. It is due at once.
    pub created_at: i64,
}

/// Deliveries in one statement, which is far below the limits of bound values of both databases.
const DELIVERIES_PER_STATEMENT: usize = 500;

/// Adds an event and its deliveries. The worker of this process is notified when they are committed.
pub async fn append(tx: &mut Tx, event: &OutboxEvent, deliveries: &[NewDelivery]) -> Result<()> {
    tx.assembled(format!("INSERT INTO events (id, type, payload, created_at) VALUES {}", filter::rows(4, 1)))
        .bind(&event.id)
        .bind(&event.kind)
        .bind(&event.payload)
        .bind(event.created_at)
        .execute()
        .await?;
    for part in deliveries.chunks(DELIVERIES_PER_STATEMENT) {
        let mut placeholders = Placeholders::of(tx);
        let (insert, rows) = (placeholders.insert_or_give_up(), placeholders.rows(6, part.len()));
        let columns = "id, event_id, hook_id, entity, due_at, created_at";
        let mut statement = tx.assembled(format!("{insert} deliveries ({columns}) VALUES {rows}"));
        for delivery in part {
            statement = statement
                .bind(&delivery.id)
                .bind(&delivery.event_id)
                .bind(&delivery.hook_id)
                .bind(&delivery.entity)
                .bind(delivery.created_at)
                .bind(delivery.created_at);
        }
        statement.execute().await?;
    }
    tx.notify(Outbox::Webhooks);
    Ok(())
}

/// The events of a hook's deliveries, oldest first.
pub async fn events_for(tx: &mut Tx, hook_id: &HookId) -> Result<Vec<OutboxEvent>> {
    tx.sql(
        "SELECT e.id, e.type, e.payload, e.created_at FROM events e JOIN deliveries d ON d.event_id = e.id \
         WHERE d.hook_id = $1 ORDER BY d.seq",
    )
    .bind(hook_id)
    .all()
    .await
}

/// Deletes at most `limit` events without deliveries that are older than `before`.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM events WHERE id IN (SELECT e.id FROM events e WHERE e.created_at < $1 \
         AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id) ORDER BY e.created_at LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await
}
