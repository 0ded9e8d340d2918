//! The timeout of statements: a search that does not end is ended, while others read and write.

use crate::Store;
use claimsmith_domain::search::{MatchMode, Search, Term};
use claimsmith_storage::users::list::{self, Filter};
use claimsmith_storage::{Error, Slice, Tx, settings};
use claimsmith_test_support::{both, on_postgres};
use tokio::task::JoinSet;

/// As many as SQLite runs at once.
const SEARCHES: usize = 2;

/// It has no last row.
const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n) \
                       SELECT COUNT(*) AS count FROM n";

#[derive(Debug, claimsmith_storage::Row)]
struct Count {
    count: i64,
}

/// A reader that has searched, so that its next statements run where searches do.
async fn searching(store: &Store) -> Tx {
    let mut tx = store.db.read().await.unwrap();
    let term = Term { fields: vec!["name"], mode: MatchMode::Posix, values: vec!["^a".to_owned()] };
    let search = Search { terms: vec![term], all: true, case_sensitive: false };
    let filter = Filter { search: Some(search), ..Filter::default() };
    assert!(list::list(&mut tx, &filter, Slice::ALL).await.unwrap().is_empty());
    tx
}

both!(a_search_that_takes_too_long_is_ended_and_others_go_on, async |store: Store| {
    let mut searches = JoinSet::new();
    for _ in 0..SEARCHES {
        let mut tx = searching(&store).await;
        searches.spawn(async move { (tx.sql(ENDLESS).one::<Count>().await, tx) });
    }
    let mut rounds = 0;
    let mut ended = Vec::new();
    while ended.len() < SEARCHES {
        rounds += 1;
        let mut tx = store.begin().await;
        settings::put(&mut tx, "round", &rounds.to_string()).await.unwrap();
        tx.commit().await.unwrap();
        let stored = settings::get(&mut store.db.read().await.unwrap(), "round").await.unwrap();
        assert_eq!(stored, Some(rounds.to_string()));
        while let Some(search) = searches.try_join_next() {
            ended.push(search.unwrap());
        }
    }
    // Far more than one for each search that ended: nobody waited for them.
    assert!(rounds > 10, "{rounds} rounds");
    for (result, mut tx) in ended {
        assert!(matches!(result, Err(Error::TimedOut)), "{result:?}");
        // The connection is as good as before.
        assert_eq!(tx.sql("SELECT COUNT(*) AS count FROM users").one::<Count>().await.unwrap().count, 0);
    }
    searching(&store).await;
});

#[derive(claimsmith_storage::Row)]
struct Setting {
    statement_timeout: String,
}

on_postgres!(every_connection_has_a_timeout, async |store: Store| {
    let timeout = async |mut tx: Tx| tx.sql("SHOW statement_timeout").one::<Setting>().await.unwrap().statement_timeout;
    assert_eq!(timeout(store.begin().await).await, "30s");
    assert_eq!(timeout(store.db.read().await.unwrap()).await, "30s");
    assert_eq!(timeout(store.db.begin_issuing().await.unwrap()).await, "30s");
    assert_eq!(timeout(searching(&store).await).await, "3s");
});
