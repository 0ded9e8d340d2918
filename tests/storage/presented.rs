//! What a request of a sign-in presents, read in one statement; and codes that are written in one call.

use crate::{Store, ids};
use claimsmith_domain::authorization::request::Authorized;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_storage::sessions::codes::Code;
use claimsmith_storage::sessions::grants::{Grant, GrantedScopes};
use claimsmith_storage::sessions::presented::{BrowserSession, WantedBrowsers};
use claimsmith_storage::sessions::refresh_tokens::RefreshToken;
use claimsmith_storage::sessions::{self, Session, SessionDetails};
use claimsmith_storage::{Json, Tx, applications, issuing, settings, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_application, new_user};

async fn user(tx: &mut Tx) -> UserId {
    let user = new_user();
    users::insert(tx, &user).await.unwrap();
    user.id
}

async fn application(tx: &mut Tx) -> ApplicationId {
    let application = new_application(ApplicationType::Spa);
    applications::insert(tx, &application).await.unwrap();
    application.id
}

fn session(id: &str, browser: &str, user_id: &UserId, at: i64) -> Session {
    Session {
        id: id.into(),
        browser_hash: browser.to_owned(),
        user_id: user_id.clone(),
        details: Json(Some(SessionDetails::default())),
        authenticated_at: at,
        last_active_at: at,
        expires_at: at + 1000,
    }
}

fn grant(id: &str, user_id: &UserId, application_id: &ApplicationId, session: &str) -> Grant {
    Grant {
        id: id.into(),
        user_id: user_id.clone(),
        application_id: application_id.clone(),
        session_id: Some(session.into()),
        scopes: Json(Some(GrantedScopes { oidc: vec!["openid".to_owned()], ..GrantedScopes::default() })),
        created_at: 1,
        expires_at: 500,
    }
}

fn code(hash: &str, grant: &Grant) -> Code {
    Code {
        hash: hash.to_owned(),
        grant_id: grant.id.clone(),
        user_id: grant.user_id.clone(),
        application_id: grant.application_id.clone(),
        authorization_details: Json(Some(Authorized { nonce: Some("n".to_owned()), ..Authorized::default() })),
        family_id: format!("family of {hash}"),
        created_at: 1,
        expires_at: 2,
        consumed_at: None,
    }
}

fn refresh_token(hash: &str, grant: &Grant) -> RefreshToken {
    RefreshToken {
        hash: hash.to_owned(),
        grant_id: grant.id.clone(),
        user_id: grant.user_id.clone(),
        application_id: grant.application_id.clone(),
        authorization_details: Json(Some(Authorized::default())),
        family_id: "family".to_owned(),
        outlives_session: false,
        parent_hash: None,
        created_at: 1,
        expires_at: 2,
        consumed_at: None,
        rotated_at: None,
    }
}

both!(a_code_and_a_refresh_token_bring_their_user_and_the_revision, async |store: Store| {
    let mut tx = store.begin().await;
    let (ada, shop) = (user(&mut tx).await, application(&mut tx).await);
    sessions::insert(&mut tx, &session("live", "one", &ada, 10)).await.unwrap();
    let (with_session, without) = (grant("a", &ada, &shop, "live"), grant("b", &ada, &shop, "ended"));
    for grant in [&with_session, &without] {
        sessions::grants::insert(&mut tx, grant).await.unwrap();
        sessions::codes::insert(&mut tx, &code(&format!("code {}", grant.id), grant)).await.unwrap();
    }
    let tokens = [refresh_token("token a", &with_session), refresh_token("token b", &without)];
    let batch = issuing::WriteBatch { refresh_tokens: tokens.iter().collect(), ..issuing::WriteBatch::default() };
    issuing::write(&mut tx, &batch, 1).await.unwrap();
    revisions::bump(&mut tx, Changed::Nothing).await.unwrap();
    let revision = revisions::current(&mut tx).await.unwrap();

    let (seen, found) = sessions::presented::codes(&mut tx, &["unknown"]).await.unwrap();
    assert_eq!((seen, found.len()), (revision, 0));
    let (seen, found) = sessions::presented::codes(&mut tx, &["code a", "unknown"]).await.unwrap();
    assert_eq!((seen, ids(&found, |one| &one.code.hash)), (revision, vec!["code a"]));
    let stored = sessions::codes::find(&mut tx, "code a").await.unwrap().unwrap();
    assert_eq!(format!("{:?}", found[0].code), format!("{stored:?}"));
    let stored = users::find(&mut tx, &ada).await.unwrap().unwrap();
    assert_eq!(format!("{:?}", found[0].user), format!("{stored:?}"));
    assert_eq!(found[0].id_token_config, None);

    settings::put(&mut tx, settings::ID_TOKENS, "{}").await.unwrap();
    let (seen, mut found) = sessions::presented::refresh_tokens(&mut tx, &["token a", "token b"]).await.unwrap();
    found.sort_by_key(|one| one.token.hash.clone());
    assert_eq!((seen, ids(&found, |one| &one.token.hash)), (revision, vec!["token a", "token b"]));
    let of_sessions: Vec<Option<&str>> =
        found.iter().map(|one| one.session.as_ref().map(|session| session.id.as_str())).collect();
    assert_eq!(of_sessions, [Some("live"), None]);
    assert!(found.iter().all(|one| one.user.id == ada && one.family_key.is_none()));
    assert!(found.iter().all(|one| one.id_token_config.as_deref() == Some("{}")));
    let (seen, found) = sessions::presented::refresh_tokens(&mut tx, &["unknown"]).await.unwrap();
    assert_eq!((seen, found.len()), (revision, 0));
});

/// The sessions with their grants, in the order of both.
fn pairs(found: &[BrowserSession]) -> Vec<(String, Option<String>)> {
    let grant = |one: &BrowserSession| one.grant.as_ref().map(|grant| grant.id.to_string());
    let mut pairs: Vec<_> = found.iter().map(|one| (one.session.id.to_string(), grant(one))).collect();
    pairs.sort();
    pairs
}

both!(a_browser_brings_its_sessions_with_their_users_and_grants, async |store: Store| {
    let mut tx = store.begin().await;
    let (ada, grace, mallory) = (user(&mut tx).await, user(&mut tx).await, user(&mut tx).await);
    let (shop, other) = (application(&mut tx).await, application(&mut tx).await);
    for (id, browser, user, at) in [
        ("a", "one", &ada, 100),
        ("b", "one", &grace, 200),
        ("c", "two", &ada, 300),
        ("old", "one", &ada, -2000),
        ("suspended", "one", &mallory, 100),
    ] {
        sessions::insert(&mut tx, &session(id, browser, user, at)).await.unwrap();
    }
    users::set_suspended(&mut tx, &mallory, true, 0).await.unwrap();
    for (id, user, application, session) in
        [("ga", &ada, &shop, "a"), ("ga2", &ada, &other, "a"), ("gc", &ada, &shop, "c"), ("gb", &grace, &other, "b")]
    {
        sessions::grants::insert(&mut tx, &grant(id, user, application, session)).await.unwrap();
    }
    let revision = revisions::current(&mut tx).await.unwrap();
    let shops = [shop.as_str()];
    let one = WantedBrowsers { hashes: &["one"], applications: &shops, now: 400, idle_since: 0 };
    let pair = |session: &str, grant: Option<&str>| (session.to_owned(), grant.map(str::to_owned));
    let read = async |tx: &mut Tx, wanted: WantedBrowsers<'_>| {
        let (seen, found) = sessions::presented::browsers(tx, wanted).await.unwrap();
        assert_eq!(seen, revision);
        found
    };
    assert_eq!(pairs(&read(&mut tx, one).await), [pair("a", Some("ga")), pair("b", None)]);
    let both = ["one", "two"];
    let two = WantedBrowsers { hashes: &both, ..one };
    assert_eq!(pairs(&read(&mut tx, two).await), [pair("a", Some("ga")), pair("b", None), pair("c", Some("gc"))]);
    let all = [shop.as_str(), other.as_str()];
    let with_both = WantedBrowsers { applications: &all, ..one };
    let expected = [pair("a", Some("ga")), pair("a", Some("ga2")), pair("b", Some("gb"))];
    assert_eq!(pairs(&read(&mut tx, with_both).await), expected);
    // A grant that has expired, a session that was not used, and a browser without sessions.
    assert_eq!(pairs(&read(&mut tx, WantedBrowsers { now: 500, ..one }).await), [pair("a", None), pair("b", None)]);
    assert_eq!(pairs(&read(&mut tx, WantedBrowsers { idle_since: 100, ..one }).await), [pair("b", None)]);
    assert!(read(&mut tx, WantedBrowsers { hashes: &["none"], ..one }).await.is_empty());
    let found = read(&mut tx, one).await;
    let stored = users::find(&mut tx, &ada).await.unwrap().unwrap();
    let theirs = found.iter().find(|one| one.session.id == "a").unwrap();
    assert_eq!(format!("{:?}", theirs.user), format!("{stored:?}"));
    let stored = sessions::grants::find(&mut tx, &"ga".into()).await.unwrap();
    assert_eq!(format!("{:?}", theirs.grant), format!("{stored:?}"));
});

both!(a_browser_with_very_many_sessions_displaces_no_other, async |store: Store| {
    let mut tx = store.begin().await;
    let (ada, shop) = (user(&mut tx).await, application(&mut tx).await);
    for number in 0..100 {
        let many = session(&format!("many {number}"), "many", &ada, 200 + number);
        sessions::insert(&mut tx, &many).await.unwrap();
    }
    sessions::insert(&mut tx, &session("one", "one", &ada, 100)).await.unwrap();
    let (hashes, shops) = (["many", "one"], [shop.as_str()]);
    let wanted = WantedBrowsers { hashes: &hashes, applications: &shops, now: 400, idle_since: 0 };
    let (_, found) = sessions::presented::browsers(&mut tx, wanted).await.unwrap();
    assert_eq!(found.len(), 33);
    assert!(found.iter().any(|one| one.session.id == "one"));
    let oldest = found.iter().filter(|one| one.session.browser_hash == "many").map(|one| one.session.last_active_at);
    assert_eq!(oldest.min(), Some(268), "the 32 that were used last");
});

both!(a_code_is_added_in_a_live_session_under_a_live_grant, async |store: Store| {
    let mut tx = store.begin().await;
    let (ada, grace) = (user(&mut tx).await, user(&mut tx).await);
    let shop = application(&mut tx).await;
    sessions::insert(&mut tx, &session("live", "one", &ada, 10)).await.unwrap();
    let (live, ended) = (grant("live", &ada, &shop, "live"), grant("ended", &ada, &shop, "ended"));
    for grant in [&live, &ended] {
        sessions::grants::insert(&mut tx, grant).await.unwrap();
    }
    assert!(sessions::codes::add(&mut tx, &code("one", &live), &"live".into(), 50).await.unwrap());
    let stored = sessions::codes::find(&mut tx, "one").await.unwrap().unwrap();
    assert_eq!(format!("{stored:?}"), format!("{:?}", code("one", &live)));
    let used = sessions::find(&mut tx, &"live".into()).await.unwrap().unwrap();
    assert_eq!(used.last_active_at, 50);

    let of_another = Code { user_id: grace.clone(), ..code("two", &live) };
    for (code, session, now, why) in [
        (code("two", &live), "ended", 60, "no such session"),
        (code("two", &ended), "live", 60, "the grant of another session"),
        (code("two", &Grant { id: "none".into(), ..live.clone() }), "live", 60, "no such grant"),
        (code("two", &live), "live", 500, "the grant has expired"),
        (code("two", &live), "live", 1010, "the session has expired"),
        (of_another, "live", 60, "the session of another user"),
    ] {
        assert!(!sessions::codes::add(&mut tx, &code, &session.into(), now).await.unwrap(), "{why}");
        assert!(sessions::codes::find(&mut tx, "two").await.unwrap().is_none(), "{why}");
    }
});
