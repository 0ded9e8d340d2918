//! Users who administer the server.

use crate::Store;
use claimsmith_domain::console::{ConsoleRole, ConsoleRoles, built_in};
use claimsmith_storage::{resources, roles, users};
use claimsmith_test_support::{both, seed};

both!(who_holds_scopes_or_roles_of_the_server_administers_it, async |store: Store| {
    let mut tx = store.begin().await;
    let (ada, grace, casey) = (seed::new_user(), seed::new_user(), seed::new_user());
    for user in [&ada, &grace, &casey] {
        users::insert(&mut tx, user).await.unwrap();
    }
    let console = resources::Resource { id: built_in::RESOURCE_ID.into(), ..seed::new_resource("urn:console") };
    let (other, management) = (seed::new_resource("urn:other"), seed::new_resource("urn:management"));
    let admin = seed::new_scope(&console.id, "console:admin");
    let (plain, all) = (seed::new_scope(&other.id, "console:admin"), seed::new_scope(&management.id, "all"));
    for (resource, scope) in [(&console, &admin), (&other, &plain), (&management, &all)] {
        resources::insert(&mut tx, resource).await.unwrap();
        resources::insert_scope(&mut tx, scope).await.unwrap();
    }
    let administrators = roles::Role { id: ConsoleRole::Admin.role_id().into(), ..seed::new_role("User") };
    let (customers, operators) = (seed::new_role("User"), seed::new_role("User"));
    let internal = roles::Role { name: "#internal:support".to_owned(), ..seed::new_role("User") };
    for role in [&administrators, &customers, &operators, &internal] {
        roles::insert(&mut tx, role).await.unwrap();
    }
    roles::add_scope(&mut tx, &administrators.id, &admin.id).await.unwrap();
    roles::add_scope(&mut tx, &customers.id, &plain.id).await.unwrap();
    roles::add_scope(&mut tx, &operators.id, &all.id).await.unwrap();
    let held = ConsoleRoles::of(&[ConsoleRole::Admin]);
    for (user, role, administers, console, count, others) in [
        (&casey, &customers, false, ConsoleRoles::NONE, 0, 0),
        (&casey, &operators, true, ConsoleRoles::NONE, 0, 0),
        (&grace, &internal, true, ConsoleRoles::NONE, 0, 0),
        (&ada, &administrators, true, held, 1, 0),
        (&grace, &administrators, true, held, 2, 1),
    ] {
        roles::assign_to_user(&mut tx, &user.id, &role.id).await.unwrap();
        assert_eq!(roles::console::is_held_by(&mut tx, &user.id, "urn:management").await.unwrap(), administers);
        assert_eq!(roles::console::of_user(&mut tx, &user.id).await.unwrap(), console);
        assert_eq!(roles::console::count_admins(&mut tx).await.unwrap(), count);
        assert_eq!(roles::console::count_other_admins(&mut tx, &user.id).await.unwrap(), others);
    }
    users::set_suspended(&mut tx, &ada.id, true, 0).await.unwrap();
    let count = roles::console::count_other_admins(&mut tx, &grace.id).await.unwrap();
    assert_eq!((count, roles::console::count_admins(&mut tx).await.unwrap()), (0, 1), "nobody who is suspended");
});
