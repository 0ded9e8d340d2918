//! The users whom other settings of sign-in leave without a way in.

use crate::Store;
use claimsmith_domain::console::built_in;
use claimsmith_domain::id::{SsoConnectorId, UserId};
use claimsmith_domain::identifier::IdentifierType::{Email, Phone, Username};
use claimsmith_domain::sign_in_experience::accepted_credentials::{AcceptedCredentials, ClosedCompany};
use claimsmith_storage::connectors::sso_connectors::{self, SsoConnector};
use claimsmith_storage::users::locked_out::LockedOutUser;
use claimsmith_storage::users::passkeys::{self, Passkey};
use claimsmith_storage::users::sso_identities::{self, SsoIdentity};
use claimsmith_storage::users::{self, User, identities};
use claimsmith_storage::{Json, Tx, resources, roles};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_resource, new_role, new_scope, new_user};
use serde_json::json;

async fn insert(tx: &mut Tx, user: User) -> UserId {
    users::insert(tx, &user).await.unwrap();
    user.id
}

both!(only_those_count_who_lose_their_last_way_in, async |store: Store| {
    let mut tx = store.begin().await;
    let text = |text: &str| Some(text.to_owned());
    let with_password = || User { password_digest: text("digest"), password_algorithm: None, ..new_user() };
    let named = insert(&mut tx, User { username: text("ada"), created_at: 1, ..with_password() }).await;
    let addressed = insert(
        &mut tx,
        User { primary_email: text("b@example.com"), name: text("Bob"), created_at: 2, ..with_password() },
    )
    .await;
    let coded = insert(&mut tx, User { primary_phone: text("4915112345678"), created_at: 3, ..new_user() }).await;
    let social = insert(&mut tx, User { created_at: 4, ..new_user() }).await;
    assert!(identities::link(&mut tx, &social, "github", "1").await.unwrap());
    let keyed = insert(&mut tx, User { created_at: 5, ..new_user() }).await;
    let passkey = Passkey {
        id: "passkey".into(),
        user_id: keyed.clone(),
        credential_id: "credential".to_owned(),
        credential: Json(json!({})),
        is_synced: false,
        name: None,
        agent: None,
        created_at: 0,
        last_used_at: None,
    };
    passkeys::insert(&mut tx, &passkey).await.unwrap();
    let suspended = User { username: text("sue"), is_suspended: true, created_at: 6, ..with_password() };
    insert(&mut tx, suspended).await;
    insert(&mut tx, User { username: text("no_password"), created_at: 7, ..new_user() }).await;

    let all = AcceptedCredentials {
        passwords: vec![Username, Email, Phone],
        codes: vec![Phone],
        social_targets: vec!["github".to_owned(), "google".to_owned()],
        passkeys: true,
        companies: true,
        closed_companies: Vec::new(),
    };
    for (after, expected) in [
        (all.clone(), vec![]),
        (AcceptedCredentials { passwords: vec![Username], ..all.clone() }, vec![&addressed]),
        (AcceptedCredentials { passwords: vec![], codes: vec![Email], ..all.clone() }, vec![&named, &coded]),
        (AcceptedCredentials { social_targets: vec!["google".to_owned()], ..all.clone() }, vec![&social]),
        (AcceptedCredentials { passkeys: false, companies: false, ..all.clone() }, vec![&keyed]),
        (AcceptedCredentials::default(), vec![&named, &addressed, &coded, &social, &keyed]),
    ] {
        let found = users::locked_out::list(&mut tx, (&all, &after), 10).await.unwrap();
        assert_eq!(found.iter().map(|user| &user.id).collect::<Vec<_>>(), expected, "{after:?}");
        let count = users::locked_out::count(&mut tx, &all, &after).await.unwrap();
        assert_eq!(usize::try_from(count).unwrap(), expected.len(), "{after:?}");
        // Whoever had no way in loses none.
        assert_eq!(users::locked_out::count(&mut tx, &AcceptedCredentials::default(), &after).await.unwrap(), 0);
    }
    let first = users::locked_out::list(&mut tx, (&all, &AcceptedCredentials::default()), 2).await.unwrap();
    let labelled = |id: &UserId, label: &str| LockedOutUser { id: id.clone(), label: text(label) };
    assert_eq!(first, [labelled(&named, "ada"), labelled(&addressed, "Bob")]);
});

/// A connector for administrators.
async fn company(tx: &mut Tx, id: &str) -> SsoConnectorId {
    let connector = SsoConnector {
        id: id.into(),
        provider_name: "OIDC".to_owned(),
        connector_name: id.to_owned(),
        config: "sealed".to_owned(),
        branding: Json(json!({})),
        sync_profile: false,
        enable_token_storage: false,
        signs_in_administrators: true,
        created_at: 1,
    };
    sso_connectors::insert(tx, &connector).await.unwrap();
    connector.id
}

/// An account of a user, linked by the user.
async fn link(tx: &mut Tx, user_id: &UserId, connector_id: &SsoConnectorId) {
    let identity = SsoIdentity {
        id: format!("{user_id} {connector_id}"),
        user_id: user_id.clone(),
        sso_connector_id: connector_id.clone(),
        issuer: "https://id.test".to_owned(),
        identity_id: user_id.to_string(),
        detail: Json(json!({})),
        linked_by_owner: true,
        created_at: 1,
        updated_at: 1,
    };
    assert!(sso_identities::link(tx, &identity).await.unwrap());
}

both!(those_count_whose_connector_closes, async |store: Store| {
    let mut tx = store.begin().await;
    let text = |text: &str| Some(text.to_owned());
    let (acme, other) = (company(&mut tx, "acme").await, company(&mut tx, "other").await);
    let address = |address: &str, created_at| User { primary_email: text(address), created_at, ..new_user() };
    let at_acme = insert(&mut tx, address("a@Acme.example", 1)).await;
    let at_branch = insert(&mut tx, address("b@branch.acme.example", 2)).await;
    let without = insert(&mut tx, User { created_at: 3, ..new_user() }).await;
    let at_both = insert(&mut tx, address("c@acme.example", 4)).await;
    let administrator = insert(&mut tx, address("root@acme.example", 5)).await;
    let with_password = User { password_digest: text("digest"), ..address("d@acme.example", 6) };
    let with_password = insert(&mut tx, with_password).await;
    let console = resources::Resource { id: built_in::RESOURCE_ID.into(), ..new_resource("urn:console") };
    let (scope, role) = (new_scope(&console.id, "console:read"), new_role("User"));
    resources::insert(&mut tx, &console).await.unwrap();
    resources::insert_scope(&mut tx, &scope).await.unwrap();
    roles::insert(&mut tx, &role).await.unwrap();
    roles::add_scope(&mut tx, &role.id, &scope.id).await.unwrap();
    for user in [&administrator, &with_password] {
        roles::assign_to_user(&mut tx, user, &role.id).await.unwrap();
    }
    for user in [&at_acme, &at_branch, &without, &at_both, &administrator, &with_password] {
        link(&mut tx, user, &acme).await;
    }
    link(&mut tx, &at_both, &other).await;

    let open = AcceptedCredentials { passwords: vec![Email], companies: true, ..AcceptedCredentials::default() };
    let off = AcceptedCredentials { companies: false, ..open.clone() };
    let close = |domains: Option<&[&str]>, is_for_administrators| ClosedCompany {
        connector_id: acme.clone(),
        domains: domains.map(|domains| domains.iter().map(|domain| (*domain).to_owned()).collect()),
        is_for_administrators,
    };
    let whole = vec![&at_acme, &at_branch, &without, &administrator];
    for (before, closed, expected) in [
        (&open, close(None, false), whole),
        (&open, close(Some(&["acme.example"]), false), vec![&at_acme, &administrator]),
        (&open, close(Some(&["branch.acme.example", "none.example"]), false), vec![&at_branch]),
        (&open, close(Some(&[]), false), vec![]),
        (&open, close(None, true), vec![&administrator]),
        // The console takes administrators, whatever the settings say.
        (&off, close(None, false), vec![&administrator]),
        (&off, close(Some(&["branch.acme.example"]), false), vec![]),
    ] {
        let after = AcceptedCredentials { closed_companies: vec![closed], ..before.clone() };
        let found = users::locked_out::list(&mut tx, (before, &after), 10).await.unwrap();
        assert_eq!(found.iter().map(|user| &user.id).collect::<Vec<_>>(), expected, "{after:?}");
        let count = users::locked_out::count(&mut tx, before, &after).await.unwrap();
        assert_eq!(usize::try_from(count).unwrap(), expected.len(), "{after:?}");
    }
});
