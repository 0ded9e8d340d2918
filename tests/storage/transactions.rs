//! Transactions: atomicity, visibility after the commit, and locks.

use crate::Store;
use claimsmith_domain::id::UserId;
use claimsmith_storage::issuing::{self, Dependencies};
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_storage::{self as storage, Dialect, Tx, settings, users};
use claimsmith_test_support::seed::new_user;
use claimsmith_test_support::{both, on_postgres, until};
use std::future::Future;
use std::task::Poll;
use std::time::Duration;

both!(what_is_not_committed_never_was, async |store: Store| {
    let mut tx = store.begin().await;
    settings::put(&mut tx, "colour", "blue").await.unwrap();
    assert_eq!(settings::get(&mut store.db.read().await.unwrap(), "colour").await.unwrap(), None);
    drop(tx);
    assert_eq!(settings::get(&mut store.begin().await, "colour").await.unwrap(), None);

    let mut tx = store.begin().await;
    settings::put(&mut tx, "colour", "red").await.unwrap();
    tx.commit().await.unwrap();
    let stored = settings::get(&mut store.db.read().await.unwrap(), "colour").await.unwrap();
    assert_eq!(stored.as_deref(), Some("red"));
});

both!(writers_lose_no_update, async |store: Store| {
    let before = revisions::current(&mut store.begin().await).await.unwrap();
    let mut writers = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let db = store.db.clone();
        writers.spawn(async move {
            let mut tx = db.begin().await.unwrap();
            revisions::bump(&mut tx, Changed::All).await.unwrap();
            tx.commit().await.unwrap();
        });
    }
    writers.join_all().await;
    assert_eq!(revisions::current(&mut store.begin().await).await.unwrap(), before + 20);
});

both!(one_node_at_a_time_sets_the_database_up, async |store: Store| {
    let mut first = store.begin().await;
    storage::lock_bootstrap(&mut first).await.unwrap();
    let db = store.db.clone();
    let second = tokio::spawn(async move {
        let mut tx = db.begin().await.unwrap();
        storage::lock_bootstrap(&mut tx).await.unwrap();
        settings::get(&mut tx, "done").await.unwrap()
    });
    settings::put(&mut first, "done", "by the first").await.unwrap();
    first.commit().await.unwrap();
    // Whenever the second one gets its turn, it finds the work done or the lock kept it waiting for that.
    let seen = tokio::time::timeout(Duration::from_mins(1), second).await.unwrap().unwrap();
    assert_eq!(seen.as_deref(), Some("by the first"));
});

/// Drops a future after so many polls, as the server drops a request when its client closes the connection.
async fn abandon(polls: usize, future: impl Future) {
    let (mut future, mut left) = (Box::pin(future), polls);
    std::future::poll_fn(|context| {
        left -= 1;
        if future.as_mut().poll(context).is_ready() || left == 0 { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

both!(a_transaction_that_is_dropped_while_it_begins_leaves_its_connection_as_it_was, async |store: Store| {
    let watcher = store.home.db().await;
    let sql = "SELECT COUNT(*) FROM pg_stat_activity
               WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
    let within = async || watcher.read().await.unwrap().sql(sql).one::<(i64,)>().await.unwrap().0;
    for polls in (1..=8).cycle().take(32) {
        if polls % 2 == 0 {
            abandon(polls, store.db.begin()).await;
        } else {
            abandon(polls, store.db.begin_issuing()).await;
        }
        if watcher.dialect() == Dialect::Postgres {
            until("the transaction to end", async || (within().await == 0).then_some(())).await;
        }
    }
    let mut tx = store.begin().await;
    settings::put(&mut tx, "colour", "green").await.unwrap();
    tx.commit().await.unwrap();
    let stored = settings::get(&mut store.db.read().await.unwrap(), "colour").await.unwrap();
    assert_eq!(stored.as_deref(), Some("green"));
});

both!(a_transaction_that_is_dropped_within_a_statement_is_rolled_back, async |store: Store| {
    for polls in 1..=6 {
        let mut tx = store.begin().await;
        settings::put(&mut tx, "colour", "blue").await.unwrap();
        abandon(polls, settings::put(&mut tx, "size", "large")).await;
        drop(tx);
        let mut tx = store.begin().await;
        assert_eq!(settings::get(&mut tx, "colour").await.unwrap(), None);
        assert_eq!(settings::get(&mut tx, "size").await.unwrap(), None);
        tx.commit().await.unwrap();
    }
});

/// As `.cargo/config.toml` says; every token would pay for these locks.
#[tokio::test]
async fn sqlite_takes_no_lock_of_the_process_for_memory_or_pages() {
    let store = <Store as claimsmith_test_support::Fixture>::given(claimsmith_test_support::Kind::Sqlite).await;
    let options: Vec<(String,)> = store.begin().await.sql("PRAGMA compile_options").all().await.unwrap();
    let has = |wanted: &str| options.iter().any(|(option,)| option == wanted);
    assert!(has("DEFAULT_MEMSTATUS=0"), "{options:?}");
    assert!(!has("ENABLE_MEMORY_MANAGEMENT"), "{options:?}");
}

#[tokio::test]
async fn a_handle_for_reads_refuses_to_write_on_sqlite() {
    let store = <Store as claimsmith_test_support::Fixture>::given(claimsmith_test_support::Kind::Sqlite).await;
    let mut tx = store.db.read().await.unwrap();
    assert!(settings::put(&mut tx, "colour", "blue").await.is_err());
}

/// Holds an active user, and answers their revision.
async fn revision_of(tx: &mut Tx, user_id: &UserId) -> Option<i64> {
    let wanted = Dependencies { users: [user_id].into(), ..Dependencies::default() };
    issuing::lock_dependencies(tx, &wanted, 0).await.unwrap().users.remove(user_id)
}

on_postgres!(what_is_held_waits_for_the_commit, async |store: Store| {
    let user = new_user();
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    tx.commit().await.unwrap();

    let mut holder = store.db.begin_issuing().await.unwrap();
    let revision = revisions::current(&mut holder).await.unwrap();
    assert_eq!(revision_of(&mut holder, &user.id).await, Some(1));
    let (db, id) = (store.db.clone(), user.id.clone());
    let writers = tokio::spawn(async move {
        let mut tx = db.begin().await.unwrap();
        users::set_suspended(&mut tx, &id, true, 1).await.unwrap().unwrap();
        revisions::bump(&mut tx, Changed::All).await.unwrap();
        tx.commit().await.unwrap();
    });
    // Several may hold at once, and a writer waits: until it does, as the database itself says.
    let mut other = store.db.begin_issuing().await.unwrap();
    assert_eq!(revisions::current(&mut other).await.unwrap(), revision);
    drop(other);
    waiting(&store, 1).await;
    assert!(!writers.is_finished());
    assert_eq!(revision_of(&mut holder, &user.id).await, Some(1));
    holder.commit().await.unwrap();
    writers.await.unwrap();
    let mut tx = store.begin().await;
    assert_eq!(revision_of(&mut tx, &user.id).await, None, "suspended");
    assert_eq!(revisions::current(&mut tx).await.unwrap(), revision + 1);
});

/// Waits until so many connections wait for a lock, as the database itself says.
pub(super) async fn waiting(store: &Store, count: i64) {
    #[derive(claimsmith_storage::Row)]
    struct Waiting {
        count: i64,
    }
    let sql = "SELECT COUNT(*) AS count FROM pg_stat_activity \
               WHERE datname = current_database() AND wait_event_type = 'Lock'";
    until(&format!("{count} waiting"), async || {
        let mut tx = store.db.read().await.unwrap();
        (tx.sql(sql).one::<Waiting>().await.unwrap().count >= count).then_some(())
    })
    .await;
}

on_postgres!(a_change_of_what_may_be_granted_is_not_overtaken, async |store: Store| {
    let issuing = store.db.begin_issuing().await.unwrap();
    let before = revisions::current(&mut store.begin().await).await.unwrap();
    let db = store.db.clone();
    let change = tokio::spawn(async move {
        let mut tx = db.begin().await.unwrap();
        revisions::bump(&mut tx, Changed::All).await.unwrap();
        tx.commit().await.unwrap();
    });
    waiting(&store, 1).await;
    // Who comes later waits behind the change, though it would get in beside the first one.
    let db = store.db.clone();
    let later = tokio::spawn(async move { revisions::current(&mut db.begin_issuing().await.unwrap()).await.unwrap() });
    waiting(&store, 2).await;
    assert!(!change.is_finished() && !later.is_finished());
    issuing.commit().await.unwrap();
    change.await.unwrap();
    assert_eq!(later.await.unwrap(), before + 1);
});
