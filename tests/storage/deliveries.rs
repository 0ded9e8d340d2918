//! Deliveries, their attempts, and the statistics of hooks.

use crate::hooks::{hook, tell};
use crate::{Store, assert_same, ids};
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{DeliveryId, HookId};
use claimsmith_storage::hooks::attempts::Attempt;
use claimsmith_storage::hooks::deliveries::{FailedAttempt, Filter};
use claimsmith_storage::hooks::statistics::HookStatistics;
use claimsmith_storage::hooks::{self, Failing, Hook};
use claimsmith_storage::{Lease, RetryDecision, Slice, Tx};
use claimsmith_test_support::both;

/// The hook `h1`, with an event for each of these ids, at the times 10, 20 …
async fn told(tx: &mut Tx, events: &[&str]) -> Hook {
    let hook = hook("h1", &[EventType::UserCreated], true, 1);
    hooks::insert(tx, &hook).await.unwrap();
    for (event, at) in events.iter().zip((10..).step_by(10)) {
        tell(tx, event, &["h1"], at).await.unwrap();
    }
    hook
}

/// Changes the state of one delivery after a failed attempt. `false` if its lease has passed on.
pub(crate) async fn move_on(tx: &mut Tx, id: &str, lease: &str, next: RetryDecision, note: &str, now: i64) -> bool {
    let id = DeliveryId::from(id);
    let failed = FailedAttempt { id: &id, lease, next, note };
    hooks::deliveries::move_on(tx, &[failed], now).await.unwrap() == 1
}

fn wanted() -> Filter {
    Filter { hook_id: "h1".into(), states: Vec::new(), kinds: Vec::new(), from: None, to: None }
}

fn attempt(id: &str, delivery_id: &str, started_at: i64, status: Option<i64>) -> Attempt {
    Attempt {
        id: id.to_owned(),
        delivery_id: delivery_id.into(),
        hook_id: "h1".into(),
        number: 1,
        started_at,
        duration_ms: 5,
        status,
        response_body: status.map(|_| "ü".to_owned()),
        error: status.is_none().then(|| "no answer".to_owned()),
    }
}

both!(deliveries_are_moved_on_found_and_forgotten, async |store: Store| {
    let mut tx = store.begin().await;
    let hook = told(&mut tx, &["e1", "e2", "e3", "e4"]).await;
    let lease = Lease { name: "c1", now: 40, until: 55 };
    assert_eq!(hooks::leases::lease(&mut tx, &hook, lease, 3).await.unwrap().len(), 3);
    assert!(hooks::deliveries::prepare(&mut tx, &"e1-h1".into(), "c1", r#"{"body":"x"}"#).await.unwrap());
    assert!(!hooks::deliveries::prepare(&mut tx, &"e1-h1".into(), "c2", "{}").await.unwrap());
    assert_eq!(hooks::deliveries::succeed(&mut tx, &[&"e1-h1".into()], 41).await.unwrap(), 1);
    assert_eq!(hooks::deliveries::succeed(&mut tx, &[], 41).await.unwrap(), 0);
    assert!(move_on(&mut tx, "e2-h1", "c1", RetryDecision::Dead, "never", 42).await);
    assert!(move_on(&mut tx, "e3-h1", "c1", RetryDecision::At(90), "later", 42).await);
    assert!(!move_on(&mut tx, "e3-h1", "c1", RetryDecision::Dropped, "again", 42).await);

    let all = hooks::deliveries::list(&mut tx, &wanted(), Slice::ALL).await.unwrap();
    assert_eq!(ids(&all, |one| &one.id), ["e4-h1", "e3-h1", "e2-h1", "e1-h1"]);
    let states: Vec<_> = all.iter().map(|one| (one.state.as_str(), one.due_at, one.attempts, one.leased)).collect();
    let expected = [
        ("pending", Some(40), 0, false),
        ("pending", Some(90), 1, false),
        ("dead", None, 1, false),
        ("delivered", None, 1, false),
    ];
    assert_eq!(states, expected);
    assert_eq!((all[1].note.as_deref(), all[2].finished_at), (Some("later"), Some(42)));
    assert_eq!(all[3].prepared.as_deref(), Some(r#"{"body":"x"}"#));
    let found = hooks::deliveries::find(&mut tx, &"h1".into(), &"e2-h1".into()).await.unwrap().unwrap();
    assert_same(&found, &all[2]);
    assert!(hooks::deliveries::find(&mut tx, &"h2".into(), &"e2-h1".into()).await.unwrap().is_none());
    for (wanted, count) in [
        (wanted(), 4),
        (Filter { states: vec!["pending".to_owned(), "dead".to_owned()], ..wanted() }, 3),
        (Filter { kinds: vec!["User.Created".to_owned()], from: Some(20), to: Some(30), ..wanted() }, 2),
        (Filter { kinds: vec!["Role.Created".to_owned()], ..wanted() }, 0),
        (Filter { hook_id: "h2".into(), ..wanted() }, 0),
    ] {
        assert_eq!(hooks::deliveries::count(&mut tx, &wanted, 100).await.unwrap(), count);
    }
    assert_eq!(hooks::deliveries::count(&mut tx, &wanted(), 2).await.unwrap(), 2);

    assert_eq!(hooks::deliveries::delete_expired(&mut tx, 42, 10).await.unwrap(), 1);
    assert_eq!(hooks::deliveries::delete_expired(&mut tx, 1000, 10).await.unwrap(), 1);
    assert_eq!(hooks::outbox::delete_expired(&mut tx, 20, 10).await.unwrap(), 1);
    assert_eq!(hooks::outbox::delete_expired(&mut tx, 1000, 10).await.unwrap(), 1);
    assert_eq!(hooks::outbox::events_for(&mut tx, &"h1".into()).await.unwrap().len(), 2);
});

both!(finished_deliveries_begin_anew, async |store: Store| {
    let mut tx = store.begin().await;
    let hook = told(&mut tx, &["e1", "e2", "e3"]).await;
    let lease = Lease { name: "c1", now: 40, until: 55 };
    hooks::leases::lease(&mut tx, &hook, lease, 2).await.unwrap();
    hooks::deliveries::prepare(&mut tx, &"e1-h1".into(), "c1", "{}").await.unwrap();
    assert!(!hooks::deliveries::replay_one(&mut tx, &"e1-h1".into(), 50).await.unwrap());
    move_on(&mut tx, "e1-h1", "c1", RetryDecision::Dropped, "unwanted", 41).await;
    assert!(hooks::deliveries::replay_one(&mut tx, &"e1-h1".into(), 50).await.unwrap());
    let anew = hooks::deliveries::find(&mut tx, &"h1".into(), &"e1-h1".into()).await.unwrap().unwrap();
    assert_eq!((anew.state.as_str(), anew.due_at, anew.attempts), ("pending", Some(50), 0));
    assert_eq!((anew.prepared, anew.note, anew.finished_at), (None, None, None));
    // What is leased is left alone; the others, one after the other.
    let first = hooks::deliveries::replay(&mut tx, &wanted(), 0, 60, 1).await.unwrap();
    let second = hooks::deliveries::replay(&mut tx, &wanted(), first[0], 60, 9).await.unwrap();
    assert_eq!((first.len(), second.len()), (1, 1));
    assert!(hooks::deliveries::replay(&mut tx, &wanted(), second[0], 60, 9).await.unwrap().is_empty());
});

both!(attempts_are_kept_with_their_deliveries, async |store: Store| {
    let mut tx = store.begin().await;
    told(&mut tx, &["e1", "e2"]).await;
    let failed = attempt("a1", "e1-h1", 100, None);
    let rows = [failed.clone(), attempt("a2", "e1-h1", 200, Some(200)), attempt("a3", "e2-h1", 150, Some(204))];
    hooks::attempts::append(&mut tx, &rows).await.unwrap();
    // Its hook was deleted meanwhile.
    hooks::attempts::append(&mut tx, &[attempt("a4", "gone", 150, None)]).await.unwrap();
    hooks::attempts::append(&mut tx, &[]).await.unwrap();
    let of_one = hooks::attempts::of_delivery(&mut tx, &"e1-h1".into()).await.unwrap();
    assert_eq!(ids(&of_one, |one| &one.id), ["a1", "a2"]);
    assert_same(&of_one[0], &failed);
    let wanted = hooks::attempts::Filter { hook_id: Some("h1".into()), ..hooks::attempts::Filter::default() };
    let listed = hooks::attempts::list(&mut tx, &wanted, Slice { limit: 2, offset: 0 }).await.unwrap();
    assert_eq!(ids(&listed, |told| &told.attempt.id), ["a2", "a3"]);
    assert_eq!((listed[0].kind.as_str(), listed[0].payload.as_str()), ("User.Created", r#"{"a": 1}"#));
    let between = hooks::attempts::Filter { from: Some(100), to: Some(150), ..wanted.clone() };
    assert_eq!(hooks::attempts::count(&mut tx, &between, 100).await.unwrap(), 2);
    let other = hooks::attempts::Filter { kind: Some("Role.Created".to_owned()), ..wanted.clone() };
    assert_eq!(hooks::attempts::count(&mut tx, &other, 100).await.unwrap(), 0);
    let one = hooks::attempts::Filter { id: Some("a3".into()), ..hooks::attempts::Filter::default() };
    assert_eq!(hooks::attempts::list(&mut tx, &one, Slice::ALL).await.unwrap().len(), 1);
    hooks::delete(&mut tx, &"h1".into()).await.unwrap();
    assert_eq!(hooks::attempts::count(&mut tx, &wanted, 100).await.unwrap(), 0);
});

both!(hooks_remember_how_they_fared, async |store: Store| {
    let mut tx = store.begin().await;
    told(&mut tx, &[]).await;
    let failing = |failures| Some(Failing { failing_since: 10, failures });
    assert_eq!(hooks::fail(&mut tx, &"h1".into(), 2, 10).await.unwrap(), failing(2));
    assert_eq!(hooks::fail(&mut tx, &"h1".into(), 1, 90).await.unwrap(), failing(3));
    assert_eq!(hooks::fail(&mut tx, &"none".into(), 1, 90).await.unwrap(), None);
    hooks::succeed(&mut tx, &[]).await.unwrap();
    hooks::succeed(&mut tx, &[&"h1".into(), &"none".into()]).await.unwrap();
    let hook = hooks::find(&mut tx, &"h1".into()).await.unwrap().unwrap();
    assert_eq!((hook.failing_since, hook.failures), (None, 0));
    assert_same(&hooks::find_to_change(&mut tx, &"h1".into()).await.unwrap().unwrap(), &hook);
    assert!(hooks::find_to_change(&mut tx, &"none".into()).await.unwrap().is_none());
    assert!(hooks::disable(&mut tx, &"h1".into(), "gone").await.unwrap());
    assert!(!hooks::disable(&mut tx, &"h1".into(), "failing").await.unwrap());
    let hook = hooks::find(&mut tx, &"h1".into()).await.unwrap().unwrap();
    assert_eq!((hook.enabled, hook.disabled_reason.as_deref()), (false, Some("gone")));

    let minute = 60_000;
    let counts = |requests, successes| HookStatistics { requests, successes };
    let (one, none) = (HookId::from("h1"), HookId::from("none"));
    hooks::statistics::add(&mut tx, &[], 0).await.unwrap();
    hooks::statistics::add(&mut tx, &[(&one, counts(3, 1))], 5 * minute).await.unwrap();
    hooks::statistics::add(&mut tx, &[(&one, counts(1, 1))], 5 * minute + 59_999).await.unwrap();
    // One of them was deleted.
    let more = [(&one, counts(10, 0)), (&none, counts(10, 0))];
    hooks::statistics::add(&mut tx, &more, 9 * minute).await.unwrap();
    let since =
        async |tx: &mut Tx, from| hooks::statistics::since(tx, &[&"h1".into(), &"none".into()], from).await.unwrap();
    assert_eq!(since(&mut tx, 0).await, [("h1".into(), counts(14, 2))]);
    assert_eq!(since(&mut tx, 6 * minute).await, [("h1".into(), counts(10, 0))]);
    assert_eq!(hooks::statistics::since(&mut tx, &[], 0).await.unwrap(), []);
    assert_eq!(hooks::statistics::delete_expired(&mut tx, 6 * minute, 10).await.unwrap(), 1);
    assert_eq!(since(&mut tx, 0).await, [("h1".into(), counts(10, 0))]);
});
