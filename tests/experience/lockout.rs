//! Limits of guessing: of an identifier and of an address, and who is exempt.

use crate::browser::{Browser, PASSWORD, settings, user};
use claimsmith_services::tokens;
use claimsmith_storage::sessions::attempts;
use claimsmith_test_support::{Home, Receiver, TestServer, both};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

const BLOCKED: &str = "session.verification_blocked_too_many_attempts";

/// Fails so many times.
async fn fail(browser: &mut Browser, name: &str, times: usize) {
    for _ in 0..times {
        browser.verify(name, "a wrong password").await.expect_api_error(422, "session.invalid_credentials");
    }
}

/// Fails so many times; the last time locks the identifier, and the answer says so.
async fn lock(browser: &mut Browser, name: &str, times: usize) {
    fail(browser, name, times - 1).await;
    browser.verify(name, "a wrong password").await.expect_api_error(400, BLOCKED);
}

both!(ten_failures_of_an_hour_lock_an_identifier, async |home: Arc<Home>| {
    let at_once = [("CLAIMSMITH_WEBHOOKS_POLL_MS", "20")];
    let server = TestServer::start(&home, &at_once).await.unwrap();
    let receiver = Receiver::start().await;
    let hook = json!({ "events": ["Identifier.Lockout"], "config": { "url": receiver.url() } });
    server.management().await.post("/api/hooks", hook).await.expect(201);
    user(&server, "ada").await;
    user(&server, "grace").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    fail(&mut browser, "ada", 9).await;
    // A success forgets them.
    browser.verify("ada", PASSWORD).await.expect(200);
    fail(&mut browser, "ada", 5).await;
    lock(&mut browser, "ADA", 5).await;
    let digests = server.app.passwords.computed();
    for password in ["a wrong password", PASSWORD, PASSWORD] {
        let blocked = browser.verify("Ada", password).await;
        blocked.expect_api_error(400, BLOCKED);
        assert_eq!(blocked["data"]["relativeTime"], "60 minutes");
    }
    assert_eq!(server.app.passwords.computed(), digests, "nothing is computed any more");
    // Others sign in from there.
    browser.verify("grace", PASSWORD).await.expect(200);

    let told = receiver.wait(1).await[0].json();
    assert_eq!(
        (&told["event"], &told["type"], &told["value"]),
        (&json!("Identifier.Lockout"), &json!("username"), &json!("ADA"))
    );
    assert_eq!(told["sessionId"], browser.interaction_id.as_str());

    server.clock.advance(Duration::from_secs(3599));
    let mut later = Browser::new(&server).await;
    later.start("SignIn").await.expect(204);
    later.verify("ada", PASSWORD).await.expect_api_error(400, BLOCKED);
    server.clock.advance(Duration::from_secs(1));
    later.verify("ada", PASSWORD).await.expect(200);
    assert_eq!(receiver.count(), 1, "it was told once");
});

both!(people_that_do_not_exist_are_locked_alike, async |server: TestServer| {
    settings(&server, json!({ "sentinelPolicy": { "maxAttempts": 2, "lockoutDuration": 5 } })).await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    lock(&mut browser, "nobody", 2).await;
    let blocked = browser.verify("nobody", PASSWORD).await;
    blocked.expect_api_error(400, BLOCKED);
    assert_eq!(blocked["data"]["relativeTime"], "5 minutes");
    server.clock.advance(Duration::from_mins(5));
    fail(&mut browser, "nobody", 1).await;
});

both!(guesses_at_once_do_not_pass_each_other, async |server: TestServer| {
    user(&server, "ada").await;
    let mut guesses = JoinSet::new();
    for _ in 0..20 {
        let mut browser = Browser::new(&server).await;
        browser.start("SignIn").await.expect(204);
        guesses.spawn(async move { browser.verify("ada", "a wrong password").await });
    }
    let mut codes = BTreeMap::new();
    for answer in guesses.join_all().await {
        *codes.entry(answer.text("code")).or_insert(0) += 1;
    }
    assert_eq!(codes, BTreeMap::from([(BLOCKED.to_owned(), 11), ("session.invalid_credentials".to_owned(), 9)]));
});

both!(a_right_answer_that_another_step_overtakes_is_no_failure, async |server: TestServer| {
    let counted = async || {
        let hash = tokens::hash("address:127.0.0.1");
        attempts::find(&mut server.begin().await, &hash).await.unwrap().failures
    };
    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    fail(&mut browser, "nobody", 1).await;
    assert_eq!(counted().await, 1);
    let mut overtaken = 0;
    for _ in 0..10 {
        let mut verifications = JoinSet::new();
        for _ in 0..4 {
            let mut browser = browser.clone();
            verifications.spawn(async move { browser.verify("ada", PASSWORD).await.status });
        }
        let statuses = verifications.join_all().await;
        assert!(statuses.iter().all(|status| [200, 409].contains(status)), "{statuses:?}");
        overtaken += statuses.iter().filter(|status| **status == 409).count();
    }
    assert!(overtaken > 0);
    assert_eq!(counted().await, 1);
});

both!(nobody_is_locked_out_of_their_own_device, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_SESSION_IDLE_TTL", "7200")]).await.unwrap();
    user(&server, "ada").await;
    user(&server, "grace").await;
    let (mut mine, mut hers) = (Browser::new(&server).await, Browser::new(&server).await);
    mine.sign_in("ada").await;
    hers.sign_in("grace").await;
    let mut attacker = Browser::new(&server).await;
    attacker.start("SignIn").await.expect(204);
    lock(&mut attacker, "ada", 10).await;
    attacker.verify("ada", PASSWORD).await.expect_api_error(400, BLOCKED);
    mine.authorize(&server).await;
    mine.sign_in("ada").await;
    // A session of somebody else is none of this user.
    hers.authorize(&server).await;
    hers.start("SignIn").await.expect(204);
    hers.verify("ada", PASSWORD).await.expect_api_error(400, BLOCKED);
    // What they mistype there locks nobody.
    mine.authorize(&server).await;
    mine.start("SignIn").await.expect(204);
    fail(&mut mine, "ada", 12).await;
    mine.verify("ada", PASSWORD).await.expect(200);

    // Neither when the session has ended.
    server.clock.advance(Duration::from_secs(7200));
    attacker.authorize(&server).await;
    attacker.start("SignIn").await.expect(204);
    lock(&mut attacker, "ada", 10).await;
    mine.session = None;
    mine.authorize(&server).await;
    mine.sign_in("ada").await;

    // A new password forgets the browser.
    let id = server.management().await.get("/api/users?search=ada").await.expect(200).body[0]["id"].clone();
    let path = format!("/api/users/{}/password", id.as_str().unwrap());
    server.management().await.patch(&path, json!({ "password": PASSWORD })).await.expect(200);
    mine.authorize(&server).await;
    mine.start("SignIn").await.expect(204);
    mine.verify("ada", PASSWORD).await.expect_api_error(400, BLOCKED);
});

both!(a_browser_is_known_by_a_cookie_that_nobody_else_knew_before, async |server: TestServer| {
    user(&server, "ada").await;
    let (mut hers, mut attacker) = (Browser::new(&server).await, Browser::new(&server).await);
    hers.known = Some("planted".to_owned());
    hers.sign_in("ada").await;
    assert_ne!(hers.known.as_deref(), Some("planted"));
    let before = hers.known.clone();
    hers.authorize(&server).await;
    hers.sign_in("ada").await;
    attacker.start("SignIn").await.expect(204);
    lock(&mut attacker, "ada", 10).await;
    for known in [Some("planted".to_owned()), before, None] {
        attacker.known = known;
        attacker.verify("ada", PASSWORD).await.expect_api_error(400, BLOCKED);
    }
    server.clock.advance(Duration::from_hours(180 * 24));
    attacker.authorize(&server).await;
    attacker.start("SignIn").await.expect(204);
    lock(&mut attacker, "ada", 10).await;
    hers.authorize(&server).await;
    hers.start("SignIn").await.expect(204);
    hers.verify("ada", PASSWORD).await.expect_api_error(400, BLOCKED);
});

both!(a_lock_out_that_follows_another_lasts_twice_as_long, async |server: TestServer| {
    settings(&server, json!({ "sentinelPolicy": { "maxAttempts": 2, "lockoutDuration": 10 } })).await;
    for minutes in [10, 20, 40] {
        let mut browser = Browser::new(&server).await;
        browser.start("SignIn").await.expect(204);
        lock(&mut browser, "ada", 2).await;
        server.clock.advance(Duration::from_mins(minutes - 1));
        browser.verify("ada", PASSWORD).await.expect_api_error(400, BLOCKED);
        server.clock.advance(Duration::from_mins(1));
    }
    server.clock.advance(Duration::from_hours(24));
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    lock(&mut browser, "ada", 2).await;
    assert_eq!(browser.verify("ada", PASSWORD).await["data"]["relativeTime"], "10 minutes");
});

both!(failures_of_a_minute_are_limited_in_all, async |home: Arc<Home>| {
    let changes = [("CLAIMSMITH_MAX_FAILED_SIGN_INS_PER_MINUTE", "10"), ("CLAIMSMITH_TRUSTED_PROXIES", "127.0.0.1")];
    let server = TestServer::start(&home, &changes).await.unwrap();
    user(&server, "ada").await;
    user(&server, "grace").await;
    let (mut known, mut browser) = (Browser::new(&server).await, Browser::new(&server).await);
    known.sign_in("ada").await;
    browser.start("SignIn").await.expect(204);
    for number in 0..10 {
        fail(&mut browser, &format!("nobody{number}"), 1).await;
    }
    browser.verify("grace", PASSWORD).await.expect_api_error(400, BLOCKED);
    known.authorize(&server).await;
    known.sign_in("ada").await;
    // Addresses without failures go on too, each until its first one.
    let mut elsewhere = Browser::new(&server).await;
    elsewhere.from = Some("198.51.100.1".to_owned());
    elsewhere.start("SignIn").await.expect(204);
    elsewhere.verify("grace", PASSWORD).await.expect(200);
    fail(&mut elsewhere, "grace", 1).await;
    elsewhere.verify("grace", PASSWORD).await.expect_api_error(400, BLOCKED);
    server.clock.advance(Duration::from_mins(1));
    browser.verify("grace", PASSWORD).await.expect(200);
    elsewhere.verify("grace", PASSWORD).await.expect(200);
});

both!(the_networks_of_one_customer_are_counted_together, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_TRUSTED_PROXIES", "127.0.0.1")]).await.unwrap();
    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let [subnet, customer, site] = ["2001:db8:1:100::", "2001:db8:1:100::/56", "2001:db8:1::/48"]
        .map(|network| tokens::hash(&format!("address:{network}")));
    let counted = async |hash: &str| attempts::find(&mut server.begin().await, hash).await.unwrap().failures;
    // As many as were counted there, from many of their networks.
    let count = async |hash: &str, failures: i64| {
        let mut tx = server.begin().await;
        let sql = "UPDATE sign_in_attempts SET failures = $1 WHERE hash = $2";
        tx.sql(sql).bind(failures).bind(hash).execute().await.unwrap();
        tx.commit().await.unwrap();
    };
    let mut from = async |address: &str| {
        browser.from = Some(address.to_owned());
        browser.verify("ada", PASSWORD).await
    };
    from("2001:db8:1:100::1").await.expect(200);
    assert_eq!([counted(&subnet).await, counted(&customer).await, counted(&site).await], [0, 0, 0], "it was right");
    count(&customer, 400).await;
    for address in ["2001:db8:1:100::1", "2001:db8:1:1ff::1"] {
        from(address).await.expect_api_error(400, BLOCKED);
    }
    from("2001:db8:1:200::1").await.expect(200);
    count(&site, 1600).await;
    from("2001:db8:1:200::1").await.expect_api_error(400, BLOCKED);
    from("2001:db8:2:100::1").await.expect(200);
});

both!(one_address_tries_only_so_fast, async |server: TestServer| {
    settings(&server, json!({ "sentinelPolicy": { "maxAttempts": 10_000 } })).await;
    user(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    for _ in 0..300 {
        browser.verify("ada", PASSWORD).await.expect(200);
    }
    browser.verify("ada", PASSWORD).await.expect_api_error(400, BLOCKED);
    server.clock.advance(Duration::from_secs(1));
    for _ in 0..5 {
        browser.verify("ada", PASSWORD).await.expect(200);
    }
    browser.verify("ada", PASSWORD).await.expect_api_error(400, BLOCKED);
});

both!(a_hundred_failures_of_an_hour_lock_an_address, async |server: TestServer| {
    user(&server, "ada").await;
    let mut mine = Browser::new(&server).await;
    mine.sign_in("ada").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    // Successes do not count.
    for number in 0..100 {
        fail(&mut browser, &format!("nobody{number}"), 1).await;
        if number % 10 == 0 {
            browser.verify("ada", PASSWORD).await.expect(200);
        }
    }
    browser.verify("ada", PASSWORD).await.expect_api_error(400, BLOCKED);
    // Known or not.
    mine.authorize(&server).await;
    mine.start("SignIn").await.expect(204);
    mine.verify("ada", PASSWORD).await.expect_api_error(400, BLOCKED);
    // What was tried from there meanwhile is not held against anybody.
    for _ in 0..20 {
        browser.verify("ada", "a wrong password").await.expect_api_error(400, BLOCKED);
    }
    server.clock.advance(Duration::from_hours(1));
    let mut later = Browser::new(&server).await;
    later.start("SignIn").await.expect(204);
    later.verify("ada", PASSWORD).await.expect(200);
});
