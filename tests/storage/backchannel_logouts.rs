//! Back-channel logouts: what is written when a sign-in ends, and how it is leased and finished.

use crate::Store;
use claimsmith_domain::documents::application::{ApplicationType, OidcClientMetadata};
use claimsmith_domain::id::{ApplicationId, GrantId, UserId};
use claimsmith_storage::issuing::{self, WriteBatch};
use claimsmith_storage::sessions;
use claimsmith_storage::sessions::backchannel_logouts::{Ended, Leased};
use claimsmith_storage::sessions::grants::{self, Grant, GrantedScopes};
use claimsmith_storage::{Json, Lease, RetryDecision, Tx, applications, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_application, new_user};

async fn application(tx: &mut Tx, uri: Option<&str>) -> ApplicationId {
    let mut application = new_application(ApplicationType::Spa);
    let backchannel_logout_uri = uri.map(str::to_owned);
    application.oidc_client_metadata = Json(OidcClientMetadata { backchannel_logout_uri, ..Default::default() });
    applications::insert(tx, &application).await.unwrap();
    application.id
}

async fn user(tx: &mut Tx) -> UserId {
    let user = new_user();
    users::insert(tx, &user).await.unwrap();
    user.id
}

/// A grant by which the application got tokens.
async fn used(tx: &mut Tx, id: &str, of: (&UserId, &ApplicationId), session: Option<&str>) -> GrantId {
    let id = unused(tx, id, of, session).await;
    let batch = WriteBatch { first_tokens: [&id].into(), ..WriteBatch::default() };
    issuing::write(tx, &batch, 1).await.unwrap();
    id
}

async fn unused(
    tx: &mut Tx,
    id: &str,
    (user_id, application_id): (&UserId, &ApplicationId),
    session: Option<&str>,
) -> GrantId {
    let grant = Grant {
        id: id.into(),
        user_id: user_id.clone(),
        application_id: application_id.clone(),
        session_id: session.map(Into::into),
        scopes: Json(Some(GrantedScopes::default())),
        created_at: 1,
        expires_at: 1000,
    };
    grants::insert(tx, &grant).await.unwrap();
    grant.id
}

/// Leases whatever is due.
async fn lease(tx: &mut Tx, name: &str, now: i64, limit: i64) -> Vec<Leased> {
    let mut taken = Vec::new();
    for due in sessions::backchannel_logouts::due_applications(tx, now).await.unwrap() {
        let lease = Lease { name, now, until: now + 15 };
        taken.extend(sessions::backchannel_logouts::lease(tx, &due.id, lease, limit).await.unwrap());
    }
    taken
}

/// Whom a logout is for, and in which session.
fn about(leased: &[Leased]) -> Vec<(&str, &str)> {
    let mut about: Vec<_> = leased.iter().map(|one| (one.application_id.as_str(), one.session_id.as_str())).collect();
    about.sort_unstable();
    about
}

both!(those_with_an_address_and_tokens_are_told, async |store: Store| {
    let mut tx = store.begin().await;
    let (ada, grace) = (user(&mut tx).await, user(&mut tx).await);
    let (shop, silent) = (application(&mut tx, Some("https://shop.test")).await, application(&mut tx, None).await);
    used(&mut tx, "g1", (&ada, &shop), Some("s1")).await;
    used(&mut tx, "g2", (&ada, &silent), Some("s1")).await;
    used(&mut tx, "g3", (&ada, &shop), Some("s2")).await;
    used(&mut tx, "g4", (&ada, &shop), None).await;
    unused(&mut tx, "g5", (&ada, &shop), Some("s3")).await;
    used(&mut tx, "g6", (&grace, &shop), Some("s4")).await;
    // Two grants of one session are one sign-in.
    used(&mut tx, "g7", (&ada, &shop), Some("s1")).await;
    assert_eq!(sessions::backchannel_logouts::next_due(&mut tx).await.unwrap(), None);

    sessions::backchannel_logouts::append(&mut tx, Ended::Session(&"s1".into()), 10).await.unwrap();
    assert_eq!(sessions::backchannel_logouts::next_due(&mut tx).await.unwrap(), Some(10));
    assert!(lease(&mut tx, "c1", 9, 9).await.is_empty());
    let taken = lease(&mut tx, "c1", 10, 9).await;
    assert_eq!(about(&taken), [(shop.as_str(), "s1")]);
    assert_eq!((&taken[0].user_id, taken[0].attempts), (&ada, 0));
    for (ended, told) in [
        (Ended::Session(&"s3".into()), vec![]),
        (Ended::Session(&"nothing".into()), vec![]),
        (Ended::Grant(&"g3".into()), vec![(shop.as_str(), "s2")]),
        (Ended::Grant(&"g4".into()), vec![]),
        (Ended::User(&ada), vec![(shop.as_str(), "s1"), (shop.as_str(), "s2")]),
        (Ended::User(&grace), vec![(shop.as_str(), "s4")]),
    ] {
        sessions::backchannel_logouts::append(&mut tx, ended, 20).await.unwrap();
        assert_eq!(about(&lease(&mut tx, &format!("{ended:?}"), 20, 9).await), told, "{ended:?}");
    }
});

both!(ends_of_sessions_grants_and_users_are_written_with_them, async |store: Store| {
    let mut tx = store.begin().await;
    let ada = user(&mut tx).await;
    let shop = application(&mut tx, Some("https://shop.test")).await;
    for (grant, session) in [("g1", "s1"), ("g2", "s2"), ("g3", "s3")] {
        used(&mut tx, grant, (&ada, &shop), Some(session)).await;
    }
    grants::end_session(&mut tx, &"s1".into(), 10).await.unwrap();
    assert_eq!(about(&lease(&mut tx, "c1", 10, 9).await), [(shop.as_str(), "s1")]);
    grants::revoke(&mut tx, &"g2".into(), 10).await.unwrap();
    assert_eq!(about(&lease(&mut tx, "c2", 10, 9).await), [(shop.as_str(), "s2")]);
    grants::end_tokens_of_user(&mut tx, &ada, 10).await.unwrap();
    assert_eq!(about(&lease(&mut tx, "c3", 10, 9).await), [(shop.as_str(), "s3")]);
    // They are over: nothing is told twice.
    grants::end_tokens_of_user(&mut tx, &ada, 10).await.unwrap();
    assert!(lease(&mut tx, "c4", 10, 9).await.is_empty());
    tx.commit().await.unwrap();

    // What is rolled back is not told.
    let mut tx = store.begin().await;
    used(&mut tx, "g4", (&ada, &shop), Some("s4")).await;
    tx.commit().await.unwrap();
    let mut tx = store.begin().await;
    grants::end_session(&mut tx, &"s4".into(), 10).await.unwrap();
    drop(tx);
    assert!(lease(&mut store.begin().await, "c5", 10, 9).await.is_empty());
    // It outlives the user, but not the application.
    let mut tx = store.begin().await;
    grants::end_tokens_of_user(&mut tx, &ada, 10).await.unwrap();
    users::delete(&mut tx, &ada).await.unwrap();
    assert_eq!(sessions::backchannel_logouts::due_applications(&mut tx, 10).await.unwrap().len(), 1);
    applications::delete(&mut tx, &shop).await.unwrap();
    assert_eq!(sessions::backchannel_logouts::next_due(&mut tx).await.unwrap(), None);
});

both!(due_logouts_are_leased_once_and_finished, async |store: Store| {
    let mut tx = store.begin().await;
    let ada = user(&mut tx).await;
    let shop = application(&mut tx, Some("https://shop.test")).await;
    for number in 0..4 {
        used(&mut tx, &format!("g{number}"), (&ada, &shop), Some(&format!("s{number}"))).await;
    }
    sessions::backchannel_logouts::append(&mut tx, Ended::User(&ada), 10).await.unwrap();
    let taken = lease(&mut tx, "c1", 10, 3).await;
    assert_eq!(taken.len(), 3);
    let due = sessions::backchannel_logouts::due_applications(&mut tx, 10).await.unwrap();
    assert_eq!((due.len(), &due[0].id, due[0].in_flight), (1, &shop, 3));
    assert_eq!(lease(&mut tx, "c2", 10, 3).await.len(), 1);
    assert!(lease(&mut tx, "c3", 10, 3).await.is_empty());
    // A lease that nobody ended expires, and its worker moves nothing on any more.
    let [first, second, third] = [0, 1, 2].map(|index| taken[index].seq);
    let again = lease(&mut tx, "c4", 25, 2).await;
    assert_eq!(again.iter().map(|one| one.seq).collect::<Vec<_>>(), [first, second]);
    let late =
        sessions::backchannel_logouts::move_on(&mut tx, first, "c1", RetryDecision::Dead, "late", 26).await.unwrap();
    assert!(!late);
    assert!(
        sessions::backchannel_logouts::move_on(&mut tx, first, "c4", RetryDecision::At(90), "later", 26).await.unwrap()
    );
    assert!(
        sessions::backchannel_logouts::move_on(&mut tx, second, "c4", RetryDecision::Dead, "never", 27).await.unwrap()
    );
    // But what was told was told, whoever had the lease.
    assert_eq!(sessions::backchannel_logouts::succeed(&mut tx, &[third], 28).await.unwrap(), 1);
    assert_eq!(sessions::backchannel_logouts::succeed(&mut tx, &[third, second], 28).await.unwrap(), 0);
    assert_eq!(sessions::backchannel_logouts::succeed(&mut tx, &[], 28).await.unwrap(), 0);
    let last = lease(&mut tx, "c5", 40, 9).await;
    assert_eq!(last.len(), 1);
    assert_eq!(sessions::backchannel_logouts::succeed(&mut tx, &[last[0].seq], 41).await.unwrap(), 1);
    assert_eq!(sessions::backchannel_logouts::next_due(&mut tx).await.unwrap(), Some(90));
    assert_eq!(sessions::backchannel_logouts::bring_forward(&mut tx, 50, 30).await.unwrap(), 1);
    let retried = lease(&mut tx, "c6", 60, 9).await;
    assert_eq!((retried.len(), retried[0].seq, retried[0].attempts), (1, first, 1));

    for (before, deleted) in [(27, 0), (28, 1), (41, 1), (1000, 1), (1000, 0)] {
        assert_eq!(
            sessions::backchannel_logouts::delete_expired(&mut tx, before, 9).await.unwrap(),
            deleted,
            "{before}"
        );
    }
});
