//! Active users by day.

use crate::Store;
use crate::issuances::{insert, new_issuance};
use claimsmith_storage::issuing;
use claimsmith_storage::issuing::issuances::Issuance;
use claimsmith_storage::users::activity::{ActiveDay, DAY_MS};
use claimsmith_storage::users::{self, User};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_user;

both!(days_are_known_before_and_after_the_retention_of_their_tokens, async |store: Store| {
    let mut tx = store.begin().await;
    for (jti, user_id, created_at) in [
        ("1", Some("ada"), 3 * DAY_MS),
        ("2", Some("ada"), 3 * DAY_MS + 5),
        ("3", Some("bob"), 4 * DAY_MS - 1),
        ("4", None, 3 * DAY_MS),
        ("5", Some("ada"), 4 * DAY_MS),
    ] {
        let issuance = Issuance { user_id: user_id.map(Into::into), created_at, ..new_issuance(jti, 10) };
        insert(&mut tx, &[&issuance]).await.unwrap();
    }
    for swept in [0, 2, 2, 1, 0] {
        let limit = if swept == 0 { 0 } else { 2 };
        assert_eq!(issuing::issuances::delete_expired(&mut tx, 11, limit).await.unwrap(), swept);
        let days = users::activity::by_day(&mut tx, 3, 4).await.unwrap();
        assert_eq!(days, [ActiveDay { day: 3, count: 2 }, ActiveDay { day: 4, count: 1 }]);
        assert_eq!(users::activity::by_day(&mut tx, 4, 9).await.unwrap(), days[1..]);
        for (first, last, count) in [(0, 2, 0), (3, 3, 2), (4, 4, 1), (3, 4, 2), (5, 9, 0)] {
            assert_eq!(users::activity::users(&mut tx, first, last).await.unwrap(), count, "{first} to {last}");
        }
    }
    for expected in [1, 1, 0] {
        assert_eq!(users::activity::delete_expired(&mut tx, 4, 1).await.unwrap(), expected);
    }
    assert_eq!(users::activity::by_day(&mut tx, 0, 9).await.unwrap(), [ActiveDay { day: 4, count: 1 }]);
});

both!(new_users_are_counted_by_their_days, async |store: Store| {
    let mut tx = store.begin().await;
    for created_at in [3 * DAY_MS - 1, 3 * DAY_MS, 4 * DAY_MS - 1, 4 * DAY_MS] {
        users::insert(&mut tx, &User { created_at, ..new_user() }).await.unwrap();
    }
    for (first, last, count) in [(2, 2, 1), (3, 3, 2), (3, 4, 3), (5, 9, 0)] {
        assert_eq!(users::activity::new_users(&mut tx, first, last).await.unwrap(), count, "{first} to {last}");
    }
});
