//! `/api/account-center`: the settings of people's own accounts, and their public copies.

use crate::fixtures::narrow;
use claimsmith_storage::audit;
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};

const PATH: &str = "/api/account-center";

both!(settings_are_shown_and_changed, async |server: TestServer| {
    let management = server.management().await;
    let initial = management.get(PATH).await.expect(200).body;
    let expected = json!({
        "tenantId": "default", "id": "default", "enabled": false,
        "fields": {
            "name": "Edit", "avatar": "Edit", "profile": "Edit", "email": "Edit", "phone": "Edit",
            "password": "Edit", "username": "Edit", "social": "Edit", "customData": "ReadOnly", "mfa": "Edit",
            "passkey": "Edit", "session": "Edit", "trustedDevice": "Edit",
        },
        "webauthnRelatedOrigins": [], "deleteAccountUrl": null, "customCss": null, "profileFields": null,
        "pageEnabled": true, "deletionEnabled": false,
    });
    assert_eq!(initial, expected);
    assert_eq!(management.patch(PATH, json!({ "unknown": 1 })).await.expect(200).body, initial);
    let change = json!({
        "enabled": true, "fields": { "name": "Edit", "email": "ReadOnly" },
        "webauthnRelatedOrigins": ["https://app.example.com"], "deleteAccountUrl": "https://a.test/leave",
        "profileFields": [{ "name": "nickname" }], "deletionEnabled": true,
    });
    let changed = management.patch(PATH, change.clone()).await.expect(200).body;
    for (name, value) in change.as_object().unwrap().iter().filter(|(name, _)| *name != "fields") {
        assert_eq!(&changed[name], value, "{name}");
    }
    // Fields that it does not name are as they were.
    let mut fields = initial["fields"].clone();
    fields["email"] = json!("ReadOnly");
    assert_eq!(changed["fields"], fields);
    assert_eq!(changed["pageEnabled"], true);
    assert_eq!(management.get(PATH).await.expect(200).body, changed);
    let logs = audit::list_by_key(&mut server.begin().await, "Management.AccountCenter.Update", 10).await.unwrap();
    assert_eq!(logs.len(), 2);
    // Null switches one off, as `Off` does.
    let off = json!({ "fields": { "mfa": null, "phone": "Off" } });
    let without = management.patch(PATH, off).await.expect(200).body;
    assert_eq!((&without["fields"]["mfa"], &without["fields"]["phone"]), (&Value::Null, &json!("Off")));
    assert_eq!(without["fields"]["email"], "ReadOnly");
    let back = json!({ "fields": { "mfa": "Edit", "phone": "Edit" } });
    assert_eq!(management.patch(PATH, back).await.expect(200).body, changed);

    // An empty text takes away as null does.
    for name in ["deleteAccountUrl", "customCss"] {
        let value = "https://a.test/leave";
        assert_eq!(management.patch(PATH, json!({ name: value })).await.expect(200)[name], value);
        assert_eq!(management.patch(PATH, json!({ name: "" })).await.expect(200)[name], Value::Null);
    }
    let changed = management.get(PATH).await.expect(200).body;
    assert_eq!((&changed["deleteAccountUrl"], &changed["customCss"]), (&Value::Null, &Value::Null));

    // For everybody.
    let shown = server.get("/api/.well-known/account-center").await.expect(200);
    assert_eq!(shown.body, changed);
    let origins = server.get("/.well-known/webauthn").await.expect(200);
    assert_eq!(origins.body, json!({ "origins": ["https://app.example.com"] }));
    for answer in [shown, origins] {
        assert_eq!(answer.header("cache-control"), Some("public, max-age=60"));
        assert!(answer.header("etag").is_some());
    }
});

both!(pages_of_your_own_get_their_style_sheet, async |server: TestServer| {
    server.management().await.patch(PATH, json!({ "customCss": ".card {}" })).await.expect(200);
    assert_eq!(server.get("/api/.well-known/account-center").await.expect(200)["customCss"], ".card {}");
});

both!(what_is_no_setting_is_refused, async |server: TestServer| {
    let management = server.management().await;
    for bad in [
        json!({ "enabled": "yes" }),
        json!({ "fields": { "name": "Maybe" } }),
        json!({ "webauthnRelatedOrigins": ["app"] }),
        json!({ "deleteAccountUrl": "javascript:alert(1)" }),
    ] {
        management.patch(PATH, bad).await.expect_api_error(400, "guard.invalid_input");
    }
    let reader = narrow(&server, &management, &["configs:read"]).await;
    reader.get(PATH).await.expect(200);
    reader.patch(PATH, json!({})).await.expect_api_error(403, "auth.forbidden");
    narrow(&server, &management, &["users:write"]).await.get(PATH).await.expect_api_error(403, "auth.forbidden");
    server.get(PATH).await.expect_api_error(401, "auth.authorization_header_missing");
});
