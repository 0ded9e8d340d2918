//! Rollouts of plugins: their row, what nodes counted, and samples.

use crate::Store;
use claimsmith_storage::plugins::rollouts::{Rollout, RolloutCount, RolloutSample};
use claimsmith_storage::plugins::versions::Version;
use claimsmith_storage::plugins::{self, Plugin};
use claimsmith_storage::{Error, Json, Tx, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_user;
use serde_json::json;

fn rollout(plugin: &str, id: &str) -> Rollout {
    Rollout {
        plugin_name: plugin.to_owned(),
        id: id.to_owned(),
        version: 2,
        active_before: 1,
        mode: "canary".to_owned(),
        state: "running".to_owned(),
        reason: None,
        share: 5,
        audience: r#"{"users":["ada"]}"#.to_owned(),
        rules: None,
        rules_by: None,
        started_by: "somebody".to_owned(),
        started_at: 10,
        running_since: 10,
        expires_at: 100,
        ended_by: None,
        ended_at: None,
    }
}

async fn plugin(tx: &mut Tx, name: &str) {
    let plugin = Plugin {
        name: name.to_owned(),
        settings: Json(json!({})),
        http_grant: None,
        cache_grant: None,
        active_version: Some(1),
        last_version: 1,
        revision: 1,
        customizer: None,
        applied_by: None,
        created_at: 10,
        updated_at: 10,
    };
    plugins::put(tx, &plugin).await.unwrap();
}

fn sample(id: &str, rollout: &str, class: &str, user: Option<&str>) -> RolloutSample {
    RolloutSample {
        id: id.to_owned(),
        rollout_id: rollout.to_owned(),
        class: class.to_owned(),
        user_id: user.map(str::to_owned),
        sealed: "sealed".to_owned(),
        created_at: 10,
    }
}

both!(a_plugin_has_one_rollout_and_it_comes_back_as_it_was_written, async |store: Store| {
    let mut tx = store.begin().await;
    plugin(&mut tx, "plan").await;
    plugin(&mut tx, "tier").await;
    assert_eq!(plugins::rollouts::find(&mut tx, "plan").await.unwrap(), None);
    let first = rollout("plan", "r1");
    plugins::rollouts::begin(&mut tx, &first).await.unwrap();
    plugins::rollouts::begin(&mut tx, &rollout("tier", "r2")).await.unwrap();
    assert_eq!(plugins::rollouts::find(&mut tx, "plan").await.unwrap(), Some(first.clone()));
    let ended = Rollout {
        state: "aborted".to_owned(),
        reason: Some("failed".to_owned()),
        share: 50,
        audience: "{}".to_owned(),
        rules: Some("{}".to_owned()),
        rules_by: Some("user:ada".to_owned()),
        running_since: 20,
        expires_at: 200,
        ended_by: Some("ada".to_owned()),
        ended_at: Some(30),
        ..first
    };
    assert!(plugins::rollouts::update(&mut tx, &ended).await.unwrap());
    assert_eq!(plugins::rollouts::find(&mut tx, "plan").await.unwrap(), Some(ended.clone()));
    assert_eq!(plugins::rollouts::open(&mut tx).await.unwrap(), [rollout("tier", "r2")]);
    plugins::rollouts::begin(&mut tx, &rollout("plan", "r3")).await.unwrap();
    assert!(!plugins::rollouts::update(&mut tx, &ended).await.unwrap(), "it is no longer the plugin's");
    assert_eq!(plugins::rollouts::open(&mut tx).await.unwrap(), [rollout("plan", "r3"), rollout("tier", "r2")]);
    plugins::delete(&mut tx, "plan").await.unwrap();
    assert_eq!(plugins::rollouts::find(&mut tx, "plan").await.unwrap(), None);
    drop(tx);
    let mut tx = store.begin().await;
    let unknown = plugins::rollouts::begin(&mut tx, &rollout("none", "r4")).await;
    assert!(matches!(unknown, Err(Error::Missing)), "{unknown:?}");
});

both!(counts_of_nodes_add_up_and_end_with_their_rollout, async |store: Store| {
    let mut tx = store.begin().await;
    plugin(&mut tx, "plan").await;
    plugins::rollouts::begin(&mut tx, &rollout("plan", "r1")).await.unwrap();
    let counts = |counts: &[(&str, i64)]| -> Vec<(String, i64)> {
        counts.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
    };
    let many: Vec<(String, i64)> = (0..250).map(|number| (format!("us.{number:03}"), 1)).collect();
    for (node, counted) in [
        ("a", counts(&[("candidate.runs", 2), ("candidate.denied", 1)])),
        ("b", counts(&[("candidate.runs", 5)])),
        ("a", counts(&[("candidate.runs", 3)])),
        ("a", many.clone()),
        ("a", Vec::new()),
    ] {
        plugins::rollouts::add_counts(&mut tx, "r1", node, &counted).await.unwrap();
    }
    plugins::rollouts::add_counts(&mut tx, "gone", "a", &many).await.unwrap();
    let found = plugins::rollouts::counts(&mut tx, "r1").await.unwrap();
    let count = |name: &str, value| RolloutCount { name: name.to_owned(), value };
    assert_eq!(found[..2], [count("candidate.denied", 1), count("candidate.runs", 10)]);
    assert_eq!(found.len(), 252);
    assert!(plugins::rollouts::counts(&mut tx, "gone").await.unwrap().is_empty());
    plugins::rollouts::begin(&mut tx, &rollout("plan", "r2")).await.unwrap();
    assert!(plugins::rollouts::counts(&mut tx, "r1").await.unwrap().is_empty());
});

both!(samples_are_bounded_and_go_with_their_user, async |store: Store| {
    let ada = new_user();
    let mut tx = store.begin().await;
    users::insert(&mut tx, &ada).await.unwrap();
    plugin(&mut tx, "plan").await;
    plugins::rollouts::begin(&mut tx, &rollout("plan", "r1")).await.unwrap();
    let of_ada = sample("s1", "r1", "different", Some(ada.id.as_str()));
    for (sample, added) in [
        (of_ada.clone(), true),
        (sample("s2", "r1", "different", None), true),
        (sample("s3", "r1", "different", None), false),
        (sample("s4", "r1", "failed", None), true),
        (sample("s5", "r1", "denied", Some("nobody")), false),
        (sample("s6", "gone", "denied", None), false),
    ] {
        assert_eq!(plugins::rollouts::add_sample(&mut tx, &sample, 2).await.unwrap(), added, "{}", sample.id);
    }
    // Large ones are fewer, and take no room of other classes.
    let most = usize::try_from(plugins::rollouts::MAX_BYTES_OF_CLASS).unwrap();
    let large =
        |id: &str, class: &str, bytes| RolloutSample { sealed: "x".repeat(bytes), ..sample(id, "r1", class, None) };
    for (sample, added) in [
        (large("l1", "timedOut", most - 10), true),
        (large("l2", "timedOut", 11), false),
        (large("l3", "timedOut", 10), true),
        (large("l4", "overBudget", most + 1), false),
    ] {
        assert_eq!(plugins::rollouts::add_sample(&mut tx, &sample, 20).await.unwrap(), added, "{}", sample.id);
    }
    tx.sql("DELETE FROM plugin_rollout_samples WHERE class = 'timedOut'").execute().await.unwrap();
    let ids = |samples: Vec<RolloutSample>| samples.into_iter().map(|sample| sample.id).collect::<Vec<_>>();
    assert_eq!(plugins::rollouts::samples(&mut tx, "r1").await.unwrap()[0], of_ada);
    users::delete(&mut tx, &ada.id).await.unwrap();
    assert_eq!(ids(plugins::rollouts::samples(&mut tx, "r1").await.unwrap()), ["s2", "s4"]);
    for (before, deleted) in [(10, 0), (11, 1), (11, 1), (11, 0)] {
        assert_eq!(plugins::rollouts::delete_expired(&mut tx, before, 1).await.unwrap(), deleted);
    }
});

both!(the_version_of_a_rollout_is_kept, async |store: Store| {
    let mut tx = store.begin().await;
    plugin(&mut tx, "plan").await;
    for id in 1..=6 {
        let version = Version {
            plugin_name: "plan".to_owned(),
            id,
            digest: format!("sha256:{id}"),
            language: "javascript".to_owned(),
            size: 2,
            facts: Json(json!({})),
            http: None,
            cases: None,
            signer: None,
            created_by: "somebody".to_owned(),
            label: None,
            note: None,
            created_at: id,
        };
        plugins::versions::insert(&mut tx, &version, b"{}").await.unwrap();
    }
    plugins::rollouts::begin(&mut tx, &rollout("plan", "r1")).await.unwrap();
    plugins::versions::prune(&mut tx, "plan", Some(1), 2).await.unwrap();
    let ids: Vec<_> = plugins::versions::list(&mut tx, "plan").await.unwrap().into_iter().map(|v| v.id).collect();
    assert_eq!(ids, [6, 5, 2, 1]);
});
