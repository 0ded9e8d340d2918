//! Who comes to an organization beside those whom somebody adds: machines, people of an email domain, the invited.

use crate::{Store, assert_same, ids};
use claimsmith::domain::application::ApplicationType;
use claimsmith::storage::organization_invitations::{self, Invitation, Wanted};
use claimsmith::storage::organization_jit::{self, EMAIL_DOMAINS};
use claimsmith::storage::organizations::{self, Organization};
use claimsmith::storage::{Error, Slice, applications, organization_applications, organization_roles, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_application, new_organization, new_organization_role, new_user};
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
    organization_roles::insert(&mut tx, &role).await.unwrap();
    for organization in [&zoo, &ark] {
        organizations::insert(&mut tx, organization).await.unwrap();
        let links = organization_applications::MEMBERS;
        links.add(&mut tx, &[&organization.id], from_ref(&machine.id)).await.unwrap();
    }
    let roles = organization_applications::ROLES;
    roles.add(&mut tx, &[&zoo.id, &machine.id], from_ref(&role.id)).await.unwrap();

    for (part, found) in [(None, 1), (Some("TEST app"), 1), (Some("nothing"), 0)] {
        let listed = organization_applications::list(&mut tx, &zoo.id, part, Slice::ALL).await.unwrap();
        assert_eq!(listed.len(), found);
        let count = organization_applications::count(&mut tx, &zoo.id, part).await.unwrap();
        assert_eq!(usize::try_from(count).unwrap(), found);
    }
    let held = organization_applications::roles_of(&mut tx, &zoo.id, &[&machine.id]).await.unwrap();
    assert_eq!(ids(&held, |role| &role.holder_id), [&machine.id]);
    assert!(organization_applications::roles_of(&mut tx, &zoo.id, &[]).await.unwrap().is_empty());
    let held = organization_applications::roles_by_organization(&mut tx, &machine.id).await.unwrap();
    assert_eq!(ids(&held, |role| &role.holder_id), [&zoo.id]);
    let held = organization_applications::list_roles(&mut tx, &zoo.id, &machine.id, Slice::ALL).await.unwrap();
    assert_same(&held, &vec![role.clone()]);
    assert_eq!(organization_applications::count_roles(&mut tx, &zoo.id, &machine.id).await.unwrap(), 1);
    let found = organization_applications::organizations_of(&mut tx, &machine.id, Slice::ALL).await.unwrap();
    assert_eq!(ids(&found, |one| &one.name), ["Ark", "Zoo"]);
    assert_eq!(organization_applications::count_organizations_of(&mut tx, &machine.id).await.unwrap(), 2);

    applications::delete(&mut tx, &machine.id).await.unwrap();
    assert_eq!(organization_applications::count(&mut tx, &zoo.id, None).await.unwrap(), 0);
});

both!(email_domains_let_people_in, async |store: Store| {
    let mut tx = store.begin().await;
    let (zoo, role) = (new_organization(), new_organization_role("Guest"));
    organizations::insert(&mut tx, &zoo).await.unwrap();
    organization_roles::insert(&mut tx, &role).await.unwrap();
    let domains = ["b.test".to_owned(), "a.test".to_owned()];
    EMAIL_DOMAINS.add(&mut tx, &[&zoo.id], &domains).await.unwrap();
    let listed = organization_jit::email_domains(&mut tx, &zoo.id, Slice::ALL).await.unwrap();
    assert_eq!(ids(&listed, |domain| &domain.email_domain), ["a.test", "b.test"]);
    assert_eq!(organization_jit::count_email_domains(&mut tx, &zoo.id).await.unwrap(), 2);
    let opened = organization_jit::opened_by(&mut tx, "a.test").await.unwrap();
    assert_eq!(ids(&opened, |domain| &domain.organization_id), [&zoo.id]);
    assert!(organization_jit::opened_by(&mut tx, "c.test").await.unwrap().is_empty());

    organization_jit::ROLES.add(&mut tx, &[&zoo.id], from_ref(&role.id)).await.unwrap();
    assert_same(&organization_jit::roles(&mut tx, &zoo.id, Slice::ALL).await.unwrap(), &vec![role]);
    assert_eq!(organization_jit::count_roles(&mut tx, &zoo.id).await.unwrap(), 1);
    organizations::delete(&mut tx, &zoo.id).await.unwrap();
    assert!(organization_jit::opened_by(&mut tx, "a.test").await.unwrap().is_empty());
});

both!(one_invitation_at_a_time_is_pending, async |store: Store| {
    let mut tx = store.begin().await;
    let (zoo, user, role) = (new_organization(), new_user(), new_organization_role("Guest"));
    organizations::insert(&mut tx, &zoo).await.unwrap();
    users::insert(&mut tx, &user).await.unwrap();
    organization_roles::insert(&mut tx, &role).await.unwrap();
    let invitation = |id: &str| Invitation {
        id: id.to_owned(),
        organization_id: zoo.id.clone(),
        inviter_id: Some(user.id.clone()),
        invitee: "ada@example.com".to_owned(),
        accepted_user_id: None,
        status: "Pending".to_owned(),
        created_at: 1,
        updated_at: 1,
        expires_at: 100,
    };
    organization_invitations::insert(&mut tx, &invitation("one")).await.unwrap();
    organization_invitations::ROLES.add(&mut tx, &["one"], from_ref(&role.id)).await.unwrap();
    assert_same(&organization_invitations::find(&mut tx, "one").await.unwrap().unwrap(), &invitation("one"));
    assert!(organization_invitations::find(&mut tx, "unknown").await.unwrap().is_none());
    let roles = organization_invitations::roles_of(&mut tx, &["one"]).await.unwrap();
    assert_eq!(ids(&roles, |role| &role.name), ["Guest"]);
    assert!(organization_invitations::roles_of(&mut tx, &[]).await.unwrap().is_empty());
    tx.commit().await.unwrap();
    let error = organization_invitations::insert(&mut store.begin().await, &invitation("two")).await;
    assert!(matches!(error, Err(Error::Conflict)), "{error:?}");

    let mut tx = store.begin().await;
    organization_invitations::expire(&mut tx, &zoo.id, "ada@example.com", 100).await.unwrap();
    organization_invitations::insert(&mut tx, &Invitation { created_at: 2, ..invitation("two") }).await.unwrap();
    assert!(!organization_invitations::settle(&mut tx, "one", "Revoked", None, 3).await.unwrap());
    assert!(organization_invitations::settle(&mut tx, "two", "Accepted", Some(&user.id), 3).await.unwrap());
    assert!(!organization_invitations::settle(&mut tx, "two", "Revoked", None, 4).await.unwrap());
    let settled = organization_invitations::find(&mut tx, "two").await.unwrap().unwrap();
    assert_eq!(
        (settled.status.as_str(), settled.accepted_user_id, settled.updated_at),
        ("Accepted", Some(user.id.clone()), 3)
    );

    for (wanted, found) in [
        (Wanted::default(), &["two", "one"][..]),
        (Wanted { organization_id: Some(&zoo.id), ..Wanted::default() }, &["two", "one"]),
        (Wanted { inviter_id: Some("unknown"), ..Wanted::default() }, &[]),
        (Wanted { invitee: Some("ada@example.com"), inviter_id: Some(&user.id), ..Wanted::default() }, &["two", "one"]),
        (Wanted { invitee: Some("bob@example.com"), ..Wanted::default() }, &[]),
    ] {
        let listed = organization_invitations::list(&mut tx, wanted).await.unwrap();
        assert_eq!(ids(&listed, |one| &one.id), found, "{wanted:?}");
    }
    users::delete(&mut tx, &user.id).await.unwrap();
    assert_eq!(organization_invitations::find(&mut tx, "two").await.unwrap().unwrap().accepted_user_id, None);
    assert!(organization_invitations::delete(&mut tx, "two").await.unwrap());
    assert!(!organization_invitations::delete(&mut tx, "two").await.unwrap());
});
