//! The audit log.

use crate::{Store, assert_same, ids};
use claimsmith::storage::audit::{self, Log};
use claimsmith_test_support::both;
use serde_json::json;
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
