//! Recordings of plugins' calls: one row decides how many samples there are.

use crate::Store;
use claimsmith_storage::plugins;
use claimsmith_storage::plugins::recordings::{Added, MAX_BYTES_OF_PLUGIN, NewSample, Recording};
use claimsmith_storage::{Json, Tx, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_user;
use serde_json::json;

fn recording(id: &str, wanted: i64) -> Recording {
    Recording {
        id: id.to_owned(),
        plugin_name: "plan".to_owned(),
        options: Json(json!({ "keepHttp": true })),
        wanted,
        recorded: 0,
        dropped: 0,
        bytes: 0,
        problem: None,
        sealed_key: Some("key".to_owned()),
        ends_at: 100,
        stopped_at: None,
        end_reason: None,
        expires_at: 1000,
        created_by: "operator".to_owned(),
        created_at: 1,
    }
}

fn sample(id: &str, user: Option<&str>) -> NewSample {
    NewSample { id: id.to_owned(), user_id: user.map(str::to_owned), sealed: "sealed".to_owned() }
}

async fn found(tx: &mut Tx, id: &str) -> Recording {
    plugins::recordings::find(tx, "plan", id).await.unwrap().unwrap()
}

both!(a_recording_has_as_many_samples_as_were_wanted, async |store: Store| {
    let mut tx = store.begin().await;
    plugins::recordings::insert(&mut tx, &recording("r1", 3)).await.unwrap();
    assert!(plugins::recordings::find(&mut tx, "other", "r1").await.unwrap().is_none());
    assert_eq!(found(&mut tx, "r1").await.options.0, json!({ "keepHttp": true }));
    let running = plugins::recordings::running(&mut tx, 99).await.unwrap();
    assert_eq!(running.len(), 1);
    assert!(plugins::recordings::running(&mut tx, 100).await.unwrap().is_empty());

    let first = [sample("s1", None), sample("s2", Some("deleted"))];
    let added = plugins::recordings::add(&mut tx, "r1", &first, 10).await.unwrap();
    assert_eq!(added, Added { added: 1, refused: 1 });
    let row = found(&mut tx, "r1").await;
    assert_eq!((row.recorded, row.dropped, row.bytes, row.stopped_at), (1, 1, 6, None));
    let rest = [sample("s3", None), sample("s4", None), sample("s5", None)];
    let added = plugins::recordings::add(&mut tx, "r1", &rest, 20).await.unwrap();
    assert_eq!(added, Added { added: 2, refused: 1 });
    let row = found(&mut tx, "r1").await;
    assert_eq!((row.recorded, row.dropped, row.stopped_at), (3, 1, Some(20)));
    assert_eq!((row.end_reason.as_deref(), row.sealed_key), (Some("complete"), None));
    let none = plugins::recordings::add(&mut tx, "r1", &[sample("s6", None)], 30).await.unwrap();
    assert_eq!(none, Added { added: 0, refused: 1 });
    assert_eq!(plugins::recordings::add(&mut tx, "unknown", &[], 30).await.unwrap(), Added::default());

    let listed = plugins::recordings::samples(&mut tx, "r1", 1, 10).await.unwrap();
    let numbers: Vec<_> = listed.iter().map(|sample| (sample.number, sample.id.as_str())).collect();
    assert_eq!(numbers, [(2, "s3"), (3, "s4")]);
    assert_eq!(plugins::recordings::samples(&mut tx, "r1", 0, 1).await.unwrap().len(), 1);
});

both!(a_recording_is_stopped_overdue_or_deleted, async |store: Store| {
    let mut tx = store.begin().await;
    for id in ["r1", "r2", "r3"] {
        plugins::recordings::insert(&mut tx, &recording(id, 3)).await.unwrap();
    }
    assert!(plugins::recordings::stop(&mut tx, "plan", "r1", 50).await.unwrap());
    assert!(!plugins::recordings::stop(&mut tx, "plan", "r1", 50).await.unwrap(), "it has ended");
    assert!(!plugins::recordings::stop(&mut tx, "other", "r2", 50).await.unwrap());
    let row = found(&mut tx, "r1").await;
    assert_eq!((row.end_reason.as_deref(), row.stopped_at, row.sealed_key), (Some("stopped"), Some(50), None));
    plugins::recordings::note(&mut tx, "r2", 7, Some("full")).await.unwrap();
    plugins::recordings::note(&mut tx, "r2", 1, None).await.unwrap();
    let row = found(&mut tx, "r2").await;
    assert_eq!((row.dropped, row.problem.as_deref()), (8, Some("full")));
    assert_eq!(plugins::recordings::end_overdue(&mut tx, 100).await.unwrap(), 2);
    let row = found(&mut tx, "r2").await;
    assert_eq!((row.end_reason.as_deref(), row.stopped_at, row.sealed_key), (Some("ended"), Some(100), None));
    assert_eq!(plugins::recordings::list(&mut tx, "plan").await.unwrap().len(), 3);
    assert!(plugins::recordings::delete(&mut tx, "plan", "r1").await.unwrap());
    assert!(!plugins::recordings::delete(&mut tx, "plan", "r1").await.unwrap());
    assert_eq!(plugins::recordings::delete_expired(&mut tx, 999, 10).await.unwrap(), 0);
    assert_eq!(plugins::recordings::delete_expired(&mut tx, 1000, 1).await.unwrap(), 1);
    assert_eq!(plugins::recordings::delete_of_plugin(&mut tx, "plan").await.unwrap(), 1);
});

both!(the_samples_of_a_plugin_have_a_bound_of_bytes, async |store: Store| {
    let mut tx = store.begin().await;
    let earlier = Recording { bytes: MAX_BYTES_OF_PLUGIN - 10, ..recording("r1", 3) };
    plugins::recordings::insert(&mut tx, &earlier).await.unwrap();
    plugins::recordings::insert(&mut tx, &recording("r2", 3)).await.unwrap();
    let two = [sample("s1", None), sample("s2", None)];
    let added = plugins::recordings::add(&mut tx, "r2", &two, 10).await.unwrap();
    assert_eq!(added, Added { added: 1, refused: 1 });
    let row = found(&mut tx, "r2").await;
    assert_eq!((row.end_reason.as_deref(), row.dropped, row.bytes), (Some("full"), 1, 6));
});

both!(samples_go_with_their_user_and_their_recording, async |store: Store| {
    let mut tx = store.begin().await;
    let ada = new_user();
    users::insert(&mut tx, &ada).await.unwrap();
    plugins::recordings::insert(&mut tx, &recording("r1", 3)).await.unwrap();
    let two = [sample("s1", Some(ada.id.as_str())), sample("s2", None)];
    plugins::recordings::add(&mut tx, "r1", &two, 10).await.unwrap();
    users::delete(&mut tx, &ada.id).await.unwrap();
    let left = plugins::recordings::samples(&mut tx, "r1", 0, 10).await.unwrap();
    assert_eq!(left.iter().map(|sample| sample.id.as_str()).collect::<Vec<_>>(), ["s2"]);
    plugins::recordings::delete(&mut tx, "plan", "r1").await.unwrap();
    assert!(plugins::recordings::samples(&mut tx, "r1", 0, 10).await.unwrap().is_empty());
});
