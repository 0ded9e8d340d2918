//! `GET` and `POST /oidc/me` (OpenID Connect Core section 5.3, RFC 6750).

use claimsmith_domain::id::UserId;
use claimsmith_storage::issuing::issuances;
use claimsmith_test_support::{Answer, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

const ME: &str = "/oidc/me";
const CHALLENGE: &str = "www-authenticate";
const ALL: &str = "openid profile email phone address custom_data identities roles urn:logto:scope:organizations \
                   urn:logto:scope:organization_roles";

/// A user who has everything.
async fn add_ada(server: &TestServer) -> UserId {
    let body = json!({
        "username": "ada", "primaryEmail": "ada@example.com", "primaryPhone": "491701234567", "name": "Ada Lovelace",
        "avatar": "https://example.com/ada.png", "customData": { "plan": "gold" },
        "profile": { "givenName": "Ada", "locale": "en-GB", "address": { "postalCode": "SW1", "country": "UK" } },
    });
    server.management().await.post("/api/users", body).await.expect(200).text("id").into()
}

async fn mint(server: &TestServer, user: &UserId, scope: &str) -> String {
    server.mint(user, &server.demo().spa_client_id, scope).await
}

/// Asserts a refusal of RFC 6750, in the body and in the challenge.
#[track_caller]
fn expect_refusal(answer: &Answer, status: u16, error: &str) {
    answer.expect_oauth_error(status, error);
    let challenge = answer.header(CHALLENGE).unwrap();
    assert!(challenge.starts_with("Bearer ") && challenge.contains(&format!("error=\"{error}\"")), "{challenge}");
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

/// Asserts the answer to a request that shows no token: nothing of an error.
#[track_caller]
fn expect_challenge(answer: Answer) {
    let answer = answer.expect(401);
    assert_eq!((answer.header(CHALLENGE), &answer.body), (Some("Bearer realm=\"claimsmith\""), &Value::Null));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

both!(the_scopes_of_the_token_say_what_is_told, async |server: TestServer| {
    let ada = add_ada(&server).await;
    let seconds = server.clock.now_ms() / 1000;
    let profile = json!({
        "name": "Ada Lovelace", "given_name": "Ada", "preferred_username": "ada", "username": "ada",
        "picture": "https://example.com/ada.png", "locale": "en-GB", "updated_at": seconds, "created_at": seconds,
    });
    for (scope, mut expected) in [
        ("openid", json!({})),
        ("openid profile", profile),
        ("openid email", json!({ "email": "ada@example.com", "email_verified": true })),
        ("phone openid", json!({ "phone_number": "491701234567", "phone_number_verified": true })),
        ("openid address", json!({ "address": { "postal_code": "SW1", "country": "UK" } })),
        ("openid custom_data identities", json!({ "custom_data": { "plan": "gold" }, "identities": {} })),
    ] {
        expected["sub"] = json!(ada);
        let token = mint(&server, &ada, scope).await;
        let answer = server.bearer(&token).get(ME).await.expect(200);
        assert_eq!(answer.body, expected, "{scope}");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.header("content-type"), Some("application/json"));
        // The other places of a token say the same.
        let posted = server.bearer(&token).post(ME, Value::Null).await.expect(200).body;
        let in_form = server.form(ME).with("access_token", &token).send().await.expect(200).body;
        assert_eq!((&posted, &in_form), (&expected, &expected), "{scope}");
    }
});

both!(roles_and_organizations_are_told_as_they_are_now, async |server: TestServer| {
    let ada = add_ada(&server).await;
    let token = mint(&server, &ada, ALL).await;
    let tell = async || {
        let told = server.bearer(&token).get(ME).await.expect(200).body;
        ["roles", "organizations", "organization_data", "organization_roles"].map(|name| told[name].clone())
    };
    assert_eq!(tell().await, [json!([]), json!([]), json!([]), json!([])]);

    let management = server.management().await;
    let role = json!({ "name": "editor", "description": "edits" });
    let role = management.post("/api/roles", role).await.expect(200).text("id");
    management.post(&format!("/api/users/{}/roles", &*ada), json!({ "roleIds": [role] })).await.expect(201);
    let organization = server.add_organization_of(&ada, &[]).await;
    let path = format!("/api/organizations/{}", &*organization);
    let there = management.get(&format!("{path}/users/{}/roles", &*ada)).await.expect(200).body;
    let its_role = format!("{}:{}", &*organization, there[0]["name"].as_str().unwrap());
    let data = json!([{ "id": organization, "name": "Test organization", "description": null }]);
    assert_eq!(tell().await, [json!(["editor"]), json!([organization]), data, json!([its_role])]);

    management.delete(&format!("{path}/users/{}", &*ada)).await.expect(204);
    assert_eq!(tell().await, [json!(["editor"]), json!([]), json!([]), json!([])]);
});

both!(a_token_without_openid_tells_nothing, async |server: TestServer| {
    let ada = add_ada(&server).await;
    for scope in ["", "profile email"] {
        let answer = server.bearer(&mint(&server, &ada, scope).await).get(ME).await;
        expect_refusal(&answer, 403, "insufficient_scope");
    }
});

both!(without_a_token_there_is_a_challenge_and_no_error, async |server: TestServer| {
    let ada = add_ada(&server).await;
    let token = mint(&server, &ada, "openid").await;
    expect_challenge(server.get(ME).await);
    expect_challenge(server.anonymous().post(ME, Value::Null).await);
    expect_challenge(server.form(ME).with("token", &token).send().await);
    expect_challenge(server.form(ME).with("access_token", "").send().await);
    for authorization in ["Bearer", "Bearer ", "Basic YTpi", &token] {
        expect_challenge(Answer::of(server.http.get(server.url(ME)).header("authorization", authorization)).await);
    }
    // Addresses stand in logs and histories: a token in one is no token.
    expect_challenge(server.get(&format!("{ME}?access_token={token}")).await);
    expect_challenge(server.form(&format!("{ME}?access_token={token}")).send().await);
    // Nor is one in a body that is no form, or that a GET carries.
    let body = json!({ "access_token": token });
    expect_challenge(server.anonymous().post(ME, body).await);
    let get = server.http.get(server.url(ME)).form(&[("access_token", &token)]);
    expect_challenge(Answer::of(get).await);
});

both!(a_token_is_sent_once, async |server: TestServer| {
    let ada = add_ada(&server).await;
    let token = mint(&server, &ada, "openid").await;
    let form = server.form(ME).with("access_token", &token);
    let in_two_places = Answer::of(form.request().bearer_auth(&token)).await;
    in_two_places.expect_oauth_error(400, "invalid_request");
    form.and("access_token", &token).send().await.expect_oauth_error(400, "invalid_request");
    let header = format!("Bearer {token}");
    let twice = server.http.get(server.url(ME)).header("authorization", &header).header("authorization", &header);
    Answer::of(twice).await.expect_oauth_error(400, "invalid_request");
});

both!(a_token_that_does_not_live_is_refused, async |server: TestServer| {
    let ada = add_ada(&server).await;
    let refused = async |token: &str| {
        expect_refusal(&server.bearer(token).get(ME).await, 401, "invalid_token");
        let in_form = server.form(ME).with("access_token", token).send().await;
        expect_refusal(&in_form, 401, "invalid_token");
    };
    for unknown in ["x", "a.b.c", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] {
        refused(unknown).await;
    }
    let token = server.mint(&ada, &server.demo().web_client_id, "openid").await;
    server.bearer(&token).get(ME).await.expect(200);
    server.form("/oidc/token/revocation").with("token", &token).as_web().send().await.expect(200);
    refused(&token).await;

    let token = mint(&server, &ada, "openid").await;
    server.set_suspended(&ada, true).await;
    refused(&token).await;
    server.set_suspended(&ada, false).await;
    server.bearer(&token).get(ME).await.expect(200);
    server.clock.advance(Duration::from_secs(3599));
    server.bearer(&token).get(ME).await.expect(200);
    server.clock.advance(Duration::from_secs(1));
    refused(&token).await;

    let token = mint(&server, &ada, "openid").await;
    server.delete_user(&ada).await;
    refused(&token).await;
});

both!(a_token_for_somebody_elses_ears_is_refused, async |server: TestServer| {
    let demo = server.demo();
    let engineer = &demo.engineer_user_id;
    // For a resource, of a machine, of an exchange.
    let jwt = server.mint_for(engineer, &demo.spa_client_id, "openid", Some(&demo.resource)).await;
    let exchanged = server.exchange(&server.customer_token().await).with("scope", "openid resource:read");
    let tokens = [jwt, server.management_token().await, exchanged.access_token().await];
    for token in tokens {
        expect_refusal(&server.bearer(&token).get(ME).await, 401, "invalid_token");
    }
    // An exchange gives no opaque token; if one did, it would be refused by its record.
    let token = server.mint(engineer, &demo.spa_client_id, "openid").await;
    server.bearer(&token).get(ME).await.expect(200);
    let mut tx = server.begin().await;
    let hash = claimsmith_services::tokens::hash(&token);
    let jti = issuances::find_opaque(&mut tx, &hash).await.unwrap().unwrap().jti;
    tx.sql("UPDATE issuances SET exchanged = $1 WHERE jti = $2").bind(true).bind(&jti).execute().await.unwrap();
    tx.commit().await.unwrap();
    expect_refusal(&server.bearer(&token).get(ME).await, 401, "invalid_token");
});

both!(browsers_of_registered_origins_may_ask, async |server: TestServer| {
    let management = server.management().await;
    let path = format!("/api/applications/{}", &*server.demo().spa_client_id);
    let metadata = json!({ "customClientMetadata": { "corsAllowedOrigins": ["https://app.example.com"] } });
    management.patch(&path, metadata).await.expect(200);
    let ada = add_ada(&server).await;
    let token = mint(&server, &ada, "openid").await;
    for (origin, allowed) in [("https://app.example.com", true), ("https://evil.example.com", false)] {
        let header = allowed.then_some(origin);
        let asked = server.bearer(&token).request(Method::GET, ME).header("origin", origin);
        let answer = Answer::of(asked).await.expect(200);
        assert_eq!(answer.header("access-control-allow-origin"), header);
        let preflight = server
            .http
            .request(Method::OPTIONS, server.url(ME))
            .header("origin", origin)
            .header("access-control-request-method", "GET")
            .header("access-control-request-headers", "authorization");
        let answer = Answer::of(preflight).await;
        assert_eq!(answer.header("access-control-allow-origin"), header);
    }
});

both!(an_unreadable_document_costs_its_claim_alone, async |server: TestServer| {
    let ada = add_ada(&server).await;
    let token = mint(&server, &ada, "openid email custom_data").await;
    let deep = format!("{}{}", "[".repeat(2000), "]".repeat(2000));
    let deep = sqlx::types::Json(serde_json::value::RawValue::from_string(deep).unwrap());
    let mut tx = server.begin().await;
    tx.sql("UPDATE users SET custom_data = $1 WHERE id = $2").bind(deep).bind(&ada).execute().await.unwrap();
    tx.commit().await.unwrap();
    let expected = json!({ "sub": ada, "email": "ada@example.com", "email_verified": true });
    assert_eq!(server.bearer(&token).get(ME).await.expect(200).body, expected);
});

both!(what_a_client_has_is_not_sent_again, async |server: TestServer| {
    let ada = add_ada(&server).await;
    let token = mint(&server, &ada, "openid email").await;
    let answer = server.bearer(&token).get(ME).await.expect(200);
    let tag = answer.header("etag").unwrap().to_owned();
    let again = async |method: Method, tag: &str| {
        Answer::of(server.bearer(&token).request(method, ME).header("if-none-match", tag)).await
    };
    let same = again(Method::GET, &tag).await.expect(304);
    assert!(same.body.is_null() && same.header("etag") == Some(tag.as_str()), "{same:?}");
    assert_eq!(same.header("cache-control"), Some("no-store"));
    again(Method::GET, "W/\"another\"").await.expect(200);
    // Only GET is conditional, and nobody learns anything without a token.
    again(Method::POST, &tag).await.expect(200);
    let request = server.http.get(server.url(ME)).header("if-none-match", &tag);
    assert_eq!(Answer::of(request).await.expect(401).header("etag"), None);
    let path = format!("/api/users/{ada}");
    server.management().await.patch(&path, json!({ "primaryEmail": "ada2@example.com" })).await.expect(200);
    let changed = again(Method::GET, &tag).await.expect(200);
    assert_eq!(changed["email"], "ada2@example.com");
    assert_ne!(changed.header("etag"), Some(tag.as_str()));
});
