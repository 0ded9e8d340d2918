//! What plugins wrote is found by level, time and request, and does not grow without end.

use crate::Store;
use claimsmith::storage::plugin_logs::{self, NewLine, Wanted};
use claimsmith::storage::{Slice, Tx};
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

async fn messages(tx: &mut Tx, wanted: &Wanted) -> Vec<String> {
    let lines = plugin_logs::list(tx, "talker", wanted, Slice::ALL).await.unwrap();
    assert_eq!(plugin_logs::count(tx, "talker", wanted).await.unwrap(), i64::try_from(lines.len()).unwrap());
    let mut followed = plugin_logs::follow(tx, "talker", wanted, 100).await.unwrap();
    followed.reverse();
    assert_eq!(format!("{followed:?}"), format!("{lines:?}"));
    lines.into_iter().map(|line| line.message).collect()
}

both!(lines_are_found, async |store: Store| {
    let mut tx = store.db.begin().await.unwrap();
    plugin_logs::append(&mut tx, &[]).await.unwrap();
    let lines = [
        line("talker", "debug", None, 10),
        line("talker", "error", Some("r1"), 20),
        line("other", "error", Some("r1"), 20),
        line("talker", "info", Some("r2"), 30),
    ];
    plugin_logs::append(&mut tx, &lines).await.unwrap();
    let all = Wanted::default();
    assert_eq!(messages(&mut tx, &all).await, ["info at 30", "error at 20", "debug at 10"]);
    assert_eq!(messages(&mut tx, &Wanted { level: 3, ..all.clone() }).await, ["error at 20"]);
    assert_eq!(messages(&mut tx, &Wanted { level: 1, ..all.clone() }).await, ["info at 30", "error at 20"]);
    assert_eq!(messages(&mut tx, &Wanted { from: Some(20), to: Some(30), ..all.clone() }).await, ["error at 20"]);
    let of_request = Wanted { request_id: Some("r2".to_owned()), ..all.clone() };
    assert_eq!(messages(&mut tx, &of_request).await, ["info at 30"]);
    let newest = plugin_logs::list(&mut tx, "talker", &all, Slice::ALL).await.unwrap()[0].id;
    assert!(messages(&mut tx, &Wanted { after: newest, ..all.clone() }).await.is_empty());
    assert_eq!(messages(&mut tx, &Wanted { after: newest - 1, ..all }).await, ["info at 30"]);
});

both!(old_lines_and_those_beyond_a_number_go, async |store: Store| {
    let mut tx = store.db.begin().await.unwrap();
    let lines: Vec<_> = (1..=5).map(|time| line("talker", "info", None, time)).collect();
    plugin_logs::append(&mut tx, &lines).await.unwrap();
    assert_eq!(plugin_logs::sweep(&mut tx, 2, 100, 10).await.unwrap(), 1);
    assert_eq!(plugin_logs::sweep(&mut tx, 2, 2, 1).await.unwrap(), 1, "in parts");
    assert_eq!(plugin_logs::sweep(&mut tx, 2, 2, 10).await.unwrap(), 1);
    assert_eq!(messages(&mut tx, &Wanted::default()).await, ["info at 5", "info at 4"]);
});
