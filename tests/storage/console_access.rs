//! Sessions at the console, and its one-time links.

use crate::Store;
use claimsmith_domain::console_link::Purpose;
use claimsmith_domain::id::{SessionId, UserId};
use claimsmith_storage::console;
use claimsmith_storage::console::links::ConsoleLink;
use claimsmith_storage::console::sessions::{ConsoleSession, MAX_AGE_MS, Since};
use claimsmith_storage::sessions::{self, Session, SessionDetails};
use claimsmith_storage::{Error, Json, Tx, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_user;

/// A user with the session of a sign-in.
async fn signed_in(tx: &mut Tx, session_id: &str) -> UserId {
    let user = new_user();
    users::insert(tx, &user).await.unwrap();
    let session = Session {
        id: session_id.into(),
        browser_hash: "browser".to_owned(),
        user_id: user.id.clone(),
        details: Json(Some(SessionDetails::default())),
        authenticated_at: 100,
        last_active_at: 100,
        expires_at: 1000,
    };
    sessions::insert(tx, &session).await.unwrap();
    user.id
}

fn at_console(hash: &str, session_id: &SessionId, user_id: &UserId) -> ConsoleSession {
    ConsoleSession {
        hash: hash.to_owned(),
        session_id: session_id.clone(),
        user_id: user_id.clone(),
        authenticated_at: 100,
        created_at: 110,
        last_active_at: 120,
    }
}

/// Whether a session is live, by the ages that count.
async fn is_live(tx: &mut Tx, hash: &str, now: i64, since: (i64, i64, i64)) -> bool {
    let since = Since { created: since.0, active: since.1, sign_in_active: since.2 };
    console::sessions::find(tx, hash, now, since).await.unwrap().is_some()
}

both!(a_session_lives_as_long_as_all_that_it_hangs_on, async |store: Store| {
    let mut tx = store.begin().await;
    let (one, other) = (SessionId::from("one"), SessionId::from("other"));
    let (ada, grace) = (signed_in(&mut tx, &one).await, signed_in(&mut tx, &other).await);
    for session in [at_console("a", &one, &ada), at_console("b", &one, &ada), at_console("c", &other, &grace)] {
        console::sessions::insert(&mut tx, &session).await.unwrap();
    }
    let since = Since { created: 109, active: 119, sign_in_active: 99 };
    let found = console::sessions::find(&mut tx, "a", 999, since).await.unwrap().unwrap();
    assert_eq!((&found.session_id, &found.user_id), (&one, &ada));
    assert_eq!((found.authenticated_at, found.created_at, found.last_active_at), (100, 110, 120));
    for (now, since) in [(1000, (109, 119, 99)), (999, (110, 119, 99)), (999, (109, 120, 99)), (999, (109, 119, 100))] {
        assert!(!is_live(&mut tx, "a", now, since).await, "{now} {since:?}");
    }
    console::sessions::touch(&mut tx, "a", 130).await.unwrap();
    assert!(is_live(&mut tx, "a", 200, (0, 129, 0)).await && !is_live(&mut tx, "b", 200, (0, 129, 0)).await);

    users::set_suspended(&mut tx, &grace, true, 150).await.unwrap();
    assert!(!is_live(&mut tx, "c", 200, (0, 0, 0)).await);
    assert!(console::sessions::delete(&mut tx, "b").await.unwrap());
    assert!(!console::sessions::delete(&mut tx, "b").await.unwrap());
    // It goes with the sign-in, and with the user.
    sessions::delete(&mut tx, &one).await.unwrap();
    assert!(!console::sessions::delete(&mut tx, "a").await.unwrap());
    users::delete(&mut tx, &grace).await.unwrap();
    assert!(!console::sessions::delete(&mut tx, "c").await.unwrap());
    let late = console::sessions::insert(&mut tx, &at_console("d", &one, &ada)).await;
    assert!(matches!(late, Err(Error::Missing)), "the sign-in has ended");
});

both!(old_sessions_are_deleted, async |store: Store| {
    let mut tx = store.begin().await;
    let one = SessionId::from("one");
    let ada = signed_in(&mut tx, &one).await;
    for hash in ["a", "b"] {
        console::sessions::insert(&mut tx, &at_console(hash, &one, &ada)).await.unwrap();
    }
    assert_eq!(console::sessions::delete_expired(&mut tx, 110 + MAX_AGE_MS, 9).await.unwrap(), 0);
    assert_eq!(console::sessions::delete_expired(&mut tx, 111 + MAX_AGE_MS, 1).await.unwrap(), 1);
    assert_eq!(console::sessions::delete_expired(&mut tx, 111 + MAX_AGE_MS, 9).await.unwrap(), 1);
});

fn link(hash: &str, purpose: &str, user_id: Option<&UserId>) -> ConsoleLink {
    ConsoleLink {
        hash: hash.to_owned(),
        purpose: Purpose::parse(purpose).unwrap(),
        user_id: user_id.cloned(),
        email: Some("ada@example.com".to_owned()),
        created_at: 10,
        expires_at: 100,
    }
}

both!(a_link_is_used_once_and_in_time, async |store: Store| {
    let mut tx = store.begin().await;
    let ada = signed_in(&mut tx, "one").await;
    for one in [
        link("a", "setup", None),
        link("b", "setup", None),
        link("c", "invite", None),
        link("d", "recover", Some(&ada)),
        link("e", "recover", Some(&ada)),
    ] {
        console::links::insert(&mut tx, &one).await.unwrap();
        let found = console::links::find(&mut tx, &one.hash, 99).await.unwrap().unwrap();
        assert_eq!((found.purpose, found.user_id, found.email), (one.purpose, one.user_id, one.email));
        assert_eq!((found.created_at, found.expires_at), (10, 100));
    }
    assert!(console::links::find(&mut tx, "a", 100).await.unwrap().is_none());
    assert!(!console::links::consume(&mut tx, "c", 100).await.unwrap());
    assert!(console::links::consume(&mut tx, "c", 99).await.unwrap());
    assert!(!console::links::consume(&mut tx, "c", 99).await.unwrap());
    assert_eq!(console::links::delete_of(&mut tx, Purpose::Setup).await.unwrap(), 2);
    assert_eq!(console::links::delete_of_user(&mut tx, &ada).await.unwrap(), 2);
    console::links::insert(&mut tx, &link("f", "invite", None)).await.unwrap();
    assert_eq!(console::links::delete_expired(&mut tx, 100, 9).await.unwrap(), 0);
    assert_eq!(console::links::delete_expired(&mut tx, 101, 9).await.unwrap(), 1);
    let of_nobody = console::links::insert(&mut tx, &link("g", "recover", Some(&"nobody".into()))).await;
    assert!(matches!(of_nobody, Err(Error::Missing)));
});

both!(an_action_is_confirmed_once, async |store: Store| {
    let mut tx = store.begin().await;
    let (one, other) = (SessionId::from("one"), SessionId::from("other"));
    for session_id in [&one, &other] {
        signed_in(&mut tx, session_id).await;
    }
    for (id, session_id, expires_at, is_new) in
        [("a", &one, 100, true), ("a", &one, 100, false), ("a", &other, 300, false), ("b", &other, 200, true)]
    {
        assert_eq!(console::confirmations::use_up(&mut tx, id, session_id, expires_at).await.unwrap(), is_new, "{id}");
    }
    assert_eq!(console::confirmations::delete_expired(&mut tx, 100, 10).await.unwrap(), 0);
    assert_eq!(console::confirmations::delete_expired(&mut tx, 201, 1).await.unwrap(), 1);
    assert_eq!(console::confirmations::delete_expired(&mut tx, 201, 10).await.unwrap(), 1);
    // It goes with the sign-in.
    assert!(console::confirmations::use_up(&mut tx, "c", &one, 100).await.unwrap());
    sessions::delete(&mut tx, &one).await.unwrap();
    assert_eq!(console::confirmations::delete_expired(&mut tx, 1000, 10).await.unwrap(), 0);
    let late = console::confirmations::use_up(&mut tx, "d", &one, 100).await;
    assert!(matches!(late, Err(Error::Missing)), "the sign-in has ended");
});
