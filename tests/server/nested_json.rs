//! Deeply nested JSON at every place where JSON is parsed: a nested text once ended the process by a stack overflow, so
//! the server must still respond afterwards.

use claimsmith_test_support::{Answer, TestServer, both, until};
use data_encoding::BASE64URL_NOPAD;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

/// Texts of JSON, each within the other by the name that `serde_json` keeps for that: 1464 levels in 20 KB.
fn within_each_other() -> String {
    (0..12).fold("1".to_owned(), |inner, _| {
        let text = format!("{}{inner}{}", "[".repeat(120), "]".repeat(120));
        format!(r#"{{"$serde_json::private::RawValue":{}}}"#, Value::from(text))
    })
}

fn nested(depth: usize) -> String {
    format!("{}{}", "[".repeat(depth), "]".repeat(depth))
}

/// What no door lets in: as it is, spelled otherwise, the other private name, and too deep.
fn refused() -> [String; 4] {
    let (text, number) = (within_each_other(), r#"{"$serde_json::private::Number":"1"}"#.to_owned());
    [text.replacen('$', "\\u0024", 1), text, number, nested(64)]
}

async fn send(server: &TestServer, path: &str, body: String) -> Answer {
    let request = server.management().await.request(Method::POST, path);
    Answer::of(request.header(CONTENT_TYPE, "application/json").body(body)).await
}

/// A token request in JSON.
fn token_request(server: &TestServer, body: String) -> RequestBuilder {
    server.http.post(server.url("/oidc/token")).header(CONTENT_TYPE, "application/json").body(body)
}

both!(bodies_are_bounded_in_depth_names_and_what_they_unfold_to, async |server: TestServer| {
    let user = &server.demo().customer_user_id;
    for text in refused() {
        for (path, body) in [
            ("/api/users", format!(r#"{{"customData":{{"a":{text}}}}}"#)),
            ("/api/organizations", format!(r#"{{"name":"o","customData":{{"a":{text}}}}}"#)),
            ("/api/subject-tokens", format!(r#"{{"userId":"{user}","context":{{"a":{text}}}}}"#)),
            ("/api/plugins/test/test", format!(r#"{{"input":{text}}}"#)),
        ] {
            send(&server, path, body).await.expect_api_error(400, "request.invalid_json");
        }
    }
    // Sixty-four levels, of which two stand around it.
    let body = format!(r#"{{"customData":{{"a":{}}}}}"#, nested(62));
    let made = send(&server, "/api/users", body).await.expect(200);
    let shown = server.management().await.get(&format!("/api/users/{}", made.text("id"))).await.expect(200);
    assert_eq!(shown["customData"], made["customData"]);

    for piece in ["[],", "0,", r#"{"":0},"#] {
        let body = format!(r#"{{"customData":{{"a":[{}0]}}}}"#, piece.repeat(140_000));
        send(&server, "/api/users", body).await.expect_api_error(413, "request.body_too_large");
    }
    let marked = json!({ "customData": { "$claimsmith::unreadable": "x" } }).to_string();
    send(&server, "/api/users", marked).await.expect_api_error(400, "guard.invalid_input");
});

both!(a_token_of_anybodys_making_is_only_a_bad_token, async |server: TestServer| {
    for text in refused() {
        let header = format!(r#"{{"alg":"ES256","typ":"at+jwt","kid":"k","x":[{text}]}}"#);
        let token = format!("{}.e30.AAAA", BASE64URL_NOPAD.encode(header.as_bytes()));
        server.bearer(&token).get("/api/users").await.expect(401);
        assert_eq!(server.introspect_as_web(&token).await, json!({ "active": false }));
        server.form("/oidc/token/revocation").with("token", &token).as_web().send().await.expect(200);
        let exchange = server.exchange(&server.customer_token().await).actor(&token);
        exchange.send().await.expect_oauth_error(400, "invalid_request");

        let body = format!(r#"{{"grant_type":"client_credentials","x":{text}}}"#);
        Answer::of(token_request(&server, body)).await.expect_oauth_error(400, "invalid_request");
    }
});

both!(a_form_has_a_hundred_parameters, async |server: TestServer| {
    let names = |count: usize| (0..count).map(|number| (format!("p{number}"), "1".to_owned()));
    let mut form = server.client_credentials();
    let spare = 100 - form.parameters.len();
    form.parameters.extend(names(spare));
    form.send().await.expect(200);
    form.parameters.push(("one-more".to_owned(), String::new()));
    let answer = form.send().await;
    answer.expect_oauth_error(400, "invalid_request");
    assert_eq!(answer["error_description"], "a request has at most 100 parameters");
    // The most names that the body has room for, as they are and in JSON.
    form.parameters = names(5000).collect();
    form.send().await.expect_oauth_error(400, "invalid_request");
    let many: serde_json::Map<_, _> = names(4000).map(|(name, value)| (name, json!(value))).collect();
    let answer = Answer::of(token_request(&server, Value::Object(many).to_string())).await;
    assert_eq!(answer["error_description"], "a request has at most 100 parameters");
});

both!(what_a_plugin_answers_is_bounded_too, async |server: TestServer| {
    let management = server.management().await;
    let path = "/api/configs/jwt-customizer/access-token";
    let set = async |answer: &str, blocks: bool| {
        let script = format!("const getCustomJwtClaims = async ({{ api }}) => {answer};");
        let body = json!({ "script": script, "blockIssuanceOnError": blocks });
        assert!(management.put(path, body).await.status < 300);
    };
    for text in refused() {
        let answer = format!("JSON.parse({})", Value::from(format!(r#"{{"a":{text}}}"#)));
        set(&answer, true).await;
        server.exchange(&server.customer_token().await).send().await.expect_oauth_error(500, "server_error");
        set(&answer, false).await;
        server.exchange(&server.customer_token().await).send().await.expect(200);
    }
    // As deep as an answer may be: the token is introspected, and taken back.
    set(&format!("JSON.parse({})", Value::from(format!(r#"{{"a":{}}}"#, nested(63)))), true).await;
    let token = server.exchange(&server.customer_token().await).as_web().access_token().await;
    let seen = server.introspect_as_web(&token).await;
    assert_eq!((&seen["active"], seen["a"].to_string()), (&json!(true), nested(63)));
    server.form("/oidc/token/revocation").with("token", &token).as_web().send().await.expect(200);
    assert_eq!(server.introspect_as_web(&token).await, json!({ "active": false }));

    // A refusal stands in the audit log, whatever its text.
    set(r"api.denyAccess('no\u0000pe')", true).await;
    server.exchange(&server.customer_token().await).send().await.expect_oauth_error(400, "access_denied");
    let key = "/api/logs?logKey=ExchangeTokenBy.TokenExchange";
    let entry = until("the entry of the denial", async || {
        let list = management.get(key).await.expect(200).body;
        list.as_array()?.iter().find(|entry| entry["payload"]["error"]["code"] == "access_denied").cloned()
    });
    assert_eq!(entry.await["payload"]["error"]["message"], "no\u{fffd}pe");
});

both!(golden_cases_that_are_too_deep_are_the_uploaders_fault, async |server: TestServer| {
    let source = "export const getCustomJwtClaims = () => ({});";
    for depth in [60, 119, 125, 200] {
        let cases = format!(
            r#"[{{"name":"deep","input":{{"context":{{"user":{{"customData":{}}}}}}},"expected":{{"claims":{{"a":{}}}}}}}]"#,
            nested(depth.min(20)),
            nested(depth),
        );
        let part = |name: &str, kind: &str, text: &str| {
            format!("--f\r\nContent-Disposition: form-data; name=\"{name}\"\r\nContent-Type: {kind}\r\n\r\n{text}\r\n")
        };
        let form = part("source", "text/javascript", source) + &part("cases", "application/json", &cases) + "--f--\r\n";
        let request = server.management().await.request(Method::PUT, "/api/plugins/deep");
        let answer = Answer::of(request.header(CONTENT_TYPE, "multipart/form-data; boundary=f").body(form)).await;
        answer.expect_api_error(422, "plugin.refused");
        let told = answer["message"].as_str().unwrap();
        assert_eq!(told.contains("nested deeper than 64 levels"), depth > 60, "{depth}: {told}");
    }
});
