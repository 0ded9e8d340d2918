//! Calls of plugins by the minute.

use crate::Store;
use claimsmith_storage::statistics;
use claimsmith_storage::statistics::plugin_calls::PluginCalls;
use claimsmith_test_support::both;

fn calls(plugin: &str, digest: &str, counts: [i64; 3], last: Option<&str>) -> PluginCalls {
    let [calls, denied, failed] = counts;
    PluginCalls {
        plugin: plugin.to_owned(),
        digest: digest.to_owned(),
        calls,
        denied,
        failed,
        last_outcome: last.map(|_| "failed".to_owned()),
        last_error: last.map(str::to_owned),
        last_request_id: last.map(|last| format!("request of {last}")),
    }
}

both!(calls_are_added_up_over_minutes_and_nodes, async |store: Store| {
    let mut tx = store.begin().await;
    for (bucket, node, added) in [
        (60_000, "a", vec![calls("boom", "1", [9, 0, 9], Some("long ago"))]),
        (120_000, "a", vec![calls("boom", "1", [2, 1, 1], Some("first")), calls("calm", "1", [5, 0, 0], None)]),
        // The same minute once more, without a failure: the last one stays.
        (120_000, "a", vec![calls("boom", "1", [3, 0, 0], None)]),
        (180_000, "b", vec![calls("boom", "1", [4, 0, 4], Some("last")), calls("boom", "2", [1, 0, 0], None)]),
        (180_000, "b", vec![]),
    ] {
        statistics::plugin_calls::add(&mut tx, bucket, node, &added).await.unwrap();
    }
    let expected = [
        calls("boom", "1", [9, 1, 5], Some("last")),
        calls("boom", "2", [1, 0, 0], None),
        calls("calm", "1", [5, 0, 0], None),
    ];
    assert_eq!(statistics::plugin_calls::since(&mut tx, 120_000).await.unwrap(), expected);
    let of_last_minute = [calls("boom", "1", [4, 0, 4], Some("last")), calls("boom", "2", [1, 0, 0], None)];
    assert_eq!(statistics::plugin_calls::since(&mut tx, 180_000).await.unwrap(), of_last_minute);
    for (before, deleted) in [(60_000, 0), (180_000, 2), (180_000, 1), (180_000, 0)] {
        assert_eq!(statistics::plugin_calls::delete_expired(&mut tx, before, 2).await.unwrap(), deleted);
    }
    assert_eq!(statistics::plugin_calls::since(&mut tx, 0).await.unwrap(), of_last_minute);
});
