//! The audit log.

use crate::{Store, assert_same, ids};
use claimsmith_storage::audit::{self, Filter, StoredAuditEntry};
use claimsmith_storage::{Json, Slice};
use claimsmith_test_support::both;
use serde_json::{Value, json};

fn log(id: &str, key: &str, payload: Value, created_at: i64) -> StoredAuditEntry {
    StoredAuditEntry { id: id.to_owned(), key: key.to_owned(), payload: Json(payload), created_at }
}

both!(entries_are_listed_newest_first, async |store: Store| {
    let log = |id: &str, key: &str, created_at: i64| log(id, key, json!({ "key": key }), created_at);
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

both!(entries_of_issued_tokens_are_found_by_their_time, async |store: Store| {
    let log = |id: &str, key: &str, created_at: i64| log(id, key, json!({ "jti": id }), created_at);
    let logs = [
        log("a", "ExchangeTokenBy.RefreshToken", 1),
        log("b", "ExchangeTokenBy.TokenExchange", 2),
        log("c", "Management.User.Create", 2),
        log("d", "TriggerHook.User.Created", 2),
        log("e", "ExchangeTokenBy.TokenExchange", 2),
        log("f", "ExchangeTokenBy.Operator", 3),
    ];
    let mut tx = store.begin().await;
    audit::append(&mut tx, &logs).await.unwrap();
    for (times, expected) in [(&[][..], &[][..]), (&[2], &["b", "e"]), (&[1, 3, 7], &["a", "f"]), (&[7], &[])] {
        let found = audit::issued_at(&mut tx, times).await.unwrap();
        let mut found = ids(&found, |log| &log.id);
        found.sort_unstable();
        assert_eq!(found, expected, "{times:?}");
    }
});

both!(entries_are_found_by_what_they_say, async |store: Store| {
    let mut tx = store.begin().await;
    let logs = [
        log("a", "One", json!({ "userId": "ada", "applicationId": "web" }), 1),
        log("b", "One", json!({ "userId": "bob", "applicationId": "web" }), 2),
        log("c", "Two", json!({ "userId": "ada" }), 3),
        log("d", "Two", json!({ "userId": null, "applicationId": 7 }), 3),
        log("e", "TriggerHook.User.Created", json!({ "userId": "ada" }), 4),
        log("f", "Three.One", json!({ "actorId": "ada", "context": { "ticketId": "T-1" }, "ip": "::1" }), 5),
        log("g", "Three.Two", json!({ "actorId": 5, "context": { "ticketId": 1 }, "result": "Error" }), 6),
    ];
    audit::append(&mut tx, &logs).await.unwrap();
    let all = Filter::default();
    for (wanted, expected) in [
        (all.clone(), &["g", "f", "d", "c", "b", "a"][..]),
        (Filter { actor_id: Some("ada".into()), ..all.clone() }, &["f"]),
        (Filter { person_id: Some("ada".into()), ..all.clone() }, &["f", "c", "a"]),
        (Filter { ticket_id: Some("T-1".to_owned()), ..all.clone() }, &["f"]),
        (Filter { key_prefix: Some("Three.".to_owned()), ..all.clone() }, &["g", "f"]),
        (Filter { ip: Some("::1".to_owned()), ..all.clone() }, &["f"]),
        (Filter { result: Some("Error".to_owned()), ..all.clone() }, &["g"]),
        (Filter { key: Some("One".to_owned()), ..all.clone() }, &["b", "a"]),
        (Filter { key: Some("one".to_owned()), ..all.clone() }, &[]),
        (Filter { key: Some("TriggerHook.User.Created".to_owned()), ..all.clone() }, &[]),
        (Filter { user_id: Some("ada".into()), ..all.clone() }, &["c", "a"]),
        (Filter { application_id: Some("web".into()), ..all.clone() }, &["b", "a"]),
        (
            Filter {
                application_id: Some("web".into()),
                user_id: Some("ada".into()),
                key: Some("One".to_owned()),
                ..all.clone()
            },
            &["a"],
        ),
        (Filter { from: Some(2), to: Some(2), ..all.clone() }, &["b"]),
        (Filter { from: Some(3), to: Some(4), ..all.clone() }, &["d", "c"]),
        (Filter { to: Some(0), ..all.clone() }, &[]),
    ] {
        assert_eq!(ids(&audit::list(&mut tx, &wanted, Slice::ALL).await.unwrap(), |log| &log.id), expected);
        let count = audit::count(&mut tx, &wanted, i64::MAX).await.unwrap();
        assert_eq!(usize::try_from(count), Ok(expected.len()), "{wanted:?}");
    }
    assert_eq!(audit::count(&mut tx, &all, 3).await.unwrap(), 3);
    let listed = audit::list(&mut tx, &all, Slice { limit: 2, offset: 1 }).await.unwrap();
    assert_eq!(ids(&listed, |log| &log.id), ["f", "d"]);
    assert_same(&audit::find(&mut tx, "e").await.unwrap().unwrap(), &logs[4]);
    assert!(audit::find(&mut tx, "x").await.unwrap().is_none());
});

both!(a_page_of_very_many_entries_is_the_right_one, async |store: Store| {
    let mut tx = store.begin().await;
    let key = |number: i64| ["Token.Made", "User.Made", "Token.Ended"][usize::try_from(number % 3).unwrap()];
    let logs: Vec<StoredAuditEntry> =
        (0..4500).map(|number| log(&format!("{number:04}"), key(number), json!({}), number)).collect();
    for logs in logs.chunks(500) {
        audit::append(&mut tx, logs).await.unwrap();
    }
    let wanted = Filter { key_prefix: Some("Token.".to_owned()), ..Filter::default() };
    let found: Vec<&StoredAuditEntry> = logs.iter().rev().filter(|log| log.key.starts_with("Token.")).collect();
    assert_eq!(audit::count(&mut tx, &wanted, i64::MAX).await.unwrap(), 3000);
    for offset in [0, 20, 40, 41, 2990, 3000] {
        let slice = Slice { limit: 20, offset };
        let part = audit::list(&mut tx, &wanted, slice).await.unwrap();
        let expected = found.iter().skip(usize::try_from(offset).unwrap()).take(20).map(|log| &log.id);
        assert!(part.iter().map(|log| &log.id).eq(expected), "{offset}");
    }
});

both!(entries_are_swept_the_oldest_first, async |store: Store| {
    let log = |id: &str, key: &str, created_at: i64| log(id, key, json!({ "key": key }), created_at);
    let logs = [log("a", "One", 3), log("b", "Two", 1), log("c", "One", 2), log("d", "One", 4), log("e", "Zed", 5)];
    let deliveries = [log("f", "TriggerHook.User.Created", 1), log("g", "TriggerHook.User.Created", 4)];
    let mut tx = store.begin().await;
    audit::append(&mut tx, &logs).await.unwrap();
    audit::append(&mut tx, &deliveries).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = store.begin().await;
    assert_eq!(audit::delete_expired(&mut tx, i64::MIN, 10).await.unwrap(), 0);
    assert_eq!(audit::delete_expired(&mut tx, 4, 2).await.unwrap(), 2);
    let left = audit::list(&mut tx, &Filter::default(), Slice::ALL).await.unwrap();
    assert_eq!(ids(&left, |log| &log.id), ["e", "d", "a"]);
    assert_eq!(audit::delete_expired(&mut tx, 4, 10).await.unwrap(), 2);
    assert_eq!(audit::delete_expired(&mut tx, 4, 10).await.unwrap(), 0);
    let left = audit::list(&mut tx, &Filter::default(), Slice::ALL).await.unwrap();
    assert_eq!(ids(&left, |log| &log.id), ["e", "d"]);
    assert!(audit::find(&mut tx, "g").await.unwrap().is_some() && audit::find(&mut tx, "f").await.unwrap().is_none());
});

claimsmith_test_support::on_postgres!(nodes_share_retention, async |store: Store| {
    let log = |index: i64| StoredAuditEntry {
        id: format!("{index:021}"),
        key: "One".to_owned(),
        payload: Json(json!({})),
        created_at: index,
    };
    let mut tx = store.begin().await;
    audit::append(&mut tx, &(0..10).map(log).collect::<Vec<_>>()).await.unwrap();
    tx.commit().await.unwrap();
    let (mut one, mut other) = (store.begin().await, store.begin().await);
    assert_eq!(audit::delete_expired(&mut one, 100, 4).await.unwrap(), 4);
    assert_eq!(audit::delete_expired(&mut other, 100, 100).await.unwrap(), 6, "without a wait");
    one.commit().await.unwrap();
    other.commit().await.unwrap();
    let left = audit::count(&mut store.begin().await, &Filter::default(), i64::MAX).await.unwrap();
    assert_eq!(left, 0);
});

#[derive(claimsmith_storage::Row)]
struct Prepared {
    texts: i64,
}

claimsmith_test_support::on_postgres!(entries_of_any_number_have_few_texts, async |store: Store| {
    let mut tx = store.begin().await;
    let mut last = 0;
    for count in 5..=8 {
        let logs: Vec<_> = (0..count).map(|number| log(&format!("{count} {number}"), "Few", json!({}), last)).collect();
        audit::append(&mut tx, &logs).await.unwrap();
        last += count;
    }
    assert_eq!(audit::list_by_key(&mut tx, "Few", 100).await.unwrap().len(), 26);
    let sql = "SELECT COUNT(*) AS texts FROM pg_prepared_statements WHERE statement LIKE 'INSERT INTO logs %'";
    assert_eq!(tx.sql(sql).one::<Prepared>().await.unwrap().texts, 1);
});
