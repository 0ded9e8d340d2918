//! What concerns many is read and written in one statement.

use crate::{Store, ids};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::UserId;
use claimsmith_storage::organizations::members::ROLES;
use claimsmith_storage::organizations::roles::OrganizationRole;
use claimsmith_storage::plugins::logs::NewLine;
use claimsmith_storage::revisions::{self, Changed, RevisionChange};
use claimsmith_storage::roles::Role;
use claimsmith_storage::{Tx, applications, organizations, plugins, resources, roles, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{
    new_application, new_organization, new_organization_role, new_resource, new_role, new_scope, new_user,
};
use std::slice::from_ref;

async fn new_users(tx: &mut Tx, count: usize) -> Vec<UserId> {
    let mut ids = Vec::new();
    for _ in 0..count {
        let user = new_user();
        users::insert(tx, &user).await.unwrap();
        ids.push(user.id);
    }
    ids.sort();
    ids
}

async fn revision_of(tx: &mut Tx, id: &UserId) -> i64 {
    users::find(tx, id).await.unwrap().unwrap().revision
}

both!(a_role_is_given_to_many_and_many_roles_to_one, async |store: Store| {
    let mut tx = store.begin().await;
    let people = new_users(&mut tx, 3).await;
    let (first, second) = (new_role("User"), new_role("User"));
    for role in [&first, &second] {
        roles::insert(&mut tx, role).await.unwrap();
    }
    assert!(roles::assign_to_user(&mut tx, &people[0], &first.id).await.unwrap());
    let before = revision_of(&mut tx, &people[1]).await;
    assert_eq!(roles::assign_to_users(&mut tx, &first.id, &people).await.unwrap(), people[1..]);
    assert_eq!(revision_of(&mut tx, &people[1]).await, before + 1);
    let both = [first.id.clone(), second.id.clone()];
    assert_eq!(roles::assign_all_to_user(&mut tx, &people[0], &both).await.unwrap(), from_ref(&second.id));
    assert!(roles::assign_all_to_user(&mut tx, &people[0], &both).await.unwrap().is_empty());
    assert!(roles::assign_to_users(&mut tx, &first.id, &["nobody".into()]).await.is_err());
});

both!(users_are_touched_in_parts, async |store: Store| {
    let mut tx = store.begin().await;
    let people = new_users(&mut tx, 2).await;
    let (first, last) = (revision_of(&mut tx, &people[0]).await, revision_of(&mut tx, &people[1]).await);
    let mut all = vec![UserId::from("nobody"); 999];
    all.insert(0, people[0].clone());
    all.push(people[1].clone());
    users::touch_all(&mut tx, &all).await.unwrap();
    assert_eq!(revision_of(&mut tx, &people[0]).await, first + 1);
    assert_eq!(revision_of(&mut tx, &people[1]).await, last + 1);
});

both!(what_the_roles_of_a_user_carry_comes_in_one_statement, async |store: Store| {
    let mut tx = store.begin().await;
    let people = new_users(&mut tx, 1).await;
    let (store_api, mail_api) = (new_resource("urn:store"), new_resource("urn:mail"));
    let (read, write) = (new_scope(&store_api.id, "read"), new_scope(&store_api.id, "write"));
    let send = new_scope(&mail_api.id, "send");
    for resource in [&store_api, &mail_api] {
        resources::insert(&mut tx, resource).await.unwrap();
    }
    for scope in [&read, &write, &send] {
        resources::insert_scope(&mut tx, scope).await.unwrap();
    }
    let clerk = Role { name: "a clerk".to_owned(), ..new_role("User") };
    let guest = Role { name: "b guest".to_owned(), ..new_role("User") };
    for role in [&clerk, &guest] {
        roles::insert(&mut tx, role).await.unwrap();
    }
    roles::add_scopes_to_new(&mut tx, &clerk.id, &[read.id.clone(), send.id.clone()]).await.unwrap();
    roles::add_scopes(&mut tx, &clerk.id, &[write.id.clone(), read.id.clone()]).await.unwrap();
    roles::add_scopes(&mut tx, &clerk.id, from_ref(&write.id)).await.unwrap();
    roles::assign_all_to_user(&mut tx, &people[0], &[clerk.id.clone(), guest.id.clone()]).await.unwrap();
    let carried = roles::held::of_user(&mut tx, &people[0]).await.unwrap();
    let rows: Vec<(&str, Option<&str>, Option<&str>)> = carried
        .iter()
        .map(|row| (row.role_name.as_str(), row.scope_name.as_deref(), row.indicator.as_deref()))
        .collect();
    assert_eq!(
        rows,
        [
            ("a clerk", Some("read"), Some("urn:store")),
            ("a clerk", Some("send"), Some("urn:mail")),
            ("a clerk", Some("write"), Some("urn:store")),
            ("b guest", None, None),
        ]
    );
    let wanted = [&store_api.id, &mail_api.id, &"unknown".into()];
    let mut scopes = resources::scopes_of_all(&mut tx, &wanted).await.unwrap();
    assert!(scopes.is_sorted_by_key(|scope| scope.resource_id.clone()));
    scopes.sort_by(|one, other| one.name.cmp(&other.name));
    assert_eq!(ids(&scopes, |scope| &scope.name), ["read", "send", "write"]);
});

both!(members_get_roles_together, async |store: Store| {
    let mut tx = store.begin().await;
    let people = new_users(&mut tx, 3).await;
    let organization = new_organization();
    organizations::insert(&mut tx, &organization).await.unwrap();
    organizations::members::add(&mut tx, &organization.id, &people).await.unwrap();
    let (keeper, reader) = (new_organization_role("keeper"), new_organization_role("reader"));
    for role in [&keeper, &reader] {
        organizations::roles::insert(&mut tx, role).await.unwrap();
    }
    let roles = [keeper.id.clone(), reader.id.clone()];
    organizations::members::add_roles(&mut tx, &organization.id, &people[0], &roles[..1]).await.unwrap();
    let before = revision_of(&mut tx, &people[1]).await;
    organizations::members::add_roles_to_all(&mut tx, &organization.id, &people[..2], &roles).await.unwrap();
    assert_eq!(revision_of(&mut tx, &people[1]).await, before + 1);
    for (person, count) in [(&people[0], 2), (&people[1], 2), (&people[2], 0)] {
        assert_eq!(ROLES.count(&mut tx, (&organization.id, person)).await.unwrap(), count);
    }
});

both!(a_role_of_an_application_concerns_that_application_alone, async |store: Store| {
    let mut tx = store.begin().await;
    let (application, role) = (new_application(ApplicationType::MachineToMachine), new_role("MachineToMachine"));
    applications::insert(&mut tx, &application).await.unwrap();
    roles::insert(&mut tx, &role).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = store.begin().await;
    let before = revisions::current(&mut tx).await.unwrap();
    assert!(roles::assign_to_application(&mut tx, &application.id, &role.id).await.unwrap());
    assert!(!roles::assign_to_application(&mut tx, &application.id, &role.id).await.unwrap());
    let changes = revisions::changes_since(&mut tx, before, before + 1).await.unwrap().unwrap();
    let changes: Vec<Changed> = changes.iter().map(RevisionChange::changed).collect();
    assert_eq!(changes, [Changed::Application(&application.id)]);
});

both!(a_role_is_given_to_many_applications_in_one_revision, async |store: Store| {
    let mut tx = store.begin().await;
    let role = new_role("MachineToMachine");
    roles::insert(&mut tx, &role).await.unwrap();
    let mut ids = Vec::new();
    for _ in 0..3 {
        let application = new_application(ApplicationType::MachineToMachine);
        applications::insert(&mut tx, &application).await.unwrap();
        ids.push(application.id);
    }
    ids.sort();
    tx.commit().await.unwrap();
    let mut tx = store.begin().await;
    let before = revisions::current(&mut tx).await.unwrap();
    assert_eq!(roles::assign_to_applications(&mut tx, &role.id, &ids[..2]).await.unwrap(), ids[..2]);
    assert_eq!(roles::assign_to_applications(&mut tx, &role.id, &ids).await.unwrap(), ids[2..]);
    assert!(roles::assign_to_applications(&mut tx, &role.id, &[]).await.unwrap().is_empty());
    // Known already, and a second time.
    revisions::bump_applications(&mut tx, &[ids[0].clone(), ids[0].clone()]).await.unwrap();
    let changes = revisions::changes_since(&mut tx, before, before + 1).await.unwrap().unwrap();
    let mut changed: Vec<String> = changes.iter().map(|change| format!("{:?}", change.changed())).collect();
    changed.sort_unstable();
    assert_eq!(changed, ids.iter().map(|id| format!("Application({id:?})")).collect::<Vec<_>>());
    ids.push("nothing".into());
    let kinds = applications::kinds(&mut tx, &ids).await.unwrap();
    assert!(kinds.len() == 3 && kinds.values().all(|kind| *kind == ApplicationType::MachineToMachine));
});

both!(applications_of_an_organization_get_roles_together, async |store: Store| {
    let mut tx = store.begin().await;
    let organization = new_organization();
    organizations::insert(&mut tx, &organization).await.unwrap();
    let mut ids = Vec::new();
    for _ in 0..3 {
        let application = new_application(ApplicationType::MachineToMachine);
        applications::insert(&mut tx, &application).await.unwrap();
        ids.push(application.id);
    }
    organizations::applications::MEMBERS.add(&mut tx, &organization.id, &ids).await.unwrap();
    let mut role_ids = Vec::new();
    for name in ["keeper", "reader"] {
        let role = OrganizationRole { kind: RoleType::MachineToMachine, ..new_organization_role(name) };
        organizations::roles::insert(&mut tx, &role).await.unwrap();
        role_ids.push(role.id);
    }
    // More roles than applications, and more applications than roles.
    for (applications, roles) in [(&ids[..1], &role_ids[..]), (&ids[..2], &role_ids[..1])] {
        organizations::applications::add_roles_to_all(&mut tx, &organization.id, applications, roles).await.unwrap();
    }
    for (id, count) in [(&ids[0], 2), (&ids[1], 1), (&ids[2], 0)] {
        let held = organizations::applications::ROLES.count(&mut tx, (&organization.id, id)).await.unwrap();
        assert_eq!(held, count);
    }
});

both!(new_lines_of_plugins_move_their_revision, async |store: Store| {
    let mut tx = store.begin().await;
    let before = plugins::logs::revision(&mut tx).await.unwrap();
    let line = NewLine {
        plugin_name: "one".to_owned(),
        level: "info",
        message: "hello".to_owned(),
        request_id: None,
        digest: None,
        created_at: 0,
    };
    plugins::logs::append(&mut tx, &[line.clone(), line]).await.unwrap();
    assert_eq!(plugins::logs::revision(&mut tx).await.unwrap(), before + 1);
    plugins::logs::append(&mut tx, &[]).await.unwrap();
    assert_eq!(plugins::logs::revision(&mut tx).await.unwrap(), before + 1);
});
