//! Links between organizations, their roles, and what both have: adding, replacing and removing targets of an owner,
//! with the audit entry and the event. A family of links is a constant; its handlers begin the transaction and check
//! what the family requires.

use crate::relations;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::{LinkChanges, LinkOwner, Linked, Links};
use claimsmith_web::error::ApiError;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// One family of links: targets of type `T` that belong to an owner, whose id is an `O`.
pub(super) struct LinkFamily<O, T> {
    /// The table.
    pub(super) links: Links<O, T>,
    /// The key of the audit entry of each change.
    pub(super) audit_key: AuditKey,
    /// The names of the ids of the owner in audit entries.
    pub(super) owner: &'static [&'static str],
    /// The names of the lists of added and of removed targets, in audit entries and events.
    pub(super) changes: [&'static str; 2],
    /// The event of each change.
    pub(super) event: LinkEvent,
}

/// The webhook event of a change of links.
pub(super) enum LinkEvent {
    /// None.
    Nothing,
    /// One without details.
    Bare(EventType),
    /// One that names the owner, and the added and removed targets.
    Detailed(EventType),
}

impl<O, T: Linked + Serialize> LinkFamily<O, T> {
    /// Adds links, and commits. `related`: what is missing if one of the ids is unknown.
    pub(super) async fn add(
        &self,
        mut tx: UnitOfWork,
        owner: impl LinkOwner<O>,
        targets: &[T],
        related: &str,
    ) -> Result<StatusCode, ApiError> {
        let added = self.links.add(&mut tx, owner, targets).await;
        let added = added.map_err(|error| relations::from_write(error, related))?;
        self.commit(tx, owner, LinkChanges::added(added), StatusCode::CREATED).await
    }

    /// Replaces all links of an owner, and commits. `related`: what is missing if one of the ids is unknown.
    pub(super) async fn replace(
        &self,
        mut tx: UnitOfWork,
        owner: impl LinkOwner<O>,
        targets: &[T],
        related: &str,
    ) -> Result<StatusCode, ApiError> {
        let changes = self.links.replace(&mut tx, owner, targets).await;
        let changes = changes.map_err(|error| relations::from_write(error, related))?;
        self.commit(tx, owner, changes, StatusCode::NO_CONTENT).await
    }

    /// Removes a link, and commits. `kind`: what does not exist if there is no such link.
    pub(super) async fn remove(
        &self,
        mut tx: UnitOfWork,
        owner: impl LinkOwner<O>,
        target: T,
        kind: &str,
    ) -> Result<StatusCode, ApiError> {
        if !self.links.remove(&mut tx, owner, &target).await? {
            return Err(ApiError::nothing_to_delete(kind, target.as_ref()));
        }
        self.commit(tx, owner, LinkChanges::removed(vec![target]), StatusCode::NO_CONTENT).await
    }

    /// Records changed links, and commits. Returns the status, which is that of the response.
    pub(super) async fn commit(
        &self,
        mut tx: UnitOfWork,
        owner: impl LinkOwner<O>,
        changes: LinkChanges<T>,
        status: StatusCode,
    ) -> Result<StatusCode, ApiError> {
        let LinkChanges { added, removed } = changes;
        let [added_ids, removed_ids] = self.changes;
        let named = || self.owner.iter().copied().zip(owner.ids());
        let mut details: Map<String, Value> = named().map(|(name, id)| (name.to_owned(), json!(id))).collect();
        details.insert(added_ids.to_owned(), json!(added));
        details.insert(removed_ids.to_owned(), json!(removed));
        tx.audit(self.audit_key, Value::Object(details)).await?;
        let event = match self.event {
            LinkEvent::Nothing => None,
            LinkEvent::Bare(kind) => Some(Event::new(kind, status)),
            LinkEvent::Detailed(kind) => {
                let event = named().fold(Event::new(kind, status), |event, (name, id)| event.of(name, id));
                Some(event.ids(added_ids, &added).ids(removed_ids, &removed))
            }
        };
        if let Some(event) = event {
            tx.emit(&event).await?;
        }
        tx.commit().await?;
        Ok(status)
    }
}
