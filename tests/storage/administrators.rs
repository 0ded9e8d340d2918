//! Until when administrators of the Management API can authenticate.

use crate::Store;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::client_authentication::{AuthMethod, JwkSet};
use claimsmith_storage::applications::ApplicationSecret;
use claimsmith_storage::{applications, resources, roles};
use claimsmith_test_support::{both, seed};

both!(the_secret_that_lasts_longest_counts, async |store: Store| {
    let mut tx = store.begin().await;
    let application = seed::new_application(ApplicationType::MachineToMachine);
    let other = seed::new_application(ApplicationType::MachineToMachine);
    for one in [&application, &other] {
        applications::insert(&mut tx, one).await.unwrap();
    }
    let (resource, role) = (seed::new_resource("urn:management"), seed::new_role("MachineToMachine"));
    resources::insert(&mut tx, &resource).await.unwrap();
    roles::insert(&mut tx, &role).await.unwrap();
    for name in ["users:read", "all"] {
        assert_eq!(roles::administrators::until(&mut tx, "urn:management").await.unwrap(), None);
        let scope = seed::new_scope(&resource.id, name);
        resources::insert_scope(&mut tx, &scope).await.unwrap();
        roles::add_scope(&mut tx, &role.id, &scope.id).await.unwrap();
        roles::assign_to_application(&mut tx, &application.id, &role.id).await.unwrap();
    }
    let mut secret = seed::new_secret(&other.id, "of another");
    applications::insert_secret(&mut tx, &secret).await.unwrap();
    assert_eq!(roles::administrators::until(&mut tx, "urn:management").await.unwrap(), None);
    for expires_at in [Some(20), Some(10)] {
        secret = seed::new_secret(&application.id, "value");
        secret.expires_at = expires_at;
        applications::insert_secret(&mut tx, &secret).await.unwrap();
        assert_eq!(roles::administrators::until(&mut tx, "urn:management").await.unwrap(), Some(20));
    }
    secret = seed::new_secret(&application.id, "value");
    applications::insert_secret(&mut tx, &secret).await.unwrap();
    assert_eq!(roles::administrators::until(&mut tx, "urn:management").await.unwrap(), Some(i64::MAX));
    assert_eq!(roles::administrators::until(&mut tx, "urn:other").await.unwrap(), None);
});

both!(secrets_count_where_they_are_accepted_and_keys_last, async |store: Store| {
    let mut tx = store.begin().await;
    let mut application = seed::new_application(ApplicationType::MachineToMachine);
    applications::insert(&mut tx, &application).await.unwrap();
    let (resource, role) = (seed::new_resource("urn:management"), seed::new_role("MachineToMachine"));
    let scope = seed::new_scope(&resource.id, "all");
    resources::insert(&mut tx, &resource).await.unwrap();
    roles::insert(&mut tx, &role).await.unwrap();
    resources::insert_scope(&mut tx, &scope).await.unwrap();
    roles::add_scope(&mut tx, &role.id, &scope.id).await.unwrap();
    roles::assign_to_application(&mut tx, &application.id, &role.id).await.unwrap();
    let secret = ApplicationSecret { expires_at: Some(20), ..seed::new_secret(&application.id, "value") };
    applications::insert_secret(&mut tx, &secret).await.unwrap();
    let keys = JwkSet::default();
    for (method, jwks, until) in [
        (None, None, Some(20)),
        (Some(AuthMethod::ClientSecretPost), None, Some(20)),
        (Some(AuthMethod::ClientSecretBasic), Some(keys.clone()), Some(20)),
        (Some(AuthMethod::PrivateKeyJwt), None, None),
        (Some(AuthMethod::PrivateKeyJwt), Some(keys.clone()), Some(i64::MAX)),
        (None, Some(keys), Some(i64::MAX)),
    ] {
        let metadata = &mut application.oidc_client_metadata.0;
        (metadata.token_endpoint_auth_method, metadata.jwks) = (method, jwks);
        applications::update(&mut tx, &application).await.unwrap();
        let found = roles::administrators::until(&mut tx, "urn:management").await.unwrap();
        assert_eq!(found, until, "{method:?}");
    }
});
