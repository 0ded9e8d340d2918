//! Trusted devices.

use crate::{Store, assert_same, ids};
use claimsmith_domain::id::UserId;
use claimsmith_storage::sessions::trusted_devices::{self, TrustedDevice};
use claimsmith_storage::{Error, Slice, sessions, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_user;

const ALL: Slice = Slice { limit: 100, offset: 0 };

fn device(id: &str, hash: &str, user_id: &UserId, used: i64) -> TrustedDevice {
    TrustedDevice {
        id: id.into(),
        user_id: user_id.clone(),
        hash: hash.to_owned(),
        user_agent: Some("Browser".to_owned()),
        ip: None,
        created_at: used,
        last_used_at: used,
        expires_at: 1000,
    }
}

both!(a_device_is_that_of_a_browser_and_a_user, async |store: Store| {
    let mut tx = store.begin().await;
    let (ada, grace) = (new_user(), new_user());
    for user in [&ada, &grace] {
        users::insert(&mut tx, user).await.unwrap();
    }
    let (ada, grace) = (ada.id, grace.id);
    let first = device("a", "h1", &ada, 1);
    for one in [&first, &device("b", "h1", &grace, 2), &device("c", "h2", &ada, 3)] {
        sessions::trusted_devices::put(&mut tx, one).await.unwrap();
    }
    let found = sessions::trusted_devices::find_live(&mut tx, "h1", &ada, 10).await.unwrap();
    assert_same(&found.unwrap(), &first);
    for (hash, user, now) in [("h1", &ada, 1000), ("h2", &grace, 10), ("h3", &ada, 10)] {
        let found = sessions::trusted_devices::find_live(&mut tx, hash, user, now).await.unwrap();
        assert!(found.is_none(), "{hash}");
    }
    // Another one in the same browser takes its place.
    sessions::trusted_devices::put(&mut tx, &device("d", "h1", &ada, 4)).await.unwrap();
    let found = sessions::trusted_devices::of_user(&mut tx, &ada, 10, ALL).await.unwrap();
    assert_eq!(ids(&found, |one| &one.id), ["d", "c"]);
    assert_eq!(sessions::trusted_devices::count(&mut tx, &ada, 10).await.unwrap(), 2);
    assert_eq!(sessions::trusted_devices::count(&mut tx, &ada, 1000).await.unwrap(), 0);
    assert!(sessions::trusted_devices::used(&mut tx, &"c".into(), Some("192.0.2.1"), 9).await.unwrap());
    assert!(!sessions::trusted_devices::used(&mut tx, &"c".into(), None, 1000).await.unwrap(), "it has expired");
    let second = sessions::trusted_devices::of_user(&mut tx, &ada, 10, Slice { limit: 1, offset: 0 }).await.unwrap();
    assert_eq!((second[0].last_used_at, second[0].ip.as_deref()), (9, Some("192.0.2.1")));
    // Of all users of a browser.
    sessions::trusted_devices::rename(&mut tx, "h1", "h9").await.unwrap();
    for user in [&ada, &grace] {
        assert!(sessions::trusted_devices::find_live(&mut tx, "h9", user, 10).await.unwrap().is_some());
    }
    let of_nobody = device("e", "h1", &"nobody".into(), 1);
    assert!(matches!(trusted_devices::put(&mut tx, &of_nobody).await, Err(Error::Missing)));
});

both!(the_trust_in_a_device_ends, async |store: Store| {
    let mut tx = store.begin().await;
    let ada = new_user();
    users::insert(&mut tx, &ada).await.unwrap();
    for (id, used) in [("a", 1), ("b", 3), ("c", 2), ("d", 4)] {
        sessions::trusted_devices::put(&mut tx, &device(id, id, &ada.id, used)).await.unwrap();
    }
    assert!(!sessions::trusted_devices::delete(&mut tx, &"nobody".into(), &"a".into()).await.unwrap());
    assert!(sessions::trusted_devices::delete(&mut tx, &ada.id, &"a".into()).await.unwrap());
    assert!(!sessions::trusted_devices::delete(&mut tx, &ada.id, &"a".into()).await.unwrap());
    let ended = sessions::trusted_devices::delete_of_user(&mut tx, &ada.id, 2).await.unwrap();
    assert_eq!(ended, ["c"]);
    let mut ended = sessions::trusted_devices::delete_of_user(&mut tx, &ada.id, 0).await.unwrap();
    ended.sort();
    assert_eq!(ended, ["b", "d"]);
    sessions::trusted_devices::put(&mut tx, &device("e", "e", &ada.id, 5)).await.unwrap();
    assert_eq!(sessions::trusted_devices::delete_expired(&mut tx, 1000, 10).await.unwrap(), 0);
    assert_eq!(sessions::trusted_devices::delete_expired(&mut tx, 1001, 10).await.unwrap(), 1);
});
