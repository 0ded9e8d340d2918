//! What callers without credentials of the operator can create: each kind of row is refused beyond its bound, for the caller
//! who has too many and for nobody else, and the operator is told.

use crate::avatar::upload;
use crate::browser::{Browser, PASSWORD, user};
use claimsmith_domain::outsider_rows::{MAX_OWN_DATA_BYTES, MAX_SESSIONS, OUTSIDER_ROWS, OutsiderRows, RowKind};
use claimsmith_storage::Slice;
use claimsmith_storage::audit::{self, Filter};
use claimsmith_test_support::{Answer, Home, TestServer, both, png, told, until};
use reqwest::Method;
use serde_json::{Value, json};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

const CALLBACK: &str = "https://shop.example.com/callback";
/// The challenge of RFC 7636 appendix B.
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
/// Whoever creates much, and somebody else.
const GREEDY: &str = "203.0.113.7";
const OTHER: &str = "198.51.100.9";

#[derive(claimsmith_storage::Row)]
struct Stored {
    rows: i64,
    bytes: i64,
}

/// A server behind a proxy, with a public application.
async fn start(home: &Arc<Home>) -> (TestServer, String) {
    let server = TestServer::start(home, &[("CLAIMSMITH_TRUSTED_PROXIES", "127.0.0.0/8")]).await.unwrap();
    let body = json!({ "name": "App", "type": "Native", "oidcClientMetadata": { "redirectUris": [CALLBACK] } });
    let id = server.management().await.post("/api/applications", body).await.expect(200).text("id");
    (server, id)
}

/// The parameters of a request of about so many bytes.
fn request(client_id: &str, bytes: usize) -> Vec<(String, String)> {
    let texts = ["state", "nonce", "login_hint"].map(|name| (name, "x".repeat(bytes / 3)));
    let mut parameters = vec![
        ("client_id", client_id.to_owned()),
        ("redirect_uri", CALLBACK.to_owned()),
        ("response_type", "code".to_owned()),
        ("scope", "openid".to_owned()),
        ("code_challenge", CHALLENGE.to_owned()),
        ("code_challenge_method", "S256".to_owned()),
    ];
    parameters.extend(texts);
    parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

async fn post(server: &TestServer, path: &str, form: &[(String, String)], from: &str) -> Answer {
    Answer::of(server.http.post(server.url(path)).form(form).header("x-forwarded-for", from)).await
}

/// The body of a request is not read: neither one that is too large nor one in no format matters.
async fn refused_unread(request: impl Fn() -> reqwest::RequestBuilder) {
    for body in [vec![b'x'; 1_500_000], b"no JSON".to_vec()] {
        Answer::of(request().body(body)).await.expect_api_error(503, "request.too_many");
    }
}

/// How much is in a table.
async fn stored(server: &TestServer, sql: &'static str) -> Stored {
    server.begin().await.sql(sql).one().await.unwrap()
}

/// The entries that tell of this bound.
async fn entries(server: &TestServer, rules: &OutsiderRows) -> Vec<Value> {
    let filter = Filter { key: Some("Rows.Refused".to_owned()), ..Filter::default() };
    let found = audit::list(&mut server.begin().await, &filter, Slice::ALL).await.unwrap();
    found.into_iter().map(|entry| entry.payload.0).filter(|entry| entry["error"]["code"] == rules.name).collect()
}

/// The operator is told, by few entries.
async fn told_of(server: &TestServer, kind: RowKind) {
    let rules = kind.rules();
    let found =
        until("the audit log tells", async || Some(entries(server, rules).await).filter(|found| !found.is_empty()));
    let found = found.await;
    assert!(found.len() <= 11 && found[0]["ip"] != Value::Null, "{}: {found:?}", rules.name);
}

/// What is there is within the bound.
fn check(kind: RowKind, there: &Stored) {
    let each = kind.rules().each;
    let (rows, bytes) = (there.rows.unsigned_abs(), there.bytes.unsigned_abs());
    assert!(rows > 0 && rows <= each.rows && bytes <= each.bytes, "{}: {rows} rows, {bytes} bytes", kind.rules().name);
}

both!(pushed_requests_are_bounded_and_short_lived, async |home: Arc<Home>| {
    let (server, client) = start(&home).await;
    let mut form = request(&client, 9_000);
    form.push(("unknown".to_owned(), "y".repeat(20_000)));
    let mut count = 0;
    let refused = loop {
        let answer = post(&server, "/oidc/request", &form, GREEDY).await;
        if answer.status != 201 {
            break answer;
        }
        count += 1;
    };
    assert_eq!((refused.status, &refused["error"]), (503, &json!("temporarily_unavailable")));
    assert!(refused.header("retry-after").is_some(), "{refused:?}");
    post(&server, "/oidc/request", &form, OTHER).await.expect(201);
    let there =
        "SELECT COUNT(*) AS rows, CAST(SUM(LENGTH(CAST(parameters AS TEXT))) AS BIGINT) AS bytes FROM pushed_requests";
    let found = stored(&server, there).await;
    assert_eq!(found.rows, count + 1);
    // What this server does not read is not stored.
    assert!(found.bytes / found.rows < 12_000, "{}", found.bytes / found.rows);
    check(RowKind::PushedRequests, &found);
    told_of(&server, RowKind::PushedRequests).await;
    // After their minute they are gone, and others may come.
    server.clock.advance(Duration::from_secs(61));
    claimsmith_identity::retention::delete_expired(&server.app).await.unwrap();
    assert_eq!(
        stored(&server, "SELECT COUNT(*) AS rows, CAST(0 AS BIGINT) AS bytes FROM pushed_requests").await.rows,
        0
    );
    post(&server, "/oidc/request", &form, GREEDY).await.expect(201);
    // A request that is too long is refused at once.
    let long = request(&client, 12_288);
    assert_eq!(post(&server, "/oidc/request", &long, OTHER).await.expect(400)["error"], "invalid_request");
});

both!(interactions_are_bounded, async |home: Arc<Home>| {
    let (server, client) = start(&home).await;
    let refused = async |form: &[(String, String)], from: &str| {
        let answer = post(&server, "/oidc/auth", form, from).await.expect(303);
        told(&answer).remove("error")
    };
    let form = request(&client, 9_000);
    for _ in 0..100 {
        assert_eq!(refused(&form, GREEDY).await, None);
    }
    let sql = "SELECT COUNT(*) AS rows, CAST(SUM(LENGTH(CAST(request AS TEXT))) AS BIGINT) AS bytes FROM interactions";
    check(RowKind::Interactions, &stored(&server, sql).await);
    assert_eq!(refused(&request(&client, 12_288), GREEDY).await.as_deref(), Some("invalid_request"));
    server.app.use_up_rows(RowKind::Interactions, GREEDY.parse::<IpAddr>().unwrap());
    assert_eq!(refused(&form, GREEDY).await.as_deref(), Some("temporarily_unavailable"));
    assert_eq!(refused(&form, OTHER).await, None);
    told_of(&server, RowKind::Interactions).await;
    let waited = u64::try_from(RowKind::Interactions.rules().lifetime_ms).unwrap();
    server.clock.advance(Duration::from_millis(waited));
    assert_eq!(refused(&form, GREEDY).await, None);
});

both!(codes_are_bounded, async |home: Arc<Home>| {
    let (server, client) = start(&home).await;
    let (browser, _) = server.signed_in(&[&server.demo().customer_user_id]).await;
    let ask = async |from: &str| {
        let post =
            server.http.post(server.url("/oidc/auth")).form(&request(&client, 30)).header("x-forwarded-for", from);
        told(&browser.send(post).await.expect(303))
    };
    assert!(ask(GREEDY).await.contains_key("code"));
    server.app.use_up_rows(RowKind::Codes, GREEDY.parse().unwrap());
    assert_eq!(ask(GREEDY).await["error"], "temporarily_unavailable");
    assert!(ask(OTHER).await.contains_key("code"));
    told_of(&server, RowKind::Codes).await;
});

both!(tokens_that_somebody_gets_again_and_again_are_bounded, async |home: Arc<Home>| {
    let (server, _) = start(&home).await;
    let (ada, ben) = (user(&server, "ada").await, user(&server, "ben").await);
    let management = server.management().await;
    let personal = async |user_id: &str| {
        let path = format!("/api/users/{user_id}/personal-access-tokens");
        let token = management.post(&path, json!({ "name": "laptop" })).await.expect(201).text("value");
        server.exchange(&token).with("subject_token_type", "urn:logto:token-type:personal_access_token")
    };
    let (of_ada, of_ben) = (personal(&ada).await, personal(&ben).await);
    of_ada.send().await.expect(200);
    server.app.use_up_rows_of_user(RowKind::Tokens, &ada.as_str().into());
    let refused = of_ada.send().await;
    refused.expect_oauth_error(503, "temporarily_unavailable");
    assert!(refused.header("retry-after").is_some());
    of_ben.send().await.expect(200);
    told_of(&server, RowKind::Tokens).await;
});

both!(device_codes_are_bounded, async |home: Arc<Home>| {
    let (server, _) = start(&home).await;
    let body = json!({ "name": "Set", "type": "Native", "customClientMetadata": { "isDeviceFlow": true } });
    let client = server.management().await.post("/api/applications", body).await.expect(200).text("id");
    let form = [("client_id".to_owned(), client), ("scope".to_owned(), "openid".to_owned())];
    let ask = async |from: &str| post(&server, "/oidc/device/auth", &form, from).await;
    let mut count = 0;
    let refused = loop {
        // So many a second, whatever they store, are another limit.
        server.clock.advance(Duration::from_millis(if count >= 290 { 100 } else { 0 }));
        let answer = ask(GREEDY).await;
        if answer.status != 200 {
            break answer;
        }
        count += 1;
    };
    refused.expect_oauth_error(503, "temporarily_unavailable");
    ask(OTHER).await.expect(200);
    let sql = "SELECT COUNT(*) AS rows, CAST(SUM(LENGTH(CAST(request AS TEXT))) AS BIGINT) AS bytes FROM device_authorizations";
    check(RowKind::DeviceCodes, &stored(&server, sql).await);
    told_of(&server, RowKind::DeviceCodes).await;
});

both!(pictures_and_their_decoding_are_bounded, async |home: Arc<Home>| {
    let (server, _) = start(&home).await;
    for (kind, is_picture) in [(RowKind::Pictures, true), (RowKind::PictureWork, false)] {
        let file = if is_picture { png(9, 9) } else { b"GIF89a and nothing else".to_vec() };
        let mut last = None;
        for _ in 0..kind.rules().each.rows {
            // Each in an interaction of its own, where it takes the place of no other.
            let mut browser = Browser::new(&server).await;
            browser.from = Some(GREEDY.to_owned());
            browser.start("Register").await.expect(204);
            let answer = upload(&browser, &file).await;
            if answer.status == 503 {
                last = Some(answer);
                break;
            }
            answer.expect(if is_picture { 200 } else { 400 });
            // Pictures are decoded again soon.
            server.clock.advance(Duration::from_secs(if is_picture { 60 } else { 0 }));
        }
        let refused = last.unwrap();
        refused.expect_api_error(503, "request.too_many");
        assert!(refused.header("retry-after").is_some(), "{refused:?}");
        if !is_picture {
            let mut greedy = Browser::new(&server).await;
            greedy.from = Some(GREEDY.to_owned());
            greedy.start("Register").await.expect(204);
            let path = "/user-assets/avatar";
            refused_unread(|| greedy.request(Method::POST, path).header("sec-fetch-site", "same-origin")).await;
        }
        let mut other = Browser::new(&server).await;
        other.from = Some(OTHER.to_owned());
        other.start("Register").await.expect(204);
        upload(&other, &file).await.expect(if is_picture { 200 } else { 400 });
        told_of(&server, kind).await;
    }
    check(
        RowKind::Pictures,
        &stored(&server, "SELECT COUNT(*) AS rows, CAST(SUM(LENGTH(content)) AS BIGINT) AS bytes FROM avatars").await,
    );
    server.clock.advance(Duration::from_secs(3601));
    claimsmith_identity::retention::delete_expired(&server.app).await.unwrap();
    assert_eq!(stored(&server, "SELECT COUNT(*) AS rows, CAST(0 AS BIGINT) AS bytes FROM avatars").await.rows, 0);
});

both!(repeated_steps_are_counted_in_one_entry, async |home: Arc<Home>| {
    let (server, _) = start(&home).await;
    let mut browser = Browser::new(&server).await;
    browser.from = Some(GREEDY.to_owned());
    let steps = RowKind::AuditEntries.rules().each.rows / 2 + 20;
    for _ in 0..steps {
        browser.start("SignIn").await.expect(204);
    }
    let sql = "SELECT COUNT(*) AS rows, CAST(SUM(LENGTH(CAST(payload AS TEXT))) AS BIGINT) AS bytes FROM logs WHERE key = 'Interaction.SignIn.Update'";
    check(RowKind::AuditEntries, &stored(&server, sql).await);
    server.clock.advance(Duration::from_secs(61));
    server.app.refusals.write().await.unwrap();
    let filter = Filter { key: Some("Interaction.SignIn.Update".to_owned()), ..Filter::default() };
    let found = audit::list(&mut server.begin().await, &filter, Slice::ALL).await.unwrap();
    let told = |entry: &Value| entry["count"].as_u64().unwrap_or(1);
    assert_eq!(found.iter().map(|entry| told(&entry.payload.0)).sum::<u64>(), steps);
    let folded: Vec<_> = found.iter().filter(|entry| entry.payload["count"].is_u64()).collect();
    assert_eq!(
        (folded.len(), &folded[0].payload["result"], &folded[0].payload["ip"]),
        (1, &json!("Success"), &json!(GREEDY))
    );
    // Far more are refused.
    server.app.use_up_rows(RowKind::Steps, GREEDY.parse().unwrap());
    let refused = browser.start("SignIn").await;
    refused.expect_api_error(503, "request.too_many");
    refused_unread(|| browser.request(Method::PUT, "").header("sec-fetch-site", "same-origin")).await;
    told_of(&server, RowKind::Steps).await;
});

both!(registrations_are_bounded, async |home: Arc<Home>| {
    let (server, _) = start(&home).await;
    let register = async |from: &str, name: &str| {
        let mut browser = Browser::new(&server).await;
        browser.from = Some(from.to_owned());
        browser.start("Register").await.expect(204);
        let chosen = browser.choose(name, PASSWORD).await.expect(200);
        browser.identify(&chosen).await
    };
    register(GREEDY, "one").await.expect(201);
    server.app.use_up_rows(RowKind::Registrations, GREEDY.parse().unwrap());
    register(GREEDY, "two").await.expect_api_error(503, "request.too_many");
    register(OTHER, "two").await.expect(201);
    told_of(&server, RowKind::Registrations).await;
});

both!(what_people_write_about_themselves_is_bounded, async |home: Arc<Home>| {
    let (server, _) = start(&home).await;
    let id = user(&server, "ada").await;
    let management = server.management().await;
    let fields = json!({ "enabled": true, "fields": { "customData": "Edit", "profile": "Edit", "name": "Edit" } });
    management.patch("/api/account-center", fields).await.expect(200);
    let token = server.mint(&id.as_str().into(), &server.demo().web_client_id, "openid profile custom_data").await;
    let ada = server.bearer(&token);
    let data = |bytes: usize| json!({ "customData": { "text": "x".repeat(bytes) } });
    ada.patch("/api/my-account", data(MAX_OWN_DATA_BYTES - 100)).await.expect(200);
    ada.patch("/api/my-account", data(MAX_OWN_DATA_BYTES)).await.expect_api_error(422, "user.data_too_large");
    let profile = json!({ "nickname": "y".repeat(200) });
    let refused = ada.patch("/api/my-account/profile", profile).await;
    refused.expect_api_error(422, "user.data_too_large");
    let more = json!({ "customData": { "more": "z".repeat(100_000) } });
    // The Management API writes more, which its user may make smaller.
    management.patch(&format!("/api/users/{id}/custom-data"), more).await.expect(200);
    ada.patch("/api/my-account", json!({ "name": "Ada" })).await.expect(200);
    ada.patch("/api/my-account", data(MAX_OWN_DATA_BYTES * 2)).await.expect(200);
    ada.patch("/api/my-account", data(MAX_OWN_DATA_BYTES * 2 + 1)).await.expect_api_error(422, "user.data_too_large");
    ada.patch("/api/my-account", data(10)).await.expect(200);
    // So often, and no more.
    let mut count = 0;
    let refused = loop {
        let answer = ada.patch("/api/my-account", json!({ "name": format!("Ada {count}") })).await;
        if answer.status != 200 {
            break answer;
        }
        count += 1;
    };
    refused.expect_api_error(503, "request.too_many");
    refused_unread(|| ada.request(Method::PATCH, "/api/my-account")).await;
    ada.get("/api/my-account").await.expect(200);
    assert!(count < RowKind::OwnChanges.rules().each.rows, "{count}");
    told_of(&server, RowKind::OwnChanges).await;
    server.clock.advance(Duration::from_secs(60));
    ada.patch("/api/my-account", json!({ "name": "Ada" })).await.expect(200);
});

both!(a_user_has_so_many_sessions, async |home: Arc<Home>| {
    let (server, _) = start(&home).await;
    user(&server, "ada").await;
    for _ in 0..MAX_SESSIONS + 5 {
        let mut browser = Browser::new(&server).await;
        browser.sign_in("ada").await;
        server.clock.advance(Duration::from_secs(1));
    }
    let there = stored(&server, "SELECT COUNT(*) AS rows, CAST(0 AS BIGINT) AS bytes FROM sessions").await;
    assert_eq!(there.rows, i64::try_from(MAX_SESSIONS).unwrap());
});

#[test]
fn every_kind_has_a_test_here() {
    let own = include_str!("outsiders.rs");
    for rules in &OUTSIDER_ROWS {
        let named = format!("RowKind::{:?}", rules.kind);
        assert!(own.contains(&named), "{}", rules.name);
    }
}
