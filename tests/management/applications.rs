//! `/api/applications`: an application's life.

use crate::fixtures::{NOBODY, find};
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};

both!(an_application_is_created_read_listed_changed_and_deleted, async |server: TestServer| {
    let management = server.management().await;
    let created = management
        .post(
            "/api/applications",
            json!({
                "name": "Shop", "type": "SPA", "description": "Sells.",
                "oidcClientMetadata": { "redirectUris": ["https://shop.test/back"] },
                "customClientMetadata": { "allowTokenExchange": true, "unknown": "left out" },
                "customData": { "team": "blue" },
            }),
        )
        .await
        .expect(200);
    let id = created.text("id");
    assert_eq!(id.len(), 21);
    let mut shown = json!({
        "tenantId": "default", "id": id, "name": "Shop", "description": "Sells.", "type": "SPA",
        "oidcClientMetadata": { "redirectUris": ["https://shop.test/back"], "postLogoutRedirectUris": [] },
        "customClientMetadata": { "allowTokenExchange": true }, "protectedAppMetadata": null,
        "customData": { "team": "blue" }, "isThirdParty": false, "appLevelAccessControlEnabled": false,
        "createdAt": server.clock.now_ms(),
    });
    assert_eq!(created.body, shown);
    assert_eq!(find(&management.get("/api/applications").await.expect(200).body, "id", &id), &shown);
    let path = format!("/api/applications/{id}");
    let change = json!({
        "name": "Store", "description": null, "type": "Native", "isThirdParty": true,
        "oidcClientMetadata": { "postLogoutRedirectUris": ["https://store.test"] },
        "customClientMetadata": { "corsAllowedOrigins": ["https://store.test"] },
        "customData": { "colour": "red" },
    });
    let changed = management.patch(&path, change).await.expect(200);
    shown["name"] = json!("Store");
    shown["description"] = Value::Null;
    shown["oidcClientMetadata"] = json!({ "redirectUris": [], "postLogoutRedirectUris": ["https://store.test"] });
    shown["customClientMetadata"] = json!({ "corsAllowedOrigins": ["https://store.test"] });
    shown["customData"] = json!({ "colour": "red" });
    assert_eq!(changed.body, shown);
    assert_eq!(management.patch(&path, json!({})).await.expect(200).body, shown);
    shown["isAdmin"] = json!(false);
    assert_eq!(management.get(&path).await.expect(200).body, shown);

    assert_eq!(management.delete(&path).await.expect(204).body, Value::Null);
    management.get(&path).await.expect_api_error(404, "entity.not_exists_with_id");
    management.patch(&path, json!({})).await.expect_api_error(404, "entity.not_exists");
    management.delete(&path).await.expect_api_error(404, "entity.not_found");
});

both!(an_application_exchanges_tokens_while_it_may, async |server: TestServer| {
    let management = server.management().await;
    let body = json!({ "name": "Desk", "type": "Native" });
    let id = management.post("/api/applications", body).await.expect(200).text("id");
    let path = format!("/api/applications/{id}");
    let form = server.exchange(&server.customer_token().await).with("client_id", &id);
    form.send().await.expect_oauth_error(400, "unauthorized_client");
    let allow = json!({ "customClientMetadata": { "allowTokenExchange": true } });
    management.patch(&path, allow).await.expect(200);
    assert_eq!(form.send().await.expect(200)["scope"], "resource:read");
    let form = server.exchange(&server.customer_token().await).with("client_id", &id);
    management.patch(&path, json!({ "customClientMetadata": {} })).await.expect(200);
    form.send().await.expect_oauth_error(400, "unauthorized_client");
    management.delete(&path).await.expect(204);
    form.send().await.expect_oauth_error(401, "invalid_client");
});

both!(a_third_party_gets_less, async |server: TestServer| {
    let management = server.management().await;
    let code = "application.third_party_application_cannot_enable_token_exchange";
    let allow = json!({ "allowTokenExchange": true });
    let body = json!({ "name": "Theirs", "type": "SPA", "isThirdParty": true, "customClientMetadata": allow });
    management.post("/api/applications", body).await.expect_api_error(422, code);
    let body = json!({ "name": "Theirs", "type": "SPA", "isThirdParty": true });
    let created = management.post("/api/applications", body).await.expect(200);
    assert_eq!(created["isThirdParty"], true);
    let path = format!("/api/applications/{}", created.text("id"));
    management.patch(&path, json!({ "customClientMetadata": allow })).await.expect_api_error(422, code);
    assert_eq!(management.get(&path).await.expect(200)["customClientMetadata"], json!({}));
    let body = json!({ "name": "Theirs", "type": "MachineToMachine", "isThirdParty": true });
    let answer = management.post("/api/applications", body).await;
    answer.expect_api_error(400, "application.invalid_third_party_application_type");
});

both!(an_unknown_application_is_not_found, async |server: TestServer| {
    let management = server.management().await;
    let path = format!("/api/applications/{NOBODY}");
    management.get(&path).await.expect_api_error(404, "entity.not_exists_with_id");
    management.patch(&path, json!({ "name": "n" })).await.expect_api_error(404, "entity.not_exists");
    management.delete(&path).await.expect_api_error(404, "entity.not_found");
});
