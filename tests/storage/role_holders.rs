//! Role assignments, in pages.

use crate::{Store, ids};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_storage::Slice;
use claimsmith_storage::applications::{self, Application};
use claimsmith_storage::roles::{self, Role};
use claimsmith_storage::users::{self, User};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_application, new_role, new_user};

/// Four roles of this type, named out of order.
async fn four_roles(store: &Store, kind: &str) -> Vec<Role> {
    let mut tx = store.begin().await;
    let mut made = Vec::new();
    for name in ["d", "b", "a", "c"] {
        let role = Role { name: name.to_owned(), ..new_role(kind) };
        roles::insert(&mut tx, &role).await.unwrap();
        made.push(role);
    }
    tx.commit().await.unwrap();
    made
}

both!(a_users_roles_are_listed_by_name, async |store: Store| {
    let roles = four_roles(&store, "User").await;
    let user = new_user();
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    for role in &roles {
        roles::assign_to_user(&mut tx, &user.id, &role.id).await.unwrap();
    }
    assert_eq!(roles::holders::count_of_user(&mut tx, &user.id, None).await.unwrap(), 4);
    let listed = roles::holders::list_of_user(&mut tx, &user.id, None, Slice::ALL).await.unwrap();
    assert_eq!(ids(&listed, |role| &role.name), ["a", "b", "c", "d"]);
    let middle = roles::holders::list_of_user(&mut tx, &user.id, None, Slice { limit: 2, offset: 1 }).await.unwrap();
    assert_eq!(ids(&middle, |role| &role.name), ["b", "c"]);

    let before = users::find(&mut tx, &user.id).await.unwrap().unwrap().revision;
    assert!(roles::holders::take_from_user(&mut tx, &user.id, &roles[0].id).await.unwrap());
    assert!(!roles::holders::take_from_user(&mut tx, &user.id, &roles[0].id).await.unwrap());
    assert_eq!(roles::holders::count_of_user(&mut tx, &user.id, None).await.unwrap(), 3);
    let wanted = [roles[0].id.clone(), roles[1].id.clone()];
    let changes = roles::holders::replace_of_user(&mut tx, &user.id, &wanted).await.unwrap();
    assert_eq!((changes.added.as_slice(), changes.removed.len()), (&wanted[..1], 2));
    let changes = roles::holders::replace_of_user(&mut tx, &user.id, &[]).await.unwrap();
    assert_eq!((changes.added.len(), changes.removed.len()), (0, 2));
    assert_eq!(roles::holders::count_of_user(&mut tx, &user.id, None).await.unwrap(), 0);
    assert!(users::find(&mut tx, &user.id).await.unwrap().unwrap().revision > before);
    assert_eq!(roles::holders::count_of_user(&mut tx, &"unknown".into(), None).await.unwrap(), 0);
});

both!(an_applications_roles_are_listed_by_name, async |store: Store| {
    let roles = four_roles(&store, "MachineToMachine").await;
    let application = new_application(ApplicationType::MachineToMachine);
    let mut tx = store.begin().await;
    applications::insert(&mut tx, &application).await.unwrap();
    for role in &roles[1..] {
        roles::assign_to_application(&mut tx, &application.id, &role.id).await.unwrap();
    }
    assert_eq!(roles::holders::count_of_application(&mut tx, &application.id, None).await.unwrap(), 3);
    let listed = roles::holders::list_of_application(&mut tx, &application.id, None, Slice::ALL).await.unwrap();
    assert_eq!(ids(&listed, |role| &role.name), ["a", "b", "c"]);
    let last = roles::holders::list_of_application(&mut tx, &application.id, None, Slice { limit: 5, offset: 2 })
        .await
        .unwrap();
    assert_eq!(ids(&last, |role| &role.name), ["c"]);
    assert!(roles::holders::take_from_application(&mut tx, &application.id, &roles[1].id).await.unwrap());
    assert!(!roles::holders::take_from_application(&mut tx, &application.id, &roles[1].id).await.unwrap());
    assert_eq!(roles::holders::count_of_application(&mut tx, &application.id, None).await.unwrap(), 2);
});

both!(the_holders_of_a_role_are_listed, async |store: Store| {
    let (role, other) = (new_role("User"), new_role("User"));
    let mut tx = store.begin().await;
    roles::insert(&mut tx, &role).await.unwrap();
    roles::insert(&mut tx, &other).await.unwrap();
    for (index, id) in ["c", "a", "d", "b"].into_iter().enumerate() {
        let user = User { id: id.into(), ..new_user() };
        users::insert(&mut tx, &user).await.unwrap();
        let created_at = i64::try_from(index).unwrap();
        let of_machines = new_application(ApplicationType::MachineToMachine);
        let application = Application { id: id.into(), created_at, ..of_machines };
        applications::insert(&mut tx, &application).await.unwrap();
        let role = if id == "d" { &other } else { &role };
        roles::assign_to_user(&mut tx, &id.into(), &role.id).await.unwrap();
        roles::assign_to_application(&mut tx, &id.into(), &role.id).await.unwrap();
    }
    assert_eq!(roles::holders::count_users(&mut tx, &role.id, None).await.unwrap(), 3);
    let users = roles::holders::list_users(&mut tx, &role.id, None, Slice::ALL).await.unwrap();
    assert_eq!(ids(&users, |user| &user.id), ["a", "b", "c"]);
    let middle = roles::holders::list_users(&mut tx, &role.id, None, Slice { limit: 1, offset: 1 }).await.unwrap();
    assert_eq!(ids(&middle, |user| &user.id), ["b"]);
    assert_eq!(roles::holders::count_applications(&mut tx, &role.id, None).await.unwrap(), 3);
    let applications = roles::holders::list_applications(&mut tx, &role.id, None, Slice::ALL).await.unwrap();
    assert_eq!(ids(&applications, |application| &application.id), ["b", "a", "c"]);
    let middle =
        roles::holders::list_applications(&mut tx, &role.id, None, Slice { limit: 1, offset: 1 }).await.unwrap();
    assert_eq!(ids(&middle, |application| &application.id), ["a"]);
});
