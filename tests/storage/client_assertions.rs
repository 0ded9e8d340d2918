//! Client assertions that were used.

use crate::Store;
use claimsmith_storage::issuing;
use claimsmith_storage::issuing::client_assertions::AssertionUse;
use claimsmith_test_support::both;
use std::collections::HashSet;

fn used(hash: &str, expires_at: i64, checked_at: i64) -> AssertionUse {
    AssertionUse { hash: hash.to_owned(), expires_at, checked_at }
}

fn hashes(hashes: &[&str]) -> HashSet<String> {
    hashes.iter().map(|hash| (*hash).to_owned()).collect()
}

both!(an_assertion_is_claimed_once_until_it_expires, async |store: Store| {
    let mut tx = store.begin().await;
    assert!(issuing::client_assertions::claim(&mut tx, &[]).await.unwrap().is_empty());
    let (a, b) = (used("a", 100, 0), used("b", 50, 0));
    assert_eq!(issuing::client_assertions::claim(&mut tx, &[&b, &a, &a]).await.unwrap(), hashes(&["a", "b"]));
    let c = used("c", 100, 49);
    let (again, earlier) = (used("a", 200, 49), used("b", 200, 49));
    assert_eq!(issuing::client_assertions::claim(&mut tx, &[&again, &earlier, &c]).await.unwrap(), hashes(&["c"]));
    // Whatever is claimed beside it: the earliest look decides.
    let (late, early) = (used("b", 200, 50), used("d", 200, 49));
    assert_eq!(issuing::client_assertions::claim(&mut tx, &[&late, &early]).await.unwrap(), hashes(&["d"]));
    assert_eq!(issuing::client_assertions::claim(&mut tx, &[&late]).await.unwrap(), hashes(&["b"]));
    assert!(issuing::client_assertions::claim(&mut tx, &[&used("b", 300, 199)]).await.unwrap().is_empty());
    tx.commit().await.unwrap();

    let mut tx = store.begin().await;
    assert_eq!(issuing::client_assertions::delete_expired(&mut tx, 100, 10).await.unwrap(), 0);
    assert_eq!(issuing::client_assertions::delete_expired(&mut tx, 101, 1).await.unwrap(), 1);
    assert_eq!(issuing::client_assertions::delete_expired(&mut tx, 201, 10).await.unwrap(), 3);
});

both!(of_two_transactions_one_claims, async |store: Store| {
    let claim = async || {
        let mut tx = store.begin().await;
        let claimed =
            issuing::client_assertions::claim(&mut tx, &[&used("a", 100, 0), &used("b", 100, 0)]).await.unwrap();
        tx.commit().await.unwrap();
        claimed.len()
    };
    let (one, two, three) = tokio::join!(claim(), claim(), claim());
    assert_eq!(one + two + three, 2);
});
