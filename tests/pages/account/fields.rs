//! The fields that the operator asks for, at the page.

use super::{casey, html, post, saved, settings, user};
use claimsmith_test_support::{TestServer, both};
use serde_json::json;

const PATH: &str = "/account/fields";

async fn ask(server: &TestServer) {
    let fields = json!([
        { "name": "nickname", "type": "Text", "required": false, "config": { "maxLength": 5 } },
        { "name": "company", "type": "Text", "label": "Company", "required": true },
        { "name": "plan", "type": "Select", "label": "Plan", "required": false,
            "config": { "options": [{ "value": "gold" }, { "value": "free" }] } },
    ]);
    server.management().await.post("/api/custom-profile-fields/batch", fields).await.expect(201);
}

both!(fields_are_changed_where_the_settings_let_people, async |server: TestServer| {
    let (browser, id, _) = casey(&server).await;
    assert!(!html(&browser.visit("/account").await.expect(200)).contains(PATH));
    ask(&server).await;
    let path = format!("/api/users/{id}");
    let management = server.management().await;
    management.patch(&path, json!({ "customData": { "plan": "gold", "rank": 7 } })).await.expect(200);

    // By default people see the integrator's data, and change their claims.
    let page = browser.visit("/account").await.expect(200);
    assert!(html(&page).contains("name=\"field-nickname\"") && !html(&page).contains("name=\"field-plan\""));
    assert!(html(&page).contains("Plan: gold"), "{}", page.body);
    saved(&post(&browser, &page, PATH, &[("field-nickname", "Cas"), ("field-plan", "free")]).await);
    let after = user(&server, &id).await;
    assert_eq!((&after["profile"]["nickname"], &after["customData"]["plan"]), (&json!("Cas"), &json!("gold")));
    let refused = post(&browser, &page, PATH, &[("field-nickname", "too long")]).await.expect(422);
    assert!(
        html(&refused).contains("not accepted") && html(&refused).contains("value=\"too long\""),
        "{}",
        refused.body
    );

    // A field that the settings name is theirs.
    settings(&server, json!({ "profileFields": [{ "name": "company" }] })).await;
    let page = browser.visit("/account").await.expect(200);
    assert!(html(&page).contains("name=\"field-company\"") && !html(&page).contains("field-nickname"));
    let refused = post(&browser, &page, PATH, &[("field-company", "")]).await.expect(422);
    assert!(html(&refused).contains("Company: please fill this in"), "{}", refused.body);
    saved(&post(&browser, &page, PATH, &[("field-company", "Acme"), ("field-plan", "free")]).await);
    let after = user(&server, &id).await;
    assert_eq!(after["customData"], json!({ "plan": "gold", "rank": 7, "company": "Acme" }));
    settings(&server, json!({ "profileFields": null, "fields": { "profile": "ReadOnly" } })).await;
    let page = browser.visit("/account").await.expect(200);
    assert!(html(&page).contains("Cas") && !html(&page).contains(PATH) && !html(&page).contains("Acme"));
    post(&browser, &page, PATH, &[("field-nickname", "x")]).await;
    assert_eq!(user(&server, &id).await["profile"]["nickname"], json!("Cas"));
});
