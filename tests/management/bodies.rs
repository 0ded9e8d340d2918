//! Invalid request bodies: the error names the field, and nothing is written.

use crate::fixtures::{role, scope, user};
use claimsmith_test_support::{Answer, TestServer, both};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

both!(a_field_that_is_wrong_is_named, async |server: TestServer| {
    let management = server.management().await;
    let long = "a".repeat(300);
    let user_id = user(&management, "somebody").await;
    let role_id = role(&management, "some role", "User", &[]).await;
    let (resource_id, _) = scope(&management, "https://bodies.test", "read").await;
    let application = json!({ "name": "some application", "type": "Traditional" });
    let application_id = management.post("/api/applications", application).await.expect(200).text("id");
    let suspend = format!("PATCH /api/users/{user_id}/is-suspended");
    let settings = format!("PATCH /api/users/{user_id}/logto-configs");
    let tokens = format!("PATCH /api/users/{user_id}/personal-access-tokens");
    let user_roles = format!("POST /api/users/{user_id}/roles");
    let role_scopes = format!("POST /api/roles/{role_id}/scopes");
    let role_users = format!("POST /api/roles/{role_id}/users");
    let scopes = format!("POST /api/resources/{resource_id}/scopes");
    let secrets = format!("POST /api/applications/{application_id}/secrets");
    let change = format!("PATCH /api/applications/{application_id}");
    let native = |more: (&str, Value)| json!({ "name": "n", "type": "Native", more.0: more.1 });
    let resource = |more: (&str, Value)| {
        let mut body = json!({ "name": "n", "indicator": "https://n.test" });
        body[more.0] = more.1;
        body
    };
    let cases: Vec<(&str, Value, &str)> = vec![
        ("POST /api/users", json!({ "username": 1 }), "username"),
        ("POST /api/users", json!({ "username": null }), "username"),
        ("POST /api/users", json!({ "username": "" }), "username"),
        ("POST /api/users", json!({ "username": "9lives" }), "username"),
        ("POST /api/users", json!({ "username": "a".repeat(129) }), "username"),
        ("POST /api/users", json!({ "primaryEmail": "nobody" }), "primaryEmail"),
        ("POST /api/users", json!({ "primaryPhone": "49 12345a" }), "primaryPhone"),
        ("POST /api/users", json!({ "primaryPhone": "+" }), "primaryPhone"),
        (
            "POST /api/users",
            json!({ "passwordDigest": "d".repeat(2049), "passwordAlgorithm": "MD5" }),
            "passwordDigest",
        ),
        (&settings, json!({ "mfa": null }), "mfa"),
        (&settings, json!({ "mfa": { "skipped": "yes" } }), "mfa.skipped"),
        (&settings, json!({ "passkeySignIn": [true] }), "passkeySignIn"),
        (&tokens, json!({ "currentName": "laptop" }), "name"),
        (&tokens, json!({ "name": "laptop" }), "currentName"),
        ("POST /api/users", json!({ "name": "a".repeat(129) }), "name"),
        ("POST /api/users", json!({ "name": null }), "name"),
        ("POST /api/users", json!({ "avatar": "picture" }), "avatar"),
        ("POST /api/users", json!({ "password": "" }), "password"),
        ("POST /api/users", json!({ "password": long }), "password"),
        ("POST /api/users", json!({ "passwordDigest": "d", "passwordAlgorithm": "ROT13" }), "passwordAlgorithm"),
        ("POST /api/users", json!({ "customData": [] }), "customData"),
        ("POST /api/users", json!({ "customData": null }), "customData"),
        ("POST /api/users", json!({ "profile": { "givenName": 1 } }), "profile.givenName"),
        (&suspend, json!({}), "isSuspended"),
        (&suspend, json!({ "isSuspended": "yes" }), "isSuspended"),
        (&user_roles, json!({}), "roleIds"),
        (&user_roles, json!({ "roleIds": "x" }), "roleIds"),
        (&user_roles, json!({ "roleIds": [1] }), "roleIds[0]"),
        (&user_roles, json!({ "roleIds": [""] }), "roleIds"),
        (&user_roles, json!({ "roleIds": vec!["x"; 1001] }), "roleIds"),
        ("POST /api/roles", json!({ "description": "d" }), "name"),
        ("POST /api/roles", json!({ "name": "n" }), "description"),
        ("POST /api/roles", json!({ "name": "", "description": "d" }), "name"),
        ("POST /api/roles", json!({ "name": "a".repeat(129), "description": "d" }), "name"),
        ("POST /api/roles", json!({ "name": "n", "description": "a".repeat(129) }), "description"),
        ("POST /api/roles", json!({ "name": "n", "description": "d", "type": "Robot" }), "type"),
        ("POST /api/roles", json!({ "name": "n", "description": "d", "isDefault": 1 }), "isDefault"),
        ("POST /api/roles", json!({ "name": "n", "description": "d", "scopeIds": null }), "scopeIds"),
        (&role_scopes, json!({ "scopeIds": [] }), "scopeIds"),
        (&role_users, json!({ "userIds": [] }), "userIds"),
        ("POST /api/resources", resource(("indicator", json!("orders"))), "indicator"),
        ("POST /api/resources", resource(("indicator", json!("https://n.test#part"))), "indicator"),
        ("POST /api/resources", resource(("indicator", json!(" https://n.test"))), "indicator"),
        ("POST /api/resources", resource(("name", json!(long))), "name"),
        ("POST /api/resources", resource(("accessTokenTtl", json!(0))), "accessTokenTtl"),
        ("POST /api/resources", resource(("accessTokenTtl", json!(-1))), "accessTokenTtl"),
        ("POST /api/resources", resource(("accessTokenTtl", json!(1.5))), "accessTokenTtl"),
        ("POST /api/resources", resource(("accessTokenTtl", json!(31_536_001))), "accessTokenTtl"),
        (&scopes, json!({ "name": "" }), "name"),
        (&scopes, json!({ "name": "quo\"ted" }), "name"),
        (&scopes, json!({ "name": "ünicode" }), "name"),
        (&scopes, json!({ "name": long }), "name"),
        (&scopes, json!({ "name": "n", "description": long }), "description"),
        ("POST /api/applications", json!({ "type": "Native" }), "name"),
        ("POST /api/applications", json!({ "name": "n" }), "type"),
        ("POST /api/applications", json!({ "name": "n", "type": "Toaster" }), "type"),
        ("POST /api/applications", json!({ "name": long, "type": "Native" }), "name"),
        ("POST /api/applications", native(("customData", json!("x"))), "customData"),
        ("POST /api/applications", native(("oidcClientMetadata", json!(null))), "oidcClientMetadata"),
        ("POST /api/applications", native(("oidcClientMetadata", json!([["https://a.test"]]))), "oidcClientMetadata"),
        ("POST /api/applications", native(("customClientMetadata", json!([]))), "customClientMetadata"),
        (&change, json!({ "customClientMetadata": [] }), "customClientMetadata"),
        (
            "POST /api/applications",
            native(("oidcClientMetadata", json!({ "redirectUris": ["javascript:1"] }))),
            "oidcClientMetadata.redirectUris[0]",
        ),
        (
            "POST /api/applications",
            native(("customClientMetadata", json!({ "allowTokenExchange": "yes" }))),
            "customClientMetadata.allowTokenExchange",
        ),
        (
            "POST /api/applications",
            native(("customClientMetadata", json!({ "corsAllowedOrigins": ["https://a.test/path"] }))),
            "customClientMetadata.corsAllowedOrigins[0]",
        ),
        (
            "POST /api/applications",
            native(("customClientMetadata", json!({ "maxAllowedGrants": 0 }))),
            "customClientMetadata.maxAllowedGrants",
        ),
        (
            "POST /api/applications",
            native(("customClientMetadata", json!({ "maxAllowedGrants": 1.5 }))),
            "customClientMetadata.maxAllowedGrants",
        ),
        (
            "POST /api/applications",
            native(("customClientMetadata", json!({ "refreshTokenLeewayInSeconds": 61 }))),
            "customClientMetadata.refreshTokenLeewayInSeconds",
        ),
        (
            "POST /api/applications",
            native(("customClientMetadata", json!({ "refreshTokenLeewayInSeconds": -1 }))),
            "customClientMetadata.refreshTokenLeewayInSeconds",
        ),
        (
            "POST /api/applications",
            native(("customClientMetadata", json!({ "idTokenClaims": ["roles"] }))),
            "customClientMetadata.idTokenClaims[0]",
        ),
        (
            "POST /api/applications",
            native(("customClientMetadata", json!({ "clientAssertionAudience": "token" }))),
            "customClientMetadata.clientAssertionAudience",
        ),
        (
            "POST /api/applications",
            native(("customClientMetadata", json!({ "idTokenSignedResponseAlg": "HS256" }))),
            "customClientMetadata.idTokenSignedResponseAlg",
        ),
        (
            "POST /api/applications",
            native(("customClientMetadata", json!({ "idTokenSignedResponseAlg": "none" }))),
            "customClientMetadata.idTokenSignedResponseAlg",
        ),
        (
            "POST /api/applications",
            native(("customClientMetadata", json!({ "idTokenSignedResponseAlg": "rs256" }))),
            "customClientMetadata.idTokenSignedResponseAlg",
        ),
        (
            "POST /api/applications",
            native(("customClientMetadata", json!({ "idTokenSignedResponseAlg": null }))),
            "customClientMetadata.idTokenSignedResponseAlg",
        ),
        (
            "POST /api/applications",
            native(("customClientMetadata", json!({ "idTokenSignedResponseAlg": 1 }))),
            "customClientMetadata.idTokenSignedResponseAlg",
        ),
        (
            "POST /api/applications",
            native(("customClientMetadata", json!({ "isDeviceFlow": 1 }))),
            "customClientMetadata.isDeviceFlow",
        ),
        ("POST /api/configs/oidc/private-keys/rotate", json!({ "signingKeyAlgorithm": "DSA" }), "signingKeyAlgorithm"),
        ("POST /api/configs/oidc/private-keys/rotate", json!({ "rotationGracePeriod": -1 }), "rotationGracePeriod"),
        (
            "POST /api/configs/oidc/private-keys/rotate",
            json!({ "rotationGracePeriod": 31_536_001 }),
            "rotationGracePeriod",
        ),
        (&change, json!({ "name": null }), "name"),
        (&change, json!({ "name": "" }), "name"),
        (
            &change,
            json!({ "oidcClientMetadata": { "redirectUris": ["app.test:/x"] } }),
            "oidcClientMetadata.redirectUris[0]",
        ),
        (&secrets, json!({}), "name"),
        (&secrets, json!({ "name": "a".repeat(129) }), "name"),
        (&secrets, json!({ "name": "n", "expiresAt": "tomorrow" }), "expiresAt"),
        (&secrets, json!({ "name": "n", "expiresAt": 1 }), "expiresAt"),
    ];
    for (operation, body, key) in cases {
        let (method, path) = operation.split_once(' ').unwrap();
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let answer = management.send(method, path, body.clone()).await;
        answer.expect_api_error(400, "guard.invalid_input");
        // A missing key is told by what it is missing in.
        let details = answer.text("details");
        let named = details.contains(&format!("\"{key}\"")) || details.contains(&format!("missing field `{key}`"));
        assert!(named, "{operation} {body}: {details}");
    }

    for body in [json!([]), json!(["somebody"]), json!("text"), json!(1)] {
        management.post("/api/users", body).await.expect_api_error(400, "guard.invalid_input");
    }

    let total = async |path: &str| management.get(path).await.expect(200).header("total-number").unwrap().to_owned();
    assert_eq!(total("/api/users").await, "3");
    assert_eq!(total("/api/roles").await, "8");
    assert_eq!(total("/api/resources?page=1").await, "4");
    assert_eq!(total("/api/applications?page=1").await, "6");
    assert_eq!(total(&format!("/api/resources/{resource_id}/scopes")).await, "1");
});

both!(what_is_not_json_is_refused, async |server: TestServer| {
    let management = server.management().await;
    let paths = ["/api/users", "/api/roles", "/api/resources", "/api/applications"];
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    for path in paths {
        for text in ["{", "{\"name\": }", "nonsense", "\"\\ud800\"", "{\"name\":\"a\"} trailing", &deep] {
            let request = management.request(Method::POST, path).header(CONTENT_TYPE, "application/json");
            Answer::of(request.body(text.to_owned())).await.expect_api_error(400, "request.invalid_json");
        }
        let request = management.request(Method::POST, path).header(CONTENT_TYPE, "application/json");
        Answer::of(request.body(vec![0xff, 0xfe])).await.expect_api_error(400, "request.invalid_json");
        let with_nul = json!({ "name": "a\0b", "description": "d", "type": "Native", "indicator": "https://n.test" });
        management.post(path, with_nul).await.expect_api_error(400, "guard.invalid_input");
    }
    let large = json!({ "customData": { "text": "a".repeat(1024 * 1024) } });
    management.post("/api/users", large).await.expect_api_error(413, "request.body_too_large");
});

both!(keys_that_nobody_knows_are_left_out, async |server: TestServer| {
    let management = server.management().await;
    let created = management.post("/api/users", json!({ "username": "known", "shoeSize": 43 })).await.expect(200);
    assert!(created.body.get("shoeSize").is_none());
    // A missing body counts as an empty object.
    management.send(Method::POST, "/api/users", Value::Null).await.expect(200);
});
