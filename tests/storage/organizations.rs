//! Organizations, as far as tokens speak of them.

use crate::{Store, assert_same, ids};
use claimsmith::storage::organizations::{self, Organization};
use claimsmith::storage::{Error, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_organization, new_user};

both!(members_and_their_roles_are_found, async |store: Store| {
    let user = new_user();
    let second = Organization { name: "Zoo".to_owned(), description: Some("animals".to_owned()), ..new_organization() };
    let first = Organization { name: "Ark".to_owned(), is_mfa_required: true, created_at: 3, ..new_organization() };
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    for organization in [&second, &first] {
        organizations::insert(&mut tx, organization).await.unwrap();
        organizations::add_member(&mut tx, &organization.id, &user.id).await.unwrap();
        // Being a member already is no error.
        organizations::add_member(&mut tx, &organization.id, &user.id).await.unwrap();
    }
    organizations::insert(&mut tx, &new_organization()).await.unwrap();
    let found = organizations::of_user(&mut tx, &user.id).await.unwrap();
    assert_same(&found, &vec![first.clone(), second.clone()]);

    organizations::insert_role(&mut tx, "keeper", "Keeper", &[]).await.unwrap();
    organizations::insert_role(&mut tx, "captain", "Captain", &[]).await.unwrap();
    organizations::add_member_role(&mut tx, &first.id, &user.id, "keeper").await.unwrap();
    organizations::add_member_role(&mut tx, &first.id, &user.id, "captain").await.unwrap();
    let roles = organizations::roles_of_user(&mut tx, &user.id).await.unwrap();
    assert_eq!(ids(&roles, |role| &role.role_name), ["Captain", "Keeper"]);
    assert_eq!(ids(&roles, |role| &role.role_id), ["captain", "keeper"]);
    assert!(roles.iter().all(|role| role.organization_id == first.id));
    assert!(users::find(&mut tx, &user.id).await.unwrap().unwrap().revision > 1, "a membership is a change");
});

both!(roles_are_for_members_and_known_ones, async |store: Store| {
    let (user, organization) = (new_user(), new_organization());
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    organizations::insert(&mut tx, &organization).await.unwrap();
    organizations::insert_role(&mut tx, "keeper", "Keeper", &[]).await.unwrap();
    tx.commit().await.unwrap();
    let missing = |error: Error| assert!(matches!(error, Error::Missing), "{error:?}");
    let mut tx = store.begin().await;
    missing(organizations::add_member_role(&mut tx, &organization.id, &user.id, "keeper").await.unwrap_err());
    drop(tx);
    missing(organizations::add_member(&mut store.begin().await, &organization.id, "unknown").await.unwrap_err());
    missing(organizations::add_member(&mut store.begin().await, "unknown", &user.id).await.unwrap_err());
    missing(organizations::insert_role(&mut store.begin().await, "x", "x", &["unknown"]).await.unwrap_err());
    let error = organizations::insert_role(&mut store.begin().await, "x", "Keeper", &[]).await.unwrap_err();
    assert!(matches!(error, Error::Conflict), "{error:?}");
});
