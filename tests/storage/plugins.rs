//! Uploaded plugins, their versions and secrets, and notifications between nodes.

use crate::Store;
use claimsmith_storage::nodes;
use claimsmith_storage::nodes::announcements::Announcements;
use claimsmith_storage::plugins::secrets::PluginSecret;
use claimsmith_storage::plugins::versions::{Earlier, Version};
use claimsmith_storage::plugins::{self, Plugin};
use claimsmith_storage::{Db, Error, Json};
use claimsmith_test_support::{both, on_postgres};
use serde_json::json;

fn plugin(name: &str) -> Plugin {
    Plugin {
        name: name.to_owned(),
        settings: Json(json!({ "order": 3 })),
        http_grant: None,
        cache_grant: None,
        active_version: None,
        last_version: 0,
        revision: 1,
        customizer: None,
        applied_by: None,
        created_at: 10,
        updated_at: 10,
    }
}

fn version(name: &str, id: i64) -> Version {
    Version {
        plugin_name: name.to_owned(),
        id,
        digest: format!("sha256:{id}"),
        language: "javascript".to_owned(),
        size: 2,
        facts: Json(json!({ "world": "claims" })),
        http: None,
        cases: Some("[]".to_owned()),
        signer: Some("release".to_owned()),
        created_by: "somebody".to_owned(),
        label: Some("4f2c9e1".to_owned()),
        note: Some("plans of customers".to_owned()),
        created_at: 10 + id,
    }
}

/// A plugin with this many versions.
async fn with_versions(db: &Db, name: &str, count: i64) {
    let mut tx = db.begin().await.unwrap();
    plugins::put(&mut tx, &plugin(name)).await.unwrap();
    for id in 1..=count {
        plugins::versions::insert(&mut tx, &version(name, id), &[0, u8::try_from(id).unwrap()]).await.unwrap();
    }
    tx.commit().await.unwrap();
}

both!(a_plugin_comes_back_as_it_was_written, async |store: Store| {
    let mut tx = store.db.begin().await.unwrap();
    plugins::put(&mut tx, &plugin("roles")).await.unwrap();
    let changed = Plugin {
        settings: Json(json!({})),
        http_grant: Some(Json(json!({ "hosts": ["a.example"] }))),
        cache_grant: Some(Json(json!({ "entries": 10 }))),
        active_version: Some(2),
        last_version: 4,
        revision: 7,
        customizer: Some(Json(json!({ "tokenSample": {} }))),
        applied_by: Some("production".to_owned()),
        updated_at: 20,
        ..plugin("roles")
    };
    plugins::put(&mut tx, &changed).await.unwrap();
    plugins::put(&mut tx, &plugin("another")).await.unwrap();
    let found = plugins::find(&mut tx, "roles").await.unwrap().unwrap();
    assert_eq!(format!("{found:?}"), format!("{changed:?}"));
    let names: Vec<_> = plugins::all(&mut tx).await.unwrap().into_iter().map(|plugin| plugin.name).collect();
    assert_eq!(names, ["another", "roles"]);
    assert!(plugins::delete(&mut tx, "roles").await.unwrap());
    assert!(!plugins::delete(&mut tx, "roles").await.unwrap());
    assert!(plugins::find(&mut tx, "roles").await.unwrap().is_none());
});

both!(a_rollback_leads_to_the_version_before, async |store: Store| {
    for (name, active) in [("one", Some(1)), ("three", Some(3)), ("two", Some(2)), ("none", None)] {
        with_versions(&store.db, name, 3).await;
        let mut tx = store.db.begin().await.unwrap();
        plugins::put(&mut tx, &Plugin { active_version: active, ..plugin(name) }).await.unwrap();
        tx.commit().await.unwrap();
    }
    let mut tx = store.db.begin().await.unwrap();
    plugins::versions::delete(&mut tx, "three", 2).await.unwrap();
    let earlier = |name: &str, id| Earlier { plugin_name: name.to_owned(), id };
    assert_eq!(plugins::versions::before_active(&mut tx).await.unwrap(), [earlier("three", 1), earlier("two", 1)]);
});

both!(a_version_that_nobody_activated_was_never_in_service, async |store: Store| {
    with_versions(&store.db, "roles", 3).await;
    let mut tx = store.db.begin().await.unwrap();
    plugins::versions::note_service(&mut tx, "roles", 20).await.unwrap();
    for (active, before) in [(1, None), (3, Some(1)), (1, None), (2, Some(1)), (3, Some(2))] {
        plugins::put(&mut tx, &Plugin { active_version: Some(active), ..plugin("roles") }).await.unwrap();
        plugins::versions::note_service(&mut tx, "roles", 20 + active).await.unwrap();
        assert_eq!(plugins::versions::served_before(&mut tx, "roles").await.unwrap(), before, "version {active}");
    }
    assert_eq!(plugins::versions::served_before(&mut tx, "other").await.unwrap(), None);
});

both!(changes_are_counted, async |store: Store| {
    let before = plugins::revision(&mut store.db.read().await.unwrap()).await.unwrap();
    let both = plugins::revisions(&mut store.db.read().await.unwrap()).await.unwrap();
    assert_eq!(both.plugins, before);
    let mut tx = store.db.begin().await.unwrap();
    assert_eq!(plugins::begin_change(&mut tx).await.unwrap(), before + 1);
    drop(tx);
    assert_eq!(plugins::revision(&mut store.db.read().await.unwrap()).await.unwrap(), before, "it was given up");
    let mut tx = store.db.begin().await.unwrap();
    plugins::begin_change(&mut tx).await.unwrap();
    plugins::breakers::begin_change(&mut tx).await.unwrap();
    plugins::breakers::begin_change(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(plugins::revision(&mut store.db.read().await.unwrap()).await.unwrap(), before + 1);
    let now = plugins::revisions(&mut store.db.read().await.unwrap()).await.unwrap();
    assert_eq!((now.plugins, now.breakers), (before + 1, both.breakers + 2), "each counts its own");
});

both!(versions_are_kept_up_to_a_number, async |store: Store| {
    with_versions(&store.db, "roles", 5).await;
    let mut tx = store.db.begin().await.unwrap();
    let found = plugins::versions::find(&mut tx, "roles", 3).await.unwrap().unwrap();
    assert_eq!(format!("{found:?}"), format!("{:?}", version("roles", 3)));
    assert_eq!(plugins::versions::source(&mut tx, "roles", 3).await.unwrap(), Some(vec![0, 3]));
    assert_eq!(plugins::versions::source(&mut tx, "roles", 6).await.unwrap(), None);
    plugins::versions::add_signature(&mut tx, "roles", 3, "MEUC").await.unwrap();
    for (id, signature) in [(3, Some("MEUC")), (2, None), (6, None)] {
        assert_eq!(plugins::versions::signature(&mut tx, "roles", id).await.unwrap().as_deref(), signature, "{id}");
    }
    assert_eq!(plugins::versions::prune(&mut tx, "roles", Some(1), 2).await.unwrap(), 2);
    let ids: Vec<_> = plugins::versions::list(&mut tx, "roles").await.unwrap().into_iter().map(|v| v.id).collect();
    assert_eq!(ids, [5, 4, 1], "the active one stays");
    assert!(plugins::versions::delete(&mut tx, "roles", 4).await.unwrap());
    assert!(!plugins::versions::delete(&mut tx, "roles", 4).await.unwrap());
});

both!(the_active_versions_are_found_together, async |store: Store| {
    with_versions(&store.db, "one", 2).await;
    with_versions(&store.db, "two", 1).await;
    let mut tx = store.db.begin().await.unwrap();
    plugins::put(&mut tx, &Plugin { active_version: Some(2), ..plugin("one") }).await.unwrap();
    let active = plugins::versions::active(&mut tx).await.unwrap();
    assert_eq!(format!("{active:?}"), format!("{:?}", [version("one", 2)]));
});

both!(secrets_belong_to_their_plugin, async |store: Store| {
    with_versions(&store.db, "roles", 1).await;
    let secret = |plugin: &str, sealed: &str| PluginSecret {
        plugin_name: plugin.to_owned(),
        name: "KEY".to_owned(),
        sealed: sealed.to_owned(),
        updated_at: 11,
    };
    let mut tx = store.db.begin().await.unwrap();
    plugins::secrets::put(&mut tx, &secret("roles", "one")).await.unwrap();
    plugins::secrets::put(&mut tx, &secret("roles", "two")).await.unwrap();
    let listed = plugins::secrets::list(&mut tx, "roles").await.unwrap();
    assert_eq!(format!("{listed:?}"), format!("{:?}", [secret("roles", "two")]));
    assert!(plugins::secrets::list(&mut tx, "other").await.unwrap().is_empty());
    assert!(plugins::secrets::delete(&mut tx, "roles", "KEY").await.unwrap());
    assert!(!plugins::secrets::delete(&mut tx, "roles", "KEY").await.unwrap());
    tx.commit().await.unwrap();
    let mut tx = store.db.begin().await.unwrap();
    let refused = plugins::secrets::put(&mut tx, &secret("nobody", "one")).await;
    assert!(matches!(refused, Err(Error::Missing)), "{refused:?}");
});

both!(a_deleted_plugin_takes_versions_and_secrets_along, async |store: Store| {
    with_versions(&store.db, "roles", 2).await;
    let mut tx = store.db.begin().await.unwrap();
    plugins::delete(&mut tx, "roles").await.unwrap();
    assert!(plugins::versions::list(&mut tx, "roles").await.unwrap().is_empty());
});

on_postgres!(a_change_is_announced_when_it_is_committed, async |store: Store| {
    let mut heard = Announcements::listen(&store.db, nodes::announcements::PLUGINS).await.unwrap().unwrap();
    let mut tx = store.db.begin().await.unwrap();
    plugins::begin_change(&mut tx).await.unwrap();
    let mut next = Box::pin(heard.next());
    let early = tokio::time::timeout(std::time::Duration::from_millis(50), &mut next).await;
    assert!(early.is_err(), "told before the commit");
    tx.commit().await.unwrap();
    next.await.unwrap();
});

both!(each_node_says_which_revision_of_a_plugin_it_serves, async |store: Store| {
    use plugins::nodes::ServedBy;
    with_versions(&store.db, "roles", 1).await;
    let mut tx = store.db.begin().await.unwrap();
    let served = |node: &str, revision| ServedBy { node_id: node.to_owned(), revision };
    let both = [("roles".to_owned(), 1), ("gone".to_owned(), 4)];
    plugins::nodes::record(&mut tx, "a", &both, 10).await.unwrap();
    plugins::nodes::record(&mut tx, "b", &both[..1], 10).await.unwrap();
    plugins::nodes::record(&mut tx, "a", &[("roles".to_owned(), 2)], 20).await.unwrap();
    plugins::nodes::record(&mut tx, "a", &[], 20).await.unwrap();
    assert_eq!(plugins::nodes::of_plugin(&mut tx, "roles").await.unwrap(), [served("a", 2), served("b", 1)]);

    // A node that has just started may not be listed yet.
    assert_eq!(plugins::nodes::delete_expired(&mut tx, 10).await.unwrap(), 0);
    assert_eq!(plugins::nodes::delete_expired(&mut tx, 11).await.unwrap(), 2, "node b, and the plugin that is gone");
    assert_eq!(plugins::nodes::of_plugin(&mut tx, "roles").await.unwrap(), [served("a", 2)]);
    assert_eq!(plugins::nodes::forget(&mut tx, "a").await.unwrap(), 1);

    plugins::nodes::record(&mut tx, "a", &both, 30).await.unwrap();
    assert!(plugins::delete(&mut tx, "roles").await.unwrap());
    assert!(plugins::nodes::of_plugin(&mut tx, "roles").await.unwrap().is_empty());
});
