//! Trials at the console: what is refused stands at its field.

use claimsmith_domain::console::ConsoleRole::Admin;
use claimsmith_test_support::{TestServer, both};
use serde_json::json;

const SOURCE: &str = "export const getCustomJwtClaims = async () => ({ plan: 'gold' });";

both!(a_refused_trial_of_a_program_shows_its_form_again, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let body = json!({ "name": "Robot", "type": "MachineToMachine" });
    let id = server.management().await.post("/api/applications", body).await.expect(200).text("id");
    let browser = server.at_console("ada").await;
    let page = browser.visit(&format!("/console/applications/{id}/try")).await.expect(200);
    let path = format!("/console/applications/{id}/try/machine");
    let fields = [("resource", "https://nowhere.example"), ("scope", "read"), ("organization", "")];
    let refused = browser.fill_in(&page, &path, &fields).await.expect(422);
    let html = refused.html();
    assert!(html.contains("id=\"resource-problem\"") && html.contains("invalid_target"), "{html}");
    assert!(html.contains("value=\"read\""), "the page keeps what was entered: {html}");
});

both!(a_refused_trial_of_a_draft_says_so_at_its_field, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = server.at_console("ada").await;
    let page = browser.visit("/console/plugins/new").await.expect(200);
    let client = server.demo().spa_client_id.as_str();
    for (field, value) in
        [("try.application", ""), ("try.user", "nobody-at-all"), ("try.said", "{"), ("try.input", "{")]
    {
        let application = if field == "try.application" { value } else { client };
        let mut sent = vec![
            ("name", "draft"),
            ("language", "javascript"),
            ("source", SOURCE),
            ("act", "try"),
            ("try.application", application),
        ];
        if field != "try.application" {
            sent.push((field, value));
        }
        let shown = browser.fill_in(&page, "/console/plugins/new", &sent).await.expect(200);
        let html = shown.html();
        assert!(html.contains(&format!("id=\"{field}-problem\"")), "{field} {html}");
        assert!(html.contains(&format!("data-field=\"{field}\"")), "{field} {html}");
    }
});
