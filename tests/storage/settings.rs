//! Settings of the database.

use crate::Store;
use claimsmith::storage::settings;
use claimsmith_test_support::both;

both!(a_setting_is_replaced, async |store: Store| {
    let mut tx = store.begin().await;
    assert_eq!(settings::get(&mut tx, "colour").await.unwrap(), None);
    for value in ["blue", "grün", ""] {
        settings::put(&mut tx, "colour", value).await.unwrap();
        assert_eq!(settings::get(&mut tx, "colour").await.unwrap().as_deref(), Some(value));
    }
    assert_eq!(settings::get(&mut tx, "Colour").await.unwrap(), None);
});
