//! A version over all users at the console: started, followed, downloaded and deleted; what is refused stands at its field.

use claimsmith_domain::console::ConsoleRole::{Developer, Read};
use claimsmith_storage::users::{self, User};
use claimsmith_test_support::{Actor, Answer, TOKEN_EXCHANGE, TestServer, both, seed, until};
use reqwest::Method;
use serde_json::{Value, json};

/// More than a page of the API has differences.
const USERS: u32 = 120;
const PAGE: &str = "/console/plugins/plan/population-runs";

async fn upload(management: &Actor, query: &str, plan: &str) {
    let source = format!("export const getCustomJwtClaims = async () => ({{ plan: '{plan}' }});");
    let request = management.request(Method::PUT, &format!("/api/plugins/plan{query}"));
    Answer::of(request.header("content-type", "text/javascript").body(source)).await.expect(201);
}

/// Past the API, which takes one at a time.
async fn fill(server: &TestServer) {
    let mut tx = server.begin().await;
    for number in 0..USERS {
        let user = User { username: Some(format!("user_{number}")), ..seed::new_user() };
        users::insert(&mut tx, &user).await.unwrap();
    }
    tx.commit().await.unwrap();
}

fn numbers(lines: &str) -> Vec<i64> {
    let number = |line: &str| serde_json::from_str::<Value>(line).unwrap()["number"].as_i64().unwrap();
    lines.lines().map(number).collect()
}

both!(a_version_is_tried_on_everybody, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "", "old").await;
    upload(&management, "?activate=false", "new").await;
    fill(&server).await;
    server.operator("ada", &[Developer]).await;
    server.operator("bob", &[Read]).await;
    let browser = server.at_console("ada").await;
    let page = browser.visit(PAGE).await.expect(200);
    assert!(page.html().contains("Not tried on all users yet"));

    let (client, resource) = (server.demo().spa_client_id.as_str(), server.demo().resource.as_str());
    let mut fields = vec![
        ("act", "start"),
        ("version", "2"),
        ("against", "active"),
        ("application", "nobody"),
        ("sample", ""),
        ("resource", resource),
        ("scope", ""),
        ("grantType", TOKEN_EXCHANGE),
    ];
    let refused = browser.fill_in(&page, PAGE, &fields).await.expect(422);
    let html = refused.html();
    assert!(
        html.contains("id=\"application-problem\"") && html.contains("There is no application with this id"),
        "{html}"
    );
    assert!(html.contains("value=\"nobody\""), "the page keeps what was entered");
    fields[3] = ("application", client);
    browser.fill_in(&page, PAGE, &fields).await.expect(303);

    // The page follows what the server does by itself, whenever it is opened.
    let done = until("the end of the run", async || {
        let page = browser.visit(PAGE).await.expect(200);
        let html = page.html();
        assert!(html.contains("data-again") == html.contains("<progress"), "{html}");
        html.contains(">complete</span>").then_some(page)
    })
    .await;
    let html = done.html();
    for shown in ["Version 2", "Version 1", "<td>Different</td>", "<td>plan</td>", "Download differences"] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
    let runs = management.get("/api/plugins/plan/population-runs").await.expect(200).body;
    let (id, found) = (runs[0]["id"].as_str().unwrap(), runs[0]["differences"].as_u64().unwrap());
    let file = browser.visit(&format!("{PAGE}/{id}/differences")).await.expect(200);
    assert_eq!(file.header("content-type"), Some("application/x-ndjson"));
    assert_eq!(file.header("content-length"), None, "it is sent while it is read");
    let downloaded = numbers(file.html());
    assert_eq!(u64::try_from(downloaded.len()), Ok(found));
    assert!(downloaded.len() > 100 && downloaded.is_sorted_by(|before, after| before < after), "{downloaded:?}");
    // Each page is audited, as at the API.
    let logs = management.get("/api/logs?logKey=Management.Plugin.ReadPopulationRun").await.expect(200);
    assert_eq!(logs.body.as_array().map(Vec::len), Some(2));

    let reader = server.at_console("bob").await;
    let shown = reader.visit(PAGE).await.expect(200);
    assert!(shown.html().contains("<td>plan</td>") && !shown.html().contains("Download differences"));
    assert!(!shown.html().contains("Start run"));
    browser.fill_in(&done, PAGE, &[("act", "delete"), ("run", id)]).await.expect(303);
    assert!(browser.visit(PAGE).await.expect(200).html().contains("Not tried on all users yet"));
});

both!(a_run_ends_when_its_operator_has_lost_the_role_for_it, async |server: TestServer| {
    let management = server.management().await;
    upload(&management, "", "old").await;
    // So slow that the run goes on until it is canceled.
    let slow = "export const getCustomJwtClaims = () => { const end = Date.now() + 300; while (Date.now() < end); \
                return {}; };";
    let request = management.request(Method::PUT, "/api/plugins/plan?activate=false");
    Answer::of(request.header("content-type", "text/javascript").body(slow)).await.expect(201);
    for number in 0..60 {
        management.post("/api/users", json!({ "username": format!("user{number}") })).await.expect(200);
    }
    let ada = server.operator("ada", &[Developer]).await;
    server.operator("bob", &[Read]).await;
    let browser = server.at_console("ada").await;
    let page = browser.visit(PAGE).await.expect(200);
    let (client, resource) = (server.demo().spa_client_id.as_str(), server.demo().resource.as_str());
    let fields = [
        ("act", "start"),
        ("version", "2"),
        ("against", "active"),
        ("application", client),
        ("resource", resource),
        ("grantType", TOKEN_EXCHANGE),
    ];
    browser.fill_in(&page, PAGE, &fields).await.expect(303);
    server.hold(&ada, &[Read]).await;
    let reader = server.at_console("bob").await;
    let ended = until("the end of the run", async || {
        let page = reader.visit(PAGE).await.expect(200);
        (!page.html().contains("<progress")).then_some(page)
    })
    .await;
    let html = ended.html();
    assert!(html.contains(">canceled</span>") && html.contains("no longer has the permissions"), "{html}");
});
