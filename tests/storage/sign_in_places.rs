//! Places that users signed in from.

use crate::Store;
use claimsmith_domain::adaptive_mfa::PlaceKind::{Country, Network};
use claimsmith_storage::{Error, sessions, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_user;

both!(the_most_recent_places_of_each_kind_are_kept, async |store: Store| {
    let mut tx = store.begin().await;
    let (ada, grace) = (new_user(), new_user());
    for user in [&ada, &grace] {
        users::insert(&mut tx, user).await.unwrap();
    }
    let (ada, grace) = (ada.id, grace.id);
    for (user, place, now) in [
        (&ada, (Network, "a"), 1),
        (&ada, (Network, "b"), 2),
        (&ada, (Country, "a"), 3),
        (&grace, (Network, "c"), 4),
        (&ada, (Network, "a"), 5),
        (&ada, (Network, "d"), 6),
    ] {
        sessions::sign_in_places::remember(&mut tx, user, place, now, 2).await.unwrap();
    }
    let mut found = Vec::new();
    for (user, kind, since) in
        [(&ada, Network, 0), (&ada, Network, 6), (&ada, Country, 0), (&grace, Network, 0), (&grace, Country, 0)]
    {
        found.push(sessions::sign_in_places::of_user(&mut tx, user, kind, since).await.unwrap().join(" "));
    }
    assert_eq!(found, ["d a", "d", "a", "c", ""]);
    assert_eq!(sessions::sign_in_places::delete_expired(&mut tx, 5, 1).await.unwrap(), 1);
    assert_eq!(sessions::sign_in_places::delete_expired(&mut tx, 5, 10).await.unwrap(), 1);
    assert!(users::delete(&mut tx, &ada).await.unwrap());
    assert_eq!(sessions::sign_in_places::delete_expired(&mut tx, 100, 10).await.unwrap(), 0);
    let of_nobody = sessions::sign_in_places::remember(&mut tx, &"nobody".into(), (Network, "a"), 1, 2).await;
    assert!(matches!(of_nobody, Err(Error::Missing)));
});
