//! Samples of a rollout at the console: the tokens of both versions side by side, and a golden case of one.

use claimsmith_domain::console::ConsoleRole::{Developer, Read};
use claimsmith_identity::rollouts;
use claimsmith_test_support::{Actor, Answer, TestServer, both, until};
use reqwest::Method;
use serde_json::json;

const ROLLOUT: &str = "/console/plugins/plan/rollout";
const SAMPLES: &str = "/console/plugins/plan/rollout/samples";

async fn upload(management: &Actor, query: &str, plan: &str) {
    let source = format!("export const getCustomJwtClaims = async () => ({{ plan: '{plan}' }});");
    let request = management.request(Method::PUT, &format!("/api/plugins/plan{query}"));
    Answer::of(request.header("content-type", "text/javascript").body(source)).await.expect(201);
}

/// Where the link with this text leads.
fn link(html: &str, text: &str) -> Option<String> {
    let (before, _) = html.split_once(&format!("\">{text}</a>"))?;
    let (_, path) = before.rsplit_once("href=\"")?;
    Some(path.replace("&#38;", "&").replace("&amp;", "&"))
}

both!(a_sample_of_a_rollout_becomes_a_golden_case, async |server: TestServer| {
    let management = server.management().await;
    server.operator("ada", &[Developer]).await;
    let browser = server.at_console("ada").await;
    upload(&management, "", "silver").await;
    let page = browser.visit(ROLLOUT).await.expect(200);
    assert!(page.html().contains("No rollout yet") && page.html().contains("needs a version that is not active"));
    upload(&management, "?activate=false", "golden").await;
    let shadow = json!({ "version": "2", "mode": "shadow", "share": 100 });
    management.post("/api/plugins/plan/rollout", shadow).await.expect(201);
    server.operator("bob", &[Read]).await;
    let page = browser.visit(SAMPLES).await.expect(200);
    assert!(page.html().contains("No samples"));

    let keep = until("a sample", async || {
        server.exchange(&server.customer_token().await).send().await.expect(200);
        rollouts::write(&server.app).await.unwrap();
        let page = browser.visit(SAMPLES).await.expect(200);
        link(page.html(), "Keep the new answer as a golden case")
    })
    .await;
    let page = browser.visit(ROLLOUT).await.expect(200);
    assert!(page.html().contains("Show samples"));
    let page = browser.visit(SAMPLES).await.expect(200);
    let html = page.html();
    assert!(html.contains("Different") && html.contains("silver") && html.contains("golden"), "{html}");

    // The workbench has the case, and nothing is saved yet.
    let opened = browser.visit(&keep).await.expect(200);
    let html = opened.html();
    assert!(html.contains("not saved yet: rollout of version 2: different"), "{html}");
    let plugin = management.get("/api/plugins/plan").await.expect(200);
    assert_eq!(plugin["deployment"]["latestVersion"], "2");
    browser.visit("/console/plugins/plan?version=2&case=none").await.expect(404);

    let reader = server.at_console("bob").await;
    let page = reader.visit(ROLLOUT).await.expect(200);
    assert!(!page.html().contains("Show samples"));
    reader.visit(SAMPLES).await.expect(403);
});
