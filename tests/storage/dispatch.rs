//! Leases: which deliveries are due, and which worker gets them.

use crate::deliveries::move_on;
use crate::hooks::{hook, tell};
use crate::{Store, ids};
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::HookId;
use claimsmith_storage::hooks::leases::Leased;
use claimsmith_storage::hooks::outbox::{NewDelivery, OutboxEvent};
use claimsmith_storage::hooks::{self, Hook};
use claimsmith_storage::{Lease, RetryDecision, Tx};
use claimsmith_test_support::{both, on_postgres};

/// A hook of this id.
fn of(id: &str) -> Hook {
    hook(id, &[EventType::UserCreated], true, 1)
}

async fn lease(tx: &mut Tx, hook: &Hook, name: &str, now: i64, limit: i64) -> Vec<Leased> {
    hooks::leases::lease(tx, hook, Lease { name, now, until: now + 15 }, limit).await.unwrap()
}

async fn due(tx: &mut Tx, now: i64) -> Vec<(HookId, i64)> {
    let due = hooks::leases::due_hooks(tx, now).await.unwrap();
    due.into_iter().map(|due| (due.hook.id, due.load.in_flight)).collect()
}

both!(due_deliveries_are_leased_once, async |store: Store| {
    let mut tx = store.begin().await;
    let (first, second) = (of("h1"), of("h2"));
    hooks::insert(&mut tx, &first).await.unwrap();
    hooks::insert(&mut tx, &second).await.unwrap();
    assert_eq!(hooks::leases::next_due(&mut tx).await.unwrap(), None);
    tell(&mut tx, "e1", &["h1", "h2"], 10).await.unwrap();
    tell(&mut tx, "e2", &["h1"], 20).await.unwrap();
    assert_eq!(hooks::leases::next_due(&mut tx).await.unwrap(), Some(10));
    assert_eq!(due(&mut tx, 9).await, []);
    assert_eq!(due(&mut tx, 20).await, [("h1".into(), 0), ("h2".into(), 0)]);

    let taken = lease(&mut tx, &first, "c1", 20, 1).await;
    assert_eq!((ids(&taken, |one| &one.id), taken[0].attempts), (vec!["e1-h1"], 0));
    assert_eq!((taken[0].kind.as_str(), taken[0].payload.as_str()), ("User.Created", r#"{"a": 1}"#));
    assert_eq!(ids(&lease(&mut tx, &first, "c2", 20, 9).await, |one| &one.id), ["e2-h1"]);
    assert!(lease(&mut tx, &first, "c3", 20, 9).await.is_empty());
    assert_eq!(due(&mut tx, 20).await, [("h2".into(), 0)]);
    assert_eq!(ids(&lease(&mut tx, &second, "c3", 20, 9).await, |one| &one.id), ["e1-h2"]);
    // A lease that nobody ended expires.
    assert_eq!(hooks::leases::next_due(&mut tx).await.unwrap(), Some(35));
    assert_eq!(ids(&lease(&mut tx, &first, "c4", 35, 1).await, |one| &one.id), ["e1-h1"]);
    assert_eq!(due(&mut tx, 35).await, [("h1".into(), 1), ("h2".into(), 0)]);
    // Its result comes too late to move it on, but not to say that it was delivered.
    assert!(!move_on(&mut tx, "e1-h1", "c1", RetryDecision::Dead, "late", 36).await);
    assert_eq!(hooks::deliveries::succeed(&mut tx, &[&"e1-h1".into()], 36).await.unwrap(), 1);
    assert_eq!(hooks::deliveries::succeed(&mut tx, &[&"e1-h1".into()], 36).await.unwrap(), 0);
});

both!(hooks_that_wait_are_not_due, async |store: Store| {
    let mut tx = store.begin().await;
    hooks::insert(&mut tx, &of("h1")).await.unwrap();
    hooks::insert(&mut tx, &Hook { paused: true, ..of("h2") }).await.unwrap();
    hooks::insert(&mut tx, &Hook { enabled: false, ..of("h3") }).await.unwrap();
    tell(&mut tx, "e1", &["h1", "h2", "h3"], 10).await.unwrap();
    assert_eq!(due(&mut tx, 10).await, [("h1".into(), 0)]);
    hooks::hold(&mut tx, &"h1".into(), 50).await.unwrap();
    hooks::hold(&mut tx, &"h1".into(), 40).await.unwrap();
    assert_eq!(due(&mut tx, 49).await, []);
    assert_eq!(hooks::leases::next_due(&mut tx).await.unwrap(), Some(50));
    assert_eq!(due(&mut tx, 50).await.len(), 1);
    // The clock went back by 30.
    assert_eq!(hooks::leases::bring_forward(&mut tx, 5, 30).await.unwrap(), 3);
    assert_eq!(hooks::leases::next_due(&mut tx).await.unwrap(), Some(20));
    hooks::leases::spend(&mut tx, &"h1".into(), 250, 20).await.unwrap();
    let load = hooks::leases::due_hooks(&mut tx, 20).await.unwrap().remove(0).load;
    assert_eq!((load.rate_credit, load.rate_at), (250, 20));
});

async fn tell_of(tx: &mut Tx, id: &str, entity: &str, at: i64) {
    let event =
        OutboxEvent { id: id.to_owned(), kind: "User.Created".to_owned(), payload: "{}".to_owned(), created_at: at };
    let delivery = NewDelivery {
        id: id.into(),
        event_id: id.to_owned(),
        hook_id: "h1".into(),
        entity: Some(entity.to_owned()),
        created_at: at,
    };
    hooks::outbox::append(tx, &event, &[delivery]).await.unwrap();
}

both!(an_ordered_hook_gives_the_first_of_each_entity, async |store: Store| {
    let mut tx = store.begin().await;
    let ordered = Hook { ordered: true, ..of("h1") };
    hooks::insert(&mut tx, &ordered).await.unwrap();
    for (id, entity) in [("a1", "a"), ("a2", "a"), ("b1", "b"), ("a3", "a"), ("b2", "b")] {
        tell_of(&mut tx, id, entity, 10).await;
    }
    assert_eq!(ids(&lease(&mut tx, &ordered, "c1", 10, 9).await, |one| &one.id), ["a1", "b1"]);
    assert!(lease(&mut tx, &ordered, "c2", 10, 9).await.is_empty());
    // One waits for its next attempt, and all behind it wait with it; the other is done.
    assert!(move_on(&mut tx, "a1", "c1", RetryDecision::At(100), "later", 11).await);
    hooks::deliveries::succeed(&mut tx, &[&"b1".into()], 11).await.unwrap();
    assert_eq!(ids(&lease(&mut tx, &ordered, "c3", 11, 9).await, |one| &one.id), ["b2"]);
    hooks::deliveries::succeed(&mut tx, &[&"b2".into()], 12).await.unwrap();
    assert_eq!(hooks::leases::next_due(&mut tx).await.unwrap(), Some(100));
    // What is given up lets the next one go at once.
    assert_eq!(ids(&lease(&mut tx, &ordered, "c4", 100, 9).await, |one| &one.id), ["a1"]);
    assert!(move_on(&mut tx, "a1", "c4", RetryDecision::Dead, "never", 101).await);
    hooks::deliveries::release_next(&mut tx, &"h1".into(), "a", 101).await.unwrap();
    assert_eq!(ids(&lease(&mut tx, &ordered, "c5", 101, 9).await, |one| &one.id), ["a2"]);
});

on_postgres!(two_nodes_lease_different_hooks, async |store: Store| {
    let mut tx = store.begin().await;
    hooks::insert(&mut tx, &of("h1")).await.unwrap();
    hooks::insert(&mut tx, &of("h2")).await.unwrap();
    tell(&mut tx, "e1", &["h1"], 10).await.unwrap();
    tx.commit().await.unwrap();
    let (mut one, mut other) = (store.begin().await, store.begin().await);
    assert_eq!(due(&mut one, 10).await.len(), 1);
    assert_eq!(due(&mut other, 10).await, []);
    // Something else happens meanwhile, and waits for neither.
    tell(&mut other, "e2", &["h1", "h2"], 10).await.unwrap();
    other.commit().await.unwrap();
    one.commit().await.unwrap();
    let mut tx = store.begin().await;
    assert_eq!(due(&mut tx, 10).await.len(), 2);
});
