//! Numbers of free JSON: what is stored is what was sent, or it is refused.

use claimsmith_test_support::{Actor, Answer, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};

/// Numbers that no database and no program keeps.
const LOST: [&str; 6] = [
    "123456789012345678901234567890",
    "18446744073709551616",
    "-9223372036854775809",
    "0.123456789012345678901234567890",
    "1234567890123.45678",
    "1e-400",
];
/// Numbers that are kept, however they are written.
const KEPT: [&str; 9] = [
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "0.1",
    "0.10000000000000001",
    "1e21",
    "-2.5E-7",
    "19.90",
];

async fn send(actor: &Actor, method: Method, path: &str, body: String) -> Answer {
    Answer::of(actor.request(method, path).header("content-type", "application/json").body(body)).await
}

both!(numbers_are_stored_as_they_are_sent_or_refused, async |server: TestServer| {
    let management = server.management().await;
    let user = management.post("/api/users", json!({ "username": "ada" })).await.expect(200).text("id");
    let application = json!({ "name": "Shop", "type": "SPA" });
    let application = management.post("/api/applications", application).await.expect(200).text("id");
    let organization = management.post("/api/organizations", json!({ "name": "Acme" })).await.expect(201).text("id");
    // Everything that keeps JSON of the caller's own, and where in a body it stands.
    let free = |path: String, start: &str, end: &str, pointer: &str| {
        (path, format!("{start}{{\"deep\":[{{\"n\":"), format!("}}]}}{end}"), format!("{pointer}/deep/0/n"))
    };
    let places = [
        free(format!("/api/users/{user}"), "{\"customData\":", "}", "/customData"),
        free(format!("/api/users/{user}/custom-data"), "{\"customData\":", "}", ""),
        free(format!("/api/applications/{application}"), "{\"customData\":", "}", "/customData"),
        free(format!("/api/applications/{application}/custom-data"), "", "", ""),
        free(format!("/api/organizations/{organization}"), "{\"customData\":", "}", "/customData"),
    ];
    for (path, start, end, pointer) in &places {
        let before = management.get(path.trim_end_matches("/custom-data")).await.expect(200).body;
        for number in LOST {
            let refused = send(&management, Method::PATCH, path, format!("{start}{number}{end}")).await;
            refused.expect_api_error(400, "guard.invalid_input");
            assert!(refused.text("details").contains("more digits"), "{path} {number}: {:#}", refused.body);
        }
        assert_eq!(management.get(path.trim_end_matches("/custom-data")).await.expect(200).body, before, "{path}");
        for number in KEPT {
            let answer = send(&management, Method::PATCH, path, format!("{start}{number}{end}")).await.expect(200);
            let kept = answer.body.pointer(pointer).unwrap_or_else(|| panic!("{path}: {:#}", answer.body));
            let sent: Value = serde_json::from_str(number).unwrap();
            assert_eq!(*kept, sent, "{path} {number}");
        }
    }
    let created = |number: &str| {
        [
            ("/api/users", format!("{{\"username\":\"u{}\",\"customData\":{{\"n\":{number}}}}}", number.len())),
            ("/api/applications", format!("{{\"name\":\"n\",\"type\":\"SPA\",\"customData\":{{\"n\":{number}}}}}")),
            ("/api/organizations", format!("{{\"name\":\"n\",\"customData\":{{\"n\":{number}}}}}")),
            ("/api/subject-tokens", format!("{{\"userId\":\"{user}\",\"context\":{{\"n\":{number}}}}}")),
        ]
    };
    for number in LOST {
        for (path, body) in created(number) {
            send(&management, Method::POST, path, body).await.expect_api_error(400, "guard.invalid_input");
        }
    }
    for (path, body) in created("9223372036854775807") {
        let answer = send(&management, Method::POST, path, body).await;
        assert!(answer.status < 300, "{path}: {answer:?}");
    }
});

both!(an_imported_line_with_a_number_that_is_lost_costs_itself, async |server: TestServer| {
    let management = server.management().await;
    let lost = "123456789012345678901234567890";
    let lines = format!(
        "{{\"username\":\"a\",\"customData\":{{\"n\":{lost}}}}}\n{{\"username\":\"b\",\"customData\":{{\"n\":7}}}}\n"
    );
    let csv = format!("username,customData\nc,\"{{\"\"n\"\":{lost}}}\"\nd,\"{{\"\"n\"\":8}}\"\n");
    for (kind, body, names) in [("application/jsonl", lines, ["a", "b"]), ("text/csv", csv, ["c", "d"])] {
        let request = management.request(Method::POST, "/api/users/import").header("content-type", kind);
        let said = Answer::of(request.body(body)).await.expect(200).body;
        let said = said.as_str().unwrap();
        assert!(said.contains("guard.invalid_input") && said.contains("\"created\":1,\"failed\":1"), "{said}");
        for (name, count) in names.into_iter().zip([0, 1]) {
            let found = management.get(&format!("/api/users?search.username={name}")).await.expect(200).body;
            assert_eq!(found.as_array().unwrap().len(), count, "{name}");
        }
    }
});

both!(a_claim_is_what_the_plugin_answers_or_the_plugin_fails, async |server: TestServer| {
    let management = server.management().await;
    let upload = async |number: &str| {
        let source = format!("export const getCustomJwtClaims = async () => ({{ n: {number} }});");
        let request = management.request(Method::PUT, "/api/plugins/number").header("content-type", "text/javascript");
        Answer::of(request.body(source)).await.expect(201);
    };
    upload("Number.MAX_SAFE_INTEGER").await;
    let token = server.exchange(&server.customer_token().await).access_token().await;
    let claims = server.verify(&token, &server.demo().resource).await.claims;
    assert_eq!(claims["n"], json!(9_007_199_254_740_991_i64));
    // JavaScript writes a number so that it is read as the same.
    upload("0.1 + 0.2").await;
    let token = server.exchange(&server.customer_token().await).access_token().await;
    let claims = server.verify(&token, &server.demo().resource).await.claims;
    assert_eq!(claims["n"].to_string(), "0.30000000000000004");
});
