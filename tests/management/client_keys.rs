//! Public keys and authentication methods of applications: what is accepted, and what is refused.

use crate::fixtures::{machine, narrow};
use claimsmith_services::tokens::Algorithm;
use claimsmith_test_support::{Actor, Answer, Api, ClientKey, TestServer, both};
use serde_json::{Value, json};

async fn create(management: &Actor, kind: &str, metadata: Value) -> Answer {
    let body = json!({ "name": "Backend", "type": kind, "oidcClientMetadata": metadata });
    management.post("/api/applications", body).await
}

/// What an application with this key is told when it asks for a token of the Management API.
async fn ask(api: &Api, client_id: &str, key: &ClientKey, now: i64) -> Answer {
    let claims = json!({
        "iss": client_id, "sub": client_id, "aud": api.issuer(), "exp": now / 1000 + 60, "jti": now.to_string(),
    });
    let form = api.form("/oidc/token").with("grant_type", "client_credentials").with("scope", "all");
    let form = form.with("resource", &api.machine().resource);
    let form = form.with("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    form.with("client_assertion", &key.sign(&json!({ "alg": "ES256", "kid": "k1" }), &claims)).send().await
}

both!(an_application_registers_keys_and_a_method, async |server: TestServer| {
    let management = server.management().await;
    let key = ClientKey::new(Algorithm::ES256, "k1");
    let metadata = json!({ "jwks": { "keys": [key.jwk] }, "tokenEndpointAuthMethod": "private_key_jwt" });
    let created = create(&management, "MachineToMachine", metadata.clone()).await.expect(200);
    assert_eq!(created.body.get("secret"), None, "it could not use one");
    let id = created.text("id");
    let path = format!("/api/applications/{id}");
    for shown in [created.clone(), management.get(&path).await.expect(200)] {
        assert_eq!(shown["oidcClientMetadata"]["jwks"], metadata["jwks"]);
        assert_eq!(shown["oidcClientMetadata"]["tokenEndpointAuthMethod"], "private_key_jwt");
    }
    ask(&server, &id, &key, server.clock.now_ms()).await.expect(200);

    // It goes on to an address, and back to secrets.
    let metadata = json!({
        "jwksUri": "https://backend.example.com/jwks", "jwks": null, "tokenEndpointAuthMethod": null,
    });
    let shown = management.patch(&path, json!({ "oidcClientMetadata": metadata })).await.expect(200);
    let kept = json!({
        "redirectUris": [], "postLogoutRedirectUris": [], "jwksUri": "https://backend.example.com/jwks",
    });
    assert_eq!(shown["oidcClientMetadata"], kept);
    management.patch(&path, json!({ "oidcClientMetadata": { "jwksUri": null } })).await.expect(200);
    let now = server.clock.now_ms() + 1;
    ask(&server, &id, &key, now).await.expect_oauth_error(401, "invalid_client");
});

both!(each_type_has_its_methods, async |server: TestServer| {
    let management = server.management().await;
    let key = ClientKey::new(Algorithm::ES256, "k1");
    for (kind, allowed) in [
        ("Traditional", &["client_secret_basic", "client_secret_post", "private_key_jwt"][..]),
        ("MachineToMachine", &["client_secret_basic", "client_secret_post", "private_key_jwt"]),
        ("SPA", &["none"]),
        ("Native", &["none"]),
    ] {
        for method in ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"] {
            let mut metadata = json!({ "tokenEndpointAuthMethod": method });
            if method == "private_key_jwt" {
                metadata["jwks"] = json!({ "keys": [key.jwk] });
            }
            let answer = create(&management, kind, metadata).await;
            if allowed.contains(&method) {
                assert_eq!(answer.status, 200, "{kind} {method}: {:#}", answer.body);
            } else {
                answer.expect_api_error(400, "guard.invalid_input");
            }
        }
    }
    for method in [json!("client_secret_jwt"), json!("tls_client_auth"), json!("PRIVATE_KEY_JWT"), Value::Null] {
        let answer = create(&management, "MachineToMachine", json!({ "tokenEndpointAuthMethod": method })).await;
        answer.expect_api_error(400, "guard.invalid_input");
    }
});

both!(keys_that_cannot_be_used_are_refused, async |server: TestServer| {
    let management = server.management().await;
    let key = ClientKey::new(Algorithm::ES256, "k1");
    let with = |name: &str, value: Value| {
        let mut jwk = key.jwk.clone();
        jwk[name] = value;
        json!({ "jwks": { "keys": [jwk] } })
    };
    let private = with("d", json!("a private number"));
    let both = json!({ "jwks": { "keys": [key.jwk] }, "jwksUri": "https://backend.example.com/jwks" });
    for metadata in [
        json!({ "tokenEndpointAuthMethod": "private_key_jwt" }),
        both,
        json!({ "jwks": { "keys": [] } }),
        json!({ "jwks": {} }),
        json!({ "jwks": [] }),
        json!({ "jwks": [[]] }),
        json!({ "jwks": null }),
        json!({ "jwks": { "keys": ["k1"] } }),
        json!({ "jwks": { "keys": key.jwk } }),
        json!({ "jwks": { "keys": vec![&key.jwk; 33] } }),
        with("use", json!("enc")),
        with("crv", json!("P-521")),
        with("x5c", json!("x".repeat(65_536))),
        json!({ "jwks": { "keys": [key.jwk, { "kty": "oct", "k": "c2VjcmV0" }] } }),
        private.clone(),
        json!({ "jwksUri": "http://backend.example.com/jwks" }),
        json!({ "jwksUri": format!("https://backend.example.com/{}", "x".repeat(2048)) }),
        json!({ "jwksUri": "" }),
        json!({ "jwksUri": null }),
    ] {
        for kind in ["MachineToMachine", "Traditional"] {
            let answer = create(&management, kind, metadata.clone()).await;
            answer.expect_api_error(400, "guard.invalid_input");
            assert!(!answer.body.to_string().contains("a private number"), "{:#}", answer.body);
        }
    }
    let (id, _) = machine(&management, "backend").await;
    let path = format!("/api/applications/{id}");
    management
        .patch(&path, json!({ "oidcClientMetadata": private }))
        .await
        .expect_api_error(400, "guard.invalid_input");
    assert_eq!(management.get(&path).await.expect(200)["oidcClientMetadata"].get("jwks"), None);
    for kind in ["SPA", "Native"] {
        let answer = create(&management, kind, json!({ "jwks": { "keys": [key.jwk] } })).await;
        answer.expect_api_error(400, "guard.invalid_input");
    }
});

both!(the_last_administrator_keeps_a_way_in, async |server: TestServer| {
    let management = server.management().await;
    let key = ClientKey::new(Algorithm::ES256, "k1");
    let path = format!("/api/applications/{}", server.machine().client_id);
    let secret = format!("{path}/secrets/Default%20secret");
    // With a key it needs no secret.
    let jwks = json!({ "keys": [key.jwk] });
    management.patch(&path, json!({ "oidcClientMetadata": { "jwks": jwks } })).await.expect(200);
    management.delete(&secret).await.expect(204);
    management.patch(&path, json!({ "oidcClientMetadata": { "jwks": null } })).await.expect_api_error(422, LAST);
    let basic = json!({ "jwks": jwks, "tokenEndpointAuthMethod": "client_secret_basic" });
    management.patch(&path, json!({ "oidcClientMetadata": basic })).await.expect_api_error(422, LAST);
    let alone = json!({ "jwks": jwks, "tokenEndpointAuthMethod": "private_key_jwt" });
    management.patch(&path, json!({ "oidcClientMetadata": alone })).await.expect(200);
    let token = ask(&server, &server.machine().client_id, &key, server.clock.now_ms()).await.expect(200);
    server.bearer(&token.text("access_token")).get("/api/users").await.expect(200);
});

const LAST: &str = "application.last_administrator";

both!(nobody_gives_an_administrator_a_key_of_their_own, async |server: TestServer| {
    let management = server.management().await;
    let actor = narrow(&server, &management, &["applications:write"]).await;
    let key = ClientKey::new(Algorithm::ES256, "k1");
    let body = json!({ "oidcClientMetadata": { "jwks": { "keys": [key.jwk] } } });
    let path = format!("/api/applications/{}", server.machine().client_id);
    actor.patch(&path, body.clone()).await.expect_api_error(403, "auth.forbidden");
    let (plain, _) = machine(&management, "plain").await;
    actor.patch(&format!("/api/applications/{plain}"), body).await.expect(200);
});
