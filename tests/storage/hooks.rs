//! Hooks, and their events.

use crate::{Store, assert_same, ids};
use claimsmith_domain::event::EventType;
use claimsmith_domain::event_pattern::EventPattern;
use claimsmith_storage::hooks::outbox::{NewDelivery, OutboxEvent};
use claimsmith_storage::hooks::{self, Hook};
use claimsmith_storage::{Error, Json, Slice, Tx};
use claimsmith_test_support::both;
use serde_json::json;

pub(crate) fn hook(id: &str, events: &[EventType], enabled: bool, created_at: i64) -> Hook {
    Hook {
        id: id.into(),
        name: format!("hook {id}"),
        events: Json(events.iter().copied().map(EventPattern::One).collect()),
        single_event: events.first().copied(),
        config: Json(json!({ "url": "https://receiver.test", "headers": { "x": "ü" } })),
        signing_key: "sealed".to_owned(),
        previous_keys: Json(vec![]),
        enabled,
        paused: false,
        ordered: false,
        max_in_flight: 10,
        rate_limit: None,
        failing_since: None,
        failures: 0,
        disabled_reason: None,
        created_at,
    }
}

pub(crate) async fn tell(tx: &mut Tx, id: &str, hook_ids: &[&str], created_at: i64) -> Result<(), Error> {
    let event = OutboxEvent {
        id: id.to_owned(),
        kind: "User.Created".to_owned(),
        payload: r#"{"a": 1}"#.to_owned(),
        created_at,
    };
    let delivery = |hook_id: &&str| NewDelivery {
        id: format!("{id}-{hook_id}").into(),
        event_id: id.to_owned(),
        hook_id: (*hook_id).into(),
        entity: None,
        created_at,
    };
    hooks::outbox::append(tx, &event, &hook_ids.iter().map(delivery).collect::<Vec<_>>()).await
}

both!(a_hook_is_kept_changed_and_deleted, async |store: Store| {
    let mut tx = store.begin().await;
    let first = hook("h1", &[EventType::UserCreated], true, 1);
    hooks::insert(&mut tx, &first).await.unwrap();
    hooks::insert(&mut tx, &hook("h2", &[EventType::RoleDeleted], false, 2)).await.unwrap();
    assert_same(&hooks::find(&mut tx, &"h1".into()).await.unwrap().unwrap(), &first);
    assert_eq!(hooks::count(&mut tx).await.unwrap(), 2);
    assert_eq!(ids(&hooks::list(&mut tx, Slice::ALL).await.unwrap(), |hook| &hook.id), ["h2", "h1"]);
    let second = hooks::list(&mut tx, Slice { limit: 1, offset: 1 }).await.unwrap();
    assert_eq!(ids(&second, |hook| &hook.id), ["h1"]);

    let changed =
        Hook { name: "other".to_owned(), enabled: false, signing_key: "new".to_owned(), single_event: None, ..first };
    assert!(hooks::update(&mut tx, &changed).await.unwrap());
    assert_same(&hooks::find(&mut tx, &"h1".into()).await.unwrap().unwrap(), &changed);
    assert!(!hooks::update(&mut tx, &Hook { id: "none".into(), ..changed }).await.unwrap());
    assert!(hooks::delete(&mut tx, &"h1".into()).await.unwrap());
    assert!(!hooks::delete(&mut tx, &"h1".into()).await.unwrap());
    assert!(hooks::find(&mut tx, &"h1".into()).await.unwrap().is_none());
});

both!(enabled_hooks_get_the_events_that_they_subscribed_to, async |store: Store| {
    let mut tx = store.begin().await;
    hooks::insert(&mut tx, &hook("h1", &[EventType::UserCreated, EventType::UserDeleted], true, 1)).await.unwrap();
    hooks::insert(&mut tx, &hook("h2", &[EventType::UserCreated], true, 2)).await.unwrap();
    hooks::insert(&mut tx, &hook("h3", &[EventType::UserCreated], false, 3)).await.unwrap();
    for (event, told) in [
        (EventType::UserCreated, &["h1", "h2"][..]),
        (EventType::UserDeleted, &["h1"]),
        (EventType::UserDataUpdated, &[]),
    ] {
        assert_eq!(ids(&hooks::matching(&mut tx, event).await.unwrap(), |hook| &hook.id), told);
    }

    tell(&mut tx, "e2", &["h1", "h2"], 20).await.unwrap();
    tell(&mut tx, "e1", &["h1"], 10).await.unwrap();
    assert_eq!(ids(&hooks::outbox::events_for(&mut tx, &"h1".into()).await.unwrap(), |event| &event.id), ["e2", "e1"]);
    let only = hooks::outbox::events_for(&mut tx, &"h2".into()).await.unwrap();
    assert_eq!((only[0].kind.as_str(), only[0].payload.as_str()), ("User.Created", r#"{"a": 1}"#));
    // What a deleted hook was still to be told goes with it; others are told all the same.
    hooks::delete(&mut tx, &"h1".into()).await.unwrap();
    assert!(hooks::outbox::events_for(&mut tx, &"h1".into()).await.unwrap().is_empty());
    assert_eq!(hooks::outbox::events_for(&mut tx, &"h2".into()).await.unwrap().len(), 1);
    assert!(matches!(tell(&mut tx, "e3", &["h1"], 30).await, Err(Error::Missing)));
});
