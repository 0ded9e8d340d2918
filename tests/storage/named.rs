//! Whether anybody has what a name stands for.

use crate::Store;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_storage::organizations::members;
use claimsmith_storage::organizations::role_scopes::{RESOURCE_SCOPES, SCOPES};
use claimsmith_storage::roles;
use claimsmith_storage::{applications, organizations, resources, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{
    new_application, new_organization, new_organization_role, new_organization_scope, new_resource, new_role,
    new_scope, new_user,
};
use std::slice::from_ref;

both!(scopes_are_carried_once_a_role_has_them, async |store: Store| {
    let resource = new_resource("https://orders.example.com");
    let (carried, other) = (new_scope(&resource.id, "read"), new_scope(&resource.id, "write"));
    let (role, organization_role) = (new_role("User"), new_organization_role("editor"));
    let (member, loose) = (new_organization_scope("publish"), new_organization_scope("delete"));
    let mut tx = store.begin().await;
    resources::insert(&mut tx, &resource).await.unwrap();
    for scope in [&carried, &other] {
        resources::insert_scope(&mut tx, scope).await.unwrap();
    }
    roles::insert(&mut tx, &role).await.unwrap();
    organizations::roles::insert(&mut tx, &organization_role).await.unwrap();
    for scope in [&member, &loose] {
        organizations::scopes::insert(&mut tx, scope).await.unwrap();
    }
    assert!(!roles::named::is_carried(&mut tx, &carried.id).await.unwrap());
    assert!(!roles::named::is_carried_in_organizations(&mut tx, &carried.id).await.unwrap());
    assert!(!roles::named::is_organization_scope_carried(&mut tx, &member.id).await.unwrap());
    roles::add_scope(&mut tx, &role.id, &carried.id).await.unwrap();
    assert!(roles::named::is_carried(&mut tx, &carried.id).await.unwrap());
    assert!(!roles::named::is_carried_in_organizations(&mut tx, &carried.id).await.unwrap(), "by a role alone");
    RESOURCE_SCOPES.add(&mut tx, &organization_role.id, from_ref(&carried.id)).await.unwrap();
    SCOPES.add(&mut tx, &organization_role.id, from_ref(&member.id)).await.unwrap();
    assert!(roles::named::is_carried_in_organizations(&mut tx, &carried.id).await.unwrap());
    assert!(roles::named::is_organization_scope_carried(&mut tx, &member.id).await.unwrap());
    assert!(!roles::named::is_carried(&mut tx, &other.id).await.unwrap());
    assert!(!roles::named::is_carried_in_organizations(&mut tx, &other.id).await.unwrap());
    assert!(!roles::named::is_organization_scope_carried(&mut tx, &loose.id).await.unwrap());
});

both!(roles_are_held_by_users_applications_and_members, async |store: Store| {
    let (users_role, machines_role) = (new_role("User"), new_role("MachineToMachine"));
    let (user, application) = (new_user(), new_application(ApplicationType::MachineToMachine));
    let (organization, held, free) =
        (new_organization(), new_organization_role("editor"), new_organization_role("reader"));
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    applications::insert(&mut tx, &application).await.unwrap();
    organizations::insert(&mut tx, &organization).await.unwrap();
    for role in [&users_role, &machines_role] {
        roles::insert(&mut tx, role).await.unwrap();
        assert!(!roles::named::is_held(&mut tx, &role.id).await.unwrap());
    }
    for role in [&held, &free] {
        organizations::roles::insert(&mut tx, role).await.unwrap();
    }
    roles::assign_to_user(&mut tx, &user.id, &users_role.id).await.unwrap();
    assert!(roles::named::is_held(&mut tx, &users_role.id).await.unwrap());
    assert!(!roles::named::is_held(&mut tx, &machines_role.id).await.unwrap());
    roles::assign_to_application(&mut tx, &application.id, &machines_role.id).await.unwrap();
    assert!(roles::named::is_held(&mut tx, &machines_role.id).await.unwrap());
    members::add(&mut tx, &organization.id, from_ref(&user.id)).await.unwrap();
    assert!(!roles::named::is_organization_role_held(&mut tx, &held.id).await.unwrap());
    members::add_roles(&mut tx, &organization.id, &user.id, from_ref(&held.id)).await.unwrap();
    assert!(roles::named::is_organization_role_held(&mut tx, &held.id).await.unwrap());
    assert!(!roles::named::is_organization_role_held(&mut tx, &free.id).await.unwrap());
});
