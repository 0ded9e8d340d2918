//! API resources and their scopes.

use crate::{Store, assert_same, ids};
use claimsmith_storage::resources::{self, Resource, Scope};
use claimsmith_storage::{Error, Slice, roles};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_resource, new_role, new_scope};

both!(a_resource_comes_back_as_it_was_written, async |store: Store| {
    let mut tx = store.begin().await;
    assert_eq!(resources::longest_ttl(&mut tx).await.unwrap(), 0);
    let resource = Resource { is_default: true, access_token_ttl: 86_400, created_at: 9, ..new_resource("urn:one") };
    for resource in [&resource, &new_resource("https://API.example.com/")] {
        resources::insert(&mut tx, resource).await.unwrap();
        assert_same(&resources::find(&mut tx, &resource.id).await.unwrap().unwrap(), resource);
        let found = resources::find_by_indicator(&mut tx, &resource.indicator).await.unwrap().unwrap();
        assert_same(&found, resource);
    }
    assert_eq!(resources::longest_ttl(&mut tx).await.unwrap(), 86_400);
    for other in ["https://api.example.com/", "https://API.example.com", "urn:one ", "URN:one", ""] {
        assert!(resources::find_by_indicator(&mut tx, other).await.unwrap().is_none(), "{other}");
    }
    assert!(resources::find(&mut tx, &"unknown".into()).await.unwrap().is_none());
    let found = resources::find_all(&mut tx, &[&resource.id, &"unknown".into()]).await.unwrap();
    assert_eq!(ids(&found, |resource| &resource.id), [&resource.id]);
    assert!(resources::find_all(&mut tx, &[]).await.unwrap().is_empty());
    tx.commit().await.unwrap();

    let error = resources::insert(&mut store.begin().await, &new_resource("urn:one")).await.unwrap_err();
    assert!(matches!(error, Error::Conflict), "{error:?}");
});

both!(a_resource_gets_another_indicator, async |store: Store| {
    let mut tx = store.begin().await;
    let resource = new_resource("http://localhost:3001/console");
    resources::insert(&mut tx, &resource).await.unwrap();
    resources::set_indicator(&mut tx, &resource.id, "https://id.example.com/console").await.unwrap();
    let found = resources::find_by_indicator(&mut tx, "https://id.example.com/console").await.unwrap().unwrap();
    assert_eq!(found.id, resource.id);
    assert!(resources::find_by_indicator(&mut tx, &resource.indicator).await.unwrap().is_none());
});

both!(the_newest_resources_are_listed_first, async |store: Store| {
    let mut tx = store.begin().await;
    for (id, created_at) in [("b", 1), ("a", 1), ("c", 3)] {
        let resource = Resource { id: id.into(), created_at, ..new_resource(&format!("urn:{id}")) };
        resources::insert(&mut tx, &resource).await.unwrap();
    }
    assert_eq!(resources::count(&mut tx).await.unwrap(), 3);
    let all = resources::list(&mut tx, Slice::ALL).await.unwrap();
    assert_eq!(ids(&all, |resource| &resource.id), ["c", "a", "b"]);
    let last = resources::list(&mut tx, Slice { limit: 2, offset: 2 }).await.unwrap();
    assert_eq!(ids(&last, |resource| &resource.id), ["b"]);
});

both!(scopes_belong_to_one_resource, async |store: Store| {
    let (one, other) = (new_resource("urn:one"), new_resource("urn:other"));
    let mut tx = store.begin().await;
    resources::insert(&mut tx, &one).await.unwrap();
    resources::insert(&mut tx, &other).await.unwrap();
    let described = Scope { description: Some("Read it.".to_owned()), created_at: 2, ..new_scope(&one.id, "read") };
    let early = Scope { created_at: 1, ..new_scope(&one.id, "write") };
    let elsewhere = new_scope(&other.id, "read");
    for scope in [&described, &early, &elsewhere] {
        resources::insert_scope(&mut tx, scope).await.unwrap();
        assert_same(&resources::find_scope(&mut tx, &scope.id).await.unwrap().unwrap(), scope);
    }
    assert_eq!(ids(&resources::scopes_of(&mut tx, &one.id).await.unwrap(), |scope| &scope.name), ["write", "read"]);
    assert_eq!(resources::count_scopes(&mut tx, &one.id, None).await.unwrap(), 2);
    let second = resources::list_scopes(&mut tx, &one.id, None, Slice { limit: 5, offset: 1 }).await.unwrap();
    assert_eq!(ids(&second, |scope| &scope.name), ["read"]);
    let wanted = [early.id.clone(), elsewhere.id.clone(), "unknown".into()];
    assert_eq!(resources::find_scopes(&mut tx, &wanted).await.unwrap().len(), 2);
    assert!(resources::find_scopes(&mut tx, &[]).await.unwrap().is_empty());
    tx.commit().await.unwrap();

    let error = resources::insert_scope(&mut store.begin().await, &new_scope(&one.id, "read")).await.unwrap_err();
    assert!(matches!(error, Error::Conflict), "{error:?}");
    let error =
        resources::insert_scope(&mut store.begin().await, &new_scope(&"unknown".into(), "read")).await.unwrap_err();
    assert!(matches!(error, Error::Missing), "{error:?}");

    let mut tx = store.begin().await;
    assert!(!resources::delete_scope(&mut tx, &other.id, &early.id).await.unwrap(), "of another resource");
    assert!(resources::delete_scope(&mut tx, &one.id, &early.id).await.unwrap());
    assert!(!resources::delete_scope(&mut tx, &one.id, &early.id).await.unwrap());
    assert!(resources::delete(&mut tx, &one.id).await.unwrap());
    assert!(!resources::delete(&mut tx, &one.id).await.unwrap());
    assert!(resources::find_scope(&mut tx, &described.id).await.unwrap().is_none());
    assert!(resources::find_scope(&mut tx, &elsewhere.id).await.unwrap().is_some());
});

both!(the_scopes_of_a_role_are_listed_by_name, async |store: Store| {
    let (resource, role) = (new_resource("urn:one"), new_role("User"));
    let mut tx = store.begin().await;
    resources::insert(&mut tx, &resource).await.unwrap();
    roles::insert(&mut tx, &role).await.unwrap();
    for name in ["c", "a", "b"] {
        let scope = new_scope(&resource.id, name);
        resources::insert_scope(&mut tx, &scope).await.unwrap();
        roles::add_scope(&mut tx, &role.id, &scope.id).await.unwrap();
    }
    resources::insert_scope(&mut tx, &new_scope(&resource.id, "not carried")).await.unwrap();
    assert_eq!(resources::count_scopes_of_role(&mut tx, &role.id, None).await.unwrap(), 3);
    let all = resources::scopes_of_role(&mut tx, &role.id).await.unwrap();
    assert_eq!(ids(&all, |scope| &scope.name), ["a", "b", "c"]);
    let slice = Slice { limit: 1, offset: 1 };
    let middle = resources::list_scopes_of_role(&mut tx, &role.id, None, slice).await.unwrap();
    assert_eq!(ids(&middle, |scope| &scope.name), ["b"]);
});

both!(what_may_change_of_a_resource_and_its_scopes_changes, async |store: Store| {
    let (before, other) = (new_resource("urn:one"), new_resource("urn:other"));
    let (scope, taken) = (new_scope(&before.id, "read"), new_scope(&before.id, "write"));
    let mut tx = store.begin().await;
    resources::insert(&mut tx, &before).await.unwrap();
    resources::insert(&mut tx, &other).await.unwrap();
    resources::insert_scope(&mut tx, &scope).await.unwrap();
    resources::insert_scope(&mut tx, &taken).await.unwrap();
    let wanted = Resource {
        name: "renamed".to_owned(),
        access_token_ttl: 60,
        indicator: "urn:changed".to_owned(),
        is_default: true,
        created_at: 99,
        ..before.clone()
    };
    resources::update(&mut tx, &wanted).await.unwrap();
    let after = resources::find(&mut tx, &before.id).await.unwrap().unwrap();
    assert_same(&after, &Resource { name: "renamed".to_owned(), access_token_ttl: 60, ..before });

    let changed = Scope { name: "list".to_owned(), description: Some("described".to_owned()), ..scope };
    resources::update_scope(&mut tx, &changed).await.unwrap();
    assert_same(&resources::find_scope(&mut tx, &changed.id).await.unwrap().unwrap(), &changed);
    tx.commit().await.unwrap();
    let twin = Scope { name: taken.name, ..changed };
    let error = resources::update_scope(&mut store.begin().await, &twin).await.unwrap_err();
    assert!(matches!(error, Error::Conflict), "{error:?}");
});

both!(one_resource_at_most_is_the_default, async |store: Store| {
    let resources = [new_resource("urn:one"), new_resource("urn:other")];
    let mut tx = store.begin().await;
    for resource in &resources {
        resources::insert(&mut tx, resource).await.unwrap();
    }
    for (chosen, is_default, expected) in
        [(0, true, [true, false]), (1, true, [false, true]), (0, false, [false, true]), (1, false, [false, false])]
    {
        resources::set_default(&mut tx, &resources[chosen].id, is_default).await.unwrap();
        for (resource, expected) in resources.iter().zip(expected) {
            assert_eq!(resources::find(&mut tx, &resource.id).await.unwrap().unwrap().is_default, expected);
        }
        let default = resources::find_default(&mut tx).await.unwrap().map(|default| default.id);
        let marked = expected.iter().position(|is_default| *is_default).map(|place| resources[place].id.clone());
        assert_eq!(default, marked);
    }
});
