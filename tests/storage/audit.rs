//! The audit log.

use crate::{Store, assert_same, ids};
use claimsmith::storage::Slice;
use claimsmith::storage::audit::{self, Log, Wanted};
use claimsmith_test_support::both;
use serde_json::{Value, json};
use sqlx::types::Json;

both!(entries_are_listed_newest_first, async |store: Store| {
    let log = |id: &str, key: &str, created_at: i64| Log {
        id: id.to_owned(),
        key: key.to_owned(),
        payload: Json(json!({ "key": key })),
        created_at,
    };
    let logs = [log("a", "One", 1), log("b", "One", 3), log("c", "Other", 4), log("d", "One", 3)];
    let mut tx = store.begin().await;
    audit::append(&mut tx, &logs[..0]).await.unwrap();
    audit::append(&mut tx, &logs).await.unwrap();
    let listed = audit::list_by_key(&mut tx, "One", 10).await.unwrap();
    assert_eq!(ids(&listed, |log| &log.id), ["b", "d", "a"]);
    assert_same(&listed[0], &logs[1]);
    assert_eq!(ids(&audit::list_by_key(&mut tx, "One", 1).await.unwrap(), |log| &log.id), ["b"]);
    assert!(audit::list_by_key(&mut tx, "one", 10).await.unwrap().is_empty());
});

both!(entries_are_found_by_what_they_say, async |store: Store| {
    let log = |id: &str, key: &str, payload: Value, created_at: i64| Log {
        id: id.to_owned(),
        key: key.to_owned(),
        payload: Json(payload),
        created_at,
    };
    let mut tx = store.begin().await;
    let logs = [
        log("a", "One", json!({ "userId": "ada", "applicationId": "web" }), 1),
        log("b", "One", json!({ "userId": "bob", "applicationId": "web" }), 2),
        log("c", "Two", json!({ "userId": "ada" }), 3),
        log("d", "Two", json!({ "userId": null, "applicationId": 7 }), 3),
        log("e", "TriggerHook.User.Created", json!({ "userId": "ada" }), 4),
    ];
    audit::append(&mut tx, &logs).await.unwrap();
    let some = |text: &str| Some(text.to_owned());
    let all = Wanted::default();
    for (wanted, expected) in [
        (all.clone(), &["d", "c", "b", "a"][..]),
        (Wanted { key: some("One"), ..all.clone() }, &["b", "a"]),
        (Wanted { key: some("one"), ..all.clone() }, &[]),
        (Wanted { key: some("TriggerHook.User.Created"), ..all.clone() }, &[]),
        (Wanted { user_id: some("ada"), ..all.clone() }, &["c", "a"]),
        (Wanted { application_id: some("web"), ..all.clone() }, &["b", "a"]),
        (Wanted { application_id: some("web"), user_id: some("ada"), key: some("One"), ..all.clone() }, &["a"]),
        (Wanted { from: Some(2), to: Some(2), ..all.clone() }, &["b"]),
        (Wanted { from: Some(3), ..all.clone() }, &["d", "c"]),
        (Wanted { to: Some(0), ..all.clone() }, &[]),
    ] {
        assert_eq!(ids(&audit::list(&mut tx, &wanted, Slice::ALL).await.unwrap(), |log| &log.id), expected);
        let count = audit::count(&mut tx, &wanted, i64::MAX).await.unwrap();
        assert_eq!(usize::try_from(count), Ok(expected.len()), "{wanted:?}");
    }
    assert_eq!(audit::count(&mut tx, &all, 3).await.unwrap(), 3);
    let listed = audit::list(&mut tx, &all, Slice { limit: 2, offset: 1 }).await.unwrap();
    assert_eq!(ids(&listed, |log| &log.id), ["c", "b"]);
    assert_same(&audit::find(&mut tx, "e").await.unwrap().unwrap(), &logs[4]);
    assert!(audit::find(&mut tx, "f").await.unwrap().is_none());
});
