//! What the victim's applications hold and an attacker has got: a scope that a role carries, a refresh token that was
//! used, and an assertion for another endpoint.

use claimsmith_domain::clock::Clock;
use claimsmith_domain::random;
use claimsmith_services::tokens::Algorithm;
use claimsmith_test_support::{Actor, Api, Browser, ClientKey, Home, told};
use serde_json::json;

const CALLBACK: &str = "https://victim.test/callback";
/// Verifier and challenge of RFC 7636 appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// Creates them, and answers their names and values.
pub(crate) async fn prepare(
    home: &Home,
    server: &Api,
    management: &Actor,
    ids: &[(&'static str, String)],
) -> Vec<(&'static str, String)> {
    let id = |name: &str| ids.iter().find(|(known, _)| *known == name).unwrap().1.clone();
    let scopes = format!("/api/resources/{}/scopes", id("resource"));
    let scope = management.post(&scopes, json!({ "name": "carried" })).await.expect(201).text("id");
    let carried = json!({ "scopeIds": [scope] });
    management.post(&format!("/api/roles/{}/scopes", id("role")), carried).await.expect(201);
    let (native, replayed) = replayed(home, server, management, &id("user")).await;
    let assertion = assertion(server, management).await;
    vec![("scope", scope), ("native", native), ("replayed", replayed), ("assertion", assertion)]
}

/// An application, and a refresh token of it whose successor was used.
async fn replayed(home: &Home, server: &Api, management: &Actor, user: &str) -> (String, String) {
    let body = json!({ "name": "n", "type": "Native", "oidcClientMetadata": { "redirectUris": [CALLBACK] } });
    let client = management.post("/api/applications", body).await.expect(200).text("id");
    let db = home.db().await;
    let (browser, _) = Browser::signed_in(server, &db, Clock::system().now_ms(), &[&user.into()]).await;
    db.close().await;
    let request = format!(
        "/oidc/auth?client_id={client}&redirect_uri={CALLBACK}&response_type=code&scope=openid%20offline_access\
         &code_challenge={CHALLENGE}&code_challenge_method=S256"
    );
    let code = told(&browser.open(&request).await.expect(303))["code"].clone();
    let form = server.form("/oidc/token").with("client_id", &client);
    let exchange = form.clone().with("grant_type", "authorization_code").with("code", &code);
    let exchange = exchange.with("redirect_uri", CALLBACK).with("code_verifier", VERIFIER);
    let first = exchange.send().await.expect(200).text("refresh_token");
    let mut token = first.clone();
    for _ in 0..2 {
        let refresh = form.clone().with("grant_type", "refresh_token").with("refresh_token", &token);
        token = refresh.send().await.expect(200).text("refresh_token");
    }
    (client, first)
}

/// An assertion of a machine for the introspection endpoint.
async fn assertion(server: &Api, management: &Actor) -> String {
    let key = ClientKey::new(Algorithm::ES256, "k");
    let metadata = json!({ "jwks": { "keys": [key.jwk] }, "tokenEndpointAuthMethod": "private_key_jwt" });
    let body = json!({ "name": "k", "type": "MachineToMachine", "oidcClientMetadata": metadata });
    let client = management.post("/api/applications", body).await.expect(200).text("id");
    let now = Clock::system().now_ms() / 1000;
    let claims = json!({ "iss": client, "sub": client, "aud": format!("{}/token/introspection", server.issuer()),
        "iat": now, "exp": now + 300, "jti": random::id(21).unwrap() });
    key.sign(&json!({ "alg": "ES256", "kid": "k", "typ": "JWT" }), &claims)
}
