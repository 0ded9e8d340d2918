//! How old passwords are, and the settings that the migration takes back.

use crate::Store;
use claimsmith_domain::documents::user::PasswordAlgorithm;
use claimsmith_storage::users::password_age::PasswordAge;
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{Dialect, sign_in};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_user;
use serde_json::json;

const SQLITE: &str = include_str!("../../migrations/sqlite/0041_password_age.sql");
const POSTGRES: &str = include_str!("../../migrations/postgres/0041_password_age.sql");

both!(a_password_counts_from_its_last_change, async |store: Store| {
    let mut tx = store.begin().await;
    let bare = new_user();
    users::insert(&mut tx, &bare).await.unwrap();
    let age = |password_updated_at, is_password_expired| {
        Some(PasswordAge { password_updated_at, is_password_expired, created_at: 0 })
    };
    assert_eq!(users::password_age::find(&mut tx, &bare.id).await.unwrap(), age(None, false));
    assert_eq!(users::password_age::find(&mut tx, &"nobody".into()).await.unwrap(), None);
    let mut ada = User {
        password_digest: Some("first".to_owned()),
        password_algorithm: Some(PasswordAlgorithm::Argon2id),
        ..new_user()
    };
    users::insert(&mut tx, &ada).await.unwrap();
    assert_eq!(users::password_age::find(&mut tx, &ada.id).await.unwrap(), age(Some(0), false));
    let expired = users::password_age::set_expired(&mut tx, &ada.id, true, 3).await.unwrap().unwrap();
    assert_eq!((expired.updated_at, expired.revision), (3, 2));
    assert!(users::password_age::set_expired(&mut tx, &"nobody".into(), true, 3).await.unwrap().is_none());
    // Another change, or the same password under another hash, makes it no younger.
    (ada.updated_at, ada.name) = (5, Some("Ada".to_owned()));
    assert!(users::update(&mut tx, &ada).await.unwrap());
    assert!(users::renew_digest(&mut tx, &ada.id, "first", "renewed").await.unwrap());
    assert_eq!(users::password_age::find(&mut tx, &ada.id).await.unwrap(), age(Some(0), true));
    (ada.updated_at, ada.password_digest) = (9, Some("second".to_owned()));
    assert!(users::update(&mut tx, &ada).await.unwrap());
    assert_eq!(users::password_age::find(&mut tx, &ada.id).await.unwrap(), age(Some(9), false));
    let mut later = User { password_digest: Some("first".to_owned()), updated_at: 7, ..bare };
    later.password_algorithm = Some(PasswordAlgorithm::Argon2id);
    assert!(users::update(&mut tx, &later).await.unwrap());
    assert_eq!(users::password_age::find(&mut tx, &later.id).await.unwrap(), age(Some(7), false));
});

both!(settings_from_before_that_had_no_effect_are_off, async |store: Store| {
    let mut tx = store.begin().await;
    let stored = json!({ "adaptiveMfa": { "enabled": true }, "signInMode": "SignIn",
        "passwordExpiration": { "enabled": true, "validPeriodDays": 30, "enabledAt": 7 } });
    tx.sql("UPDATE sign_in_experiences SET settings = $1").bind(sqlx::types::Json(&stored)).execute().await.unwrap();
    let migration = match store.db.dialect() {
        Dialect::Sqlite => SQLITE,
        Dialect::Postgres => POSTGRES,
    };
    let update = migration.split(';').map(str::trim).find_map(|part| part.find("UPDATE ").map(|at| &part[at..]));
    tx.sql(update.unwrap()).execute().await.unwrap();
    let settings = sign_in::settings::EXPERIENCE.find(&mut tx).await.unwrap();
    let shown = serde_json::to_value(&settings).unwrap();
    assert_eq!((&shown["adaptiveMfa"], &shown["passwordExpiration"]), (&json!({}), &json!({})));
    assert_eq!(shown["signInMode"], "SignIn");
});
