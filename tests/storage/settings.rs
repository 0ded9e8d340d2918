//! Settings of the database.

use crate::Store;
use claimsmith_storage::settings::{self, Demo};
use claimsmith_test_support::both;

both!(a_setting_is_replaced, async |store: Store| {
    let mut tx = store.begin().await;
    assert_eq!(settings::get(&mut tx, "colour").await.unwrap(), None);
    for value in ["blue", "grün", ""] {
        settings::put(&mut tx, "colour", value).await.unwrap();
        assert_eq!(settings::get(&mut tx, "colour").await.unwrap().as_deref(), Some(value));
    }
    assert_eq!(settings::get(&mut tx, "Colour").await.unwrap(), None);
    for _ in 0..2 {
        settings::remove(&mut tx, "colour").await.unwrap();
        assert_eq!(settings::get(&mut tx, "colour").await.unwrap(), None);
    }
});

both!(the_demo_application_is_remembered_as_a_whole, async |store: Store| {
    let mut tx = store.begin().await;
    let demo = Demo {
        client_id: "client".into(),
        backend_id: "backend".into(),
        customer_id: "customer".into(),
        resource: "https://api.example.com".to_owned(),
    };
    assert_eq!(settings::demo(&mut tx).await.unwrap(), None);
    settings::put(&mut tx, "demo.client", "client").await.unwrap();
    assert_eq!(settings::demo(&mut tx).await.unwrap(), None, "half of it is nothing");
    settings::put_demo(&mut tx, &demo).await.unwrap();
    assert_eq!(settings::demo(&mut tx).await.unwrap(), Some(demo));
});
