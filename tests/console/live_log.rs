//! The live view of the audit log: what it shows, what ends it, how many a session has, and that all of them share what
//! one reader reads.

use crate::COOKIE;
use claimsmith_domain::console::ConsoleRole::Read;
use claimsmith_domain::id::UserId;
use claimsmith_domain::random;
use claimsmith_storage::audit::{self, StoredAuditEntry};
use claimsmith_storage::{Json, sessions};
use claimsmith_test_support::{Browser, Home, TestServer, both, in_time, on_postgres, until};
use reqwest::header::COOKIE as COOKIES;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;

/// Opens a view of what comes from now on.
async fn open(browser: &Browser, query: &str) -> Response {
    let request = browser.request(Method::GET, &format!("/console/logs/events?{query}"));
    let cookie = format!("{COOKIE}={}", browser.cookie(COOKIE).unwrap());
    request.header(COOKIES, cookie).send().await.unwrap()
}

fn entry(server: &TestServer, key: &str, payload: Value) -> StoredAuditEntry {
    let (id, key, created_at) = (random::id(21).unwrap(), key.to_owned(), server.clock.now_ms());
    StoredAuditEntry { id, key, payload: Json(payload), created_at }
}

async fn append(server: &TestServer, entries: &[StoredAuditEntry]) {
    let mut tx = server.begin().await;
    audit::append(&mut tx, entries).await.unwrap();
    tx.commit().await.unwrap();
}

/// Appends an entry with this key.
async fn write(server: &TestServer, key: &str) {
    append(server, &[entry(server, key, json!({}))]).await;
}

/// Reads a view until this stands in it; answers the text so far. `None` if it ends before.
async fn reads(view: &mut Response, wanted: &str) -> Option<String> {
    let mut seen = String::new();
    while let Ok(Some(chunk)) = in_time("a part of a live view", view.chunk()).await {
        seen += &String::from_utf8_lossy(&chunk);
        if seen.contains(wanted) {
            return Some(seen);
        }
    }
    None
}

/// The ids of the events of a text, sorted.
fn ids(text: &str) -> Vec<String> {
    let mut ids: Vec<_> = text.lines().filter_map(|line| Some(line.strip_prefix("id: ")?.to_owned())).collect();
    ids.sort();
    ids
}

async fn at_console(server: &TestServer, username: &str) -> (UserId, Browser) {
    let id = server.operator(username, &[Read]).await;
    (id, server.at_console(username).await)
}

both!(a_live_view_ends_with_the_session_and_the_role, async |server: TestServer| {
    let (ada, grace) = (at_console(&server, "ada").await, at_console(&server, "grace").await);
    let (lin, kim) = (at_console(&server, "lin").await, at_console(&server, "kim").await);
    let mut views = Vec::new();
    for (_, browser) in [&ada, &grace, &lin, &kim] {
        let view = open(browser, "").await;
        assert_eq!(view.status(), 200);
        assert_eq!(view.headers()["content-type"], "text/event-stream");
        views.push(view);
    }
    write(&server, "Test.Before").await;
    for view in &mut views {
        assert!(reads(view, "Test.Before").await.is_some());
    }

    let live = sessions::of_user(&mut server.begin().await, &ada.0, server.clock.now_ms(), 0).await.unwrap();
    let path = format!("/api/users/{}/sessions/{}", ada.0, live[0].id);
    server.management().await.delete(&path).await.expect(204);
    server.hold(&grace.0, &[]).await;
    let page = lin.1.visit("/console").await.expect(200);
    lin.1.fill_in(&page, "/console/sign-out", &[]).await.expect(303);
    write(&server, "Test.Afterwards").await;
    let mut kept = views.pop().unwrap();
    for (view, why) in views.iter_mut().zip(["the session was revoked", "the role was taken", "signed out"]) {
        assert_eq!(reads(view, "Test.Afterwards").await, None, "{why}");
    }
    assert!(reads(&mut kept, "Test.Afterwards").await.is_some());
});

both!(a_session_has_a_few_live_views, async |server: TestServer| {
    let (_, browser) = at_console(&server, "ada").await;
    let mut views = Vec::new();
    for _ in 0..4 {
        views.push(open(&browser, "").await);
        assert_eq!(views.last().unwrap().status(), 200);
    }
    let refused = open(&browser, "").await;
    assert_eq!(refused.status(), 429);
    assert!(refused.text().await.unwrap().contains("Too many live views are open"));
    let another = server.at_console("ada").await;
    assert_eq!(open(&another, "").await.status(), 200, "another session has its own");
    for view in &mut views {
        write(&server, "Test.Shown").await;
        assert!(reads(view, "Test.Shown").await.is_some(), "those that are open go on");
    }
    views.pop();
    until("room for another live view", async || (open(&browser, "").await.status() == 200).then_some(())).await;
});

both!(a_live_view_shows_what_the_list_of_its_filter_has, async |server: TestServer| {
    let (ada, browser) = at_console(&server, "ada").await;
    let other = server.at_console("ada").await;
    let application = server.demo().spa_client_id.clone();
    let filters = [
        ("q=Test.A", "logKey=Test.A*".to_owned()),
        ("person=ada", format!("personId={ada}")),
        (&*format!("application={application}"), format!("applicationId={application}")),
        ("ticket=T-1", "ticketId=T-1".to_owned()),
        ("result=Error", "result=Error".to_owned()),
        ("q=Test.&result=Success", "logKey=Test.*&result=Success".to_owned()),
        ("from=2100-01-01T00:00", "start_time=4102444800000".to_owned()),
        ("", String::new()),
    ];
    let mut views = Vec::new();
    for (number, (query, _)) in filters.iter().enumerate() {
        views.push(open(if number < 4 { &browser } else { &other }, query).await);
    }
    // What was there before is not shown.
    let before = server.management().await.get("/api/logs?page_size=100").await.expect(200).body;
    server.clock.advance(std::time::Duration::from_secs(1));
    let of = |key: &str, payload: Value| entry(&server, key, payload);
    let mut entries = vec![
        of("Test.A", json!({ "result": "Success" })),
        of("Test.B.A", json!({ "userId": ada, "result": "Success" })),
        of("Test.B", json!({ "byUserId": ada, "userId": "another" })),
        of("Test.B", json!({ "actorId": ada })),
        // At the console, who did it is not who is acted as.
        of("Test.B", json!({ "byUserId": "another", "actorId": ada })),
        of("Test.C", json!({ "applicationId": application, "result": "Error" })),
        of("Test.C", json!({ "context": { "ticketId": "T-1" } })),
        of("Test.C", json!({ "context": { "ticketId": "T-12" }, "subjectTokenContext": { "ticketId": "T-1" } })),
        of("TriggerHook.Test", json!({ "userId": ada, "result": "Error" })),
    ];
    server.clock.advance(std::time::Duration::from_secs(1));
    let all = json!({ "userId": ada, "applicationId": application, "context": { "ticketId": "T-1" } });
    for (key, result) in [("Test.A.Last", "Success"), ("Test.A.Last", "Error")] {
        let mut payload = all.clone();
        payload["result"] = json!(result);
        entries.push(of(key, payload));
    }
    let mut future = of("Test.A.Last", all);
    future.created_at = 4_102_444_800_000;
    entries.push(future);
    append(&server, &entries).await;
    for ((query, path), view) in filters.iter().zip(&mut views) {
        let listed = server.management().await.get(&format!("/api/logs?{path}&page_size=100")).await.expect(200).body;
        let listed = listed.as_array().unwrap().iter().filter(|entry| !before.as_array().unwrap().contains(entry));
        // The management application gets tokens meanwhile.
        let listed = listed.filter(|entry| entry["key"].as_str().unwrap().starts_with("Test."));
        let mut expected: Vec<_> = listed.map(|entry| entry["id"].as_str().unwrap().to_owned()).collect();
        expected.sort();
        assert!(!expected.is_empty(), "{query}");
        let mut shown = String::new();
        while ids(&shown).len() < expected.len() {
            shown += &reads(view, "Test.").await.unwrap();
            shown = shown.split_inclusive("\n\n").filter(|event| event.contains(" Test.")).collect();
        }
        assert_eq!(ids(&shown), expected, "{query}: {shown}");
    }
});

both!(a_live_view_that_is_behind_reads_what_it_missed, async |server: TestServer| {
    let (_, browser) = at_console(&server, "ada").await;
    let (mut rare, mut all) = (open(&browser, "q=Test.Rare").await, open(&browser, "").await);
    write(&server, "Test.Begin").await;
    assert!(reads(&mut all, "Test.Begin").await.is_some());
    // More than are read at once, in the time between two looks.
    for _ in 0..3 {
        write(&server, "Test.Rare").await;
        let many: Vec<_> = (0..150).map(|_| entry(&server, "Test.Often", json!({}))).collect();
        append(&server, &many).await;
        server.clock.advance(std::time::Duration::from_secs(1));
    }
    write(&server, "Test.Rare.Last").await;
    let mut shown = String::new();
    while !shown.contains("Test.Rare.Last") {
        shown += &reads(&mut rare, "Test.Rare").await.unwrap();
    }
    assert_eq!(ids(&shown).len(), 4, "{shown}");
    assert!(reads(&mut all, "Test.Rare.Last").await.is_some());
});

on_postgres!(live_views_share_one_reader, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[]).await.unwrap();
    let mut views = Vec::new();
    let begin = Instant::now();
    for name in ["ada", "grace", "lin", "kim"] {
        let (_, browser) = at_console(&server, name).await;
        for _ in 0..4 {
            views.push(open(&browser, "q=Test.").await);
        }
    }
    for round in 0..4 {
        let key = format!("Test.Round{round}");
        write(&server, &key).await;
        for view in &mut views {
            assert!(reads(view, &key).await.is_some(), "{key}");
        }
    }
    let opened = i64::try_from(views.len()).unwrap();
    drop(views);
    let seconds = i64::try_from(begin.elapsed().as_secs()).unwrap() + 1;
    server.stop().await;
    // How often the table was read; connections that are closed have told all they know.
    let db = home.db().await;
    let sql = "SELECT seq_scan + COALESCE(idx_scan, 0) FROM pg_stat_user_tables WHERE relname = 'logs'";
    let (scans,): (i64,) = db.begin().await.unwrap().sql(sql).one().await.unwrap();
    // A view counts and reads the list once, when it opens, with a scan for each step along the keys. The reader reads at
    // most once a second, and the start of the server sometimes; 16 views, each for itself, would read 16 times a second.
    let expected = 12 * opened + 2 * seconds + 20;
    assert!(scans <= expected, "{scans} scans in {seconds} seconds, at most {expected} expected");
});
