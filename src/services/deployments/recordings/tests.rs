//! A node tells of a recording what it has dropped, once.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::plugins::PluginsOptions;
use claimsmith_storage::Json;

/// A request and the follower catch up beside each other whenever a recording is started or stopped.
#[tokio::test]
async fn what_was_dropped_is_told_once_however_many_catch_up() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::connect(&format!("sqlite://{}/test.db", folder.path().display()), 2).await.unwrap();
    storage::migrate(&db).await.unwrap();
    let plugins = Plugins::start(PluginsOptions::new(folder.path().join("plugins")), Vec::new()).await.unwrap();
    let (clock, cipher) = (Clock::fixed(1_000), Arc::new(Cipher::new([&[7; 32]]).unwrap()));
    let recordings_of_node = Recordings::new((&db, &clock), &Random::system(), &cipher, &plugins);
    let row = Recording {
        id: "r1".to_owned(),
        plugin_name: "plan".to_owned(),
        options: Json(json!({})),
        wanted: 10,
        recorded: 0,
        dropped: 0,
        bytes: 0,
        problem: None,
        sealed_key: Some(recordings_of_node.new_key("r1").unwrap().unwrap()),
        ends_at: 10_000,
        stopped_at: None,
        end_reason: None,
        expires_at: 20_000,
        created_by: "operator".to_owned(),
        created_at: 1,
    };
    let mut tx = db.begin().await.unwrap();
    recordings::insert(&mut tx, &row).await.unwrap();
    tx.commit().await.unwrap();
    recordings_of_node.catch_up().await.unwrap();
    let running = plugins.recorder().running();
    running[0].dropped.store(3, Ordering::Relaxed);
    let all = tokio::join!(recordings_of_node.catch_up(), recordings_of_node.catch_up(), recordings_of_node.catch_up());
    assert!(all.0.is_ok() && all.1.is_ok() && all.2.is_ok());
    assert_eq!(running[0].dropped.load(Ordering::Relaxed), 0);
    let told = recordings::find(&mut db.read().await.unwrap(), "plan", "r1").await.unwrap().unwrap();
    assert_eq!(told.dropped, 3);
}
