//! Webhooks: an event is built here and written to the outbox in the transaction of the change, with a delivery for
//! every enabled hook that subscribed to it. So it is delivered if and only if the change was committed. `delivery`
//! sends it, with retries.

pub mod delivery;
mod interaction;
mod metrics;
mod payload;
pub mod receivers;
pub mod sample;
pub mod signature;
pub mod signing_key;

pub use claimsmith_domain::interaction::InteractionEvent;
pub use interaction::Interaction;
pub use payload::Event;

use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::random;
use claimsmith_storage::Tx;
use claimsmith_storage::hooks;
use claimsmith_storage::hooks::outbox::NewDelivery;

/// Something could not be written. A change whose event it was must then not be committed either.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database.
    #[error("the database failed")]
    Storage(#[from] claimsmith_storage::Error),
    /// No random numbers for an id.
    #[error(transparent)]
    Random(#[from] random::RandomError),
    /// The payload is not JSON.
    #[error("an event cannot be written as JSON")]
    Payload(#[from] serde_json::Error),
}

/// Writes an event with a delivery for each subscribed hook; writes nothing if there is none.
pub async fn emit(tx: &mut Tx, event: &Event, origin: &RequestOrigin, now: i64) -> Result<(), Error> {
    emit_each(tx, std::slice::from_ref(event), origin, now).await
}

/// The same for several events of one kind.
pub async fn emit_each(tx: &mut Tx, events: &[Event], origin: &RequestOrigin, now: i64) -> Result<(), Error> {
    let Some(first) = events.first() else { return Ok(()) };
    let hooks = hooks::subscriptions::matching(tx, first.kind()).await?;
    if hooks.is_empty() {
        return Ok(());
    }
    for event in events {
        let row = event.row(random::id_at(now)?, origin, now)?;
        let mut deliveries = Vec::with_capacity(hooks.len());
        let entity = event.entity(origin);
        for hook in &hooks {
            deliveries.push(NewDelivery {
                // The rows of an event are close together in the index of ids, so that many of them change few pages.
                id: format!("msg_{}", random::id_at(now)?).into(),
                event_id: row.id.clone(),
                hook_id: hook.id.clone(),
                entity: entity.clone().filter(|_| hook.ordered),
                created_at: now,
            });
        }
        hooks::outbox::append(tx, &row, &deliveries).await?;
    }
    Ok(())
}
