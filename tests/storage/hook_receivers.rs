//! Receivers of the server's own, and what came to them.

use crate::{Store, assert_same, ids};
use claimsmith_storage::Json;
use claimsmith_storage::hooks::{
    self,
    receivers::{HookReceiver, ReceivedRequest},
};
use claimsmith_test_support::both;
use serde_json::json;

both!(receivers_keep_the_newest_requests_until_they_expire, async |store: Store| {
    let mut tx = store.begin().await;
    let receiver = |id: &str, created_at| HookReceiver {
        id: id.into(),
        token: format!("token of {id}"),
        status: 200,
        created_at,
        expires_at: created_at + 100,
    };
    let (one, other) = (receiver("one", 1), receiver("other", 2));
    for made in [&one, &other] {
        hooks::receivers::insert(&mut tx, made).await.unwrap();
    }
    assert_eq!(ids(&hooks::receivers::list(&mut tx, 50).await.unwrap(), |found| &found.id), ["other", "one"]);
    assert_eq!(ids(&hooks::receivers::list(&mut tx, 101).await.unwrap(), |found| &found.id), ["other"]);
    assert_eq!(hooks::receivers::count(&mut tx, 50).await.unwrap(), 2);
    assert_same(&hooks::receivers::find(&mut tx, &one.id, 50).await.unwrap().unwrap(), &one);
    assert!(hooks::receivers::find(&mut tx, &one.id, 101).await.unwrap().is_none());
    assert_same(&hooks::receivers::find_by_token(&mut tx, &other.token, 50).await.unwrap().unwrap(), &other);
    assert!(hooks::receivers::find_by_token(&mut tx, &other.token, 102).await.unwrap().is_none());

    let request = |id: &str, receiver_id: &str, received_at| ReceivedRequest {
        id: id.to_owned(),
        receiver_id: receiver_id.into(),
        received_at,
        headers: Json(json!([["a", "b"]])),
        body: "{}".to_owned(),
        status: 200,
        hook_id: Some("hook".into()),
        is_signature_valid: Some(true),
    };
    for (id, at) in [("a", 10), ("b", 12), ("c", 11)] {
        hooks::receivers::keep(&mut tx, &request(id, "one", at), 2).await.unwrap();
    }
    let plain = ReceivedRequest { hook_id: None, is_signature_valid: None, ..request("d", "other", 5) };
    hooks::receivers::keep(&mut tx, &plain, 2).await.unwrap();
    hooks::receivers::keep(&mut tx, &request("e", "nobody", 5), 2).await.unwrap();
    let kept = hooks::receivers::requests(&mut tx, &one.id).await.unwrap();
    assert_eq!(ids(&kept, |found| &found.id), ["b", "c"]);
    assert_same(&kept[0], &request("b", "one", 12));
    assert_same(&hooks::receivers::requests(&mut tx, &other.id).await.unwrap()[0], &plain);

    assert!(hooks::receivers::set_status(&mut tx, &one.id, 503).await.unwrap());
    assert!(!hooks::receivers::set_status(&mut tx, &"nobody".into(), 503).await.unwrap());
    assert_eq!(hooks::receivers::find(&mut tx, &one.id, 50).await.unwrap().unwrap().status, 503);
    assert!(hooks::receivers::delete(&mut tx, &one.id).await.unwrap());
    assert!(!hooks::receivers::delete(&mut tx, &one.id).await.unwrap());
    assert!(hooks::receivers::requests(&mut tx, &one.id).await.unwrap().is_empty());
    assert_eq!(hooks::receivers::delete_expired(&mut tx, 102).await.unwrap(), 0);
    assert_eq!(hooks::receivers::delete_expired(&mut tx, 103).await.unwrap(), 1);
});
