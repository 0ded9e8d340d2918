//! The settings of people's own accounts.

use crate::Store;
use claimsmith_domain::documents::account_center::AccountCenter;
use claimsmith_storage::{doctor, sign_in};
use claimsmith_test_support::both;
use serde_json::json;
use serde_json::value::RawValue;

both!(settings_are_by_default_until_they_are_written, async |store: Store| {
    let mut tx = store.begin().await;
    let initial = AccountCenter::default();
    assert_eq!(sign_in::settings::ACCOUNT_CENTER.find(&mut tx).await.unwrap(), initial);
    assert_eq!(sign_in::settings::ACCOUNT_CENTER.lock(&mut tx).await.unwrap(), initial);
    let change = json!({ "enabled": true, "fields": { "name": "Edit" }, "deletionEnabled": true });
    let settings = initial.clone().changed(serde_json::from_value(change).unwrap());
    sign_in::settings::ACCOUNT_CENTER.put(&mut tx, &settings).await.unwrap();
    assert_eq!(sign_in::settings::ACCOUNT_CENTER.find(&mut tx).await.unwrap(), settings);
    assert_eq!(sign_in::settings::ACCOUNT_CENTER.lock(&mut tx).await.unwrap(), settings);
    // Without its row, too.
    tx.sql("DELETE FROM account_centers").execute().await.unwrap();
    assert_eq!(sign_in::settings::ACCOUNT_CENTER.lock(&mut tx).await.unwrap(), initial);
    sign_in::settings::ACCOUNT_CENTER.put(&mut tx, &settings).await.unwrap();
    assert_eq!(sign_in::settings::ACCOUNT_CENTER.find(&mut tx).await.unwrap(), settings);
});

both!(damaged_settings_let_nobody_change_anything_and_are_found, async |store: Store| {
    let mut tx = store.begin().await;
    let shape = RawValue::from_string(r#"{"enabled":true,"fields":7}"#.to_owned()).unwrap();
    let spoil = "UPDATE account_centers SET settings = $1";
    tx.sql(spoil).bind(sqlx::types::Json(&*shape)).execute().await.unwrap();
    let found = sign_in::settings::ACCOUNT_CENTER.find(&mut tx).await.unwrap();
    assert_eq!(found, AccountCenter::closed());
    assert!(!found.enabled && !found.page_enabled);
    let unreadable = doctor::examine(&mut tx).await.unwrap();
    assert_eq!((unreadable.len(), unreadable[0].table), (1, "account_centers"));
    doctor::repair(&mut tx, &unreadable[0]).await.unwrap().unwrap();
    assert_eq!(sign_in::settings::ACCOUNT_CENTER.find(&mut tx).await.unwrap(), AccountCenter::default());
});
