//! Members of organizations who were not added by hand: machine-to-machine applications, just-in-time provisioning,
//! invitations.

use crate::{Store, assert_same, ids};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::organization::InvitationStatus;
use claimsmith_domain::id::SsoConnectorId;
use claimsmith_storage::connectors::sso_connectors::{self, SsoConnector};
use claimsmith_storage::organizations::invitations::{Filter, Invitation};
use claimsmith_storage::organizations::jit::{EMAIL_DOMAINS, SSO_CONNECTORS};
use claimsmith_storage::organizations::role_scopes::{RESOURCE_SCOPES, SCOPES};
use claimsmith_storage::organizations::{self, Organization};
use claimsmith_storage::{Error, Json, Slice, applications, resources, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{
    new_application, new_organization, new_organization_role, new_organization_scope, new_resource, new_scope, new_user,
};
use serde_json::json;
use std::slice::from_ref;

both!(machines_belong_to_organizations, async |store: Store| {
    let mut tx = store.begin().await;
    let machine = new_application(ApplicationType::MachineToMachine);
    let (zoo, ark) = (
        Organization { name: "Zoo".to_owned(), ..new_organization() },
        Organization { name: "Ark".to_owned(), ..new_organization() },
    );
    let role = new_organization_role("Robot");
    applications::insert(&mut tx, &machine).await.unwrap();
    organizations::roles::insert(&mut tx, &role).await.unwrap();
    for organization in [&zoo, &ark] {
        organizations::insert(&mut tx, organization).await.unwrap();
        let links = organizations::applications::MEMBERS;
        links.add(&mut tx, &organization.id, from_ref(&machine.id)).await.unwrap();
    }
    let roles = organizations::applications::ROLES;
    roles.add(&mut tx, (&zoo.id, &machine.id), from_ref(&role.id)).await.unwrap();

    for (part, found) in [(None, 1), (Some("TEST app"), 1), (Some("nothing"), 0)] {
        let listed = organizations::applications::list(&mut tx, &zoo.id, part, Slice::ALL).await.unwrap();
        assert_eq!(listed.len(), found);
        let count = organizations::applications::count(&mut tx, &zoo.id, part).await.unwrap();
        assert_eq!(usize::try_from(count).unwrap(), found);
    }
    let held = organizations::applications::roles_of(&mut tx, &zoo.id, &[&machine.id]).await.unwrap();
    assert_eq!(ids(&held, |role| &role.holder_id), [&machine.id]);
    assert!(organizations::applications::roles_of(&mut tx, &zoo.id, &[]).await.unwrap().is_empty());
    let held = organizations::applications::roles_by_organization(&mut tx, &machine.id).await.unwrap();
    assert_eq!(ids(&held, |role| &role.holder_id), [&zoo.id]);
    let held = roles.list(&mut tx, (&zoo.id, &machine.id), Slice::ALL).await.unwrap();
    assert_same(&held, &vec![role.clone()]);
    assert_eq!(roles.count(&mut tx, (&zoo.id, &machine.id)).await.unwrap(), 1);
    let found = organizations::applications::organizations_of(&mut tx, &machine.id, Slice::ALL).await.unwrap();
    assert_eq!(ids(&found, |one| &one.name), ["Ark", "Zoo"]);
    assert_eq!(organizations::applications::count_organizations_of(&mut tx, &machine.id).await.unwrap(), 2);

    let (scope, resource) = (new_organization_scope("feed"), new_resource("https://zoo.test"));
    let of_resource = new_scope(&resource.id, "read");
    organizations::scopes::insert(&mut tx, &scope).await.unwrap();
    resources::insert(&mut tx, &resource).await.unwrap();
    resources::insert_scope(&mut tx, &of_resource).await.unwrap();
    SCOPES.add(&mut tx, &role.id, from_ref(&scope.id)).await.unwrap();
    RESOURCE_SCOPES.add(&mut tx, &role.id, from_ref(&of_resource.id)).await.unwrap();
    for (organization, held) in [(&zoo, true), (&ark, false)] {
        let (id, machine) = (&organization.id, &machine.id);
        let feed = organizations::applications::scopes_of(&mut tx, id, machine).await.unwrap();
        assert_eq!(feed.contains("feed"), held);
        let read = organizations::applications::resource_scopes_of(&mut tx, id, machine, &resource.id).await.unwrap();
        assert_eq!(read.contains("read"), held);
        let other =
            organizations::applications::resource_scopes_of(&mut tx, id, machine, &"other".into()).await.unwrap();
        assert!(other.is_empty());
    }

    applications::delete(&mut tx, &machine.id).await.unwrap();
    assert_eq!(organizations::applications::count(&mut tx, &zoo.id, None).await.unwrap(), 0);
});

both!(email_domains_let_people_in, async |store: Store| {
    let mut tx = store.begin().await;
    let (zoo, role) = (new_organization(), new_organization_role("Guest"));
    organizations::insert(&mut tx, &zoo).await.unwrap();
    organizations::roles::insert(&mut tx, &role).await.unwrap();
    let domains = ["b.test".to_owned(), "a.test".to_owned()];
    EMAIL_DOMAINS.add(&mut tx, &zoo.id, &domains).await.unwrap();
    let listed = organizations::jit::email_domains(&mut tx, &zoo.id, Slice::ALL).await.unwrap();
    assert_eq!(ids(&listed, |domain| &domain.email_domain), ["a.test", "b.test"]);
    assert_eq!(EMAIL_DOMAINS.count(&mut tx, &zoo.id).await.unwrap(), 2);

    organizations::jit::ROLES.add(&mut tx, &zoo.id, from_ref(&role.id)).await.unwrap();
    assert_same(&organizations::jit::ROLES.list(&mut tx, &zoo.id, Slice::ALL).await.unwrap(), &vec![role]);
    assert_eq!(organizations::jit::ROLES.count(&mut tx, &zoo.id).await.unwrap(), 1);
    organizations::delete(&mut tx, &zoo.id).await.unwrap();
    assert_eq!(EMAIL_DOMAINS.count(&mut tx, &zoo.id).await.unwrap(), 0);
});

both!(one_invitation_at_a_time_is_pending, async |store: Store| {
    let mut tx = store.begin().await;
    let (zoo, user, role) = (new_organization(), new_user(), new_organization_role("Guest"));
    organizations::insert(&mut tx, &zoo).await.unwrap();
    users::insert(&mut tx, &user).await.unwrap();
    organizations::roles::insert(&mut tx, &role).await.unwrap();
    let invitation = |id: &str| Invitation {
        id: id.into(),
        organization_id: zoo.id.clone(),
        inviter_id: Some(user.id.clone()),
        invitee: "ada@example.com".to_owned(),
        accepted_user_id: None,
        status: InvitationStatus::Pending,
        created_at: 1,
        updated_at: 1,
        expires_at: 100,
        sealed_token: Some("sealed".to_owned()),
    };
    organizations::invitations::insert(&mut tx, &invitation("one")).await.unwrap();
    organizations::invitations::ROLES.add(&mut tx, &"one".into(), from_ref(&role.id)).await.unwrap();
    assert_same(&organizations::invitations::find(&mut tx, &"one".into()).await.unwrap().unwrap(), &invitation("one"));
    assert!(organizations::invitations::find(&mut tx, &"unknown".into()).await.unwrap().is_none());
    let roles = organizations::invitations::roles_of(&mut tx, &[&"one".into()]).await.unwrap();
    assert_eq!(ids(&roles, |role| &role.name), ["Guest"]);
    assert!(organizations::invitations::roles_of(&mut tx, &[]).await.unwrap().is_empty());
    tx.commit().await.unwrap();
    let error = organizations::invitations::insert(&mut store.begin().await, &invitation("two")).await;
    assert!(matches!(error, Err(Error::Conflict)), "{error:?}");

    let mut tx = store.begin().await;
    organizations::invitations::expire(&mut tx, &zoo.id, "ada@example.com", 100).await.unwrap();
    organizations::invitations::insert(&mut tx, &Invitation { created_at: 2, ..invitation("two") }).await.unwrap();
    assert!(
        !organizations::invitations::settle(&mut tx, &"one".into(), InvitationStatus::Revoked, None, 3).await.unwrap()
    );
    assert!(
        organizations::invitations::settle(&mut tx, &"two".into(), InvitationStatus::Accepted, Some(&user.id), 3)
            .await
            .unwrap()
    );
    assert!(
        !organizations::invitations::settle(&mut tx, &"two".into(), InvitationStatus::Revoked, None, 4).await.unwrap()
    );
    let settled = organizations::invitations::find(&mut tx, &"two".into()).await.unwrap().unwrap();
    assert_eq!(
        (settled.status.as_str(), settled.accepted_user_id, settled.updated_at),
        ("Accepted", Some(user.id.clone()), 3)
    );

    let unknown = "unknown".into();
    for (wanted, found) in [
        (Filter::default(), &["two", "one"][..]),
        (Filter { organization_id: Some(&zoo.id), ..Filter::default() }, &["two", "one"]),
        (Filter { inviter_id: Some(&unknown), ..Filter::default() }, &[]),
        (Filter { invitee: Some("ada@example.com"), inviter_id: Some(&user.id), ..Filter::default() }, &["two", "one"]),
        (Filter { invitee: Some("bob@example.com"), ..Filter::default() }, &[]),
    ] {
        let listed = organizations::invitations::list(&mut tx, wanted).await.unwrap();
        assert_eq!(ids(&listed, |one| &one.id), found, "{wanted:?}");
    }
    users::delete(&mut tx, &user.id).await.unwrap();
    assert_eq!(organizations::invitations::find(&mut tx, &"two".into()).await.unwrap().unwrap().accepted_user_id, None);
    assert!(organizations::invitations::delete(&mut tx, &"two".into()).await.unwrap());
    assert!(!organizations::invitations::delete(&mut tx, &"two".into()).await.unwrap());
});

both!(users_of_an_enterprise_connector_are_let_in, async |store: Store| {
    let mut tx = store.begin().await;
    let (zoo, ark) = (new_organization(), new_organization());
    organizations::insert(&mut tx, &zoo).await.unwrap();
    organizations::insert(&mut tx, &ark).await.unwrap();
    let connector = |id: &str, created_at| SsoConnector {
        id: id.into(),
        provider_name: "OIDC".to_owned(),
        connector_name: id.to_owned(),
        config: String::new(),
        branding: Json(json!({})),
        sync_profile: false,
        enable_token_storage: false,
        signs_in_administrators: false,
        created_at,
    };
    for (id, created_at) in [("late", 2), ("early", 1)] {
        sso_connectors::insert(&mut tx, &connector(id, created_at)).await.unwrap();
    }
    let both = ["late", "early"].map(SsoConnectorId::from);
    SSO_CONNECTORS.add(&mut tx, &zoo.id, &both).await.unwrap();
    SSO_CONNECTORS.add(&mut tx, &ark.id, &both[..1]).await.unwrap();
    let listed = organizations::jit::sso_connectors(&mut tx, &zoo.id, Slice::ALL).await.unwrap();
    assert_eq!(ids(&listed, |one| &one.id), ["early", "late"]);
    let page = Slice { limit: 1, offset: 1 };
    let listed = organizations::jit::sso_connectors(&mut tx, &zoo.id, page).await.unwrap();
    assert_eq!(ids(&listed, |one| &one.id), ["late"]);
    let found = organizations::jit::organizations_of_connector(&mut tx, &both[1]).await.unwrap();
    assert_eq!(found, std::slice::from_ref(&zoo.id));
    assert_eq!(organizations::jit::organizations_of_connector(&mut tx, &both[0]).await.unwrap().len(), 2);
    assert!(sso_connectors::delete(&mut tx, &both[1]).await.unwrap());
    assert_eq!(SSO_CONNECTORS.count(&mut tx, &zoo.id).await.unwrap(), 1);
});
