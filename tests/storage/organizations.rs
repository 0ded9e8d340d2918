//! Organizations and their members.

use crate::{Store, assert_same, ids};
use claimsmith_domain::documents::organization::{Branding, Color};
use claimsmith_storage::organizations::members::{Filter, MEMBERS, ROLES};
use claimsmith_storage::organizations::{self, Organization};
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{Error, Json, LinkChanges, Slice, Tx};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_organization, new_organization_role, new_organization_scope, new_user};
use serde_json::json;
use std::slice::from_ref;

/// Users with these names, the first one the newest.
async fn users_named(tx: &mut Tx, names: &[&str]) -> Vec<User> {
    let mut made = Vec::new();
    for (name, created_at) in names.iter().zip((0..100).rev()) {
        let user = User { name: Some((*name).to_owned()), created_at, ..new_user() };
        users::insert(tx, &user).await.unwrap();
        made.push(user);
    }
    made
}

async fn revision(tx: &mut Tx, user: &User) -> i64 {
    users::find(tx, &user.id).await.unwrap().unwrap().revision
}

both!(an_organization_comes_back_as_it_was_written, async |store: Store| {
    let mut tx = store.begin().await;
    let mut organization = Organization {
        description: Some("Größtes".to_owned()),
        custom_data: Json(json!({ "plan": { "seats": 3 } })),
        is_mfa_required: true,
        color: Json(Color { primary_color: Some("#abc".to_owned()), ..Color::default() }),
        branding: Json(Branding { logo_url: Some("https://a.test/l.png".to_owned()), ..Branding::default() }),
        custom_css: Some("a { color: red }".to_owned()),
        created_at: 7,
        ..new_organization()
    };
    organizations::insert(&mut tx, &organization).await.unwrap();
    assert_same(&organizations::find(&mut tx, &organization.id).await.unwrap().unwrap(), &organization);
    assert!(organizations::find(&mut tx, &"unknown".into()).await.unwrap().is_none());

    organization = Organization { id: organization.id, created_at: 7, ..new_organization() };
    organization.name = "Other".to_owned();
    organizations::update(&mut tx, &organization).await.unwrap();
    assert_same(&organizations::find(&mut tx, &organization.id).await.unwrap().unwrap(), &organization);
    assert_eq!(organizations::count(&mut tx, Some("OTHER")).await.unwrap(), 1);
    assert!(organizations::delete(&mut tx, &organization.id).await.unwrap());
    assert!(!organizations::delete(&mut tx, &organization.id).await.unwrap());
});

both!(organizations_are_found_by_a_part_of_their_name, async |store: Store| {
    let mut tx = store.begin().await;
    for (name, created_at) in [("ACME 100%", 1), ("Ärzte_Haus", 2), ("acme east", 3), ("Smith \\ Sons", 4)] {
        let organization = Organization { name: name.to_owned(), created_at, ..new_organization() };
        organizations::insert(&mut tx, &organization).await.unwrap();
    }
    for (part, found) in [
        (None, &["Smith \\ Sons", "acme east", "Ärzte_Haus", "ACME 100%"][..]),
        (Some("Acme"), &["acme east", "ACME 100%"]),
        (Some("ÄRZTE"), &["Ärzte_Haus"]),
        (Some("a\u{308}r"), &["Ärzte_Haus"]),
        (Some("%"), &["ACME 100%"]),
        (Some("_"), &["Ärzte_Haus"]),
        (Some("\\"), &["Smith \\ Sons"]),
        (Some("' OR '1'='1"), &[]),
    ] {
        let listed = organizations::list(&mut tx, part, Slice::ALL).await.unwrap();
        assert_eq!(ids(&listed, |one| &one.name), found, "{part:?}");
        assert_eq!(organizations::count(&mut tx, part).await.unwrap(), i64::try_from(found.len()).unwrap());
    }
    let second = organizations::list(&mut tx, Some("acme"), Slice { limit: 1, offset: 1 }).await.unwrap();
    assert_eq!(ids(&second, |one| &one.name), ["ACME 100%"]);
});

both!(members_come_and_go, async |store: Store| {
    let mut tx = store.begin().await;
    let mut users = users_named(&mut tx, &["ada", "bob", "cem"]).await;
    users.sort_by(|one, other| one.id.cmp(&other.id));
    let (home, away) = (new_organization(), new_organization());
    for organization in [&home, &away] {
        organizations::insert(&mut tx, organization).await.unwrap();
    }
    let [a, b, c] = [0, 1, 2].map(|index: usize| users[index].id.clone());
    let added = organizations::members::add(&mut tx, &home.id, &[a.clone(), b.clone()]).await.unwrap();
    assert_eq!(added, [a.clone(), b.clone()]);
    organizations::members::add(&mut tx, &away.id, from_ref(&b)).await.unwrap();
    let added = organizations::members::add(&mut tx, &home.id, &[b.clone(), c.clone()]).await.unwrap();
    assert_eq!(added, from_ref(&c));
    assert!(revision(&mut tx, &users[2]).await > 1, "a membership is a change");
    assert!(organizations::members::add(&mut tx, &home.id, &[]).await.unwrap().is_empty());
    assert_eq!(MEMBERS.among(&mut tx, &home.id, &[c.clone(), "x".into()]).await.unwrap(), from_ref(&c));

    let before = revision(&mut tx, &users[2]).await;
    assert!(organizations::members::remove(&mut tx, &home.id, &c).await.unwrap());
    assert!(!organizations::members::remove(&mut tx, &home.id, &c).await.unwrap());
    assert!(revision(&mut tx, &users[2]).await > before);
    let changes = organizations::members::replace(&mut tx, &home.id, &[b.clone(), c.clone()]).await.unwrap();
    assert_eq!(changes, LinkChanges { added: vec![c.clone()], removed: vec![a.clone()] });
    assert_eq!(MEMBERS.of(&mut tx, &home.id).await.unwrap(), [b.clone(), c.clone()]);
    let changes = organizations::members::replace(&mut tx, &home.id, &[]).await.unwrap();
    assert_eq!(changes, LinkChanges::removed(vec![b.clone(), c]));
    // Nobody else's membership is touched.
    assert_eq!(ids(&organizations::of_user(&mut tx, &b).await.unwrap(), |one| &one.id), [&away.id]);
    tx.commit().await.unwrap();

    for (organization, user) in [(home.id, "unknown".into()), ("unknown".into(), b)] {
        let error = organizations::members::add(&mut store.begin().await, &organization, &[user]).await;
        assert!(matches!(error, Err(Error::Missing)), "{error:?}");
    }
});

both!(members_are_listed_and_searched, async |store: Store| {
    let mut tx = store.begin().await;
    let users = users_named(&mut tx, &["Ada", "Bob 50%", "Çem"]).await;
    let mail = User { primary_email: Some("Dan@Example.com".to_owned()), created_at: 1, ..new_user() };
    users::insert(&mut tx, &mail).await.unwrap();
    let organization = new_organization();
    organizations::insert(&mut tx, &organization).await.unwrap();
    let mut all: Vec<_> = users.iter().chain([&mail]).map(|user| user.id.clone()).collect();
    all.sort();
    organizations::members::add(&mut tx, &organization.id, &all).await.unwrap();
    let role = new_organization_role("keeper");
    organizations::roles::insert(&mut tx, &role).await.unwrap();
    organizations::members::add_roles(&mut tx, &organization.id, &users[1].id, from_ref(&role.id)).await.unwrap();

    for (wanted, found) in [
        (Filter::default(), &all[..]),
        (Filter { part: Some("ada"), role_id: None }, from_ref(&users[0].id)),
        (Filter { part: Some("%"), role_id: None }, from_ref(&users[1].id)),
        (Filter { part: Some("Çem"), role_id: None }, from_ref(&users[2].id)),
        (Filter { part: Some("dan@example"), role_id: None }, from_ref(&mail.id)),
        (Filter { part: None, role_id: Some(&role.id) }, from_ref(&users[1].id)),
        (Filter { part: Some("ada"), role_id: Some(&role.id) }, &[]),
    ] {
        let listed = organizations::members::list(&mut tx, &organization.id, wanted, Slice::ALL).await.unwrap();
        assert_eq!(ids(&listed, |user| &user.id), found, "{wanted:?}");
        let count = organizations::members::count(&mut tx, &organization.id, wanted).await.unwrap();
        assert_eq!(count, i64::try_from(found.len()).unwrap());
    }
    let page = Slice { limit: 2, offset: 1 };
    let listed = organizations::members::list(&mut tx, &organization.id, Filter::default(), page).await.unwrap();
    assert_eq!(ids(&listed, |user| &user.id), all[1..3]);

    let featured = organizations::members::featured(&mut tx, &[&organization.id, &"unknown".into()]).await.unwrap();
    assert_eq!(ids(&featured, |user| &user.id), all[..3]);
    assert!(featured.iter().all(|user| user.total == 4));
    assert!(organizations::members::featured(&mut tx, &[]).await.unwrap().is_empty());
    assert!(organizations::members::has_email(&mut tx, &organization.id, "dan@example.com").await.unwrap());
    assert!(!organizations::members::has_email(&mut tx, &organization.id, "ada@example.com").await.unwrap());
});

both!(members_have_roles_and_their_scopes, async |store: Store| {
    let mut tx = store.begin().await;
    let user = new_user();
    users::insert(&mut tx, &user).await.unwrap();
    let first = Organization { name: "Ark".to_owned(), ..new_organization() };
    let second = Organization { name: "Zoo".to_owned(), ..new_organization() };
    let (keeper, captain) = (new_organization_role("Keeper"), new_organization_role("Captain"));
    let scope = new_organization_scope("feed");
    organizations::scopes::insert(&mut tx, &scope).await.unwrap();
    for organization in [&second, &first] {
        organizations::insert(&mut tx, organization).await.unwrap();
        organizations::members::add(&mut tx, &organization.id, from_ref(&user.id)).await.unwrap();
    }
    for role in [&keeper, &captain] {
        organizations::roles::insert(&mut tx, role).await.unwrap();
        let links = organizations::role_scopes::SCOPES;
        assert_eq!(links.add(&mut tx, &role.id, from_ref(&scope.id)).await.unwrap(), from_ref(&scope.id));
    }
    let (user_id, home) = (&user.id, &first.id);
    let added = organizations::members::add_roles(&mut tx, home, user_id, from_ref(&keeper.id)).await.unwrap();
    assert_eq!(added, from_ref(&keeper.id));
    let mut both = vec![keeper.id.clone(), captain.id.clone()];
    both.sort();
    let changes = organizations::members::replace_roles(&mut tx, home, user_id, &both).await.unwrap();
    assert_eq!(changes, LinkChanges::added(vec![captain.id.clone()]));
    assert!(revision(&mut tx, &user).await > 3, "a role is a change");

    let names = ["Captain", "Keeper"];
    let roles = organizations::roles_of_user(&mut tx, user_id).await.unwrap();
    assert_eq!(ids(&roles, |role| &role.role_name), names);
    assert_eq!(ids(&roles, |role| &role.role_id), [&captain.id, &keeper.id]);
    assert!(roles.iter().all(|role| role.organization_id == first.id));
    let roles = organizations::members::roles_of(&mut tx, home, &[user_id, &"x".into()]).await.unwrap();
    assert_eq!(ids(&roles, |role| &role.name), names);
    assert!(roles.iter().all(|role| role.holder_id == user.id));
    assert!(organizations::members::roles_of(&mut tx, home, &[]).await.unwrap().is_empty());
    let roles = organizations::members::roles_by_organization(&mut tx, user_id).await.unwrap();
    assert!(roles.iter().all(|role| role.holder_id == first.id) && roles.len() == 2);
    let roles = ROLES.list(&mut tx, (home, user_id), Slice { limit: 1, offset: 1 }).await.unwrap();
    assert_eq!(ids(&roles, |role| &role.name), names[1..]);
    assert_eq!(ROLES.count(&mut tx, (home, user_id)).await.unwrap(), 2);
    let scopes = organizations::members::scopes_of(&mut tx, home, user_id).await.unwrap();
    assert_eq!(ids(&scopes, |scope| &scope.name), ["feed"]);
    assert!(organizations::members::scopes_of(&mut tx, &second.id, user_id).await.unwrap().is_empty());
    let found = organizations::of_user(&mut tx, user_id).await.unwrap();
    assert_same(&found, &vec![first.clone(), second.clone()]);

    assert!(organizations::members::remove_role(&mut tx, home, user_id, &captain.id).await.unwrap());
    assert!(!organizations::members::remove_role(&mut tx, home, user_id, &captain.id).await.unwrap());
    assert!(organizations::members::remove(&mut tx, home, user_id).await.unwrap());
    assert!(organizations::roles_of_user(&mut tx, user_id).await.unwrap().is_empty(), "roles go with membership");
    tx.commit().await.unwrap();
    let error = organizations::members::add_roles(&mut store.begin().await, home, user_id, from_ref(&keeper.id)).await;
    assert!(matches!(error, Err(Error::Missing)), "{error:?}");
});
