//! Roles, and the examples of their holders.

use crate::{Store, assert_same, ids};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_storage::roles::{self, Filter, Role};
use claimsmith_storage::{Error, Slice, applications, resources, users};
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
    assert!(roles::find(&mut tx, &"unknown".into()).await.unwrap().is_none());
    let wanted = [role.id.clone(), "unknown".into()];
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
        roles::insert(&mut tx, &Role { id: id.into(), created_at, ..new_role("User") }).await.unwrap();
    }
    let all = Filter::default();
    assert_eq!(roles::count(&mut tx, &all).await.unwrap(), 3);
    assert_eq!(ids(&roles::list(&mut tx, &all, Slice::ALL).await.unwrap(), |role| &role.id), ["c", "a", "b"]);
    let second = roles::list(&mut tx, &all, Slice { limit: 1, offset: 1 }).await.unwrap();
    assert_eq!(ids(&second, |role| &role.id), ["a"]);
});

both!(a_list_of_roles_has_filters, async |store: Store| {
    let (user, application) = (new_user(), new_application(ApplicationType::MachineToMachine));
    let (held, other) = (new_role("User"), new_role("User"));
    let (held_by_machine, other_of_machines) = (new_role("MachineToMachine"), new_role("MachineToMachine"));
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    applications::insert(&mut tx, &application).await.unwrap();
    for role in [&held, &other, &held_by_machine, &other_of_machines] {
        roles::insert(&mut tx, role).await.unwrap();
    }
    roles::assign_to_user(&mut tx, &user.id, &held.id).await.unwrap();
    roles::assign_to_application(&mut tx, &application.id, &held_by_machine.id).await.unwrap();
    let without_user = Some(user.id);
    let without_application = Some(application.id);
    let of = |kind| Filter { kind: Some(kind), ..Filter::default() };
    for (wanted, expected) in [
        (of(RoleType::User), vec![&held, &other]),
        (of(RoleType::MachineToMachine), vec![&held_by_machine, &other_of_machines]),
        (Filter { without_user: without_user.clone(), ..of(RoleType::User) }, vec![&other]),
        (Filter { without_application: without_application.clone(), ..of(RoleType::User) }, vec![&held, &other]),
        (Filter { without_user, without_application, ..Filter::default() }, vec![&other, &other_of_machines]),
        (Filter { without_user: Some("unknown".into()), ..of(RoleType::User) }, vec![&held, &other]),
    ] {
        let listed = roles::list(&mut tx, &wanted, Slice::ALL).await.unwrap();
        let mut expected: Vec<_> = expected.into_iter().map(|role| &role.id).collect();
        expected.sort();
        assert_eq!(ids(&listed, |role| &role.id), expected, "{wanted:?}");
        assert_eq!(roles::count(&mut tx, &wanted).await.unwrap(), i64::try_from(listed.len()).unwrap());
    }
});

both!(what_may_change_of_a_role_changes, async |store: Store| {
    let (before, other) = (new_role("User"), new_role("User"));
    let mut tx = store.begin().await;
    roles::insert(&mut tx, &before).await.unwrap();
    roles::insert(&mut tx, &other).await.unwrap();
    let wanted = Role {
        name: "renamed".to_owned(),
        description: "described".to_owned(),
        is_default: true,
        kind: RoleType::MachineToMachine,
        created_at: 99,
        ..before.clone()
    };
    roles::update(&mut tx, &wanted).await.unwrap();
    let after = roles::find_by_name(&mut tx, "renamed").await.unwrap().unwrap();
    assert_same(&after, &Role { kind: before.kind, created_at: before.created_at, ..wanted });
    assert!(roles::find_by_name(&mut tx, &before.name).await.unwrap().is_none());
    let error = roles::update(&mut tx, &Role { name: other.name, ..after }).await.unwrap_err();
    assert!(matches!(error, Error::Conflict), "{error:?}");
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
    assert!(roles::remove_scope(&mut tx, &role.id, &scope.id).await.unwrap());
    assert!(!roles::remove_scope(&mut tx, &role.id, &scope.id).await.unwrap());
    assert!(applications::scopes_held(&mut tx, &application.id).await.unwrap().is_empty());
    roles::add_scope(&mut tx, &role.id, &scope.id).await.unwrap();

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
    missing(roles::assign_to_user(&mut store.begin().await, &user.id, &"unknown".into()).await.unwrap_err());
    missing(roles::assign_to_user(&mut store.begin().await, &"unknown".into(), &role.id).await.unwrap_err());
    missing(roles::assign_to_application(&mut store.begin().await, &"unknown".into(), &role.id).await.unwrap_err());
    missing(roles::add_scope(&mut store.begin().await, &role.id, &"unknown".into()).await.unwrap_err());
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
    let both = [&held.id, &unheld.id];
    let users = roles::usage::users(&mut tx, &both).await.unwrap();
    assert_eq!(users.len(), 3);
    assert!(users.iter().all(|row| row.role_id == held.id && row.total == 5));
    let applications = roles::usage::applications(&mut tx, &both).await.unwrap();
    assert_eq!(applications.len(), 3);
    assert!(applications.iter().all(|row| row.total == 5 && row.kind == ApplicationType::MachineToMachine));
    assert!(roles::usage::users(&mut tx, &[]).await.unwrap().is_empty());
    assert!(roles::usage::applications(&mut tx, &[]).await.unwrap().is_empty());
});

both!(a_name_that_the_server_does_not_know_is_an_error_of_its_row, async |store: Store| {
    let role = new_role("User");
    let mut tx = store.begin().await;
    roles::insert(&mut tx, &role).await.unwrap();
    tx.sql("UPDATE roles SET type = 'Robot' WHERE id = $1").bind(&role.id).execute().await.unwrap();
    let error = roles::find(&mut tx, &role.id).await.unwrap_err();
    assert_eq!(error.to_string(), "the database contains an unknown RoleType: \"Robot\"");
});
