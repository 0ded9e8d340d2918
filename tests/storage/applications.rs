//! Applications, their secrets, and their role assignments.

use crate::{Store, assert_same, ids};
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::documents::client_authentication::ClientAssertionAudience;
use claimsmith_storage::applications::{self, Application, ApplicationSecret, Filter};
use claimsmith_storage::{Error, Json, Slice, resources, roles};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_application, new_resource, new_role, new_scope, new_secret};
use serde_json::json;

both!(an_application_comes_back_as_it_was_written, async |store: Store| {
    let full = Application {
        description: Some("For orders.".to_owned()),
        oidc_client_metadata: Json(OidcClientMetadata {
            redirect_uris: vec!["https://app.example.com/callback".to_owned()],
            logo_uri: Some("https://app.example.com/logo.png".to_owned()),
            ..OidcClientMetadata::default()
        }),
        custom_client_metadata: Json(CustomClientMetadata {
            cors_allowed_origins: Some(vec![]),
            trusted_actor_client_ids: Some(vec!["other".to_owned()]),
            refresh_token_ttl_in_days: Some(u32::MAX),
            ..CustomClientMetadata::default()
        }),
        custom_data: Json(json!({ "a": [1] })),
        is_third_party: true,
        created_at: 4,
        ..new_application(ApplicationType::Native)
    };
    let mut tx = store.begin().await;
    for application in [&full, &new_application(ApplicationType::Spa)] {
        applications::insert(&mut tx, application).await.unwrap();
        assert_same(&applications::find(&mut tx, &application.id).await.unwrap().unwrap(), application);
    }
    assert!(applications::find(&mut tx, &"unknown".into()).await.unwrap().is_none());
    tx.commit().await.unwrap();
    let error = applications::insert(&mut store.begin().await, &full).await.unwrap_err();
    assert!(matches!(error, Error::Conflict), "{error:?}");
});

both!(the_newest_applications_are_listed_first, async |store: Store| {
    let mut tx = store.begin().await;
    for (id, created_at) in [("b", 1), ("a", 1), ("c", 3)] {
        let application = Application { id: id.into(), created_at, ..new_application(ApplicationType::Spa) };
        applications::insert(&mut tx, &application).await.unwrap();
    }
    assert_eq!(applications::count(&mut tx, &Filter::default()).await.unwrap(), 3);
    let all = applications::all(&mut tx).await.unwrap();
    assert_eq!(ids(&all, |application| &application.id), ["c", "a", "b"]);
    let middle = applications::list(&mut tx, &Filter::default(), Slice { limit: 1, offset: 1 }).await.unwrap();
    assert_eq!(ids(&middle, |application| &application.id), ["a"]);
});

both!(a_list_of_applications_has_filters, async |store: Store| {
    let role = new_role("MachineToMachine");
    let (spa, machine) = (new_application(ApplicationType::Spa), new_application(ApplicationType::MachineToMachine));
    let theirs = Application { is_third_party: true, ..new_application(ApplicationType::Native) };
    let assertion_audience = |audience| Filter { assertion_audience: Some(audience), ..Filter::default() };
    let of_before = Application {
        custom_client_metadata: Json(CustomClientMetadata {
            client_assertion_audience: Some(ClientAssertionAudience::Legacy),
            id_token_ttl: Some(60),
            ..CustomClientMetadata::default()
        }),
        ..new_application(ApplicationType::Traditional)
    };
    // What looks like the setting within a value is none.
    let spa = Application {
        custom_client_metadata: Json(CustomClientMetadata {
            trusted_actor_client_ids: Some(vec!["\",\"clientAssertionAudience\":\"legacy\"".to_owned()]),
            ..CustomClientMetadata::default()
        }),
        ..spa
    };
    let mut tx = store.begin().await;
    for application in [&spa, &machine, &theirs, &of_before] {
        applications::insert(&mut tx, application).await.unwrap();
    }
    roles::insert(&mut tx, &role).await.unwrap();
    roles::assign_to_application(&mut tx, &machine.id, &role.id).await.unwrap();
    let of =
        |kinds: &[&str]| Filter { kinds: kinds.iter().map(|&kind| kind.to_owned()).collect(), ..Filter::default() };
    let third = |is_third_party| Filter { is_third_party: Some(is_third_party), ..Filter::default() };
    for (wanted, expected) in [
        (of(&["SPA"]), vec![&spa]),
        (of(&["Native", "SPA"]), vec![&spa, &theirs]),
        (of(&["SAML"]), vec![]),
        (third(true), vec![&theirs]),
        (third(false), vec![&spa, &machine, &of_before]),
        (assertion_audience(ClientAssertionAudience::Legacy), vec![&of_before]),
        (assertion_audience(ClientAssertionAudience::Issuer), vec![&spa, &machine, &theirs]),
        (Filter { without_role: Some(role.id.clone()), ..Filter::default() }, vec![&spa, &theirs, &of_before]),
        (Filter { without_role: Some(role.id.clone()), ..of(&["MachineToMachine"]) }, vec![]),
    ] {
        let listed = applications::list(&mut tx, &wanted, Slice::ALL).await.unwrap();
        let mut expected: Vec<_> = expected.into_iter().map(|application| &application.id).collect();
        expected.sort();
        assert_eq!(ids(&listed, |application| &application.id), expected, "{wanted:?}");
        assert_eq!(applications::count(&mut tx, &wanted).await.unwrap(), i64::try_from(listed.len()).unwrap());
    }
});

both!(what_may_change_of_an_application_changes, async |store: Store| {
    let before = new_application(ApplicationType::Traditional);
    let mut tx = store.begin().await;
    applications::insert(&mut tx, &before).await.unwrap();
    let wanted = Application {
        name: "renamed".to_owned(),
        description: Some("described".to_owned()),
        custom_data: Json(json!({ "b": true })),
        kind: ApplicationType::Spa,
        is_third_party: true,
        created_at: 99,
        ..before.clone()
    };
    applications::update(&mut tx, &wanted).await.unwrap();
    let after = applications::find(&mut tx, &before.id).await.unwrap().unwrap();
    assert_same(&after, &Application { kind: before.kind, is_third_party: false, created_at: 0, ..wanted });
});

both!(secrets_come_and_go_by_name, async |store: Store| {
    let application = new_application(ApplicationType::MachineToMachine);
    let first = ApplicationSecret { created_at: 1, ..new_secret(&application.id, "one") };
    let second = ApplicationSecret { created_at: 2, expires_at: Some(7), ..new_secret(&application.id, "two") };
    let mut tx = store.begin().await;
    applications::insert(&mut tx, &application).await.unwrap();
    applications::insert_secret(&mut tx, &second).await.unwrap();
    applications::insert_secret(&mut tx, &first).await.unwrap();
    let stored = applications::secrets_of(&mut tx, &application.id).await.unwrap();
    assert_same(&stored, &vec![first.clone(), second.clone()]);
    tx.commit().await.unwrap();

    let error = applications::insert_secret(&mut store.begin().await, &first).await.unwrap_err();
    assert!(matches!(error, Error::Conflict), "{error:?}");
    let error =
        applications::insert_secret(&mut store.begin().await, &new_secret(&"unknown".into(), "x")).await.unwrap_err();
    assert!(matches!(error, Error::Missing), "{error:?}");

    let taken = ApplicationSecret { name: second.name.clone(), ..first.clone() };
    let error = applications::update_secret(&mut store.begin().await, &first.name, &taken).await.unwrap_err();
    assert!(matches!(error, Error::Conflict), "{error:?}");

    let mut tx = store.begin().await;
    let renamed = ApplicationSecret { name: "renamed".to_owned(), expires_at: None, ..second.clone() };
    let wanted = ApplicationSecret { hash: "another".to_owned(), created_at: 9, ..renamed.clone() };
    assert!(applications::update_secret(&mut tx, &second.name, &wanted).await.unwrap());
    assert!(!applications::update_secret(&mut tx, &second.name, &wanted).await.unwrap());
    let stored = applications::secrets_of(&mut tx, &application.id).await.unwrap();
    assert_same(&stored, &vec![first.clone(), renamed]);
    assert!(applications::delete_secret(&mut tx, &application.id, &first.name).await.unwrap());
    assert!(!applications::delete_secret(&mut tx, &application.id, &first.name).await.unwrap());
    assert!(applications::delete(&mut tx, &application.id).await.unwrap());
    assert!(!applications::delete(&mut tx, &application.id).await.unwrap());
    assert!(applications::secrets_of(&mut tx, &application.id).await.unwrap().is_empty());
});

both!(scopes_are_held_through_roles_each_once, async |store: Store| {
    let application = new_application(ApplicationType::MachineToMachine);
    let (one, other) = (new_resource("urn:one"), new_resource("urn:other"));
    let mut tx = store.begin().await;
    applications::insert(&mut tx, &application).await.unwrap();
    let mut expected = Vec::new();
    let mut scopes = Vec::new();
    for resource in [&one, &other] {
        resources::insert(&mut tx, resource).await.unwrap();
        let scope = new_scope(&resource.id, "read");
        resources::insert_scope(&mut tx, &scope).await.unwrap();
        expected.push((resource.id.clone(), "read".to_owned()));
        scopes.push(scope.id);
    }
    for _ in 0..2 {
        let role = new_role("MachineToMachine");
        roles::insert(&mut tx, &role).await.unwrap();
        for scope in &scopes {
            roles::add_scope(&mut tx, &role.id, scope).await.unwrap();
        }
        roles::assign_to_application(&mut tx, &application.id, &role.id).await.unwrap();
    }
    let held = applications::scopes_held(&mut tx, &application.id).await.unwrap();
    let mut held: Vec<_> = held.into_iter().map(|scope| (scope.resource_id, scope.name)).collect();
    held.sort();
    expected.sort();
    assert_eq!(held, expected);
});
