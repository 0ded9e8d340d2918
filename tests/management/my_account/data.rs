//! What people see and change of name, picture, user name, data and profile.

use super::{ALL, casey, settings, sign_in_settings, with};
use claimsmith_storage::audit;
use claimsmith_test_support::{TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};

both!(scopes_and_fields_say_what_is_shown, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let whole = casey.shown().await;
    for name in [
        "id",
        "username",
        "name",
        "avatar",
        "primaryEmail",
        "primaryPhone",
        "profile",
        "customData",
        "identities",
        "ssoIdentities",
        "lastSignInAt",
        "createdAt",
        "updatedAt",
        "applicationId",
        "isSuspended",
    ] {
        assert!(whole.get(name).is_some(), "{name}: {whole:#}");
    }
    assert_eq!((&whole["hasPassword"], &whole["hasSecurityVerificationMethod"]), (&json!(true), &json!(true)));
    let bare = with(&server, &casey.id, "openid").await.shown().await;
    let expected = json!({ "id": casey.id, "hasPassword": true, "hasSecurityVerificationMethod": true });
    assert_eq!(bare, expected);
    let mail = with(&server, &casey.id, "openid email").await.shown().await;
    assert_eq!(mail["primaryEmail"], whole["primaryEmail"]);
    assert!(mail.get("name").is_none() && mail.get("primaryPhone").is_none());
    settings(&server, json!({ "fields": { "name": "ReadOnly" } })).await;
    let shown = casey.shown().await;
    assert_eq!(shown["name"], whole["name"]);
    for name in ["username", "avatar", "primaryEmail", "profile", "customData", "identities", "hasPassword"] {
        assert!(shown.get(name).is_none(), "{name}: {shown:#}");
    }
});

both!(people_change_what_is_about_them, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    settings(
        &server,
        json!({ "fields": {
        "name": "Edit", "avatar": "Edit", "username": "Edit", "customData": "Edit", "profile": "Edit",
    } }),
    )
    .await;
    let body = json!({ "name": "Casey C.", "avatar": "https://a.test/c.png", "customData": { "theme": "dark" } });
    let changed = casey.actor.patch("/api/my-account", body).await.expect(200).body;
    assert_eq!((&changed["name"], &changed["avatar"]), (&json!("Casey C."), &json!("https://a.test/c.png")));
    assert_eq!(changed["customData"], json!({ "theme": "dark" }));
    let changed = casey.actor.patch("/api/my-account", json!({ "avatar": null })).await.expect(200).body;
    assert_eq!((&changed["avatar"], &changed["name"]), (&Value::Null, &json!("Casey C.")));
    let merged = casey.actor.patch("/api/my-account/profile", json!({ "nickname": "C" })).await.expect(200).body;
    assert_eq!(merged["nickname"], "C");
    let merged = casey.actor.patch("/api/my-account/profile", json!({ "locale": "de" })).await.expect(200).body;
    assert_eq!((&merged["nickname"], &merged["locale"]), (&json!("C"), &json!("de")));

    let logs = audit::list_by_key(&mut server.begin().await, "Account.User.Update", 10).await.unwrap();
    let payload = &logs[0].payload;
    assert_eq!(
        (&payload["userId"], &payload["by"], &payload["result"]),
        (&json!(casey.id), &json!("user"), &json!("Success"))
    );
    assert_eq!(payload["applicationId"], json!(server.demo().web_client_id));
    // As everybody else sees them.
    let management = server.management().await;
    let user = management.get(&format!("/api/users/{}", casey.id)).await.expect(200).body;
    assert_eq!((&user["name"], &user["profile"]["nickname"]), (&json!("Casey C."), &json!("C")));
});

both!(a_user_name_needs_a_proof, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    // Nothing but the user name signs in.
    let by_name = json!({ "identifier": "username", "password": true, "verificationCode": false,
        "isPasswordPrimary": true });
    sign_in_settings(&server, json!({ "signIn": { "methods": [by_name] } })).await;
    let body = json!({ "username": "casey_2" });
    let answer = casey.actor.patch("/api/my-account", body.clone()).await;
    answer.expect_api_error(401, "verification_record.permission_denied");
    let record = casey.prove().await;
    for (username, status, code) in [
        (json!("9lives"), 422, "user.username_starts_with_number"),
        (json!("a b"), 422, "user.username_invalid_charset_hard"),
        (json!("engineer"), 422, "user.username_already_in_use"),
        (json!(null), 400, "user.last_sign_in_method_required"),
        (json!(""), 400, "user.last_sign_in_method_required"),
    ] {
        let body = json!({ "username": username, "name": "Mallory" });
        casey.send(&record, Method::PATCH, "", body).await.expect_api_error(status, code);
    }
    assert_ne!(casey.shown().await["name"], "Mallory", "nothing of it is done");
    let changed = casey.send(&record, Method::PATCH, "", body).await.expect(200).body;
    assert_eq!(changed["username"], "casey_2");
});

both!(fields_that_people_do_not_change_stay, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let record = casey.prove().await;
    let before = casey.shown().await;
    // Claims may rest on the integrator's data.
    let body = json!({ "customData": { "plan": "gold" } });
    let answer = casey.actor.patch("/api/my-account", body.clone()).await;
    answer.expect_api_error(400, "account_center.field_not_editable");
    let new_email = json!({ "email": "new@example.com", "newIdentifierVerificationRecordId": "x" });
    settings(
        &server,
        json!({ "fields": {
        "name": "ReadOnly", "avatar": "Off", "username": "ReadOnly", "password": "ReadOnly", "email": "ReadOnly",
        "social": "ReadOnly", "mfa": "ReadOnly", "session": "ReadOnly", "phone": "ReadOnly", "customData": "ReadOnly",
    } }),
    )
    .await;
    for (method, path, body) in [
        (Method::PATCH, "", json!({ "name": "x" })),
        (Method::PATCH, "", json!({ "avatar": "https://a.test" })),
        (Method::PATCH, "", json!({ "username": "x" })),
        (Method::PATCH, "/profile", json!({ "nickname": "x" })),
        (Method::POST, "/password", json!({ "password": "another-kettle-42" })),
        (Method::DELETE, "/primary-email", Value::Null),
        (Method::POST, "/primary-email", new_email.clone()),
        (Method::DELETE, "/identities/github", Value::Null),
        (Method::PATCH, "/mfa-settings", json!({ "skipMfaOnSignIn": true })),
        (Method::DELETE, "/sessions/x", Value::Null),
        (Method::DELETE, "/grants/x", Value::Null),
    ] {
        let answer = casey.send(&record, method, path, body).await;
        answer.expect_api_error(400, "account_center.field_not_editable");
    }
    settings(&server, json!({ "fields": {} })).await;
    for path in ["/mfa-verifications", "/mfa-settings", "/logto-configs", "/sessions", "/grants"] {
        let answer = casey.send(&record, Method::GET, path, Value::Null).await;
        answer.expect_api_error(400, "account_center.field_not_enabled");
    }
    settings(&server, json!({ "fields": { "username": "ReadOnly", "name": "ReadOnly" } })).await;
    let after = casey.shown().await;
    assert_eq!((&after["name"], &after["username"]), (&before["name"], &before["username"]));
});

both!(a_token_changes_what_its_scopes_are_about, async |server: TestServer| {
    let casey = casey(&server, "openid").await;
    let record = casey.prove().await;
    for (method, path, body) in [
        (Method::PATCH, "", json!({ "name": "x" })),
        (Method::PATCH, "/profile", json!({ "nickname": "x" })),
        (Method::DELETE, "/primary-email", Value::Null),
        (Method::DELETE, "/primary-phone", Value::Null),
        (Method::DELETE, "/identities/github", Value::Null),
        (Method::GET, "/mfa-verifications", Value::Null),
        (Method::PATCH, "/mfa-settings", json!({ "skipMfaOnSignIn": true })),
        (Method::GET, "/sessions", Value::Null),
        (Method::GET, "/grants", Value::Null),
        (Method::GET, "/impersonations", Value::Null),
        (Method::GET, "/export", Value::Null),
        (Method::DELETE, "", Value::Null),
    ] {
        let refused = casey.send(&record, method, path, body).await;
        refused.expect_api_error(401, "auth.unauthorized");
        let challenge = refused.header("www-authenticate").unwrap();
        assert!(challenge.ends_with("error=\"insufficient_scope\""), "{challenge}");
    }
    // The proof is asked for before the scope of sessions, and whether a field is open before its scope.
    let unproved = casey.actor.get("/api/my-account/sessions").await;
    unproved.expect_api_error(401, "verification_record.permission_denied");
    let closed = json!({ "fields": { "email": "ReadOnly" } });
    server.management().await.patch("/api/account-center", closed).await.expect(200);
    let read_only = casey.send(&record, Method::DELETE, "/primary-email", Value::Null).await;
    read_only.expect_api_error(400, "account_center.field_not_editable");
    let profile = with(&server, &casey.id, "openid profile").await;
    let address = json!({ "address": { "country": "UK" } });
    profile.actor.patch("/api/my-account/profile", address.clone()).await.expect_api_error(401, "auth.unauthorized");
    let data = json!({ "customData": {} });
    profile.actor.patch("/api/my-account", data).await.expect_api_error(401, "auth.unauthorized");
    let both = with(&server, &casey.id, "openid profile address").await;
    let merged = both.actor.patch("/api/my-account/profile", address.clone()).await.expect(200).body;
    assert_eq!(merged["address"], address["address"]);
    let hidden = profile.actor.patch("/api/my-account/profile", json!({ "nickname": "C" })).await.expect(200).body;
    assert!(hidden.get("address").is_none());
});

both!(people_see_their_accounts_at_companies, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    assert_eq!(casey.shown().await["ssoIdentities"], json!([]));
    let company = server.add_company_of(&casey.id).await;
    let exported = casey.proved(Method::GET, "/export", Value::Null).await.expect(200).body;
    for shown in [casey.shown().await, exported] {
        let one = &shown["ssoIdentities"][0];
        assert_eq!((&one["ssoConnectorId"], &one["identityId"]), (&json!(company), &json!("ada-7")), "{shown:#}");
    }
    let changed = casey.actor.patch("/api/my-account", json!({ "name": "C" })).await.expect(200);
    assert_eq!(changed["ssoIdentities"][0]["identityId"], "ada-7");
    let bare = with(&server, &casey.id, "openid profile").await.shown().await;
    assert!(bare.get("ssoIdentities").is_none(), "{bare:#}");
});
