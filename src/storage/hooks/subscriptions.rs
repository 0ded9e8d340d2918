//! The event patterns that hooks subscribed to: one row each, so that a change finds the hooks of its event by an
//! index. It reads nothing of other hooks, however many there are.

use crate::sql::filter::Placeholders;
use crate::{Dialect, Result, Tx};
use claimsmith_domain::event::EventType;
use claimsmith_domain::event_pattern::EventPattern;
use claimsmith_domain::id::HookId;
use std::collections::BTreeSet;

/// A hook that subscribed to an event.
#[derive(Clone, Debug, crate::Row)]
pub struct MatchingHook {
    /// Its id.
    pub id: HookId,
    /// Whether deliveries of one entity are sent in order.
    pub ordered: bool,
}

/// The enabled hooks that subscribed to this event, locked against deletion until the transaction ends: a concurrently
/// deleted hook must not make the transaction fail.
pub async fn matching(tx: &mut Tx, event: EventType) -> Result<Vec<MatchingHook>> {
    let patterns: Vec<String> = EventPattern::matching(event).map(|pattern| pattern.to_string()).collect();
    let lock = match tx.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR KEY SHARE OF h",
    };
    let sql = format!(
        "SELECT h.id, h.ordered FROM hooks h WHERE h.enabled AND h.id IN \
         (SELECT hook_id FROM hook_subscriptions WHERE pattern IN ({})) ORDER BY h.id{lock}",
        Placeholders::of(tx).list(patterns.len())
    );
    tx.assembled(sql).bind_all(&patterns).all().await
}

/// Replaces the patterns of a hook.
pub(super) async fn replace(tx: &mut Tx, hook_id: &HookId, patterns: &[EventPattern]) -> Result<()> {
    tx.sql("DELETE FROM hook_subscriptions WHERE hook_id = $1").bind(hook_id).execute().await?;
    // A client may name a pattern twice.
    let patterns: BTreeSet<EventPattern> = patterns.iter().copied().collect();
    if patterns.is_empty() {
        return Ok(());
    }
    let rows = Placeholders::of(tx).rows(2, patterns.len());
    let mut statement = tx.assembled(format!("INSERT INTO hook_subscriptions (pattern, hook_id) VALUES {rows}"));
    for pattern in patterns {
        statement = statement.bind(pattern.to_string()).bind(hook_id);
    }
    statement.execute().await?;
    Ok(())
}
