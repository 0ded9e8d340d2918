//! The URIs of applications: those that can never work are refused at their field, stored ones stay.

use claimsmith_test_support::{TestServer, both};
use serde_json::json;

both!(uris_that_can_never_work_are_refused_at_their_field, async |server: TestServer| {
    let management = server.management().await;
    let (oidc, custom) = ("oidcClientMetadata", "customClientMetadata");
    let wrong = [
        "app.test/in",
        "/in",
        "javascript:alert(1)",
        "https://a.test/x y",
        "https://a.test/\u{7}",
        "https://u@a.test/",
    ];
    for (part, key, is_list, others) in [
        (oidc, "redirectUris", true, &["localhost:3000/in", "https:a.test", "https://a.test/#x"][..]),
        (oidc, "postLogoutRedirectUris", true, &["localhost:3000/bye", "data:text/html,x"][..]),
        (oidc, "backchannelLogoutUri", false, &["http://a.test/out"][..]),
        (oidc, "jwksUri", false, &["http://a.test/keys"][..]),
        (custom, "corsAllowedOrigins", true, &["*", "https://*.a.test", "https://a.test/path"][..]),
        (custom, "impersonationUri", false, &["http://a.test/in", "ftp://a.test"][..]),
    ] {
        for uri in wrong.iter().chain(others) {
            let value = if is_list { json!([uri]) } else { json!(uri) };
            let body = json!({ "name": "Shop", "type": "Traditional", part: { key: value } });
            let refused = management.post("/api/applications", body).await;
            refused.expect_api_error(400, "guard.invalid_input");
            let path = format!("Error in key path \"{part}.{key}[0]\"");
            assert!(refused.text("details").starts_with(&path), "{uri:?}: {}", refused.body);
        }
    }
    // Plain http is for the operator to judge: a remark of the console, and no refusal.
    let plain = json!({ "redirectUris": ["http://intranet.test/in"], "postLogoutRedirectUris": [] });
    let body = json!({ "name": "Shop", "type": "Traditional", oidc: plain });
    let made = management.post("/api/applications", body).await.expect(200);
    assert_eq!(made[oidc], plain);

    // What earlier versions accepted is shown, and can be written back.
    let path = format!("/api/applications/{}", made.text("id"));
    let old_oidc = json!({ "redirectUris": ["localhost:3000/in", "https://u@a.test/"], "postLogoutRedirectUris": ["https:a.test"],
        "backchannelLogoutUri": "http://a.test/out", "logoUri": "ipfs://logo" });
    let old_custom = json!({ "corsAllowedOrigins": ["*"], "impersonationUri": "ftp://a.test" });
    let mut tx = server.begin().await;
    let sql = "UPDATE applications SET oidc_client_metadata = $1, custom_client_metadata = $2 WHERE id = $3";
    let query = tx.sql(sql).bind(sqlx::types::Json(old_oidc.clone())).bind(sqlx::types::Json(old_custom.clone()));
    query.bind(made["id"].as_str().unwrap()).execute().await.unwrap();
    tx.commit().await.unwrap();
    let shown = management.get(&path).await.expect(200);
    let (oidc_now, custom_now) = (shown[oidc].clone(), shown[custom].clone());
    assert_eq!(oidc_now, old_oidc);
    let saved = management.patch(&path, json!({ oidc: oidc_now, custom: custom_now })).await.expect(200);
    assert_eq!((&saved[oidc], &saved[custom]), (&old_oidc, &old_custom));
    let new = json!({ oidc: { "redirectUris": ["localhost:3000/in", "localhost:4000/in"] } });
    let refused = management.patch(&path, new).await;
    refused.expect_api_error(400, "guard.invalid_input");
    assert!(refused.text("details").contains("redirectUris[1]"), "{}", refused.body);
});
