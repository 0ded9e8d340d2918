//! Failed attempts, counted.

use crate::Store;
use claimsmith_domain::lockout::{Failures, LOCKOUT_MEMORY_MS, Limit};
use claimsmith_storage::{sessions, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_user;

const HOUR: i64 = 3_600_000;

const LIMIT: Limit = Limit { failures: 3, window_ms: HOUR, lockout_ms: 5 * HOUR, longest_lockout_ms: 24 * HOUR };

both!(attempts_are_counted_for_an_hour_and_longer_when_they_lock, async |store: Store| {
    let mut tx = store.begin().await;
    assert_eq!(sessions::attempts::find(&mut tx, "ada").await.unwrap(), Failures::default());
    let (limit, mut counts) = (LIMIT, Vec::new());
    for now in [0, 10, 20, 30, HOUR] {
        counts.push(sessions::attempts::count(&mut tx, "ada", limit, now).await.unwrap());
    }
    // The third one locks, from then on; those after it do not make it longer.
    let locked = 20 + 5 * HOUR;
    let expected = [(1, 0, HOUR), (2, 0, HOUR), (3, 1, locked), (4, 1, locked), (5, 1, locked)];
    let failures = |(failures, lockouts, expires_at)| Failures { failures, lockouts, expires_at };
    assert_eq!(counts, expected.map(failures));
    assert_eq!(sessions::attempts::find(&mut tx, "ada").await.unwrap(), failures((5, 1, locked)));
    // When it is over, they begin again; the next lock-out is longer.
    let again = sessions::attempts::count(&mut tx, "ada", limit, locked).await.unwrap();
    assert_eq!(again, failures((1, 1, locked + HOUR)));
    sessions::attempts::count(&mut tx, "ada", limit, locked).await.unwrap();
    let longer = sessions::attempts::count(&mut tx, "ada", limit, locked).await.unwrap();
    assert_eq!(longer, failures((3, 2, locked + 10 * HOUR)));
    // Others are counted apart.
    let other = sessions::attempts::count(&mut tx, "grace", limit, 0).await.unwrap();
    assert_eq!(other, failures((1, 0, HOUR)));
    let strict = Limit { failures: 1, ..limit };
    let first = sessions::attempts::count(&mut tx, "sam", strict, 0).await.unwrap();
    assert_eq!(first, failures((1, 1, 5 * HOUR)));
});

both!(attempts_are_taken_back_forgotten_and_deleted, async |store: Store| {
    let mut tx = store.begin().await;
    let limit = LIMIT;
    for _ in 0..2 {
        sessions::attempts::count(&mut tx, "ada", limit, 0).await.unwrap();
    }
    for expected in [2, 2] {
        sessions::attempts::undo_failure(&mut tx, "ada", limit).await.unwrap();
        assert_eq!(sessions::attempts::count(&mut tx, "ada", limit, 0).await.unwrap().failures, expected);
    }
    for _ in 0..4 {
        sessions::attempts::undo_failure(&mut tx, "ada", limit).await.unwrap();
    }
    assert_eq!(sessions::attempts::count(&mut tx, "ada", limit, 0).await.unwrap().failures, 1, "never below none");
    sessions::attempts::clear(&mut tx, "ada").await.unwrap();
    sessions::attempts::clear(&mut tx, "nobody").await.unwrap();
    assert_eq!(sessions::attempts::count(&mut tx, "ada", limit, 0).await.unwrap().failures, 1);

    sessions::attempts::count(&mut tx, "grace", limit, 10).await.unwrap();
    assert_eq!(sessions::attempts::delete_expired(&mut tx, HOUR, 10).await.unwrap(), 0);
    assert_eq!(sessions::attempts::delete_expired(&mut tx, HOUR + 11, 1).await.unwrap(), 1);
    assert_eq!(sessions::attempts::delete_expired(&mut tx, HOUR + 11, 10).await.unwrap(), 1);

    let strict = Limit { failures: 1, ..limit };
    sessions::attempts::count(&mut tx, "sam", strict, 0).await.unwrap();
    let forgotten = 5 * HOUR + LOCKOUT_MEMORY_MS;
    assert_eq!(sessions::attempts::delete_expired(&mut tx, forgotten, 10).await.unwrap(), 0);
    assert_eq!(sessions::attempts::delete_expired(&mut tx, forgotten + 1, 10).await.unwrap(), 1);
});

both!(browsers_are_known_for_each_user_until_they_are_forgotten, async |store: Store| {
    let mut tx = store.begin().await;
    let (ada, grace) = (new_user(), new_user());
    for user in [&ada, &grace] {
        users::insert(&mut tx, user).await.unwrap();
        sessions::known_browsers::remember(&mut tx, "one", &user.id, 100).await.unwrap();
    }
    sessions::known_browsers::remember(&mut tx, "other", &ada.id, 100).await.unwrap();
    sessions::known_browsers::remember(&mut tx, "other", &ada.id, 200).await.unwrap();
    sessions::known_browsers::rename(&mut tx, "one", "new").await.unwrap();
    let mut known = Vec::new();
    for (hash, user, now) in
        [("new", &ada, 99), ("new", &ada, 100), ("one", &ada, 99), ("other", &ada, 199), ("other", &grace, 99)]
    {
        known.push(sessions::known_browsers::is_known(&mut tx, hash, &user.id, now).await.unwrap());
    }
    assert_eq!(known, [true, false, false, true, false]);
    let mut anybodys = Vec::new();
    for (hash, now) in [("new", 99), ("new", 100), ("one", 99), ("other", 199), ("other", 200)] {
        anybodys.push(sessions::known_browsers::is_anybodys(&mut tx, hash, now).await.unwrap());
    }
    assert_eq!(anybodys, [true, false, false, true, false]);
    assert_eq!(sessions::known_browsers::delete_of_user(&mut tx, &grace.id).await.unwrap(), 1);
    assert_eq!(sessions::known_browsers::delete_expired(&mut tx, 101, 10).await.unwrap(), 1);
    assert_eq!(sessions::known_browsers::delete_expired(&mut tx, 201, 10).await.unwrap(), 1);
});
