//! Devices that wait for somebody to let them in.

use crate::{Store, assert_same};
use claimsmith_domain::authorization::request::{AuthorizationRequest, Authorized, Device};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::id::{ApplicationId, GrantId, UserId};
use claimsmith_storage::issuing::{self, Consume, Dependencies, WriteBatch};
use claimsmith_storage::sessions::devices::DeviceAuthorization;
use claimsmith_storage::sessions::grants::{Grant, GrantedScopes};
use claimsmith_storage::{Error, Json, Tx, applications, sessions, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_application, new_authorization_request, new_user};

/// A user, an application on a device, and a grant of the one to the other in a session.
async fn parties(tx: &mut Tx, grant_id: &str) -> (UserId, ApplicationId, GrantId) {
    let (user, application) = (new_user(), new_application(ApplicationType::Native));
    users::insert(tx, &user).await.unwrap();
    applications::insert(tx, &application).await.unwrap();
    let grant = Grant {
        id: grant_id.into(),
        user_id: user.id.clone(),
        application_id: application.id.clone(),
        session_id: Some("session".into()),
        scopes: Json(Some(GrantedScopes::default())),
        created_at: 1,
        expires_at: 1_000_000,
    };
    sessions::grants::insert(tx, &grant).await.unwrap();
    (user.id, application.id, grant.id)
}

fn request(application_id: &ApplicationId) -> AuthorizationRequest {
    AuthorizationRequest {
        scope: vec!["openid".to_owned()],
        acr_values: vec!["1".to_owned()],
        organization_id: None,
        device: Some(Device { id: "d".into(), user_code_hash: "u".to_owned(), address: "2001:db8::1".parse().ok() }),
        ..new_authorization_request(application_id)
    }
}

fn device(name: &str, application_id: &ApplicationId, expires_at: i64) -> DeviceAuthorization {
    DeviceAuthorization {
        id: name.into(),
        hash: format!("hash of {name}"),
        user_code_hash: format!("user code of {name}"),
        application_id: application_id.clone(),
        request: Json(Some(request(application_id))),
        address: Some("192.0.2.1".to_owned()),
        poll_interval: 5,
        polled_at: None,
        user_id: None,
        grant_id: None,
        authorization_details: None,
        denied_at: None,
        created_at: 1,
        expires_at,
        consumed_at: None,
    }
}

fn authorized() -> Json<Option<Authorized>> {
    Json(Some(Authorized { nonce: Some("n".to_owned()), ..Authorized::default() }))
}

async fn find(tx: &mut Tx, name: &str) -> Option<DeviceAuthorization> {
    sessions::devices::find(tx, &format!("hash of {name}")).await.unwrap()
}

async fn waits(tx: &mut Tx, name: &str, now: i64) -> bool {
    sessions::devices::find_waiting(tx, &format!("user code of {name}"), now).await.unwrap().is_some()
}

both!(a_device_waits_until_somebody_answers, async |store: Store| {
    let mut tx = store.begin().await;
    let (user, application, grant) = parties(&mut tx, "g").await;
    for name in ["approved", "denied", "late"] {
        sessions::devices::insert(&mut tx, &device(name, &application, 1000)).await.unwrap();
    }
    let found = find(&mut tx, "approved").await.unwrap();
    assert_same(&found, &device("approved", &application, 1000));
    for name in ["approved", "denied", "late"] {
        assert!(waits(&mut tx, name, 999).await && !waits(&mut tx, name, 1000).await, "{name}");
    }
    assert!(!waits(&mut tx, "unknown", 1).await);
    let by = (&user, &grant);
    assert!(sessions::devices::approve(&mut tx, &"approved".into(), by, &authorized(), 999).await.unwrap());
    assert!(sessions::devices::deny(&mut tx, &"denied".into(), 999).await.unwrap());
    // Once, and in time.
    for name in ["approved", "denied", "unknown"] {
        assert!(!sessions::devices::approve(&mut tx, &name.into(), by, &authorized(), 999).await.unwrap(), "{name}");
        assert!(!sessions::devices::deny(&mut tx, &name.into(), 999).await.unwrap(), "{name}");
    }
    assert!(!sessions::devices::approve(&mut tx, &"late".into(), by, &authorized(), 1000).await.unwrap());
    assert!(!sessions::devices::deny(&mut tx, &"late".into(), 1000).await.unwrap());
    let found = find(&mut tx, "approved").await.unwrap();
    assert_eq!((found.user_id, found.grant_id, found.denied_at), (Some(user), Some(grant), None));
    assert_eq!(found.authorization_details, Some(authorized()));
    assert_eq!(find(&mut tx, "denied").await.unwrap().denied_at, Some(999));
    for (name, is_waiting) in [("approved", false), ("denied", false), ("late", true)] {
        assert_eq!(waits(&mut tx, name, 10).await, is_waiting, "{name}");
    }
    assert_eq!(sessions::devices::delete_expired(&mut tx, 1000, 10).await.unwrap(), 0);
    assert_eq!(sessions::devices::delete_expired(&mut tx, 1001, 2).await.unwrap(), 2);
    assert_eq!(sessions::devices::delete_expired(&mut tx, 1001, 2).await.unwrap(), 1);
});

both!(a_device_that_asks_too_soon_waits_longer, async |store: Store| {
    let mut tx = store.begin().await;
    let (_, application, _) = parties(&mut tx, "g").await;
    sessions::devices::insert(&mut tx, &device("d", &application, 10_000_000)).await.unwrap();
    for (now, in_time, interval) in [
        (1_000, true, 5),
        (5_500, true, 5),
        (9_999, false, 10),
        (19_499, true, 10),
        (19_500, false, 15),
        (19_501, false, 20),
        (39_001, true, 20),
    ] {
        assert_eq!(sessions::devices::poll(&mut tx, &"d".into(), now).await.unwrap(), in_time, "{now}");
        let found = find(&mut tx, "d").await.unwrap();
        assert_eq!((found.polled_at, found.poll_interval), (Some(now), interval), "{now}");
    }
    for _ in 0..200 {
        sessions::devices::poll(&mut tx, &"d".into(), 39_002).await.unwrap();
    }
    assert_eq!(find(&mut tx, "d").await.unwrap().poll_interval, 600);
});

both!(a_user_code_is_of_one_device, async |store: Store| {
    let mut tx = store.begin().await;
    let (_, application, _) = parties(&mut tx, "g").await;
    sessions::devices::insert(&mut tx, &device("d", &application, 1000)).await.unwrap();
    tx.commit().await.unwrap();
    let same = DeviceAuthorization { user_code_hash: "user code of d".to_owned(), ..device("e", &application, 1000) };
    let inserted = sessions::devices::insert(&mut store.begin().await, &same).await;
    assert!(matches!(inserted, Err(Error::Conflict)), "{inserted:?}");
});

both!(a_device_code_is_consumed_once, async |store: Store| {
    let mut tx = store.begin().await;
    let (user, application, grant) = parties(&mut tx, "g").await;
    for (name, expires_at) in [("live", 100), ("expired", 9), ("denied", 100), ("waiting", 100)] {
        sessions::devices::insert(&mut tx, &device(name, &application, expires_at)).await.unwrap();
    }
    for name in ["live", "expired"] {
        let approved = sessions::devices::approve(&mut tx, &name.into(), (&user, &grant), &authorized(), 5).await;
        assert!(approved.unwrap(), "{name}");
    }
    sessions::devices::deny(&mut tx, &"denied".into(), 5).await.unwrap();
    let shown = ["live", "expired", "denied", "waiting", "unknown"];
    let shown = shown.map(|name| Consume::DeviceCode(format!("hash of {name}")));
    let wanted = Dependencies { single_use: shown.iter().collect(), ..Dependencies::default() };
    let held = issuing::lock_dependencies(&mut tx, &wanted, 10).await.unwrap();
    assert_eq!(held.single_use.into_iter().collect::<Vec<_>>(), [shown[0].clone()]);
    let batch = WriteBatch { consume: vec![&shown[0]], ..WriteBatch::default() };
    issuing::write(&mut tx, &batch, 10).await.unwrap();
    assert_eq!(find(&mut tx, "live").await.unwrap().consumed_at, Some(10));
    assert!(issuing::lock_dependencies(&mut tx, &wanted, 10).await.unwrap().single_use.is_empty());
});

both!(a_device_goes_with_what_it_hangs_on, async |store: Store| {
    let mut tx = store.begin().await;
    for ending in ["grant", "session", "tokens", "user", "application", "nothing"] {
        let (user, application, grant) = parties(&mut tx, ending).await;
        for name in [ending.to_owned(), format!("waiting {ending}")] {
            sessions::devices::insert(&mut tx, &device(&name, &application, 1000)).await.unwrap();
        }
        let by = (&user, &grant);
        assert!(sessions::devices::approve(&mut tx, &ending.into(), by, &authorized(), 5).await.unwrap());
        match ending {
            "grant" => assert!(sessions::grants::revoke(&mut tx, &grant, 7).await.unwrap()),
            "session" => {
                sessions::grants::end_session(&mut tx, &"session".into(), 7).await.unwrap();
            }
            "tokens" => sessions::grants::end_tokens_of_user(&mut tx, &user, 7).await.unwrap(),
            "user" => assert!(users::delete(&mut tx, &user).await.unwrap()),
            "application" => assert!(applications::delete(&mut tx, &application).await.unwrap()),
            _ => {}
        }
        assert_eq!(find(&mut tx, ending).await.is_some(), ending == "nothing", "{ending}");
        assert_eq!(waits(&mut tx, &format!("waiting {ending}"), 8).await, ending != "application", "{ending}");
    }
});
