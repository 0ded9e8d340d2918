//! Sessions of browsers, and interactions that are under way.

use crate::{Store, assert_same, ids};
use claimsmith_domain::id::{SessionId, UserId};
use claimsmith_domain::interaction::{InteractionEvent, Progress};
use claimsmith_storage::sessions::interactions::Interaction;
use claimsmith_storage::sessions::{self, Session, SessionDetails};
use claimsmith_storage::users::{self, Identifiers, User};
use claimsmith_storage::{Error, Json, Tx};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_authorization_request, new_user};

async fn user(tx: &mut Tx) -> User {
    let user = new_user();
    users::insert(tx, &user).await.unwrap();
    user
}

fn session(id: &str, browser: &str, user_id: &UserId, at: i64) -> Session {
    Session {
        id: id.into(),
        browser_hash: browser.to_owned(),
        user_id: user_id.clone(),
        details: Json(Some(SessionDetails { amr: vec!["pwd".to_owned()], ..SessionDetails::default() })),
        authenticated_at: at,
        last_active_at: at,
        expires_at: at + 1000,
    }
}

both!(a_browser_has_the_live_sessions_of_active_users, async |store: Store| {
    let mut tx = store.begin().await;
    let (ada, grace) = (user(&mut tx).await, user(&mut tx).await);
    for (id, browser, user, at) in
        [("a", "one", &ada, 10), ("b", "one", &grace, 20), ("c", "other", &ada, 30), ("d", "one", &ada, -2000)]
    {
        sessions::insert(&mut tx, &session(id, browser, &user.id, at)).await.unwrap();
    }
    assert_same(&sessions::find(&mut tx, &"a".into()).await.unwrap().unwrap(), &session("a", "one", &ada.id, 10));
    let found = sessions::of_browser(&mut tx, "one", 100, 0).await.unwrap();
    assert_eq!(ids(&found, |one| &one.id), ["b", "a"]);
    assert_eq!(ids(&sessions::of_browser(&mut tx, "one", 100, 10).await.unwrap(), |one| &one.id), ["b"]);
    assert_eq!(ids(&sessions::of_user(&mut tx, &ada.id, 100, 0).await.unwrap(), |one| &one.id), ["c", "a"]);
    assert!(sessions::touch(&mut tx, &"a".into(), &ada.id, 50).await.unwrap());
    assert!(!sessions::touch(&mut tx, &"a".into(), &grace.id, 60).await.unwrap(), "another user's");
    assert!(!sessions::touch(&mut tx, &"nothing".into(), &ada.id, 60).await.unwrap());
    let a = sessions::find_to_change(&mut tx, &"a".into()).await.unwrap().unwrap();
    assert_eq!((a.last_active_at, a.expires_at), (50, 1010));
    assert_eq!(ids(&sessions::of_browser(&mut tx, "one", 100, 0).await.unwrap(), |one| &one.id), ["a", "b"]);
    let details = Json(Some(SessionDetails { ip: Some("192.0.2.1".to_owned()), ..SessionDetails::default() }));
    sessions::renew(&mut tx, &"b".into(), &details, 60, 5000).await.unwrap();
    let renewed = sessions::find(&mut tx, &"b".into()).await.unwrap().unwrap();
    assert_eq!((renewed.authenticated_at, renewed.last_active_at, renewed.expires_at), (60, 60, 5000));
    assert_eq!(renewed.details, details);
    users::set_suspended(&mut tx, &grace.id, true, 0).await.unwrap();
    assert_eq!(ids(&sessions::of_browser(&mut tx, "one", 100, 0).await.unwrap(), |one| &one.id), ["a"]);
    sessions::rename_browser(&mut tx, "one", "new").await.unwrap();
    assert!(sessions::of_browser(&mut tx, "one", 100, 0).await.unwrap().is_empty());
    assert_eq!(ids(&sessions::of_browser(&mut tx, "new", 100, 0).await.unwrap(), |one| &one.id), ["a"]);
});

both!(sessions_end, async |store: Store| {
    let mut tx = store.begin().await;
    let (ada, grace) = (user(&mut tx).await, user(&mut tx).await);
    for (id, user, at) in [("a", &ada, 0), ("b", &ada, 10), ("c", &grace, 10), ("d", &grace, 20)] {
        sessions::insert(&mut tx, &session(id, "one", &user.id, at)).await.unwrap();
    }
    assert!(sessions::delete(&mut tx, &"a".into()).await.unwrap());
    assert!(!sessions::delete(&mut tx, &"a".into()).await.unwrap());
    assert_eq!(sessions::delete_of_user(&mut tx, &ada.id).await.unwrap(), 1);
    let left = sessions::of_browser(&mut tx, "one", 100, 0).await.unwrap();
    assert_eq!(ids(&left, |one| &one.id), ["d", "c"]);
    assert_eq!(sessions::delete_expired(&mut tx, 1010, 10, 10).await.unwrap(), 0);
    assert_eq!(sessions::delete_expired(&mut tx, 1011, 10, 10).await.unwrap(), 1, "its time is over");
    assert_eq!(sessions::delete_expired(&mut tx, 0, 21, 10).await.unwrap(), 1, "it was not used");
    sessions::insert(&mut tx, &session("e", "one", &ada.id, 0)).await.unwrap();
    users::delete(&mut tx, &ada.id).await.unwrap();
    assert!(sessions::find(&mut tx, &"e".into()).await.unwrap().is_none());
});

both!(a_session_is_of_a_user, async |store: Store| {
    let mut tx = store.begin().await;
    let inserted = sessions::insert(&mut tx, &session("a", "one", &"nobody".into(), 0)).await;
    assert!(matches!(inserted, Err(Error::Missing)), "{inserted:?}");
});

both!(of_two_steps_at_once_one_is_written, async |store: Store| {
    let request = new_authorization_request(&"store".into());
    let mut interaction = Interaction {
        id: "i".into(),
        hash: "hash".to_owned(),
        request: Json(Some(request)),
        state: Json(Some(Progress::default())),
        revision: 1,
        created_at: 0,
        expires_at: 1000,
    };
    let mut tx = store.begin().await;
    sessions::interactions::insert(&mut tx, &interaction).await.unwrap();
    let cookies = ["other", "hash", "third"].map(str::to_owned);
    let found = sessions::interactions::of_browser(&mut tx, &cookies).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_same(&found[0], &interaction);
    assert!(!found[0].is_over(999) && found[0].is_over(1000));
    for none in [&cookies[..1], &[]] {
        assert!(sessions::interactions::of_browser(&mut tx, none).await.unwrap().is_empty());
    }
    let other = interaction.clone();
    let session_id = Some(SessionId::from("s"));
    interaction.state =
        Json(Some(Progress { event: Some(InteractionEvent::SignIn), session_id, ..Progress::default() }));
    assert!(sessions::interactions::update(&mut tx, &interaction).await.unwrap());
    assert!(!sessions::interactions::update(&mut tx, &other).await.unwrap());
    let found = sessions::interactions::of_browser(&mut tx, &cookies).await.unwrap().remove(0);
    assert_same(&found, &Interaction { revision: 2, ..interaction });
    sessions::interactions::make_newest(&mut tx, "i", 7).await.unwrap();
    sessions::interactions::make_newest(&mut tx, "i", 5).await.unwrap();
    assert_eq!(sessions::interactions::of_browser(&mut tx, &cookies).await.unwrap()[0].created_at, 7);
    // It ends once, and what was asked for is kept.
    assert!(sessions::interactions::end(&mut tx, &found, 500).await.unwrap());
    assert!(!sessions::interactions::end(&mut tx, &found, 500).await.unwrap());
    assert!(!sessions::interactions::update(&mut tx, &found).await.unwrap());
    let over = sessions::interactions::of_browser(&mut tx, &cookies).await.unwrap().remove(0);
    assert!(over.is_over(0) && over.request.0.is_some());
    assert_eq!(sessions::interactions::delete_of_browser(&mut tx, &cookies[..1]).await.unwrap(), 0);
    assert_eq!(sessions::interactions::delete_of_browser(&mut tx, &cookies).await.unwrap(), 1);
    sessions::interactions::insert(&mut tx, &found).await.unwrap();
    assert_eq!(sessions::interactions::delete_expired(&mut tx, 1000, 10).await.unwrap(), 0);
    assert_eq!(sessions::interactions::delete_expired(&mut tx, 1001, 10).await.unwrap(), 1);
});

both!(users_are_found_by_what_they_type_and_sign_in, async |store: Store| {
    let mut tx = store.begin().await;
    let ada = User {
        username: Some("Ada".to_owned()),
        primary_email: Some("Ada@example.com".to_owned()),
        primary_phone: Some("491701234567".to_owned()),
        ..new_user()
    };
    users::insert(&mut tx, &ada).await.unwrap();
    user(&mut tx).await;
    let none = Identifiers { username: None, primary_email: None, primary_phone: None };
    for wanted in [
        Identifiers { username: Some("aDA".to_owned()), ..none.clone() },
        Identifiers { primary_email: Some("ADA@EXAMPLE.com".to_owned()), ..none.clone() },
        Identifiers { primary_phone: Some("491701234567".to_owned()), ..none.clone() },
    ] {
        assert_same(&users::find_identified(&mut tx, &wanted).await.unwrap().unwrap(), &ada);
    }
    for wanted in [none.clone(), Identifiers { username: Some("Ada@example.com".to_owned()), ..none }] {
        assert!(users::find_identified(&mut tx, &wanted).await.unwrap().is_none());
    }
    let signed_in = users::signed_in(&mut tx, &ada.id, 77).await.unwrap().unwrap();
    assert_same(&signed_in, &User { last_sign_in_at: Some(77), revision: 2, ..ada });
    assert!(users::signed_in(&mut tx, &"nobody".into(), 77).await.unwrap().is_none());
});

both!(all_sessions_of_a_user_end_but_one, async |store: Store| {
    let mut tx = store.begin().await;
    let (ada, grace) = (user(&mut tx).await, user(&mut tx).await);
    for (id, user) in [("a", &ada), ("b", &ada), ("c", &ada), ("d", &grace)] {
        sessions::insert(&mut tx, &session(id, "one", &user.id, 10)).await.unwrap();
    }
    assert_eq!(sessions::delete_others_of_user(&mut tx, &ada.id, &"b".into()).await.unwrap(), 2);
    assert_eq!(ids(&sessions::of_user(&mut tx, &ada.id, 20, 0).await.unwrap(), |one| &one.id), ["b"]);
    assert_eq!(ids(&sessions::of_user(&mut tx, &grace.id, 20, 0).await.unwrap(), |one| &one.id), ["d"]);
});
