//! What the console does for people in process: subject tokens, with a reason, for nobody who administers.

use super::{command_line, console, person};
use crate::fixtures::narrow;
use claimsmith_domain::console::ConsoleRole::{Admin, Developer, Read, Support};
use claimsmith_storage::audit;
use claimsmith_test_support::{TestServer, both};
use serde_json::json;

both!(a_person_says_why_they_impersonate, async |server: TestServer| {
    let id = person(&server, &[Support]).await;
    let door = console(&server, &id, &[Support], 0).await;
    let customer = server.demo().customer_user_id.clone();
    for context in [
        json!({}),
        json!({ "reason": "a stuck order" }),
        json!({ "ticketId": "T-1" }),
        json!({ "reason": "", "ticketId": "T-1" }),
        json!({ "reason": "a stuck order", "ticketId": "  " }),
        json!({ "reason": ["a stuck order"], "ticketId": 1 }),
    ] {
        let body = json!({ "userId": customer, "context": context });
        door.post("/api/subject-tokens", body).await.expect_api_error(422, "console.reason_required");
    }
    let body = json!({ "userId": customer, "context": { "reason": "a stuck order", "ticketId": "T-1" } });
    let token = door.post("/api/subject-tokens", body).await.expect(201).text("subjectToken");
    let mut tx = server.begin().await;
    let logs = audit::list_by_key(&mut tx, "Management.SubjectToken.Create", 5).await.unwrap();
    drop(tx);
    assert_eq!(logs.len(), 1, "what was refused made none");
    let payload = &logs[0].payload;
    for (key, value) in
        [("byUserId", id.as_str()), ("applicationId", "claimsmith-console"), ("userId", customer.as_str())]
    {
        assert_eq!(payload[key], value, "{payload:?}");
    }
    assert_eq!(payload["context"], json!({ "reason": "a stuck order", "ticketId": "T-1" }));
    server.exchange(&token).send().await.expect(200);
    // Machines need not say why.
    server.subject_token(&customer, json!({})).await;
});

both!(in_the_console_support_impersonates_and_the_command_line_never_does, async |server: TestServer| {
    let customer = server.add_user().await;
    let body = json!({ "userId": customer, "context": { "reason": "a stuck order", "ticketId": "T-1" } });
    for (role, status, code) in
        [(Read, 403, "auth.forbidden"), (Developer, 403, "auth.forbidden"), (Support, 201, ""), (Admin, 201, "")]
    {
        let id = person(&server, &[role]).await;
        let answer = console(&server, &id, &[role], 9).await.post("/api/subject-tokens", body.clone()).await;
        assert_eq!(answer.status, status, "{role:?} {answer:?}");
        assert_eq!(answer.body["code"].as_str().unwrap_or_default(), code);
        let cli = command_line(&server, &id, 0).await;
        cli.post("/api/subject-tokens", body.clone()).await.expect_api_error(403, "auth.forbidden");
    }
    let id = person(&server, &[Support]).await;
    let stale = console(&server, &id, &[Support], 10).await.post("/api/subject-tokens", body).await;
    stale.expect_api_error(403, "console.fresh_sign_in_required");
});

both!(developers_say_which_application_takes_people_over, async |server: TestServer| {
    let management = server.management().await;
    let application = json!({ "name": "Desk", "type": "SPA" });
    let id = management.post("/api/applications", application).await.expect(200).text("id");
    let path = format!("/api/applications/{id}");
    let change = |uri: &str| json!({ "customClientMetadata": { "allowTokenExchange": true, "impersonationUri": uri } });
    for (role, is_allowed) in [(Read, false), (Support, false), (Developer, true), (Admin, true)] {
        let id = person(&server, &[role]).await;
        for (door, at) in
            [(console(&server, &id, &[role], 9).await, "console"), (command_line(&server, &id, 9).await, "cli")]
        {
            let uri = format!("https://{}.{at}.test/in", role.scope().replace(':', "-"));
            let answer = door.patch(&path, change(&uri)).await;
            if is_allowed {
                assert_eq!(answer.expect(200)["customClientMetadata"]["impersonationUri"], uri);
            } else {
                answer.expect_api_error(403, "auth.forbidden");
            }
        }
        // It is where tokens of others go: nobody changes it at a screen that was left alone.
        let stale = console(&server, &id, &[role], 10).await.patch(&path, change("https://stale.test/in")).await;
        let code = if is_allowed { "console.fresh_sign_in_required" } else { "auth.forbidden" };
        stale.expect_api_error(403, code);
    }
    let kept = management.get(&path).await.expect(200);
    assert_eq!(kept["customClientMetadata"]["impersonationUri"], "https://console-admin.cli.test/in");
    let reader = narrow(&server, &management, &["applications:read"]).await;
    reader.patch(&path, change("https://machine.test/in")).await.expect_api_error(403, "auth.forbidden");
});

both!(support_ends_impersonations, async |server: TestServer| {
    server.exchange(&server.customer_token().await).access_token().await;
    let id = person(&server, &[Support]).await;
    let actor = command_line(&server, &id, 0).await;
    let live = actor.get("/api/impersonations").await.expect(200).body;
    let jti = live[0]["id"].as_str().unwrap().to_owned();
    let developer = command_line(&server, &person(&server, &[Developer]).await, 0).await;
    let path = format!("/api/impersonations/{jti}");
    developer.delete(&path).await.expect_api_error(403, "auth.forbidden");
    actor.delete(&path).await.expect(204);
    let ended = actor.get(&path).await.expect(200).body;
    assert_eq!((&live[0]["isActive"], &ended["isActive"]), (&json!(true), &json!(false)));
});

both!(secrets_of_plugins_are_used_after_a_recent_sign_in, async |server: TestServer| {
    let admin = person(&server, &[Admin]).await;
    let developer = person(&server, &[Developer]).await;
    let fresh = console(&server, &admin, &[Admin], 0).await;
    let source =
        "export const getCustomJwtClaims = async ({ environmentVariables: { KEY } }) => ({ length: KEY.length });";
    let request = fresh.request(reqwest::Method::PUT, "/api/plugins/keyed?activate=false");
    let sent = request.header("content-type", "text/javascript").body(source);
    claimsmith_test_support::Answer::of(sent).await.expect(201);
    let secret = "/api/plugins/keyed/secrets/KEY";
    fresh.put(secret, json!({ "value": "correct horse" })).await.expect(204);
    let dev = console(&server, &developer, &[Developer], 0).await;
    dev.put(secret, json!({ "value": "mine" })).await.expect_api_error(403, "auth.forbidden");
    let stale = console(&server, &admin, &[Admin], 10).await;
    for (actor, seen) in [(&fresh, "correct horse"), (&stale, "secret:KEY"), (&dev, "secret:KEY")] {
        let answer = actor.post("/api/plugins/keyed/test", json!({})).await.expect(200);
        assert_eq!(answer["claims"], json!({ "length": seen.len() }), "{seen}: {answer:?}");
    }
});
