//! Compatibility with clients of the reference API.

use crate::fixtures::{texts, user};
use claimsmith_test_support::{TestServer, both, until};
use serde_json::{Value, json};

both!(what_is_asked_for_comes_back_as_it_was_given, async |server: TestServer| {
    let management = server.management().await;
    let zoo = management.post("/api/organizations", json!({ "name": "Zoo" })).await.expect(201).text("id");
    let mut ids = Vec::new();
    for name in ["ada", "grace", "edsger"] {
        ids.push(user(&management, name).await);
    }
    ids.sort();
    ids.reverse();
    ids.push(ids[1].clone());
    let path = format!("/api/organizations/{zoo}/users");
    let answer = management.post(&path, json!({ "userIds": ids })).await.expect(201);
    assert_eq!(answer.body, json!({ "userIds": ids }));
    assert_eq!(management.get(&path).await.expect(200).header("total-number"), Some("3"));

    let mut machines = Vec::new();
    for name in ["one", "two"] {
        let body = json!({ "name": name, "type": "MachineToMachine" });
        machines.push(management.post("/api/applications", body).await.expect(200).text("id"));
    }
    machines.sort();
    machines.reverse();
    let path = format!("/api/organizations/{zoo}/applications");
    let answer = management.post(&path, json!({ "applicationIds": machines })).await.expect(201);
    assert_eq!(answer.body, json!({ "applicationIds": machines }));

    // No role is a choice, too.
    for path in [
        format!("/api/organizations/{zoo}/users/{}/roles", ids[0]),
        format!("/api/organizations/{zoo}/applications/{}/roles", machines[0]),
    ] {
        for body in [json!({ "organizationRoleIds": [] }), json!({ "organizationRoleNames": [] })] {
            let answer = management.post(&path, body).await.expect(201);
            assert_eq!(answer.body, json!({ "organizationRoleIds": [] }));
        }
        assert_eq!(management.get(&path).await.expect(200).body, json!([]));
        management.post(&path, json!({})).await.expect_api_error(400, "guard.invalid_input");
    }
});

both!(email_domains_are_listed_whole_or_in_pages, async |server: TestServer| {
    let management = server.management().await;
    let zoo = management.post("/api/organizations", json!({ "name": "Zoo" })).await.expect(201).text("id");
    let path = format!("/api/organizations/{zoo}/jit/email-domains");
    let domains: Vec<String> = (0..25).map(|index| format!("d{index:02}.test")).collect();
    management.put(&path, json!({ "emailDomains": domains })).await.expect(204);
    let all = management.get(&path).await.expect(200);
    assert_eq!((texts(&all.body, "emailDomain").len(), all.header("total-number")), (25, None));
    let page = management.get(&format!("{path}?page=2")).await.expect(200);
    assert_eq!((texts(&page.body, "emailDomain").len(), page.header("total-number")), (5, Some("25")));
    let page = management.get(&format!("{path}?page_size=3")).await.expect(200);
    assert_eq!(texts(&page.body, "emailDomain"), ["d00.test", "d01.test", "d02.test"]);
});

both!(what_applications_say_of_themselves_is_kept, async |server: TestServer| {
    let management = server.management().await;
    let metadata = json!({ "isDeviceFlow": true, "maxAllowedGrants": 3 });
    let native = json!({ "name": "TV", "type": "Native", "customClientMetadata": metadata });
    let created = management.post("/api/applications", native).await.expect(200);
    assert_eq!(created["customClientMetadata"], metadata);
    let path = format!("/api/applications/{}", created.text("id"));
    assert_eq!(management.get(&path).await.expect(200)["customClientMetadata"], metadata);
    let changed = json!({ "customClientMetadata": { "maxAllowedGrants": 1 } });
    let changed = management.patch(&path, changed).await.expect(200);
    assert_eq!(changed["customClientMetadata"], json!({ "isDeviceFlow": true, "maxAllowedGrants": 1 }));

    // Whether an application uses the device flow is decided when it is created.
    let flow = |flow: Value| json!({ "customClientMetadata": { "isDeviceFlow": flow } });
    for off in [json!(false), json!(null)] {
        let refused = management.patch(&path, flow(off)).await;
        refused.expect_api_error(422, "application.device_flow_not_changeable");
    }
    let kept = management.patch(&path, flow(json!(true))).await.expect(200);
    assert_eq!(kept["customClientMetadata"], json!({ "isDeviceFlow": true, "maxAllowedGrants": 1 }));
    let plain = management.post("/api/applications", json!({ "name": "App", "type": "Native" })).await.expect(200);
    let plain = format!("/api/applications/{}", plain.text("id"));
    let refused = management.patch(&plain, flow(json!(true))).await;
    refused.expect_api_error(422, "application.device_flow_not_changeable");
    management.patch(&plain, flow(json!(false))).await.expect(200);
    for kind in ["SPA", "Traditional", "MachineToMachine"] {
        let other = json!({ "name": "App", "type": kind, "customClientMetadata": { "isDeviceFlow": true } });
        let refused = management.post("/api/applications", other).await;
        refused.expect_api_error(422, "application.device_flow_native_only");
    }

    for (uri, status) in [
        ("com.example.app://callback", 200),
        ("capacitor://localhost/callback", 200),
        ("http://localhost:3000/callback", 200),
        ("javascript:alert(1)", 400),
        ("vbscript:x", 400),
        ("data:text/html,x", 400),
        ("com.example.app://callback#part", 400),
    ] {
        let uris = json!({ "redirectUris": [uri], "postLogoutRedirectUris": [uri] });
        let spa = json!({ "name": "Shop", "type": "SPA", "oidcClientMetadata": uris });
        let answer = management.post("/api/applications", spa).await.expect(status);
        if status == 200 {
            assert_eq!(answer["oidcClientMetadata"], uris, "{uri}");
        }
    }
});

both!(an_organization_keeps_any_url_of_its_pictures, async |server: TestServer| {
    let management = server.management().await;
    let branding = json!({ "logoUrl": "ipfs://logo", "favicon": "data:image/png;base64,AA==", "darkLogoUrl": "" });
    let body = json!({ "name": "Zoo", "branding": branding });
    let created = management.post("/api/organizations", body).await.expect(201);
    assert_eq!(created["branding"], branding);
    let path = format!("/api/organizations/{}", created.text("id"));
    let answer = management.patch(&path, json!({ "branding": { "logoUrl": "no url" } })).await;
    answer.expect_api_error(400, "guard.invalid_input");
    assert_eq!(management.get(&path).await.expect(200)["branding"], branding);
});

both!(the_secret_that_was_shown_is_named_in_the_log, async |server: TestServer| {
    let management = server.management().await;
    let robot = json!({ "name": "Robot", "type": "MachineToMachine" });
    let robot = management.post("/api/applications", robot).await.expect(200);
    let (id, first) = (robot.text("id"), robot.text("secret"));
    let path = format!("/api/applications/{id}/secrets");
    let second = management.post(&path, json!({ "name": "2026" })).await.expect(201).text("value");
    let form = |secret: &str| crate::fixtures::credentials(&server, &id, secret);
    form(&first).send().await.expect(200);
    form(&second).send().await.expect(200);
    let query = format!("/api/logs?applicationId={id}&logKey=ExchangeTokenBy.ClientCredentials");
    let logs = management.get(&query).await.expect(200).body;
    let named: Vec<_> = logs.as_array().unwrap().iter().map(|log| &log["payload"]).collect();
    let of = |name: &str| named.iter().filter(|log| log["applicationSecret"] == json!({ "name": name })).count();
    assert_eq!((named.len(), of("Default secret"), of("2026")), (2, 1, 1), "{logs:#}");
    // A request that is refused afterwards names it, too.
    server.form("/oidc/token").with("grant_type", "password").basic(&id, &first).send().await.expect(400);
    let refused = async || {
        let logs = management.get(&format!("/api/logs?applicationId={id}&logKey=ExchangeTokenBy.Unknown")).await;
        logs.expect(200).body[0]["payload"].get("applicationSecret").cloned()
    };
    assert_eq!(until("the refusal's entry", refused).await, json!({ "name": "Default secret" }));
    assert!(!logs.to_string().contains(&first) && !logs.to_string().contains(&second));
    // A public client shows none.
    server.exchange(&server.customer_token().await).send().await.expect(200);
    let logs = management.get("/api/logs?logKey=ExchangeTokenBy.TokenExchange").await.expect(200).body;
    assert_eq!(logs[0]["payload"].get("applicationSecret"), None);
});
