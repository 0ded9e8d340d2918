//! Crash safety of sign-in: a server that is killed during exchanges of codes, refreshes and logouts has used nothing
//! twice, and has lost no session, no family of refresh tokens and no logout.

use crate::BINARY;
use crate::metrics::{scrape, value};
use crate::sign_in::{BASE_URL, Client, customer};
use claimsmith_domain::clock::Clock;
use claimsmith_services::tokens;
use claimsmith_storage::Db;
use claimsmith_storage::sessions::{codes, refresh_tokens};
use claimsmith_test_support::{Answer, Browser, Form, Home, Process, Receiver, Reply, both, until};
use serde_json::json;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;
use tokio::task::JoinSet;

/// Codes, or families of refresh tokens, of one round.
const MANY: usize = 40;
/// Requests that run at once.
const WORKERS: usize = 8;
/// After how many answers the server dies, in each round.
const DEATHS: [usize; 3] = [1, 7, 19];

async fn start(home: &Home) -> Process {
    Process::start(BINARY, home, &[BASE_URL]).await.unwrap()
}

/// Sends a form for each of these, until so many have been answered, and kills the server at once. The answer to each;
/// `None` where it never came.
async fn send_until_killed(
    server: &mut Process,
    shown: Vec<String>,
    form: impl Fn(&str) -> Form,
    answers: usize,
) -> HashMap<String, Option<Answer>> {
    let waiting: Vec<(String, Form)> = shown.into_iter().map(|shown| (shown.clone(), form(&shown))).collect();
    let waiting = Arc::new(Mutex::new(waiting));
    let (answered, enough) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
    let mut workers = JoinSet::new();
    for _ in 0..WORKERS {
        let (waiting, answered, enough) = (waiting.clone(), answered.clone(), enough.clone());
        workers.spawn(async move {
            let mut seen = Vec::new();
            loop {
                let Some((shown, form)) = waiting.lock().unwrap().pop() else { return seen };
                let answer = Answer::try_of(form.request()).await.ok();
                if answered.fetch_add(1, Ordering::SeqCst) + 1 == answers {
                    enough.notify_one();
                }
                seen.push((shown, answer));
            }
        });
    }
    enough.notified().await;
    server.kill().await;
    let seen: HashMap<_, _> = workers.join_all().await.into_iter().flatten().collect();
    assert_eq!(seen.len(), MANY);
    assert!(seen.values().flatten().all(|answer| answer.status == 200), "{seen:?}");
    assert!(seen.values().flatten().count() >= answers);
    seen
}

#[derive(claimsmith_storage::Row)]
struct Count {
    count: i64,
}

async fn count(db: &Db, sql: &'static str, value: &str) -> i64 {
    db.read().await.unwrap().sql(sql).bind(value).one::<Count>().await.unwrap().count
}

/// How many access tokens of a family are live, and how many refresh tokens.
async fn family(db: &Db, id: &str) -> (i64, i64) {
    let access = "SELECT COUNT(*) AS count FROM issuances WHERE family_id = $1 AND revoked_at IS NULL";
    let refresh = "SELECT COUNT(*) AS count FROM refresh_tokens WHERE family_id = $1 AND consumed_at IS NULL";
    (count(db, access, id).await, count(db, refresh, id).await)
}

/// Codes of the session of a browser.
async fn codes_of(client: &Client, browser: &Browser) -> Vec<String> {
    let mut codes = Vec::new();
    for _ in 0..MANY {
        codes.push(client.silent(browser, "code").await.unwrap());
    }
    codes
}

both!(no_code_is_used_twice_and_no_session_is_lost, async |home: Arc<Home>| {
    let db = home.db().await;
    let mut server = start(&home).await;
    let client = Client::register(&server, json!({ "type": "Native" })).await;
    let mut browser = customer(&server, &db).await;
    for answers in DEATHS {
        let codes = codes_of(&client, &browser).await;
        let api = (*server).clone();
        let seen = send_until_killed(&mut server, codes, |code| client.exchange(&api, code), answers).await;
        server = start(&home).await;
        browser = browser.at(&server);
        for (code, answer) in seen {
            let stored = codes::find(&mut db.read().await.unwrap(), &tokens::hash(&code)).await.unwrap().unwrap();
            let (consumed, family_id) = (stored.consumed_at.is_some(), stored.family_id);
            let one = i64::from(consumed);
            assert_eq!(family(&db, &family_id).await, (one, one), "consumed and recorded together, or neither");
            if let Some(answer) = answer {
                assert!(consumed, "what was answered was durable");
                server.bearer(&answer.text("access_token")).get("/oidc/me").await.expect(200);
                client.refresh(&server, &answer.text("refresh_token")).send().await.expect(200);
            } else {
                if !consumed {
                    client.exchange(&server, &code).send().await.expect(200);
                    assert_eq!(family(&db, &family_id).await, (1, 1));
                }
                // Once more is once too often, also for what was consumed and never answered.
                client.exchange(&server, &code).send().await.expect_oauth_error(400, "invalid_grant");
                assert_eq!(family(&db, &family_id).await, (0, 0));
            }
        }
        assert!(client.silent(&browser, "code").await.is_some(), "the session lives");
    }
    db.close().await;
});

/// Puts the first use of a token so many milliseconds before now: the server takes some time to start, and nobody waits
/// for the end of a leeway.
async fn was_used(db: &Db, hash: &str, before: i64) {
    let mut tx = db.begin().await.unwrap();
    let sql = "UPDATE refresh_tokens SET rotated_at = $1 WHERE hash = $2";
    tx.sql(sql).bind(Clock::system().now_ms() - before).bind(hash).execute().await.unwrap();
    tx.commit().await.unwrap();
}

both!(no_refresh_token_is_used_twice_and_no_family_is_lost, async |home: Arc<Home>| {
    let db = home.db().await;
    let mut server = start(&home).await;
    let client = Client::register(&server, json!({ "type": "Native" })).await;
    let browser = customer(&server, &db).await;
    for answers in DEATHS {
        let mut shown = Vec::new();
        for code in codes_of(&client, &browser.at(&server)).await {
            shown.push(client.exchange(&server, &code).send().await.expect(200).text("refresh_token"));
        }
        let api = (*server).clone();
        let seen = send_until_killed(&mut server, shown, |token| client.refresh(&api, token), answers).await;
        server = start(&home).await;
        for (token, answer) in seen {
            let hash = tokens::hash(&token);
            let stored = refresh_tokens::find(&mut db.read().await.unwrap(), &hash).await.unwrap().unwrap();
            let (consumed, family_id) = (stored.consumed_at.is_some(), stored.family_id);
            assert_eq!(family(&db, &family_id).await, (1 + i64::from(consumed), 1), "one that lives, in every case");
            let successor = if let Some(answer) = &answer {
                assert!(consumed, "what was answered was durable");
                answer.text("refresh_token")
            } else {
                if consumed {
                    was_used(&db, &hash, 0).await;
                }
                // Its answer was lost, if there was one: it comes again.
                client.refresh(&server, &token).send().await.expect(200).text("refresh_token")
            };
            assert_eq!(family(&db, &family_id).await.1, 1);
            let last = client.refresh(&server, &successor).send().await.expect(200);
            assert_eq!(family(&db, &family_id).await.1, 1);
            // After its leeway, whoever comes with it has stolen it.
            was_used(&db, &hash, 60_000).await;
            client.refresh(&server, &token).send().await.expect_oauth_error(400, "invalid_grant");
            client.refresh(&server, &last.text("refresh_token")).send().await.expect_oauth_error(400, "invalid_grant");
            assert_eq!(family(&db, &family_id).await, (0, 0));
        }
    }
    db.close().await;
});

both!(a_logout_is_told_by_the_next_server_when_one_is_killed, async |home: Arc<Home>| {
    let db = home.db().await;
    let receiver = Receiver::answering(|number, _| if number == 0 { Reply::Hang } else { Reply::from(204) }).await;
    // A lease is this time and five seconds.
    let changes = [BASE_URL, ("CLAIMSMITH_WEBHOOKS_TIMEOUT_MS", "2000"), ("CLAIMSMITH_LOG_FORMAT", "json")];
    let mut server = Process::start(BINARY, &home, &changes).await.unwrap();
    let metadata = json!({ "type": "Native", "oidcClientMetadata": { "backchannelLogoutUri": receiver.url() } });
    let client = Client::register(&server, metadata).await;
    let browser = customer(&server, &db).await;
    let code = client.silent(&browser, "code").await.unwrap();
    let hint = client.exchange(&server, &code).send().await.expect(200).text("id_token");
    // The answer does not wait for the application.
    browser.open(&format!("/oidc/session/end?id_token_hint={hint}")).await.expect(303);
    receiver.wait(1).await;
    server.kill().await;

    let server = Process::start(BINARY, &home, &changes).await.unwrap();
    let told = receiver.wait(2).await;
    let mut jtis = Vec::new();
    for received in &told {
        let form: HashMap<String, String> = form_urlencoded::parse(&received.body).into_owned().collect();
        let claims = server.verify(&form["logout_token"], &client.id).await.claims;
        assert_eq!(claims["sub"], server.demo().customer_user_id.as_str());
        jtis.push(claims["jti"].as_str().unwrap().to_owned());
    }
    assert_ne!(jtis[0], jtis[1]);
    let done = "SELECT COUNT(*) AS count FROM backchannel_logouts WHERE state = 'delivered' AND application_id = $1";
    until("its result", async || (count(&db, done, &client.id).await == 1).then_some(())).await;
    let text = scrape(&server).await;
    let labels = ["outcome=\"delivered\""];
    assert_eq!(value(&text, "claimsmith_backchannel_logout_attempts_total", &labels), 1, "{text}");
    assert_eq!(value(&text, "claimsmith_backchannel_logout_attempt_seconds_count", &[]), 1, "{text}");
    assert_eq!(receiver.count(), 2);
    db.close().await;
});
