//! Every algorithm, at every endpoint that authenticates clients.

use super::{TYPE, application, ask, assertion, claims, header, key, machine, set, with_assertion};
use crate::sign_in::{CALLBACK, Client, VERIFIER, customer};
use claimsmith::documents::application::ApplicationType;
use claimsmith::tokens::Algorithm;
use claimsmith_test_support::{ClientKey, TestServer, both};
use serde_json::json;

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

both!(every_endpoint_takes_the_issuer_or_the_token_endpoint_as_the_audience, async |server: TestServer| {
    let key = key();
    let metadata =
        json!({ "redirectUris": [CALLBACK], "jwks": set(&[&key]), "tokenEndpointAuthMethod": "private_key_jwt" });
    let (id, secret) = application(&server, ApplicationType::Traditional, metadata).await;
    let web = Client { id: id.clone(), secret, kind: ApplicationType::Traditional };
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    for audience in [server.issuer(), format!("{}/token", server.issuer())] {
        let prove = |form| {
            let mut claims = claims(&server, &id);
            claims["aud"] = json!([audience]);
            with_assertion(form, &key.sign(&header(), &claims))
        };
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
    for path in
        ["/oidc/token", "/oidc/token/introspection", "/oidc/token/revocation", "/oidc/request", "/oidc/device/auth"]
    {
        let form = server.form(path).with("token", "x").with("grant_type", "client_credentials");
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
