//! Signing keys and their timestamps.

use crate::{Store, assert_same, ids};
use claimsmith_domain::documents::algorithm::Algorithm;
use claimsmith_storage::Json;
use claimsmith_storage::signing_keys::{self, SigningKey};
use claimsmith_test_support::both;
use serde_json::json;

pub(crate) fn new_key(kid: &str, activates_at: i64) -> SigningKey {
    SigningKey {
        kid: kid.to_owned(),
        algorithm: Algorithm::ES256,
        public_jwk: Json(json!({ "kid": kid })),
        sealed_private: format!("sealed {kid}"),
        created_at: 0,
        activates_at,
        retires_at: None,
    }
}

both!(keys_are_published_until_they_retire, async |store: Store| {
    let mut tx = store.begin().await;
    for key in [new_key("first", 10), new_key("second", 20)] {
        signing_keys::insert(&mut tx, &key).await.unwrap();
    }
    let published = signing_keys::published(&mut tx, 0).await.unwrap();
    assert_same(&published, &vec![new_key("second", 20), new_key("first", 10)]);

    signing_keys::insert(&mut tx, &new_key("third", 30)).await.unwrap();
    signing_keys::retire_before(&mut tx, Algorithm::ES256, 20, 100).await.unwrap();
    signing_keys::retire_before(&mut tx, Algorithm::ES256, 30, 200).await.unwrap();
    for (now, expected) in [
        (99, &["third", "second", "first"][..]),
        (100, &["third", "second"]),
        (199, &["third", "second"]),
        (200, &["third"]),
    ] {
        assert_eq!(ids(&signing_keys::published(&mut tx, now).await.unwrap(), |key| &key.kid), expected, "{now}");
    }
    assert_eq!(ids(&signing_keys::all(&mut tx).await.unwrap(), |key| &key.kid), ["third", "second", "first"]);
    assert_eq!(signing_keys::delete_expired(&mut tx, 100).await.unwrap(), 0);
    assert_eq!(signing_keys::delete_expired(&mut tx, 101).await.unwrap(), 1);
    assert_eq!(ids(&signing_keys::published(&mut tx, 0).await.unwrap(), |key| &key.kid), ["third", "second"]);
});

both!(a_key_is_deleted, async |store: Store| {
    let mut tx = store.begin().await;
    for kid in ["one", "other"] {
        signing_keys::insert(&mut tx, &new_key(kid, 10)).await.unwrap();
    }
    assert!(signing_keys::delete(&mut tx, "one").await.unwrap());
    assert!(!signing_keys::delete(&mut tx, "one").await.unwrap());
    assert_eq!(ids(&signing_keys::published(&mut tx, 0).await.unwrap(), |key| &key.kid), ["other"]);
});

both!(keys_that_would_sign_later_give_way, async |store: Store| {
    let mut tx = store.begin().await;
    for (kid, activates_at) in [("now", 10), ("next", 20), ("later", 30)] {
        signing_keys::insert(&mut tx, &new_key(kid, activates_at)).await.unwrap();
    }
    signing_keys::delete_later(&mut tx, Algorithm::ES256, 20).await.unwrap();
    assert_eq!(ids(&signing_keys::published(&mut tx, 0).await.unwrap(), |key| &key.kid), ["next", "now"]);
});

both!(the_keys_of_one_algorithm_do_not_concern_another, async |store: Store| {
    let mut tx = store.begin().await;
    for (kid, algorithm, activates_at) in
        [("ec", "ES256", 10), ("rsa", "RS256", 10), ("next ec", "ES256", 20), ("next rsa", "RS256", 20)]
    {
        let key = SigningKey { algorithm: Algorithm::parse(algorithm).unwrap(), ..new_key(kid, activates_at) };
        signing_keys::insert(&mut tx, &key).await.unwrap();
    }
    // Those of one time in the order of their algorithms.
    let published = signing_keys::published(&mut tx, 0).await.unwrap();
    assert_eq!(ids(&published, |key| &key.kid), ["next ec", "next rsa", "ec", "rsa"]);
    signing_keys::delete_later(&mut tx, Algorithm::RS256, 10).await.unwrap();
    signing_keys::retire_before(&mut tx, Algorithm::ES256, 20, 100).await.unwrap();
    let published = signing_keys::published(&mut tx, 100).await.unwrap();
    assert_eq!(ids(&published, |key| &key.kid), ["next ec", "rsa"]);
});
