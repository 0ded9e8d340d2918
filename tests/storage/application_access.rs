//! Who may sign in to an application, what a third-party application may ask for, and where it acts for a user.

use crate::{Store, assert_same, ids};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::id::SessionId;
use claimsmith_storage::access_control::{self, ORGANIZATION_ROLES, OrganizationRoleRule, ROLES, USERS};
use claimsmith_storage::consent_scopes::{
    self, EnabledScope, ORGANIZATION_RESOURCE_SCOPES, ORGANIZATION_SCOPES, RESOURCE_SCOPES, USER_SCOPES,
};
use claimsmith_storage::organizations::{self, consents};
use claimsmith_storage::sessions::grants::{Grant, GrantedScopes};
use claimsmith_storage::users::User;
use claimsmith_storage::{Json, Slice, Tx, applications, resources, roles, sessions, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{
    new_application, new_organization, new_organization_role, new_organization_scope, new_resource, new_role,
    new_scope, new_user,
};
use std::slice::from_ref;

async fn user(tx: &mut Tx) -> User {
    let user = new_user();
    users::insert(tx, &user).await.unwrap();
    user
}

both!(a_rule_names_users_in_four_ways, async |store: Store| {
    let mut tx = store.begin().await;
    let application = new_application(ApplicationType::Spa);
    applications::insert(&mut tx, &application).await.unwrap();
    let (user, other) = (user(&mut tx).await, user(&mut tx).await);
    let (organization, role, there) = (new_organization(), new_role("User"), new_organization_role("keeper"));
    organizations::insert(&mut tx, &organization).await.unwrap();
    roles::insert(&mut tx, &role).await.unwrap();
    organizations::roles::insert(&mut tx, &there).await.unwrap();
    let id = &application.id;
    assert!(!access_control::has_rules(&mut tx, id).await.unwrap());
    assert!(!access_control::names(&mut tx, id, &user.id).await.unwrap());

    USERS.add(&mut tx, id, from_ref(&user.id)).await.unwrap();
    assert!(access_control::has_rules(&mut tx, id).await.unwrap());
    assert!(access_control::names(&mut tx, id, &user.id).await.unwrap());
    assert!(!access_control::names(&mut tx, id, &other.id).await.unwrap());

    ROLES.add(&mut tx, id, from_ref(&role.id)).await.unwrap();
    assert!(!access_control::names(&mut tx, id, &other.id).await.unwrap());
    roles::assign_to_user(&mut tx, &other.id, &role.id).await.unwrap();
    assert!(access_control::names(&mut tx, id, &other.id).await.unwrap());
    ROLES.remove(&mut tx, id, &role.id).await.unwrap();

    organizations::members::add(&mut tx, &organization.id, from_ref(&other.id)).await.unwrap();
    let owner = (id, &organization.id);
    ORGANIZATION_ROLES.add(&mut tx, owner, from_ref(&there.id)).await.unwrap();
    assert!(!access_control::names(&mut tx, id, &other.id).await.unwrap());
    organizations::members::add_roles(&mut tx, &organization.id, &other.id, from_ref(&there.id)).await.unwrap();
    assert!(access_control::names(&mut tx, id, &other.id).await.unwrap());
    let rule = OrganizationRoleRule { organization_id: organization.id.clone(), role_id: there.id.clone() };
    assert_eq!(access_control::organization_roles(&mut tx, id).await.unwrap(), [rule]);
    access_control::clear_organization_roles(&mut tx, id).await.unwrap();
    assert!(!access_control::names(&mut tx, id, &other.id).await.unwrap());
    access_control::ORGANIZATIONS.add(&mut tx, id, from_ref(&organization.id)).await.unwrap();
    assert!(access_control::names(&mut tx, id, &other.id).await.unwrap());

    applications::delete(&mut tx, id).await.unwrap();
    assert!(!access_control::has_rules(&mut tx, id).await.unwrap());
});

both!(scopes_are_enabled_for_a_third_party, async |store: Store| {
    let mut tx = store.begin().await;
    let application = new_application(ApplicationType::Spa);
    applications::insert(&mut tx, &application).await.unwrap();
    let id = &application.id;
    assert!(!consent_scopes::is_limited(&mut tx, id).await.unwrap());
    for _ in 0..2 {
        consent_scopes::limit(&mut tx, id).await.unwrap();
    }
    assert!(consent_scopes::is_limited(&mut tx, id).await.unwrap());

    let resource = new_resource("urn:files");
    resources::insert(&mut tx, &resource).await.unwrap();
    let scopes = ["write", "read", "share"].map(|name| new_scope(&resource.id, name));
    for scope in &scopes {
        resources::insert_scope(&mut tx, scope).await.unwrap();
    }
    let invite = new_organization_scope("invite");
    organizations::scopes::insert(&mut tx, &invite).await.unwrap();
    USER_SCOPES.add(&mut tx, id, &["email".to_owned()]).await.unwrap();
    ORGANIZATION_SCOPES.add(&mut tx, id, from_ref(&invite.id)).await.unwrap();
    RESOURCE_SCOPES.add(&mut tx, id, &[scopes[0].id.clone(), scopes[1].id.clone()]).await.unwrap();
    ORGANIZATION_RESOURCE_SCOPES.add(&mut tx, id, from_ref(&scopes[2].id)).await.unwrap();

    let found = consent_scopes::of_resources(&mut tx, RESOURCE_SCOPES, id).await.unwrap();
    assert_eq!(ids(&found, |scope| &scope.name), ["read", "write"]);
    let found = consent_scopes::of_resources(&mut tx, ORGANIZATION_RESOURCE_SCOPES, id).await.unwrap();
    let share = EnabledScope {
        id: scopes[2].id.clone(),
        name: "share".to_owned(),
        description: scopes[2].description.clone(),
        resource_id: resource.id.clone(),
        resource_name: resource.name.clone(),
        indicator: resource.indicator.clone(),
    };
    assert_eq!(found, [share]);
    assert_same(&consent_scopes::of_organizations(&mut tx, id).await.unwrap(), &vec![invite]);
    resources::delete(&mut tx, &resource.id).await.unwrap();
    assert!(consent_scopes::of_resources(&mut tx, RESOURCE_SCOPES, id).await.unwrap().is_empty());
});

both!(a_user_lets_an_application_act_in_organizations, async |store: Store| {
    let mut tx = store.begin().await;
    let application = new_application(ApplicationType::Spa);
    applications::insert(&mut tx, &application).await.unwrap();
    let user = user(&mut tx).await;
    let mut organizations_of = Vec::new();
    for name in ["c", "b", "a"] {
        let mut organization = new_organization();
        organization.name = name.to_owned();
        organizations::insert(&mut tx, &organization).await.unwrap();
        if name != "c" {
            organizations::members::add(&mut tx, &organization.id, from_ref(&user.id)).await.unwrap();
        }
        organizations_of.push(organization.id);
    }
    let owner = (&application.id, &user.id);
    organizations::consents::add(&mut tx, owner.0, owner.1, &[]).await.unwrap();
    for _ in 0..2 {
        organizations::consents::add(&mut tx, owner.0, owner.1, &organizations_of).await.unwrap();
    }
    let listed = organizations::consents::list(&mut tx, owner.0, owner.1, Slice::ALL).await.unwrap();
    assert_eq!(ids(&listed, |one| &one.name), ["a", "b"]);
    let page = Slice { limit: 1, offset: 1 };
    let listed = organizations::consents::list(&mut tx, owner.0, owner.1, page).await.unwrap();
    assert_eq!(ids(&listed, |one| &one.name), ["b"]);
    assert_eq!(consents::ORGANIZATIONS.count(&mut tx, owner).await.unwrap(), 2);

    // They end with the last grant, and with the membership.
    let grant = |id: &str, expires_at| Grant {
        id: id.into(),
        user_id: user.id.clone(),
        application_id: application.id.clone(),
        session_id: Some("session".into()),
        scopes: Json(Some(GrantedScopes::default())),
        created_at: 1,
        expires_at,
    };
    for (id, expires_at) in [("one", 100), ("two", 200)] {
        sessions::grants::insert(&mut tx, &grant(id, expires_at)).await.unwrap();
    }
    let grouped = sessions::grants::by_session(&mut tx, &user.id, 50).await.unwrap();
    assert_eq!(grouped[&SessionId::from("session")].len(), 2);
    sessions::grants::revoke(&mut tx, &"one".into(), 1).await.unwrap();
    assert_eq!(consents::ORGANIZATIONS.count(&mut tx, owner).await.unwrap(), 2);
    organizations::members::MEMBERS.remove(&mut tx, &organizations_of[1], &user.id).await.unwrap();
    assert_eq!(consents::ORGANIZATIONS.count(&mut tx, owner).await.unwrap(), 1);
    assert_eq!(sessions::grants::delete_expired(&mut tx, 200, 10).await.unwrap(), 0);
    assert_eq!(consents::ORGANIZATIONS.count(&mut tx, owner).await.unwrap(), 1);
    sessions::grants::insert(&mut tx, &grant("three", 300)).await.unwrap();
    assert_eq!(sessions::grants::delete_expired(&mut tx, 201, 10).await.unwrap(), 1);
    assert_eq!(consents::ORGANIZATIONS.count(&mut tx, owner).await.unwrap(), 1);
    assert_eq!(sessions::grants::delete_expired(&mut tx, 301, 10).await.unwrap(), 1);
    assert_eq!(consents::ORGANIZATIONS.count(&mut tx, owner).await.unwrap(), 0);
    organizations::consents::add(&mut tx, owner.0, owner.1, &organizations_of).await.unwrap();
    sessions::grants::insert(&mut tx, &grant("four", 400)).await.unwrap();
    sessions::grants::revoke(&mut tx, &"four".into(), 1).await.unwrap();
    assert_eq!(consents::ORGANIZATIONS.count(&mut tx, owner).await.unwrap(), 0);
});
