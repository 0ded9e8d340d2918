//! Hooks, and their events.

use crate::{Store, assert_same, ids};
use claimsmith_domain::event::EventType;
use claimsmith_domain::event_pattern::EventPattern;
use claimsmith_storage::hooks::outbox::{NewDelivery, OutboxEvent};
use claimsmith_storage::hooks::{self, Hook};
use claimsmith_storage::{Error, Json, Slice, Tx};
use claimsmith_test_support::{both, on_postgres};
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

both!(hooks_are_found_by_the_patterns_that_match_an_event, async |store: Store| {
    let mut tx = store.begin().await;
    let family = EventPattern::Family("User");
    for (id, patterns) in [
        ("h1", vec![EventPattern::All]),
        // Some of these match the same event.
        ("h2", vec![family, EventPattern::One(EventType::UserCreated), EventPattern::All, family]),
        ("h3", vec![EventPattern::One(EventType::UserRolesUpdated)]),
        ("h4", vec![]),
    ] {
        hooks::insert(&mut tx, &Hook { events: Json(patterns), single_event: None, ..hook(id, &[], true, 1) })
            .await
            .unwrap();
    }
    let told = async |tx: &mut Tx, event| {
        let found = hooks::subscriptions::matching(tx, event).await.unwrap();
        found.into_iter().map(|hook| (hook.id.as_str().to_owned(), hook.ordered)).collect::<Vec<_>>()
    };
    let expected = |ids: &[(&str, bool)]| ids.iter().map(|(id, is)| ((*id).to_owned(), *is)).collect::<Vec<_>>();
    assert_eq!(told(&mut tx, EventType::UserCreated).await, expected(&[("h1", false), ("h2", false)]));
    assert_eq!(told(&mut tx, EventType::RoleCreated).await, expected(&[("h1", false), ("h2", false)]));
    // Only its own name selects this one.
    assert_eq!(told(&mut tx, EventType::UserRolesUpdated).await, expected(&[("h3", false)]));
    // A change of the patterns counts at once, as do those of other settings.
    let changed = Hook { events: Json(vec![family]), single_event: None, ordered: true, ..hook("h2", &[], true, 1) };
    assert!(hooks::update(&mut tx, &changed).await.unwrap());
    assert_eq!(told(&mut tx, EventType::UserCreated).await, expected(&[("h1", false), ("h2", true)]));
    assert_eq!(told(&mut tx, EventType::RoleCreated).await, expected(&[("h1", false)]));
    hooks::disable(&mut tx, &"h1".into(), "gone").await.unwrap();
    hooks::delete(&mut tx, &"h2".into()).await.unwrap();
    assert_eq!(told(&mut tx, EventType::UserCreated).await, []);
});

both!(an_event_for_many_hooks_has_a_delivery_for_each, async |store: Store| {
    let mut tx = store.begin().await;
    let names: Vec<String> = (0..1201).map(|number| format!("h{number:04}")).collect();
    for name in &names {
        hooks::insert(&mut tx, &hook(name, &[EventType::UserCreated], true, 1)).await.unwrap();
    }
    let found = hooks::subscriptions::matching(&mut tx, EventType::UserCreated).await.unwrap();
    assert_eq!(ids(&found, |hook| &hook.id), names);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    tell(&mut tx, "e1", &names, 10).await.unwrap();
    for name in [names[0], names[499], names[500], names[1200]] {
        assert_eq!(hooks::outbox::events_for(&mut tx, &name.into()).await.unwrap().len(), 1, "{name}");
    }
});

// As a node of version 0.1.0 does, while an upgrade goes from node to node.
on_postgres!(hooks_that_are_written_without_their_subscriptions_have_them, async |store: Store| {
    let mut tx = store.begin().await;
    hooks::insert(&mut tx, &hook("h1", &[EventType::UserCreated], true, 1)).await.unwrap();
    let update = r#"UPDATE hooks SET events = '["Role.Created", "Role.Created"]' WHERE id = 'h1'"#;
    assert_eq!(tx.sql(update).execute().await.unwrap(), 1);
    for (event, told) in [(EventType::RoleCreated, &["h1"][..]), (EventType::UserCreated, &[])] {
        assert_eq!(ids(&hooks::subscriptions::matching(&mut tx, event).await.unwrap(), |hook| &hook.id), told);
    }
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
        assert_eq!(ids(&hooks::subscriptions::matching(&mut tx, event).await.unwrap(), |hook| &hook.id), told);
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
