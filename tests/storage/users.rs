//! Users.

use crate::{Store, assert_same, ids};
use claimsmith_domain::documents::user::PasswordAlgorithm;
use claimsmith_domain::search::{MatchMode, Search, Term};
use claimsmith_storage::issuing::{self, Dependencies};
use claimsmith_storage::organizations::role_scopes::RESOURCE_SCOPES;
use claimsmith_storage::organizations::{self, Organization};
use claimsmith_storage::users::list::Filter;
use claimsmith_storage::users::{self, Identified, Identifiers, User};
use claimsmith_storage::{Error, Json, Slice, resources, revisions, roles};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{
    new_organization, new_organization_role, new_resource, new_role, new_scope, new_user,
};
use serde_json::json;
use std::slice::from_ref;

/// A user with something in every column.
fn full_user() -> User {
    User {
        username: Some("Gränge_1".to_owned()),
        primary_email: Some("ada@example.com".to_owned()),
        primary_phone: Some("4912345".to_owned()),
        password_digest: Some("digest".to_owned()),
        password_algorithm: Some(PasswordAlgorithm::Argon2id),
        name: Some("Ada 🧮 \"Lovelace\"".to_owned()),
        avatar: Some("https://example.com/a.png".to_owned()),
        custom_data: Json(json!({ "deep": [1, 2.5, null, { "a": "b" }] })),
        identities: Json(json!({ "github": { "userId": "1" } })),
        profile: Json(json!({ "givenName": "Ada" })),
        application_id: Some("application".into()),
        is_suspended: true,
        last_sign_in_at: Some(i64::MAX),
        created_at: -1,
        updated_at: 1_700_000_000_000,
        revision: 7,
        ..new_user()
    }
}

both!(a_user_comes_back_as_it_was_written, async |store: Store| {
    let mut tx = store.begin().await;
    for user in [full_user(), new_user()] {
        users::insert(&mut tx, &user).await.unwrap();
        assert_same(&users::find(&mut tx, &user.id).await.unwrap().unwrap(), &user);
    }
    assert!(users::find(&mut tx, &"unknown".into()).await.unwrap().is_none());
    assert!(users::find(&mut tx, &"".into()).await.unwrap().is_none());
});

both!(identifiers_are_unique_and_absent_ones_are_not, async |store: Store| {
    let first = full_user();
    let mut tx = store.begin().await;
    for user in [&first, &new_user(), &new_user()] {
        users::insert(&mut tx, user).await.unwrap();
    }
    tx.commit().await.unwrap();
    for taken in [
        User { id: first.id.clone(), ..new_user() },
        User { username: first.username.clone(), ..new_user() },
        User { primary_email: first.primary_email.clone(), ..new_user() },
        User { primary_phone: first.primary_phone.clone(), ..new_user() },
    ] {
        let error = users::insert(&mut store.begin().await, &taken).await.unwrap_err();
        assert!(matches!(error, Error::Conflict), "{error:?}");
    }
});

both!(users_are_found_by_any_identifier, async |store: Store| {
    let user = full_user();
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    users::insert(&mut tx, &new_user()).await.unwrap();
    let none = Identifiers { username: None, primary_email: None, primary_phone: None };
    let theirs = Identifiers {
        username: user.username.clone(),
        primary_email: user.primary_email.clone(),
        primary_phone: user.primary_phone.clone(),
    };
    for wanted in [
        theirs.clone(),
        Identifiers { username: user.username.clone().map(|name| name.to_uppercase()), ..none.clone() },
        Identifiers { primary_email: user.primary_email.clone(), ..none.clone() },
        Identifiers { primary_phone: user.primary_phone.clone(), ..none.clone() },
    ] {
        let found = Identified { id: user.id.clone(), identifiers: theirs.clone() };
        assert_eq!(users::identified_by(&mut tx, &wanted).await.unwrap(), [found]);
    }
    for wanted in [none.clone(), Identifiers { username: Some("somebody".to_owned()), ..none }] {
        assert!(users::identified_by(&mut tx, &wanted).await.unwrap().is_empty());
    }
});

both!(the_last_users_added_are_listed_first, async |store: Store| {
    let mut tx = store.begin().await;
    for (id, created_at) in [("b", 1), ("a", 1), ("d", 3), ("c", 2)] {
        users::insert(&mut tx, &User { id: id.into(), created_at, ..new_user() }).await.unwrap();
    }
    let all = Filter::default();
    assert_eq!(users::list::count(&mut tx, &all).await.unwrap(), 4);
    let listed = users::list::list(&mut tx, &all, Slice::ALL).await.unwrap();
    assert_eq!(ids(&listed, |user| &user.id), ["c", "d", "a", "b"]);
    let middle = users::list::list(&mut tx, &all, Slice { limit: 2, offset: 1 }).await.unwrap();
    assert_eq!(ids(&middle, |user| &user.id), ["d", "a"]);
    assert!(users::list::list(&mut tx, &all, Slice { limit: 2, offset: 4 }).await.unwrap().is_empty());
    users::delete(&mut tx, &"a".into()).await.unwrap();
    assert_eq!(users::list::count(&mut tx, &all).await.unwrap(), 3);
});

both!(a_page_of_very_many_who_are_found_is_the_right_one, async |store: Store| {
    let mut tx = store.begin().await;
    for number in 0..5000 {
        let name = ["Ada", "Grace"][number % 2];
        let user = User { name: Some(format!("{name} {number}")), username: Some(format!("u{number}")), ..new_user() };
        users::insert(&mut tx, &user).await.unwrap();
    }
    let all = users::list::list(&mut tx, &Filter::default(), Slice::ALL).await.unwrap();
    let found: Vec<&User> = all.iter().filter(|user| user.name.as_ref().unwrap().starts_with("Ada")).collect();
    // One of the fields, or any of several.
    for fields in [vec!["name"], vec!["username", "name", "primaryEmail"]] {
        let term = Term { fields, mode: MatchMode::Like, values: vec!["aDA%".to_owned()] };
        let search = Search { terms: vec![term], all: true, case_sensitive: false };
        let filter = Filter { search: Some(search), ..Filter::default() };
        assert_eq!(users::list::count(&mut tx, &filter).await.unwrap(), 2500);
        for offset in [0, 20, 30, 31, 1000, 2490, 2500] {
            let part = users::list::list(&mut tx, &filter, Slice { limit: 20, offset }).await.unwrap();
            let expected = found.iter().skip(usize::try_from(offset).unwrap()).take(20).map(|user| &user.id);
            assert!(part.iter().map(|user| &user.id).eq(expected), "{offset} of {filter:?}");
        }
    }
});

both!(a_part_far_down_the_list_is_the_right_one, async |store: Store| {
    let mut tx = store.begin().await;
    let all = Filter::default();
    for _ in 0..9000 {
        users::insert(&mut tx, &new_user()).await.unwrap();
    }
    for round in 0..2 {
        let listed = users::list::list(&mut tx, &all, Slice::ALL).await.unwrap();
        let listed = ids(&listed, |user| &user.id);
        assert_eq!(users::list::count(&mut tx, &all).await.unwrap(), i64::try_from(listed.len()).unwrap());
        for offset in [1020, 1024, 1025, 4090, 4096, 4097, 5000, 8191, 8192, 8193, 8990, 9000, 20_000] {
            let part = users::list::list(&mut tx, &all, Slice { limit: 20, offset }).await.unwrap();
            let offset = usize::try_from(offset).unwrap().min(listed.len());
            let expected = &listed[offset..listed.len().min(offset + 20)];
            assert_eq!(ids(&part, |user| &user.id), expected, "{offset}, round {round}");
        }
        // Gaps, a block that loses nearly all, and one more user.
        for &id in listed.iter().skip(1000).take(4000).chain(listed.iter().skip(6000).step_by(100)) {
            users::delete(&mut tx, &id.into()).await.unwrap();
        }
        users::insert(&mut tx, &new_user()).await.unwrap();
    }
});

both!(a_suspension_changes_the_revision, async |store: Store| {
    let user = new_user();
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    let changed = users::set_suspended(&mut tx, &user.id, true, 77).await.unwrap().unwrap();
    assert_same(&changed, &User { is_suspended: true, updated_at: 77, revision: 2, ..user.clone() });
    let changed = users::set_suspended(&mut tx, &user.id, false, 78).await.unwrap().unwrap();
    assert_same(&changed, &User { updated_at: 78, revision: 3, ..user.clone() });
    users::touch(&mut tx, &user.id).await.unwrap();
    assert_eq!(users::find(&mut tx, &user.id).await.unwrap().unwrap().revision, 4);
    assert!(users::set_suspended(&mut tx, &"unknown".into(), true, 0).await.unwrap().is_none());
});

both!(active_users_are_held_with_their_revisions, async |store: Store| {
    let (one, other) = (new_user(), User { is_suspended: true, revision: 5, ..new_user() });
    let mut tx = store.begin().await;
    users::insert(&mut tx, &one).await.unwrap();
    users::insert(&mut tx, &other).await.unwrap();
    let unknown = "unknown".into();
    let wanted = Dependencies { users: [&one.id, &other.id, &unknown].into(), ..Dependencies::default() };
    let held = issuing::lock_dependencies(&mut tx, &wanted, 0).await.unwrap();
    assert_eq!(held.users, [(one.id, one.revision)].into());
    assert_eq!(held.revision, revisions::current(&mut tx).await.unwrap());
});

both!(a_user_goes_with_all_that_hangs_on_them, async |store: Store| {
    let (user, role, organization) = (new_user(), new_role("User"), new_organization());
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    roles::insert(&mut tx, &role).await.unwrap();
    roles::assign_to_user(&mut tx, &user.id, &role.id).await.unwrap();
    organizations::insert(&mut tx, &organization).await.unwrap();
    organizations::members::add(&mut tx, &organization.id, from_ref(&user.id)).await.unwrap();
    assert!(users::delete(&mut tx, &user.id).await.unwrap());
    assert!(!users::delete(&mut tx, &user.id).await.unwrap());
    assert!(users::find(&mut tx, &user.id).await.unwrap().is_none());
    assert!(roles::of_user(&mut tx, &user.id).await.unwrap().is_empty());
    assert!(organizations::of_user(&mut tx, &user.id).await.unwrap().is_empty());
    assert!(roles::find(&mut tx, &role.id).await.unwrap().is_some());
});

both!(scopes_are_held_through_roles_and_within_an_organization, async |store: Store| {
    let (user, stranger) = (new_user(), new_user());
    let (resource, other) = (new_resource("urn:one"), new_resource("urn:other"));
    let (role, second) = (new_role("User"), new_role("User"));
    let (home, away) = (new_organization(), new_organization());
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    users::insert(&mut tx, &stranger).await.unwrap();
    resources::insert(&mut tx, &resource).await.unwrap();
    resources::insert(&mut tx, &other).await.unwrap();
    let mut scopes = Vec::new();
    for name in ["a", "b", "c"] {
        let scope = new_scope(&resource.id, name);
        resources::insert_scope(&mut tx, &scope).await.unwrap();
        scopes.push(scope.id);
    }
    let elsewhere = new_scope(&other.id, "x");
    resources::insert_scope(&mut tx, &elsewhere).await.unwrap();
    for role in [&role, &second] {
        roles::insert(&mut tx, role).await.unwrap();
        // Both carry it: it is held once.
        roles::add_scope(&mut tx, &role.id, &scopes[0]).await.unwrap();
        roles::assign_to_user(&mut tx, &user.id, &role.id).await.unwrap();
    }
    roles::add_scope(&mut tx, &role.id, &elsewhere.id).await.unwrap();
    organizations::insert(&mut tx, &home).await.unwrap();
    organizations::insert(&mut tx, &away).await.unwrap();
    for (organization, role, scope) in [(&home, "here", &scopes[1]), (&away, "there", &scopes[2])] {
        organizations::members::add(&mut tx, &organization.id, from_ref(&user.id)).await.unwrap();
        let role = new_organization_role(role);
        organizations::roles::insert(&mut tx, &role).await.unwrap();
        RESOURCE_SCOPES.add(&mut tx, &role.id, &[scope.clone(), scopes[0].clone()]).await.unwrap();
        organizations::members::add_roles(&mut tx, &organization.id, &user.id, &[role.id]).await.unwrap();
    }
    let in_organization = |organization: &Organization| Some(organization.id.clone());
    let mut expected = vec![
        (None, resource.id.clone(), "a"),
        (None, other.id.clone(), "x"),
        (in_organization(&home), resource.id.clone(), "a"),
        (in_organization(&home), resource.id.clone(), "b"),
        (in_organization(&away), resource.id.clone(), "a"),
        (in_organization(&away), resource.id.clone(), "c"),
    ];
    expected.sort();
    let held = users::scopes_held(&mut tx, &user.id).await.unwrap();
    let mut held: Vec<_> =
        held.iter().map(|one| (one.organization_id.clone(), one.resource_id.clone(), one.name.as_str())).collect();
    held.sort();
    assert_eq!(held, expected);
    assert!(users::scopes_held(&mut tx, &stranger.id).await.unwrap().is_empty());
});
