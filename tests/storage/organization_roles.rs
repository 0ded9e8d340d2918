//! Organization roles, organization scopes, and which role carries which scope.

use crate::{Store, assert_same, ids};
use claimsmith_domain::documents::role::RoleType;
use claimsmith_storage::organizations;
use claimsmith_storage::organizations::role_scopes::{RESOURCE_SCOPES, SCOPES};
use claimsmith_storage::organizations::roles::OrganizationRole;
use claimsmith_storage::organizations::scopes::OrganizationScope;
use claimsmith_storage::{Error, LinkChanges, Slice, resources};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_organization_role, new_organization_scope, new_resource, new_scope};
use std::slice::from_ref;

both!(scopes_are_written_and_found, async |store: Store| {
    let mut tx = store.begin().await;
    let mut scope = OrganizationScope { description: Some("d".to_owned()), ..new_organization_scope("Read") };
    organizations::scopes::insert(&mut tx, &scope).await.unwrap();
    organizations::scopes::insert(&mut tx, &new_organization_scope("read")).await.unwrap();
    assert_same(&organizations::scopes::find(&mut tx, &scope.id).await.unwrap().unwrap(), &scope);
    assert!(organizations::scopes::find(&mut tx, &"unknown".into()).await.unwrap().is_none());
    assert_eq!(organizations::scopes::count(&mut tx, Some("REA")).await.unwrap(), 2);
    scope.name = "Überblick".to_owned();
    scope.description = None;
    organizations::scopes::update(&mut tx, &scope).await.unwrap();
    let listed = organizations::scopes::list(&mut tx, Some("über"), Slice::ALL).await.unwrap();
    assert_same(&listed, &vec![scope.clone()]);
    let listed = organizations::scopes::list(&mut tx, None, Slice { limit: 1, offset: 0 }).await.unwrap();
    assert_eq!(ids(&listed, |scope| &scope.name), ["read"]);
    tx.commit().await.unwrap();

    let error = organizations::scopes::insert(&mut store.begin().await, &new_organization_scope("read")).await;
    assert!(matches!(error, Err(Error::Conflict)), "{error:?}");
    scope.name = "read".to_owned();
    let error = organizations::scopes::update(&mut store.begin().await, &scope).await;
    assert!(matches!(error, Err(Error::Conflict)), "{error:?}");
    let mut tx = store.begin().await;
    assert!(organizations::scopes::delete(&mut tx, &scope.id).await.unwrap());
    assert!(!organizations::scopes::delete(&mut tx, &scope.id).await.unwrap());
});

both!(roles_are_written_and_found, async |store: Store| {
    let mut tx = store.begin().await;
    let mut role = OrganizationRole { description: Some("feeds".to_owned()), ..new_organization_role("Keeper") };
    let machine = OrganizationRole { kind: RoleType::MachineToMachine, ..new_organization_role("Robot") };
    for role in [&role, &machine] {
        organizations::roles::insert(&mut tx, role).await.unwrap();
        assert_same(&organizations::roles::find(&mut tx, &role.id).await.unwrap().unwrap(), role);
    }
    assert!(organizations::roles::find(&mut tx, &"unknown".into()).await.unwrap().is_none());
    let wanted = [machine.id.clone(), "unknown".into()];
    assert_same(&organizations::roles::find_all(&mut tx, &wanted).await.unwrap(), &vec![machine.clone()]);
    assert!(organizations::roles::find_all(&mut tx, &[]).await.unwrap().is_empty());
    let wanted = ["Robot".to_owned(), "robot".to_owned()];
    assert_same(&organizations::roles::find_named(&mut tx, &wanted).await.unwrap(), &vec![machine.clone()]);
    let listed = organizations::roles::list(&mut tx, None, Slice::ALL).await.unwrap();
    assert_eq!(ids(&listed, |role| &role.name), ["Keeper", "Robot"]);
    for part in [role.id.to_uppercase().as_str(), "KEEP", "Feeds"] {
        let listed = organizations::roles::list(&mut tx, Some(part), Slice::ALL).await.unwrap();
        assert_eq!(ids(&listed, |role| &role.id), [&role.id], "{part}");
        assert_eq!(organizations::roles::count(&mut tx, Some(part)).await.unwrap(), 1);
    }
    role.description = None;
    organizations::roles::update(&mut tx, &role).await.unwrap();
    assert_eq!(organizations::roles::count(&mut tx, Some("Feeds")).await.unwrap(), 0);
    tx.commit().await.unwrap();

    let error = organizations::roles::insert(&mut store.begin().await, &new_organization_role("Robot")).await;
    assert!(matches!(error, Err(Error::Conflict)), "{error:?}");
    let mut tx = store.begin().await;
    assert!(organizations::roles::delete(&mut tx, &role.id).await.unwrap());
    assert!(!organizations::roles::delete(&mut tx, &role.id).await.unwrap());
});

both!(roles_carry_scopes_of_both_kinds, async |store: Store| {
    let mut tx = store.begin().await;
    let role = new_organization_role("Keeper");
    let resource = new_resource("urn:zoo");
    let (feed, clean) = (new_organization_scope("feed"), new_organization_scope("clean"));
    let (read, write) = (new_scope(&resource.id, "read"), new_scope(&resource.id, "write"));
    organizations::roles::insert(&mut tx, &role).await.unwrap();
    resources::insert(&mut tx, &resource).await.unwrap();
    for scope in [&feed, &clean] {
        organizations::scopes::insert(&mut tx, scope).await.unwrap();
    }
    for scope in [&read, &write] {
        resources::insert_scope(&mut tx, scope).await.unwrap();
    }
    let owner = &role.id;
    SCOPES.add(&mut tx, owner, &[feed.id.clone(), clean.id.clone()]).await.unwrap();
    assert!(SCOPES.add(&mut tx, owner, from_ref(&feed.id)).await.unwrap().is_empty());
    RESOURCE_SCOPES.add(&mut tx, owner, &[read.id.clone(), write.id.clone()]).await.unwrap();

    let scopes = organizations::role_scopes::scopes_of(&mut tx, &role.id, Slice::ALL).await.unwrap();
    assert_same(&scopes, &vec![clean.clone(), feed.clone()]);
    assert_eq!(SCOPES.count(&mut tx, &role.id).await.unwrap(), 2);
    let page = Slice { limit: 1, offset: 1 };
    let scopes = organizations::role_scopes::resource_scopes_of(&mut tx, &role.id, page).await.unwrap();
    assert_same(&scopes, &vec![write.clone()]);
    assert_eq!(RESOURCE_SCOPES.count(&mut tx, &role.id).await.unwrap(), 2);
    let carried = organizations::role_scopes::carried(&mut tx, &[owner]).await.unwrap();
    assert_eq!(ids(&carried, |scope| &scope.name), ["clean", "feed"]);
    let carried = organizations::role_scopes::carried_of_resources(&mut tx, &[owner]).await.unwrap();
    assert_eq!(ids(&carried, |scope| &scope.name), ["read", "write"]);
    assert!(carried.iter().all(|scope| scope.resource_id == resource.id && scope.resource_name == resource.name));
    assert!(organizations::role_scopes::carried(&mut tx, &[]).await.unwrap().is_empty());
    assert!(organizations::role_scopes::carried_of_resources(&mut tx, &[]).await.unwrap().is_empty());

    let changes = SCOPES.replace(&mut tx, owner, from_ref(&clean.id)).await.unwrap();
    assert_eq!(changes, LinkChanges::removed(vec![feed.id.clone()]));
    assert!(SCOPES.remove(&mut tx, owner, &clean.id).await.unwrap());
    assert!(!SCOPES.remove(&mut tx, owner, &clean.id).await.unwrap());
    // What a resource loses, the roles lose.
    resources::delete(&mut tx, &resource.id).await.unwrap();
    assert!(RESOURCE_SCOPES.of(&mut tx, owner).await.unwrap().is_empty());
    tx.commit().await.unwrap();
    let error = SCOPES.add(&mut store.begin().await, owner, &["unknown".into()]).await;
    assert!(matches!(error, Err(Error::Missing)), "{error:?}");
    let error = RESOURCE_SCOPES.add(&mut store.begin().await, owner, &["unknown".into()]).await;
    assert!(matches!(error, Err(Error::Missing)), "{error:?}");
});
