//! What the operator asks people for when they register.

use crate::avatar::{look, upload};
use crate::browser::{Browser, settings};
use claimsmith_test_support::{Answer, TestServer, both, png};
use serde_json::{Value, json};

/// Fields of which some are required.
async fn ask(server: &TestServer) {
    let part =
        |name: &str, required: bool| json!({ "enabled": true, "name": name, "type": "Text", "required": required });
    let fields = json!([
        { "name": "fullname", "type": "Fullname", "required": true,
            "config": { "parts": [part("givenName", true), part("familyName", false)] } },
        { "name": "company", "type": "Regex", "required": true, "config": { "format": "^[A-Z]+$" } },
        { "name": "age", "type": "Number", "required": false, "config": { "minValue": 18 } },
    ]);
    server.management().await.post("/api/custom-profile-fields/batch", fields).await.expect(201);
}

async fn give(browser: &mut Browser, values: Value) -> Answer {
    browser.post("/profile", json!({ "type": "extraProfile", "values": values })).await
}

/// The user of this name.
async fn user(server: &TestServer, username: &str) -> Value {
    let found = server.management().await.get(&format!("/api/users?search.username={username}")).await.expect(200);
    found.body[0].clone()
}

both!(whoever_registers_is_asked_for_the_fields, async |server: TestServer| {
    ask(&server).await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let chosen = browser.choose("ada", crate::browser::PASSWORD).await.expect(200);
    let refused = browser.identify(&chosen).await;
    refused.expect_api_error(422, "user.missing_profile");
    assert_eq!(refused["data"], json!({ "missingProfile": ["extraProfile"], "next": "profile" }));
    for (values, status, code) in [
        (json!({ "company": "Acme" }), 422, "invalid_value"),
        (json!({ "company": "" }), 422, "value_required"),
        (json!({ "age": 17 }), 422, "invalid_value"),
        (json!({ "email": "ada@example.com" }), 400, "name_conflict_sign_in_identifier"),
        (json!({ "preferredUsername": "root" }), 400, "name_conflict_built_in_prop"),
        (json!({ "onboarding": 1 }), 400, "name_conflict_custom_data"),
        // Claims may rest on the integrator's data: people write there what they are asked for, and no more.
        (json!({ "company": "ACME", "plan": "gold" }), 400, "entity_not_exists_with_names"),
    ] {
        let answer = give(&mut browser, values).await;
        answer.expect_api_error(status, &format!("custom_profile_fields.{code}"));
    }
    give(&mut browser, json!({ "company": "ACME", "nickname": "A" })).await.expect(204);
    let refused = browser.post("/identification", json!({})).await;
    assert_eq!(refused["data"]["missingProfile"], json!(["extraProfile"]), "a given name is required");
    give(&mut browser, json!({ "givenName": "Ada" })).await.expect(204);
    let state = browser.state().await;
    let profile = json!({
        "username": "ada", "profile": { "nickname": "A", "givenName": "Ada" }, "customData": { "company": "ACME" },
        "submitted": true,
    });
    assert_eq!(state["profile"], profile);
    browser.post("/identification", json!({})).await.expect(201);
    browser.submit().await.expect(200);
    let ada = user(&server, "ada").await;
    assert_eq!(ada["profile"], json!({ "nickname": "A", "givenName": "Ada" }));
    assert_eq!(ada["customData"], json!({ "company": "ACME" }));
});

both!(what_is_not_required_is_asked_for_once, async |server: TestServer| {
    let field = json!({ "name": "age", "type": "Number", "required": false });
    server.management().await.post("/api/custom-profile-fields", field).await.expect(201);
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let chosen = browser.choose("ada", crate::browser::PASSWORD).await.expect(200);
    browser.identify(&chosen).await.expect_api_error(422, "user.missing_profile");
    give(&mut browser, json!({})).await.expect(204);
    browser.post("/identification", json!({})).await.expect(201);
    browser.submit().await.expect(200);
    assert_eq!(user(&server, "ada").await["customData"], json!({}));
    // Somebody whom nobody asks, because the settings say so.
    settings(&server, json!({ "signUpProfileFields": [] })).await;
    Browser::new(&server).await.register("grace").await;
});

both!(who_signs_in_is_not_asked, async |server: TestServer| {
    crate::browser::user(&server, "ada").await;
    ask(&server).await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let answer = give(&mut browser, json!({ "company": "ACME" })).await;
    answer.expect_api_error(400, "session.invalid_interaction_type");
    browser.submit().await.expect(200);
    assert_eq!(user(&server, "ada").await["customData"], json!({}));
});

both!(an_uploaded_picture_is_chosen_with_the_profile, async |server: TestServer| {
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    let url = upload(&browser, &png(30, 30)).await.expect(200).text("url");
    give(&mut browser, json!({ "avatar": url, "name": "Ada" })).await.expect(204);
    browser.start("Register").await.expect(204);
    let state = browser.state().await;
    assert_eq!(state["profile"], json!({}), "begun anew");
    give(&mut browser, json!({ "avatar": url, "name": "Ada" })).await.expect(204);
    let chosen = browser.choose("ada", crate::browser::PASSWORD).await.expect(200);
    browser.identify(&chosen).await.expect(201);
    browser.submit().await.expect(200);
    let ada = user(&server, "ada").await;
    assert_eq!((&ada["avatar"], &ada["name"]), (&json!(url), &json!("Ada")));
    server.clock.advance(std::time::Duration::from_hours(48));
    claimsmith_identity::retention::delete_expired(&server.app).await.unwrap();
    assert_eq!(look(&server, &url).await, 200, "it is Ada's");
    let path = format!("/api/users/{}", ada["id"].as_str().unwrap());
    server.management().await.delete(&path).await.expect(204);
    assert_eq!(look(&server, &url).await, 404);
});
