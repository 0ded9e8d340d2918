//! The plugin log: filters by level, time and request, and its size limit.

use crate::Store;
use claimsmith_storage::plugins;
use claimsmith_storage::plugins::logs::{Filter, NewLine};
use claimsmith_storage::{Slice, Tx};
use claimsmith_test_support::both;

fn line(plugin: &str, level: &'static str, request: Option<&str>, created_at: i64) -> NewLine {
    NewLine {
        plugin_name: plugin.to_owned(),
        level,
        message: format!("{level} at {created_at}"),
        request_id: request.map(str::to_owned),
        digest: Some("sha256:1".to_owned()),
        created_at,
    }
}

async fn messages(tx: &mut Tx, wanted: &Filter) -> Vec<String> {
    let lines = plugins::logs::list(tx, "talker", wanted, Slice::ALL).await.unwrap();
    assert_eq!(plugins::logs::count(tx, "talker", wanted).await.unwrap(), i64::try_from(lines.len()).unwrap());
    let mut followed = plugins::logs::follow(tx, "talker", wanted, 100).await.unwrap();
    followed.reverse();
    assert_eq!(format!("{followed:?}"), format!("{lines:?}"));
    // The lines of all plugins, by the same filter.
    let tail = plugins::logs::tail(tx, wanted.after, 100).await.unwrap();
    let of_tail: Vec<_> = tail.iter().rev().filter_map(|line| line.of("talker", wanted)).collect();
    assert_eq!(format!("{of_tail:?}"), format!("{lines:?}"));
    lines.into_iter().map(|line| line.message).collect()
}

both!(lines_are_found, async |store: Store| {
    let mut tx = store.db.begin().await.unwrap();
    plugins::logs::append(&mut tx, &[]).await.unwrap();
    assert_eq!(plugins::logs::last_id(&mut tx).await.unwrap(), 0);
    let lines = [
        line("talker", "debug", None, 10),
        line("talker", "error", Some("r1"), 20),
        line("other", "error", Some("r1"), 20),
        line("talker", "info", Some("r2"), 30),
    ];
    plugins::logs::append(&mut tx, &lines).await.unwrap();
    let all = Filter::default();
    assert_eq!(messages(&mut tx, &all).await, ["info at 30", "error at 20", "debug at 10"]);
    assert_eq!(messages(&mut tx, &Filter { level: 3, ..all.clone() }).await, ["error at 20"]);
    assert_eq!(messages(&mut tx, &Filter { level: 1, ..all.clone() }).await, ["info at 30", "error at 20"]);
    assert_eq!(messages(&mut tx, &Filter { from: Some(20), to: Some(30), ..all.clone() }).await, ["error at 20"]);
    let of_request = Filter { request_id: Some("r2".to_owned()), ..all.clone() };
    assert_eq!(messages(&mut tx, &of_request).await, ["info at 30"]);
    let newest = plugins::logs::list(&mut tx, "talker", &all, Slice::ALL).await.unwrap()[0].id;
    assert_eq!(plugins::logs::last_id(&mut tx).await.unwrap(), newest);
    assert!(messages(&mut tx, &Filter { after: newest, ..all.clone() }).await.is_empty());
    assert_eq!(messages(&mut tx, &Filter { after: newest - 1, ..all }).await, ["info at 30"]);
});

both!(old_lines_and_those_beyond_a_number_go, async |store: Store| {
    let mut tx = store.db.begin().await.unwrap();
    let lines: Vec<_> = (1..=5).map(|time| line("talker", "info", None, time)).collect();
    plugins::logs::append(&mut tx, &lines).await.unwrap();
    assert_eq!(plugins::logs::delete_expired(&mut tx, 2, 100, 10).await.unwrap(), 1);
    assert_eq!(plugins::logs::delete_expired(&mut tx, 2, 2, 1).await.unwrap(), 1, "in parts");
    assert_eq!(plugins::logs::delete_expired(&mut tx, 2, 2, 10).await.unwrap(), 1);
    assert_eq!(messages(&mut tx, &Filter::default()).await, ["info at 5", "info at 4"]);
});
