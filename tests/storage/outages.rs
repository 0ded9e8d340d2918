//! Receivers that are down: a failed attempt counts for all deliveries that were due, but for none that has one attempt
//! left.

use crate::hooks::{hook, tell};
use crate::{Store, ids};
use claimsmith_domain::event::EventType;
use claimsmith_storage::hooks::deliveries::Filter;
use claimsmith_storage::hooks::outages::ReceiverFailure;
use claimsmith_storage::hooks::outbox::{NewDelivery, OutboxEvent};
use claimsmith_storage::hooks::{self, Hook};
use claimsmith_storage::{Lease, Slice, Tx};
use claimsmith_test_support::both;

/// The deliveries of the hook, oldest first: id, attempts, due time and note.
async fn shown(tx: &mut Tx) -> Vec<(String, i64, i64, Option<String>)> {
    let wanted =
        Filter { hook_id: "h1".into(), states: vec!["pending".to_owned()], kinds: Vec::new(), from: None, to: None };
    let all = hooks::deliveries::list(tx, &wanted, Slice::ALL).await.unwrap();
    let of = |one: hooks::deliveries::Delivery| (one.id.to_string(), one.attempts, one.due_at.unwrap(), one.note);
    all.into_iter().rev().map(of).collect()
}

/// Counts a failure at `at` for what was due then, and answers for how many.
async fn fail(tx: &mut Tx, hook: &Hook, at: i64, now: i64, limit: i64) -> u64 {
    let failure = ReceiverFailure { at, error: "no answer", delays_ms: &[1_000, 60_000] };
    hooks::outages::move_on(tx, hook, failure, now, limit).await.unwrap()
}

both!(a_failure_counts_for_all_that_were_due, async |store: Store| {
    let mut tx = store.begin().await;
    let hook = hook("h1", &[EventType::UserCreated], true, 1);
    hooks::insert(&mut tx, &hook).await.unwrap();
    for (id, at) in [("e1", 10), ("e2", 20), ("e3", 30), ("e4", 40)] {
        tell(&mut tx, id, &["h1"], at).await.unwrap();
    }
    let lease = |name, now| Lease { name, now, until: now + 15_000 };
    let probe = hooks::leases::lease(&mut tx, &hook, lease("c1", 30), 1).await.unwrap();
    assert_eq!(ids(&probe, |one| &one.id), ["e1-h1"]);

    // The probe itself is under way, and the last one happened later.
    assert_eq!(fail(&mut tx, &hook, 30, 35, 1).await, 1);
    assert_eq!(fail(&mut tx, &hook, 30, 35, 9).await, 1);
    assert_eq!(fail(&mut tx, &hook, 30, 35, 9).await, 0);
    let all = shown(&mut tx).await;
    assert_eq!(all.iter().map(|one| one.1).collect::<Vec<_>>(), [0, 1, 1, 0]);
    for (id, _, due_at, note) in &all[1..3] {
        assert!((935..=1_135).contains(due_at), "{id}: {due_at}");
        assert_eq!(note.as_deref(), Some("no answer"));
    }
    assert_eq!((all[0].2, all[3].2, all[3].3.as_deref()), (15_030, 40, None));

    // The second retry comes a minute later. It is the last one, which nothing but its own attempt may count.
    assert_eq!(fail(&mut tx, &hook, 2_000, 2_000, 9).await, 3);
    let all = shown(&mut tx).await;
    assert_eq!(all.iter().map(|one| one.1).collect::<Vec<_>>(), [0, 2, 2, 1]);
    assert!(all[1..3].iter().all(|one| (56_000..=68_000).contains(&one.2)), "{all:?}");
    assert!((2_900..=3_100).contains(&all[3].2), "{all:?}");
    assert_eq!(fail(&mut tx, &hook, 70_000, 70_000, 9).await, 1);
    let last = hooks::outages::lease_last(&mut tx, &hook, lease("c2", 200_000), 2, 9).await.unwrap();
    assert_eq!(ids(&last, |one| &one.id), ["e2-h1", "e3-h1", "e4-h1"]);
    assert!(last.iter().all(|one| one.attempts == 2));
    // What has not been attempted so often is not leased by this.
    let first = hooks::leases::lease(&mut tx, &hook, lease("c3", 200_000), 9).await.unwrap();
    assert_eq!(ids(&first, |one| &one.id), ["e1-h1"]);
    // A delivery that is not retried is always attempted itself.
    tell(&mut tx, "e5", &["h1"], 200_000).await.unwrap();
    let failure = ReceiverFailure { at: 200_000, error: "no answer", delays_ms: &[] };
    assert_eq!(hooks::outages::move_on(&mut tx, &hook, failure, 200_000, 9).await.unwrap(), 0);
    let last = hooks::outages::lease_last(&mut tx, &hook, lease("c4", 200_000), 0, 9).await.unwrap();
    assert_eq!(ids(&last, |one| &one.id), ["e5-h1"]);
});

both!(a_failure_counts_for_the_first_of_each_entity, async |store: Store| {
    let mut tx = store.begin().await;
    let ordered = Hook { ordered: true, ..hook("h1", &[EventType::UserCreated], true, 1) };
    hooks::insert(&mut tx, &ordered).await.unwrap();
    for (id, entity) in [("a1", "a"), ("a2", "a"), ("b1", "b")] {
        let event = OutboxEvent {
            id: id.to_owned(),
            kind: "User.Created".to_owned(),
            payload: "{}".to_owned(),
            created_at: 10,
        };
        let delivery = NewDelivery {
            id: id.into(),
            event_id: id.to_owned(),
            hook_id: "h1".into(),
            entity: Some(entity.to_owned()),
            created_at: 10,
        };
        hooks::outbox::append(&mut tx, &event, &[delivery]).await.unwrap();
    }
    assert_eq!(fail(&mut tx, &ordered, 10, 10, 9).await, 2);
    let all = shown(&mut tx).await;
    assert_eq!(all.iter().map(|one| (one.0.as_str(), one.1)).collect::<Vec<_>>(), [("a1", 1), ("a2", 0), ("b1", 1)]);
    // What is behind the first one waits with it.
    assert_eq!(all[1].2, all[0].2);
    assert_eq!(fail(&mut tx, &ordered, 10, 10, 9).await, 0);
});
