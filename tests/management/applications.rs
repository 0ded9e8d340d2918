//! `/api/applications`: create, read, update, delete.

use crate::fixtures::{NOBODY, credentials, find, machine, management_scopes, role, texts};
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
    // What the objects do not name stays.
    shown["oidcClientMetadata"]["postLogoutRedirectUris"] = json!(["https://store.test"]);
    shown["customClientMetadata"]["corsAllowedOrigins"] = json!(["https://store.test"]);
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

both!(the_address_for_logouts_is_https_or_on_this_machine, async |server: TestServer| {
    let management = server.management().await;
    let metadata = |uri: &str| {
        json!({ "redirectUris": [], "postLogoutRedirectUris": [], "backchannelLogoutUri": uri,
            "backchannelLogoutSessionRequired": true })
    };
    let body =
        json!({ "name": "Shop", "type": "Traditional", "oidcClientMetadata": metadata("https://shop.test/out?a=1") });
    let created = management.post("/api/applications", body.clone()).await.expect(200);
    let path = format!("/api/applications/{}", created.text("id"));
    assert_eq!(created["oidcClientMetadata"], body["oidcClientMetadata"]);
    for uri in ["http://localhost:4000/out", "http://127.0.0.1/out", "https://10.0.0.7/out"] {
        let changed = management.patch(&path, json!({ "oidcClientMetadata": metadata(uri) })).await.expect(200);
        assert_eq!(changed["oidcClientMetadata"], metadata(uri));
        assert_eq!(management.get(&path).await.expect(200)["oidcClientMetadata"], metadata(uri));
    }
    for uri in
        ["http://shop.test/out", "https://shop.test/out#now", "https://user@shop.test/out", "shop.test", "", "app:/out"]
    {
        for refused in [
            management.patch(&path, json!({ "oidcClientMetadata": metadata(uri) })).await,
            management
                .post(
                    "/api/applications",
                    json!({ "name": "Shop", "type": "SPA", "oidcClientMetadata": metadata(uri) }),
                )
                .await,
        ] {
            refused.expect_api_error(400, "guard.invalid_input");
            assert!(refused.body.to_string().contains("oidcClientMetadata.backchannelLogoutUri"), "{:#}", refused.body);
        }
    }
    // What a change does not name stays; null takes it away, and nobody is told.
    let named = management.patch(&path, json!({ "oidcClientMetadata": { "redirectUris": [] } })).await.expect(200);
    assert_eq!(named["oidcClientMetadata"], metadata("https://10.0.0.7/out"));
    let none = json!({ "backchannelLogoutUri": null, "backchannelLogoutSessionRequired": null });
    let left = management.patch(&path, json!({ "oidcClientMetadata": none })).await.expect(200);
    assert_eq!(left["oidcClientMetadata"], json!({ "redirectUris": [], "postLogoutRedirectUris": [] }));
});

both!(the_address_that_takes_people_over_is_https_or_on_this_machine, async |server: TestServer| {
    let management = server.management().await;
    let metadata = |uri: &Value| json!({ "allowTokenExchange": true, "impersonationUri": uri });
    let body = |uri: &Value| json!({ "name": "Desk", "type": "SPA", "customClientMetadata": metadata(uri) });
    let first = json!("https://desk.test/impersonate?tenant=1");
    let created = management.post("/api/applications", body(&first)).await.expect(200);
    assert_eq!(created["customClientMetadata"], metadata(&first));
    let path = format!("/api/applications/{}", created.text("id"));
    for uri in ["http://localhost:4000/in", "http://127.0.0.1/in", "http://[::1]:4000/in", "https://desk.test/in"] {
        let changed =
            management.patch(&path, json!({ "customClientMetadata": metadata(&json!(uri)) })).await.expect(200);
        assert_eq!(changed["customClientMetadata"], metadata(&json!(uri)));
    }
    let kept = metadata(&json!("https://desk.test/in"));
    for uri in [
        json!("http://desk.test/in"),
        json!("https://desk.test/in#now"),
        json!("https://user@desk.test/in"),
        json!("javascript:alert(1)"),
        json!("data:text/html,x"),
        json!("com.example.desk://in"),
        json!("//desk.test/in"),
        json!("/in"),
        json!(""),
        json!(format!("https://desk.test/{}", "x".repeat(2048))),
        json!(["https://desk.test/in"]),
        json!(1),
        Value::Null,
    ] {
        let mut refusals = vec![management.post("/api/applications", body(&uri)).await];
        // In a change, null takes it away.
        if !uri.is_null() {
            refusals.push(management.patch(&path, json!({ "customClientMetadata": metadata(&uri) })).await);
        }
        for refused in refusals {
            refused.expect_api_error(400, "guard.invalid_input");
            assert!(refused.body.to_string().contains("impersonationUri"), "{uri}: {:#}", refused.body);
        }
        assert_eq!(management.get(&path).await.expect(200)["customClientMetadata"], kept, "{uri}");
    }
    // Of somebody else's application, nobody is handed over to it.
    let theirs = json!({ "name": "Theirs", "type": "SPA", "isThirdParty": true });
    let id = management.post("/api/applications", theirs.clone()).await.expect(200).text("id");
    let uri = json!({ "impersonationUri": "https://theirs.test/in" });
    let change = json!({ "customClientMetadata": uri });
    let refused = management.patch(&format!("/api/applications/{id}"), change).await;
    refused.expect_api_error(400, "guard.invalid_input");
    let mut made_with_it = theirs;
    made_with_it["customClientMetadata"] = uri;
    management.post("/api/applications", made_with_it).await.expect_api_error(400, "guard.invalid_input");
    // With null it is gone.
    let left = management.patch(&path, json!({ "customClientMetadata": { "impersonationUri": null } })).await;
    assert_eq!(left.expect(200)["customClientMetadata"], json!({ "allowTokenExchange": true }));
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
    management.patch(&path, json!({ "customClientMetadata": { "allowTokenExchange": null } })).await.expect(200);
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

both!(custom_data_is_merged, async |server: TestServer| {
    let management = server.management().await;
    let body = json!({ "name": "Shop", "type": "SPA", "customData": { "team": "blue", "deep": { "a": 1 } } });
    let id = management.post("/api/applications", body).await.expect(200).text("id");
    let path = format!("/api/applications/{id}/custom-data");
    let merged = management.patch(&path, json!({ "deep": { "b": 2 }, "new": [null], "team": null })).await.expect(200);
    assert_eq!(merged.body, json!({ "deep": { "b": 2 }, "new": [null], "team": null }));
    assert_eq!(management.patch(&path, json!({})).await.expect(200).body, merged.body);
    let shown = management.get(&format!("/api/applications/{id}")).await.expect(200);
    assert_eq!((&shown["customData"], &shown["name"]), (&merged.body, &json!("Shop")));

    // It grows to what one body could bring, and no further.
    let half = "a".repeat(600_000);
    management.patch(&path, json!({ "one": half })).await.expect(200);
    let more = management.patch(&path, json!({ "other": half })).await;
    more.expect_api_error(400, "guard.invalid_input");
    let shown = management.get(&format!("/api/applications/{id}")).await.expect(200);
    assert!(shown["customData"].get("other").is_none());
    let nobodys = management.patch(&format!("/api/applications/{NOBODY}/custom-data"), json!({})).await;
    nobodys.expect_api_error(404, "entity.not_exists");
});

both!(an_application_becomes_an_administrators_and_is_one_no_more, async |server: TestServer| {
    let management = server.management().await;
    let users_read = management_scopes(&server, &management, &["users:read"]).await.remove(0);
    let narrow = role(&management, "narrow", "MachineToMachine", &[&users_read]).await;
    let (id, secret) = machine(&management, "backend").await;
    let path = format!("/api/applications/{id}");
    management.post(&format!("{path}/roles"), json!({ "roleIds": [narrow] })).await.expect(201);
    assert_eq!(management.get(&path).await.expect(200)["isAdmin"], false);
    for _ in 0..2 {
        management.patch(&path, json!({ "isAdmin": true })).await.expect(200);
        assert_eq!(management.get(&path).await.expect(200)["isAdmin"], true);
    }
    let token = credentials(&server, &id, &secret).send().await.expect(200);
    assert_eq!(token["scope"], "all");
    let admin = server.bearer(&token.text("access_token"));

    // The role that gives it is the server's own.
    let roles = admin.get("/api/roles?type=MachineToMachine").await.expect(200).body;
    let internal = format!("/api/roles/{}", find(&roles, "name", "#internal:admin")["id"].as_str().unwrap());
    let scope_id = management.get(&format!("{internal}/scopes")).await.expect(200).body[0]["id"].clone();
    let code = "role.internal_role_violation";
    admin.patch(&internal, json!({ "name": "mine" })).await.expect_api_error(403, code);
    admin.delete(&internal).await.expect_api_error(403, code);
    let body = json!({ "scopeIds": [users_read] });
    admin.post(&format!("{internal}/scopes"), body).await.expect_api_error(403, code);
    let scope = format!("{internal}/scopes/{}", scope_id.as_str().unwrap());
    admin.delete(&scope).await.expect_api_error(403, code);

    // Whichever role gave it is taken; what is narrower stays.
    let owner = format!("/api/applications/{}", server.machine().client_id);
    admin.patch(&owner, json!({ "isAdmin": false })).await.expect(200);
    assert_eq!(server.client_credentials().send().await.expect(200).body.get("scope"), None);
    let last = admin.patch(&path, json!({ "isAdmin": false })).await;
    last.expect_api_error(422, "application.last_administrator");
    admin.patch(&owner, json!({ "isAdmin": true })).await.expect(200);
    admin.patch(&path, json!({ "isAdmin": false })).await.expect(200);
    assert_eq!(credentials(&server, &id, &secret).send().await.expect(200).body.get("scope"), None);
    let form = credentials(&server, &id, &secret).with("scope", "users:read");
    assert_eq!(form.send().await.expect(200)["scope"], "users:read");
});

both!(an_application_with_users_is_no_administrators, async |server: TestServer| {
    let management = server.management().await;
    let path = format!("/api/applications/{}", server.demo().web_client_id);
    let answer = management.patch(&path, json!({ "name": "Changed", "isAdmin": true })).await;
    answer.expect_api_error(422, "application.invalid_type");
    let unchanged = management.patch(&path, json!({ "isAdmin": false })).await.expect(200);
    assert_ne!(unchanged["name"], "Changed");
});

both!(a_list_of_applications_is_narrowed, async |server: TestServer| {
    let management = server.management().await;
    let role_id = role(&management, "machines", "MachineToMachine", &[]).await;
    let (machine_id, _) = machine(&management, "backend").await;
    let path = format!("/api/roles/{role_id}/applications");
    management.post(&path, json!({ "applicationIds": [machine_id] })).await.expect(201);
    let body = json!({ "name": "theirs", "type": "SPA", "isThirdParty": true });
    management.post("/api/applications", body).await.expect(200);
    let organization_id = management.post("/api/organizations", json!({ "name": "Acme" })).await.expect(201).text("id");
    let path = format!("/api/organizations/{organization_id}/applications");
    management.post(&path, json!({ "applicationIds": [machine_id] })).await.expect(201);
    for (query, has_backend, has_theirs) in [
        (String::new(), true, true),
        ("types=SPA".to_owned(), false, true),
        ("types=SPA&types=MachineToMachine&types=SAML&types=SPA".to_owned(), true, true),
        ("types=Protected".to_owned(), false, false),
        ("isThirdParty=true".to_owned(), false, true),
        ("isThirdParty=false".to_owned(), true, false),
        (format!("excludeRoleId={role_id}"), false, true),
        (format!("excludeRoleId={role_id}&types=MachineToMachine"), false, false),
        (format!("excludeRoleId={NOBODY}"), true, true),
        (format!("excludeOrganizationId={NOBODY}"), true, true),
        (format!("excludeOrganizationId={organization_id}"), false, true),
        (format!("excludeOrganizationId={organization_id}&types=MachineToMachine"), false, false),
    ] {
        let listed = management.get(&format!("/api/applications?page=1&page_size=100&{query}")).await.expect(200);
        let names = texts(&listed.body, "name");
        assert_eq!((names.contains(&"backend"), names.contains(&"theirs")), (has_backend, has_theirs), "{query}");
        assert_eq!(listed.header("total-number"), Some(names.len().to_string().as_str()), "{query}");
    }
    for query in ["types=Toaster", "types=", "isThirdParty=maybe", "excludeRoleId=%00"] {
        management.get(&format!("/api/applications?{query}")).await.expect_api_error(400, "guard.invalid_input");
    }
    let both = management.get("/api/applications?excludeRoleId=a&excludeOrganizationId=b").await;
    both.expect_api_error(400, "request.invalid_input");
});

both!(redirect_uris_have_no_wildcards, async |server: TestServer| {
    let management = server.management().await;
    let body = |key: &str, uri: &str| json!({ "name": "Shop", "type": "SPA", "oidcClientMetadata": { key: ["https://shop.test/back", uri] } });
    for key in ["redirectUris", "postLogoutRedirectUris"] {
        for uri in ["https://*.shop.test/back", "https://shop.test/*", "com.example.*://back", "com.example.app://*"] {
            let answer = management.post("/api/applications", body(key, uri)).await;
            if uri == "com.example.*://back" {
                answer.expect_api_error(400, "guard.invalid_input");
                continue;
            }
            answer.expect_api_error(422, "request.invalid_input");
            assert!(answer.text("message").contains(&format!("oidcClientMetadata.{key}[1]")), "{}", answer.body);
        }
    }
    let made = management.post("/api/applications", body("redirectUris", "https://shop.test/?a=*")).await.expect(200);
    let path = format!("/api/applications/{}", made["id"].as_str().unwrap());
    let wild = json!({ "oidcClientMetadata": { "redirectUris": ["https://*.shop.test/back"] } });
    management.patch(&path, wild.clone()).await.expect_api_error(422, "request.invalid_input");
    // What is stored from earlier versions can be written back.
    let mut tx = server.begin().await;
    let stored = sqlx::types::Json(json!({ "redirectUris": ["https://*.shop.test/back"] }));
    let sql = "UPDATE applications SET oidc_client_metadata = $1 WHERE id = $2";
    tx.sql(sql).bind(stored).bind(made["id"].as_str().unwrap()).execute().await.unwrap();
    tx.commit().await.unwrap();
    management.patch(&path, wild).await.expect(200);
});

both!(what_an_application_cannot_be_required_is_refused, async |server: TestServer| {
    let management = server.management().await;
    for name in ["requirePushedAuthorizationRequests", "requirePkce"] {
        let device = json!({ "isDeviceFlow": true, name: true });
        for (kind, custom) in [("MachineToMachine", json!({ name: true })), ("Native", device)] {
            let body = json!({ "name": "Shop", "type": kind, "customClientMetadata": custom });
            let answer = management.post("/api/applications", body).await;
            answer.expect_api_error(400, "guard.invalid_input");
            assert!(answer.text("details").contains(&format!("customClientMetadata.{name}")), "{}", answer.body);
        }
        for kind in ["Traditional", "SPA", "Native", "MachineToMachine"] {
            let value = kind != "MachineToMachine";
            let body = json!({ "name": "Shop", "type": kind, "customClientMetadata": { name: value } });
            let made = management.post("/api/applications", body).await.expect(200);
            assert_eq!(made["customClientMetadata"][name], value);
        }
    }
});
