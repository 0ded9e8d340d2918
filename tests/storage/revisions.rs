//! The authorization revision: every change of authorization data raises it, which invalidates the cache.

use crate::Store;
use claimsmith::domain::application::ApplicationType;
use claimsmith::storage::signing_keys::{self, SigningKey};
use claimsmith::storage::{Json, Tx, applications, organizations, resources, revisions, roles, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{
    new_application, new_organization, new_organization_role, new_resource, new_role, new_scope, new_secret, new_user,
};
use serde_json::json;

/// Asserts that the counter moved since `last`, and answers where it is.
async fn moved(tx: &mut Tx, last: &mut i64, what: &str) {
    let now = revisions::current(tx).await.unwrap();
    assert!(now > *last, "{what} does not move the revision");
    *last = now;
}

both!(every_change_of_what_may_be_granted_moves_it, async |store: Store| {
    let application = new_application(ApplicationType::MachineToMachine);
    let (resource, role) = (new_resource("urn:one"), new_role("MachineToMachine"));
    let (scope, secret) = (new_scope(&resource.id, "read"), new_secret(&application.id, "one"));
    let (organization, organization_role) = (new_organization(), new_organization_role("role"));
    let key = SigningKey {
        kid: "key".to_owned(),
        algorithm: "ES256".to_owned(),
        public_jwk: Json(json!({})),
        sealed_private: String::new(),
        created_at: 0,
        activates_at: 0,
        retires_at: None,
    };
    let mut tx = store.begin().await;
    let mut last = revisions::current(&mut tx).await.unwrap();
    roles::insert(&mut tx, &role).await.unwrap();
    organizations::insert(&mut tx, &organization).await.unwrap();
    macro_rules! moves {
        ($($call:expr),* $(,)?) => {
            $( $call.await.unwrap(); moved(&mut tx, &mut last, stringify!($call)).await; )*
        };
    }
    moves!(
        applications::insert(&mut tx, &application),
        applications::update(&mut tx, &application),
        applications::insert_secret(&mut tx, &secret),
        resources::insert(&mut tx, &resource),
        resources::insert_scope(&mut tx, &scope),
        roles::add_scope(&mut tx, &role.id, &scope.id),
        roles::assign_to_application(&mut tx, &application.id, &role.id),
        applications::delete_secret(&mut tx, &application.id, &secret.name),
        resources::delete_scope(&mut tx, &resource.id, &scope.id),
        roles::delete(&mut tx, &role.id),
        resources::delete(&mut tx, &resource.id),
        applications::delete(&mut tx, &application.id),
        signing_keys::insert(&mut tx, &key),
        signing_keys::retire_before(&mut tx, 1, 2),
        signing_keys::reseal(&mut tx, "key", "anew"),
        organizations::roles::insert(&mut tx, &organization_role),
        organizations::roles::update(&mut tx, &organization_role),
        organizations::roles::delete(&mut tx, &organization_role.id),
        organizations::update(&mut tx, &organization),
        organizations::delete(&mut tx, &organization.id),
        revisions::bump(&mut tx),
    );
    // What concerns one user has its own counter, on the user.
    users::insert(&mut tx, &new_user()).await.unwrap();
    assert_eq!(revisions::current(&mut tx).await.unwrap(), last);
    assert_eq!(revisions::hold(&mut tx).await.unwrap(), last);
});
