//! Every algorithm, at every endpoint that authenticates clients.

use super::{TYPE, application, ask, assertion, claims, header, key, machine, set, with_assertion};
use crate::sign_in::{CALLBACK, Client, VERIFIER, customer};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::client_authentication::ClientAssertionAudience;
use claimsmith_services::tokens::Algorithm;
use claimsmith_storage::applications;
use claimsmith_test_support::{ClientKey, Process, TestServer, both};
use claimsmith_web::extract::client::ClientEndpoint;
use serde_json::{Value, json};

both!(every_algorithm_of_the_discovery_document_works, async |server: TestServer| {
    let keys = [Algorithm::ES256, Algorithm::ES384, Algorithm::EdDSA, Algorithm::RS256]
        .map(|kind| (kind, ClientKey::new(kind, kind.as_str())));
    let all: Vec<&ClientKey> = keys.iter().map(|(_, key)| key).collect();
    let id = machine(&server, &all).await;
    let document = server.get("/oidc/.well-known/openid-configuration").await.expect(200);
    let algorithms = document["token_endpoint_auth_signing_alg_values_supported"].as_array().unwrap();
    assert_eq!(algorithms.len(), 10);
    for algorithm in algorithms {
        let name = algorithm.as_str().unwrap();
        let kind = match name {
            "ES256" => Algorithm::ES256,
            "ES384" => Algorithm::ES384,
            "EdDSA" | "Ed25519" => Algorithm::EdDSA,
            _ => Algorithm::RS256,
        };
        let (_, key) = keys.iter().find(|(known, _)| *known == kind).unwrap();
        // With the name of the key, and without.
        for header in [json!({ "alg": name, "kid": kind.as_str() }), json!({ "alg": name, "typ": "JWT" })] {
            let text = key.sign(&header, &claims(&server, &id));
            let answer = with_assertion(ask(&server), &text).send().await;
            assert_eq!(answer.status, 200, "{header}: {:#}", answer.body);
        }
    }
});

both!(every_endpoint_takes_the_issuer_as_the_audience, async |server: TestServer| {
    let key = key();
    let metadata =
        json!({ "redirectUris": [CALLBACK], "jwks": set(&[&key]), "tokenEndpointAuthMethod": "private_key_jwt" });
    let (id, secret) = application(&server, ApplicationType::Traditional, metadata).await;
    let web = Client { id: id.clone(), secret, kind: ApplicationType::Traditional };
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let prove = |form| with_assertion(form, &assertion(&server, &id, &key));
    let mut pushed = server.form("/oidc/request");
    for (name, value) in web.request("openid offline_access") {
        pushed = pushed.with(&name, &value);
    }
    let reference = prove(pushed.with("prompt", "consent")).send().await.expect(201).text("request_uri");
    let parameters = [("client_id".to_owned(), id.to_string()), ("request_uri".to_owned(), reference)];
    // The assertion is no part of the request that is kept.
    crate::sign_in::authorize(&browser, &parameters).await.expect(303);

    let code = web.code(&browser, "openid", &[]).await;
    let form = server.form("/oidc/token").with("grant_type", "authorization_code").with("code", &code);
    let form = form.with("redirect_uri", CALLBACK).with("code_verifier", VERIFIER);
    let token = prove(form).send().await.expect(200).text("access_token");
    let seen = prove(server.form("/oidc/token/introspection").with("token", &token)).send().await.expect(200);
    assert_eq!(seen["active"], true);
    prove(server.form("/oidc/token/revocation").with("token", &token)).send().await.expect(200);
    let seen = prove(server.form("/oidc/token/introspection").with("token", &token)).send().await.expect(200);
    assert_eq!(seen["active"], false);
});

/// Whether an endpoint lets a client in with an assertion for this audience, whatever it says of the rest.
async fn lets_in(
    server: &TestServer,
    (id, key): (&str, &ClientKey),
    endpoint: ClientEndpoint,
    audience: Value,
) -> bool {
    let mut claims = claims(server, id);
    claims["aud"] = audience;
    let form = server.form(&format!("/oidc{}", endpoint.path())).with("token", "x").with("grant_type", "unknown");
    let answer = with_assertion(form, &key.sign(&header(), &claims)).send().await;
    assert!(answer.status < 500, "{answer:?}");
    answer.status != 401
}

both!(an_assertion_for_one_endpoint_is_worth_nothing_at_the_others, async |server: TestServer| {
    let key = key();
    let id = machine(&server, &[&key]).await;
    let client = (id.as_str(), &key);
    let issuer = server.issuer();
    let document = server.get("/oidc/.well-known/openid-configuration").await.expect(200);
    for endpoint in ClientEndpoint::ALL {
        let published = document.body.as_object().unwrap().values().filter(|value| **value == endpoint.url(&issuer));
        assert_eq!(published.count(), 1, "{endpoint:?} is in the discovery document");
    }
    for setting in [None, Some(ClientAssertionAudience::Issuer), Some(ClientAssertionAudience::Legacy)] {
        let mut tx = server.begin().await;
        let mut changed = applications::find(&mut tx, &id).await.unwrap().unwrap();
        changed.custom_client_metadata.0.client_assertion_audience = setting;
        applications::update(&mut tx, &changed).await.unwrap();
        tx.commit().await.unwrap();
        let is_legacy = setting == Some(ClientAssertionAudience::Legacy);
        for called in ClientEndpoint::ALL {
            let lets_in = async |audience: Value| lets_in(&server, client, called, audience).await;
            assert!(lets_in(json!(issuer)).await, "{setting:?} {called:?}");
            assert_eq!(lets_in(json!([issuer])).await, is_legacy, "{setting:?} {called:?}");
            assert_eq!(lets_in(json!([issuer, called.url(&issuer)])).await, is_legacy, "{setting:?} {called:?}");
            assert!(!lets_in(json!([])).await, "{setting:?} {called:?}");
            assert!(!lets_in(json!([called.url(&issuer), "https://evil.example.com"])).await, "{setting:?} {called:?}");
            for named in ClientEndpoint::ALL {
                let accepted = is_legacy && named == called;
                assert_eq!(lets_in(json!(named.url(&issuer))).await, accepted, "{setting:?} {called:?} {named:?}");
            }
        }
    }
});

both!(applications_of_before_are_listed, async |server: TestServer| {
    let key = key();
    let management = server.management().await;
    let metadata = json!({ "jwks": set(&[&key]) });
    let mut ids = Vec::new();
    for custom in
        [json!({}), json!({ "clientAssertionAudience": "legacy" }), json!({ "clientAssertionAudience": "issuer" })]
    {
        let body = json!({
            "name": "with a key", "type": "MachineToMachine", "oidcClientMetadata": metadata,
            "customClientMetadata": custom,
        });
        let made = management.post("/api/applications", body).await.expect(200);
        assert_eq!(made["customClientMetadata"], custom);
        ids.push(made.text("id"));
    }
    let listed = async |audience: &str| -> Vec<String> {
        let path = format!("/api/applications?clientAssertionAudience={audience}");
        let answer = management.get(&path).await.expect(200);
        answer.body.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(listed("legacy").await, ids[1..2]);
    let others = listed("issuer").await;
    assert!(others.contains(&ids[0]) && others.contains(&ids[2]) && !others.contains(&ids[1]), "{others:?}");
    management.get("/api/applications?clientAssertionAudience=any").await.expect(400);
    let doctor = Process::run(env!("CARGO_BIN_EXE_claimsmith"), &server.home, &[], &["doctor", "--offline"]).await;
    let told = String::from_utf8(doctor.stdout).unwrap();
    assert!(doctor.status.success(), "{told}");
    for (id, is_told) in ids.iter().zip([false, true, false]) {
        assert_eq!(told.contains(&format!("application {id} (with a key)")), is_told, "{told}");
    }
});

both!(a_client_id_beside_the_assertion_is_the_same_one, async |server: TestServer| {
    let key = key();
    let id = machine(&server, &[&key]).await;
    let other = machine(&server, &[&key]).await;
    let form = || with_assertion(ask(&server), &assertion(&server, &id, &key));
    form().with("client_id", &id).send().await.expect(200);
    form().with("client_id", &other).send().await.expect_oauth_error(401, "invalid_client");
    form().with("client_id", "nobody").send().await.expect_oauth_error(401, "invalid_client");
});

both!(every_endpoint_refuses_alike, async |server: TestServer| {
    let key = key();
    let id = machine(&server, &[&key]).await;
    for path in ClientEndpoint::ALL.map(|endpoint| format!("/oidc{}", endpoint.path())) {
        let form = server.form(&path).with("token", "x").with("grant_type", "client_credentials");
        let mut expired = claims(&server, &id);
        expired["exp"] = json!(server.clock.now_ms() / 1000);
        let expired = with_assertion(form.clone(), &key.sign(&header(), &expired)).send().await;
        let garbage = with_assertion(form.clone(), "a.b.c").send().await;
        let nobody = with_assertion(form.clone(), &assertion(&server, "nobody", &key)).send().await;
        let wrong_type = form.with("client_assertion", &assertion(&server, &id, &key));
        let wrong_type = wrong_type.with("client_assertion_type", &format!("{TYPE}x")).send().await;
        for answer in [&expired, &garbage, &nobody, &wrong_type] {
            answer.expect_oauth_error(401, "invalid_client");
            assert_eq!(answer.body, expired.body, "{path}");
            assert_eq!(answer.header("www-authenticate"), None);
        }
    }
});
