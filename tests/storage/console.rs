//! Users who administer the server.

use crate::Store;
use claimsmith::storage::{resources, roles, users};
use claimsmith_test_support::{both, seed};

both!(who_holds_scopes_or_roles_of_the_server_administers_it, async |store: Store| {
    let mut tx = store.begin().await;
    let (ada, grace, casey) = (seed::new_user(), seed::new_user(), seed::new_user());
    for user in [&ada, &grace, &casey] {
        users::insert(&mut tx, user).await.unwrap();
    }
    let (console, other) = (seed::new_resource("urn:console"), seed::new_resource("urn:other"));
    let (admin, plain) = (seed::new_scope(&console.id, "console:admin"), seed::new_scope(&other.id, "console:admin"));
    for (resource, scope) in [(&console, &admin), (&other, &plain)] {
        resources::insert(&mut tx, resource).await.unwrap();
        resources::insert_scope(&mut tx, scope).await.unwrap();
    }
    let (administrators, customers) = (seed::new_role("User"), seed::new_role("User"));
    let internal = roles::Role { name: "#internal:support".to_owned(), ..seed::new_role("User") };
    for role in [&administrators, &customers, &internal] {
        roles::insert(&mut tx, role).await.unwrap();
    }
    roles::add_scope(&mut tx, &administrators.id, &admin.id).await.unwrap();
    roles::add_scope(&mut tx, &customers.id, &plain.id).await.unwrap();
    let own = ["urn:management", "urn:console"];
    for (user, role, administers, holds, others) in [
        (&casey, &customers, false, false, 0),
        (&grace, &internal, true, false, 0),
        (&ada, &administrators, true, true, 0),
        (&grace, &administrators, true, true, 1),
    ] {
        roles::assign_to_user(&mut tx, &user.id, &role.id).await.unwrap();
        assert_eq!(roles::console::is_held_by(&mut tx, &user.id, own).await.unwrap(), administers);
        assert_eq!(roles::console::holds(&mut tx, &user.id, "urn:console", "console:admin").await.unwrap(), holds);
        assert!(!roles::console::holds(&mut tx, &user.id, "urn:console", "console:read").await.unwrap());
        let count = roles::console::count_others(&mut tx, &user.id, "urn:console", "console:admin").await.unwrap();
        assert_eq!(count, others);
    }
    users::set_suspended(&mut tx, &ada.id, true, 0).await.unwrap();
    let count = roles::console::count_others(&mut tx, &grace.id, "urn:console", "console:admin").await.unwrap();
    assert_eq!(count, 0, "nobody who is suspended");
});
