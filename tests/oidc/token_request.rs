//! Malformed requests to the token endpoint.

use claimsmith_test_support::{Answer, Form, TestServer, both};
use reqwest::header::CONTENT_TYPE;

const FORM: &str = "application/x-www-form-urlencoded";

/// Sends a body as it stands.
async fn send(server: &TestServer, content_type: &str, body: impl Into<reqwest::Body>) -> Answer {
    Answer::of(server.http.post(server.url("/oidc/token")).header(CONTENT_TYPE, content_type).body(body)).await
}

/// The form as text, ready for one more pair.
fn encoded(form: &Form) -> String {
    let pair = |(name, value): &(String, String)| {
        format!("{name}={}&", value.replace('%', "%25").replace('&', "%26").replace('+', "%2B"))
    };
    form.parameters.iter().map(pair).collect::<Vec<_>>().concat()
}

both!(the_grant_type_must_be_known, async |server: TestServer| {
    let form = server.client_credentials();
    form.clone().without("grant_type").send().await.expect_oauth_error(400, "invalid_request");
    form.clone().with("grant_type", "").send().await.expect_oauth_error(400, "invalid_request");
    for unknown in ["password", "implicit", "Client_Credentials", "urn:ietf:params:oauth:grant-type:saml2-bearer"] {
        form.clone().with("grant_type", unknown).send().await.expect_oauth_error(400, "unsupported_grant_type");
    }
});

both!(a_form_is_utf_8, async |server: TestServer| {
    let form = server.client_credentials();
    let machine = server.machine();
    let post = async |charset: &str| {
        let request = server.http.post(server.url("/oidc/token")).header(CONTENT_TYPE, format!("{FORM}{charset}"));
        Answer::of(request.basic_auth(&machine.client_id, Some(&machine.client_secret)).body(encoded(&form))).await
    };
    for charset in ["", ";charset=utf-8", "; Charset=\"UTF-8\"", "; boundary=x; charset=Utf-8 "] {
        post(charset).await.expect(200);
    }
    // ASCII is the same in all of these.
    for charset in
        ["; charset=utf8", "; charset=us-ascii", ";charset=ISO-8859-1", "; charset=latin1", "; charset=\"GBK\""]
    {
        post(charset).await.expect(200);
    }
    let others = [
        "; charset=utf-16",
        ";charset=utf16le",
        "; x=y;CHARSET=\"utf-7\"",
        "; charset=",
        "; charset=iso-2022-jp",
        "; charset=x",
    ];
    for charset in others {
        post(charset).await.expect_oauth_error(400, "invalid_request");
    }
});

both!(a_form_of_another_charset_is_ascii, async |server: TestServer| {
    let subject_token = server.customer_token().await;
    let body = encoded(&server.exchange(&subject_token));
    let json = format!("{{\"client_id\":\"{}\",\"grant_type\":\"x\"", server.demo().spa_client_id);
    let sent = async |kind: &str, charset: &str, body: String| {
        send(&server, &format!("{kind}; charset={charset}"), body).await
    };
    for more in ["x=%e4", "x=%c3%a4", "%c3%a4=x", "x=ä"] {
        for charset in ["iso-8859-1", "us-ascii", "windows-1252", "shift_jis"] {
            let answer = sent(FORM, charset, format!("{body}{more}")).await;
            answer.expect_oauth_error(400, "invalid_request");
        }
    }
    // JSON is UTF-8, whatever its type says; what is ASCII reads alike.
    let answer = sent("application/json", "latin1", format!("{json},\"x\":\"ä\"}}")).await;
    answer.expect_oauth_error(400, "invalid_request");
    let answer = sent("application/json", "latin1", format!("{json},\"x\":\"\\u00e4\"}}")).await;
    answer.expect_oauth_error(400, "unsupported_grant_type");
    // Every endpoint reads its form alike.
    for path in ["/oidc/token/introspection", "/oidc/token/revocation", "/oidc/request", "/oidc/device/auth"] {
        let request = server.http.post(server.url(path)).header(CONTENT_TYPE, format!("{FORM}; charset=latin1"));
        Answer::of(request.body("client_id=nobody&token=a")).await.expect_oauth_error(401, "invalid_client");
    }
    // What was refused has used nothing up.
    send(&server, &format!("{FORM}; charset=utf-8"), format!("{body}x=%c3%a4")).await.expect(200);
});

both!(who_asks_is_settled_before_what_is_asked, async |server: TestServer| {
    let form = server.form("/oidc/token").with("grant_type", "nonsense").with("client_id", "stranger");
    form.send().await.expect_oauth_error(401, "invalid_client");
});

both!(a_parameter_is_sent_once, async |server: TestServer| {
    let subject_token = server.customer_token().await;
    let form = server.exchange(&subject_token).actor("whatever");
    let names: Vec<String> = form.parameters.iter().map(|(name, _)| name.clone()).collect();
    for name in names.iter().filter(|name| *name != "resource") {
        let twice = form.clone().and(name, "again").send().await;
        twice.expect_oauth_error(400, "invalid_request");
        assert!(twice.text("error_description").contains(&format!("'{name}'")), "{}", twice.body);
    }
    // Also one that nobody asks for.
    let unknown = server.exchange(&subject_token).and("audience", "a").and("audience", "b").send().await;
    unknown.expect_oauth_error(400, "invalid_request");
    assert!(unknown.text("error_description").contains("'audience'"), "{}", unknown.body);
});

both!(a_parameter_without_a_value_counts_as_omitted, async |server: TestServer| {
    let form = server.exchange(&server.customer_token().await);
    let form = form.with("actor_token", "").with("actor_token_type", "").with("organization_id", "");
    form.with("client_secret", "").send().await.expect(200);
});

both!(a_scope_holds_scope_characters, async |server: TestServer| {
    let form = server.client_credentials();
    for scope in ["a\"b", "a\\b", "a\tb", "é", "a\nb"] {
        form.clone().with("scope", scope).send().await.expect_oauth_error(400, "invalid_scope");
    }
    let exchange = server.exchange(&server.customer_token().await);
    exchange.clone().with("scope", "resource:read\u{7f}").send().await.expect_oauth_error(400, "invalid_scope");
    exchange.send().await.expect(200);
});

both!(nul_bytes_are_refused, async |server: TestServer| {
    let form = server.exchange(&server.customer_token().await);
    for name in ["subject_token", "client_id", "scope", "resource", "grant_type", "organization_id", "anything"] {
        form.clone().with(name, "a\0b").send().await.expect_oauth_error(400, "invalid_request");
    }
    form.clone().and("na\0me", "value").send().await.expect_oauth_error(400, "invalid_request");
    send(&server, FORM, format!("{}\0=", encoded(&form))).await.expect_oauth_error(400, "invalid_request");
    form.send().await.expect(200);
});

both!(bytes_that_are_not_utf8_are_refused, async |server: TestServer| {
    let body = encoded(&server.exchange(&server.customer_token().await));
    for bad in ["x=%ff", "%c3%28=x", "x=%ed%a0%80"] {
        send(&server, FORM, format!("{body}{bad}")).await.expect_oauth_error(400, "invalid_request");
    }
    let mut raw = body.clone().into_bytes();
    raw.extend(b"x=\xff");
    send(&server, FORM, raw).await.expect_oauth_error(400, "invalid_request");
    send(&server, FORM, body).await.expect(200);
});

both!(the_content_type_must_be_a_form, async |server: TestServer| {
    let body = encoded(&server.exchange(&server.customer_token().await));
    for wrong in ["text/plain", "multipart/form-data; boundary=x", "application/octet-stream", "application/xml", "x"] {
        send(&server, wrong, body.clone()).await.expect_oauth_error(400, "invalid_request");
    }
    let none = Answer::of(server.http.post(server.url("/oidc/token")).body(body.clone())).await;
    none.expect_oauth_error(400, "invalid_request");
    send(&server, "Application/X-WWW-Form-URLEncoded; charset=utf-8", body).await.expect(200);
});

both!(a_flat_json_object_is_taken_as_a_form, async |server: TestServer| {
    let form = server.exchange(&server.customer_token().await);
    let mut object = serde_json::Map::new();
    for (name, value) in &form.parameters {
        object.insert(name.clone(), value.clone().into());
    }
    let text = serde_json::to_string(&object).unwrap();
    let json = "application/json";
    for bad in [
        String::new(),
        "[]".to_owned(),
        "null".to_owned(),
        text[..text.len() - 1].to_owned(),
        text.replace("\"resource:read\"", "[\"resource:read\"]"),
        text.replace("\"resource:read\"", "{}"),
        text.replace("\"resource:read\"", "1.5"),
        text.replace("\"resource:read\"", "null"),
        text.replace("resource:read", "resource\\u0000read"),
        // The same name twice must not pass as the last one of both.
        text.replacen('{', "{\"scope\":\"openid\",", 1),
    ] {
        send(&server, json, bad.clone()).await.expect_oauth_error(400, "invalid_request");
    }
    send(&server, json, text).await.expect(200);
});

both!(an_oversized_body_is_refused, async |server: TestServer| {
    let body = encoded(&server.exchange(&server.customer_token().await));
    let padded = |size: usize| format!("{body}padding={}", "x".repeat(size - body.len() - "padding=".len()));
    send(&server, FORM, padded(56 * 1024 + 1)).await.expect_oauth_error(413, "invalid_request");
    send(&server, FORM, padded(56 * 1024)).await.expect(200);
});

both!(other_methods_and_paths_are_refused_in_the_same_form, async |server: TestServer| {
    for (method, path) in
        [("GET", "/oidc/token"), ("PUT", "/oidc/token"), ("POST", "/oidc/jwks"), ("GET", "/oidc/nothing")]
    {
        let request = server.http.request(method.parse().unwrap(), server.url(path));
        Answer::of(request).await.expect_oauth_error(404, "invalid_request");
    }
});
