//! Failed attempts, counted.

use crate::Store;
use claimsmith::storage::sessions;
use claimsmith::storage::sessions::attempts::{Counted, Limit};
use claimsmith_test_support::both;

const HOUR: i64 = 3_600_000;

both!(attempts_are_counted_for_an_hour_and_longer_when_they_lock, async |store: Store| {
    let mut tx = store.begin().await;
    let limit = Limit { failures: 3, lockout_ms: 5 * HOUR };
    let mut counts = Vec::new();
    for now in [0, 10, 20, 30, HOUR] {
        counts.push(sessions::attempts::count(&mut tx, "ada", limit, now).await.unwrap());
    }
    // The third one locks, from then on; those after it do not make it longer.
    let locked = 20 + 5 * HOUR;
    let expected = [(1, HOUR), (2, HOUR), (3, locked), (4, locked), (5, locked)];
    assert_eq!(counts, expected.map(|(failures, expires_at)| Counted { failures, expires_at }));
    // When it is over, they begin again.
    let again = sessions::attempts::count(&mut tx, "ada", limit, locked).await.unwrap();
    assert_eq!(again, Counted { failures: 1, expires_at: locked + HOUR });
    // Others are counted apart.
    let other = sessions::attempts::count(&mut tx, "grace", limit, 0).await.unwrap();
    assert_eq!(other, Counted { failures: 1, expires_at: HOUR });
    let strict = Limit { failures: 1, ..limit };
    let first = sessions::attempts::count(&mut tx, "sam", strict, 0).await.unwrap();
    assert_eq!(first, Counted { failures: 1, expires_at: 5 * HOUR });
});

both!(attempts_are_taken_back_forgotten_and_deleted, async |store: Store| {
    let mut tx = store.begin().await;
    let limit = Limit { failures: 3, lockout_ms: HOUR };
    for _ in 0..2 {
        sessions::attempts::count(&mut tx, "ada", limit, 0).await.unwrap();
    }
    for expected in [2, 2] {
        sessions::attempts::take_back(&mut tx, "ada").await.unwrap();
        assert_eq!(sessions::attempts::count(&mut tx, "ada", limit, 0).await.unwrap().failures, expected);
    }
    for _ in 0..4 {
        sessions::attempts::take_back(&mut tx, "ada").await.unwrap();
    }
    assert_eq!(sessions::attempts::count(&mut tx, "ada", limit, 0).await.unwrap().failures, 1, "never below none");
    sessions::attempts::clear(&mut tx, "ada").await.unwrap();
    sessions::attempts::clear(&mut tx, "nobody").await.unwrap();
    assert_eq!(sessions::attempts::count(&mut tx, "ada", limit, 0).await.unwrap().failures, 1);

    sessions::attempts::count(&mut tx, "grace", limit, 10).await.unwrap();
    assert_eq!(sessions::attempts::delete_expired(&mut tx, HOUR, 10).await.unwrap(), 0);
    assert_eq!(sessions::attempts::delete_expired(&mut tx, HOUR + 11, 1).await.unwrap(), 1);
    assert_eq!(sessions::attempts::delete_expired(&mut tx, HOUR + 11, 10).await.unwrap(), 1);
});
