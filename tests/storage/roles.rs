//! Roles, and the few of their holders that are shown beside them.

use crate::{Store, assert_same, ids};
use claimsmith::domain::application::ApplicationType;
use claimsmith::storage::roles::{self, Role};
use claimsmith::storage::{Error, Slice, applications, resources, role_usage, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_application, new_resource, new_role, new_scope, new_user};

both!(a_role_comes_back_as_it_was_written, async |store: Store| {
    let mut tx = store.begin().await;
    let role = Role { is_default: true, created_at: 5, ..new_role("User") };
    let machines = new_role("MachineToMachine");
    for role in [&role, &machines] {
        roles::insert(&mut tx, role).await.unwrap();
        assert_same(&roles::find(&mut tx, &role.id).await.unwrap().unwrap(), role);
    }
    assert!(roles::find(&mut tx, "unknown").await.unwrap().is_none());
    let wanted = [role.id.clone(), "unknown".to_owned()];
    assert_eq!(ids(&roles::find_all(&mut tx, &wanted).await.unwrap(), |role| &role.id), [&role.id]);
    assert!(roles::find_all(&mut tx, &[]).await.unwrap().is_empty());
    tx.commit().await.unwrap();

    let taken = Role { name: role.name.clone(), ..new_role("User") };
    let error = roles::insert(&mut store.begin().await, &taken).await.unwrap_err();
    assert!(matches!(error, Error::Conflict), "{error:?}");
});

both!(the_newest_roles_are_listed_first, async |store: Store| {
    let mut tx = store.begin().await;
    for (id, created_at) in [("b", 1), ("a", 1), ("c", 3)] {
        roles::insert(&mut tx, &Role { id: id.to_owned(), created_at, ..new_role("User") }).await.unwrap();
    }
    assert_eq!(roles::count(&mut tx).await.unwrap(), 3);
    assert_eq!(ids(&roles::list(&mut tx, Slice::ALL).await.unwrap(), |role| &role.id), ["c", "a", "b"]);
    let second = roles::list(&mut tx, Slice { limit: 1, offset: 1 }).await.unwrap();
    assert_eq!(ids(&second, |role| &role.id), ["a"]);
});

both!(default_roles_are_those_of_users, async |store: Store| {
    let mut tx = store.begin().await;
    let default = Role { is_default: true, ..new_role("User") };
    let of_machines = Role { is_default: true, ..new_role("MachineToMachine") };
    for role in [&default, &of_machines, &new_role("User")] {
        roles::insert(&mut tx, role).await.unwrap();
    }
    assert_eq!(ids(&roles::defaults(&mut tx).await.unwrap(), |role| &role.id), [&default.id]);
});

both!(a_role_carries_scopes_and_goes_with_its_assignments, async |store: Store| {
    let (role, user) = (new_role("User"), new_user());
    let application = new_application(ApplicationType::MachineToMachine);
    let resource = new_resource("urn:one");
    let scope = new_scope(&resource.id, "read");
    let mut tx = store.begin().await;
    roles::insert(&mut tx, &role).await.unwrap();
    users::insert(&mut tx, &user).await.unwrap();
    applications::insert(&mut tx, &application).await.unwrap();
    resources::insert(&mut tx, &resource).await.unwrap();
    resources::insert_scope(&mut tx, &scope).await.unwrap();
    roles::add_scope(&mut tx, &role.id, &scope.id).await.unwrap();
    roles::add_scope(&mut tx, &role.id, &scope.id).await.unwrap();
    assert!(roles::assign_to_user(&mut tx, &user.id, &role.id).await.unwrap());
    assert!(!roles::assign_to_user(&mut tx, &user.id, &role.id).await.unwrap());
    assert!(roles::assign_to_application(&mut tx, &application.id, &role.id).await.unwrap());
    assert!(!roles::assign_to_application(&mut tx, &application.id, &role.id).await.unwrap());
    assert_eq!(ids(&roles::of_user(&mut tx, &user.id).await.unwrap(), |role| &role.id), [&role.id]);
    assert_eq!(applications::scopes_held(&mut tx, &application.id).await.unwrap().len(), 1);

    assert!(roles::delete(&mut tx, &role.id).await.unwrap());
    assert!(!roles::delete(&mut tx, &role.id).await.unwrap());
    assert!(roles::of_user(&mut tx, &user.id).await.unwrap().is_empty());
    assert!(applications::scopes_held(&mut tx, &application.id).await.unwrap().is_empty());
    assert!(resources::find_scope(&mut tx, &scope.id).await.unwrap().is_some());
});

both!(what_does_not_exist_cannot_be_assigned, async |store: Store| {
    let (role, user) = (new_role("User"), new_user());
    let mut tx = store.begin().await;
    roles::insert(&mut tx, &role).await.unwrap();
    users::insert(&mut tx, &user).await.unwrap();
    tx.commit().await.unwrap();
    let missing = |error: Error| assert!(matches!(error, Error::Missing), "{error:?}");
    missing(roles::assign_to_user(&mut store.begin().await, &user.id, "unknown").await.unwrap_err());
    missing(roles::assign_to_user(&mut store.begin().await, "unknown", &role.id).await.unwrap_err());
    missing(roles::assign_to_application(&mut store.begin().await, "unknown", &role.id).await.unwrap_err());
    missing(roles::add_scope(&mut store.begin().await, &role.id, "unknown").await.unwrap_err());
});

both!(a_role_shows_how_many_hold_it_and_three_of_them, async |store: Store| {
    let (held, unheld) = (new_role("User"), new_role("User"));
    let mut tx = store.begin().await;
    roles::insert(&mut tx, &held).await.unwrap();
    roles::insert(&mut tx, &unheld).await.unwrap();
    for _ in 0..5 {
        let (user, application) = (new_user(), new_application(ApplicationType::MachineToMachine));
        users::insert(&mut tx, &user).await.unwrap();
        applications::insert(&mut tx, &application).await.unwrap();
        roles::assign_to_user(&mut tx, &user.id, &held.id).await.unwrap();
        roles::assign_to_application(&mut tx, &application.id, &held.id).await.unwrap();
    }
    let both = [held.id.as_str(), unheld.id.as_str()];
    let users = role_usage::users(&mut tx, &both).await.unwrap();
    assert_eq!(users.len(), 3);
    assert!(users.iter().all(|row| row.role_id == held.id && row.total == 5));
    let applications = role_usage::applications(&mut tx, &both).await.unwrap();
    assert_eq!(applications.len(), 3);
    assert!(applications.iter().all(|row| row.total == 5 && row.kind == "MachineToMachine"));
    assert!(role_usage::users(&mut tx, &[]).await.unwrap().is_empty());
    assert!(role_usage::applications(&mut tx, &[]).await.unwrap().is_empty());
});
