//! Enterprise connectors, and accounts of users elsewhere.

use claimsmith_domain::id::{SsoConnectorId, UserId};
use claimsmith_storage::connectors;
use claimsmith_storage::connectors::sso_connectors::{DOMAINS, SsoConnector};
use claimsmith_storage::users;
use claimsmith_storage::users::sso_identities::SsoIdentity;
use claimsmith_storage::{Error, Json, Slice, Tx};
use claimsmith_test_support::{TestServer, both, seed};
use serde_json::json;

fn connector(id: &str, name: &str, created_at: i64) -> SsoConnector {
    SsoConnector {
        id: id.into(),
        provider_name: "OIDC".to_owned(),
        connector_name: name.to_owned(),
        config: "sealed".to_owned(),
        branding: Json(json!({ "displayName": name })),
        sync_profile: false,
        enable_token_storage: false,
        signs_in_administrators: false,
        created_at,
    }
}

fn identity(id: &str, user_id: &UserId, connector_id: &SsoConnectorId, identity_id: &str) -> SsoIdentity {
    SsoIdentity {
        id: id.to_owned(),
        user_id: user_id.clone(),
        sso_connector_id: connector_id.clone(),
        issuer: "https://id.test".to_owned(),
        identity_id: identity_id.to_owned(),
        detail: Json(json!({ "id": identity_id })),
        linked_by_owner: false,
        created_at: 1,
        updated_at: 1,
    }
}

async fn user(tx: &mut Tx) -> UserId {
    let user = seed::new_user();
    users::insert(tx, &user).await.unwrap();
    user.id
}

both!(a_company_has_one_name_and_its_domains, async |server: TestServer| {
    let mut tx = server.begin().await;
    let (acme, other) = (connector("c1", "Acme", 1), connector("c2", "Other", 2));
    connectors::sso_connectors::insert(&mut tx, &acme).await.unwrap();
    connectors::sso_connectors::insert(&mut tx, &other).await.unwrap();
    DOMAINS.replace(&mut tx, &acme.id, &["acme.test".to_owned(), "shared.test".to_owned()]).await.unwrap();
    DOMAINS.replace(&mut tx, &other.id, &["shared.test".to_owned()]).await.unwrap();
    assert_eq!(connectors::sso_connectors::count(&mut tx).await.unwrap(), 2);
    let names = |found: Vec<SsoConnector>| found.into_iter().map(|one| one.connector_name).collect::<Vec<_>>();
    let listed = connectors::sso_connectors::list(&mut tx, Slice { limit: 1, offset: 1 }).await.unwrap();
    assert_eq!(names(listed), ["Other"]);
    for (domain, expected) in [("ACME.test", vec!["Acme"]), ("shared.test", vec!["Acme", "Other"]), ("no.test", vec![])]
    {
        assert_eq!(names(connectors::sso_connectors::of_domain(&mut tx, domain).await.unwrap()), expected, "{domain}");
    }
    let changed = SsoConnector { sync_profile: true, connector_name: "ACME Inc.".to_owned(), ..acme.clone() };
    assert!(!connectors::sso_connectors::any_signs_in_administrators(&mut tx).await.unwrap());
    assert!(connectors::sso_connectors::update(&mut tx, &changed).await.unwrap());
    let marked = SsoConnector { signs_in_administrators: true, ..changed.clone() };
    assert!(connectors::sso_connectors::update(&mut tx, &marked).await.unwrap());
    assert!(connectors::sso_connectors::any_signs_in_administrators(&mut tx).await.unwrap());
    let that_do = connectors::sso_connectors::that_sign_in_administrators(&mut tx, 2).await.unwrap();
    assert_eq!(names(that_do), ["ACME Inc."]);
    assert!(connectors::sso_connectors::update(&mut tx, &changed).await.unwrap());
    let found = connectors::sso_connectors::find(&mut tx, &acme.id).await.unwrap().unwrap();
    assert_eq!((found.connector_name.as_str(), found.sync_profile), ("ACME Inc.", true));
    assert!(!connectors::sso_connectors::update(&mut tx, &connector("nobody", "Nobody", 1)).await.unwrap());
    assert!(connectors::sso_connectors::delete(&mut tx, &other.id).await.unwrap());
    assert!(!connectors::sso_connectors::delete(&mut tx, &other.id).await.unwrap());
    assert_eq!(names(connectors::sso_connectors::of_domain(&mut tx, "shared.test").await.unwrap()), ["ACME Inc."]);
    tx.commit().await.unwrap();
    let mut tx = server.begin().await;
    let taken = connectors::sso_connectors::insert(&mut tx, &connector("c3", "acme inc.", 3)).await;
    assert!(matches!(taken, Err(Error::Conflict)), "{taken:?}");
});

both!(an_account_elsewhere_is_of_one_user, async |server: TestServer| {
    let mut tx = server.begin().await;
    let (ada, grace) = (user(&mut tx).await, user(&mut tx).await);
    assert!(users::identities::link(&mut tx, &ada, "work", "1").await.unwrap());
    assert!(!users::identities::link(&mut tx, &grace, "work", "1").await.unwrap());
    assert_eq!(users::identities::owner(&mut tx, "work", "1").await.unwrap(), Some(ada.clone()));
    assert_eq!(users::identities::owner(&mut tx, "other", "1").await.unwrap(), None);
    assert!(users::identities::exist(&mut tx, "work").await.unwrap());
    assert!(!users::identities::exist(&mut tx, "other").await.unwrap());

    let acme = connector("c1", "Acme", 1);
    connectors::sso_connectors::insert(&mut tx, &acme).await.unwrap();
    assert!(users::sso_identities::link(&mut tx, &identity("i1", &ada, &acme.id, "1")).await.unwrap());
    assert!(
        !users::sso_identities::link(&mut tx, &identity("i2", &grace, &acme.id, "1")).await.unwrap(),
        "somebody else's"
    );
    assert!(!users::sso_identities::link(&mut tx, &identity("i3", &ada, &acme.id, "2")).await.unwrap(), "a second one");
    let owner = users::sso_identities::owner(&mut tx, &acme.id, "https://id.test", "1").await.unwrap().unwrap();
    assert_eq!((owner.user_id, owner.id.as_str()), (ada.clone(), "i1"));
    assert!(users::sso_identities::owner(&mut tx, &acme.id, "https://other.test", "1").await.unwrap().is_none());
    users::sso_identities::update_detail(&mut tx, "i1", &Json(json!({ "name": "Ada" })), 7).await.unwrap();
    let known = users::sso_identities::of_user(&mut tx, &ada).await.unwrap();
    assert_eq!((known[0].detail.0.clone(), known[0].updated_at), (json!({ "name": "Ada" }), 7));
    assert!(!users::sso_identities::unlink(&mut tx, &grace, &acme.id).await.unwrap());
    assert!(users::sso_identities::unlink(&mut tx, &ada, &acme.id).await.unwrap());
    assert!(users::sso_identities::of_user(&mut tx, &ada).await.unwrap().is_empty());
    assert!(users::sso_identities::link(&mut tx, &identity("i4", &ada, &acme.id, "1")).await.unwrap());
    connectors::sso_connectors::delete(&mut tx, &acme.id).await.unwrap();
    assert!(users::sso_identities::of_user(&mut tx, &ada).await.unwrap().is_empty());
});
