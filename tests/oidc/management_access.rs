//! Which access tokens the Management API accepts (`docs/decisions/management-api-authorization.md` and
//! `docs/decisions/revocation.md`).

use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::id::ApplicationId;
use claimsmith_services::tokens::{Algorithm, generate_key};
use claimsmith_storage::resources;
use claimsmith_test_support::{Answer, Home, TestServer, both};
use data_encoding::BASE64URL_NOPAD;
use jsonwebtoken::{EncodingKey, Header};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

const PLUGINS: &str = "/api/plugins";
const SUBJECT_TOKENS: &str = "/api/subject-tokens";

/// A machine that holds these scopes of the Management API, and a token with all of them.
async fn machine_with(server: &TestServer, names: &[&str]) -> (ApplicationId, String) {
    let (id, secret) = server.add_application(ApplicationType::MachineToMachine).await;
    let mut tx = server.begin().await;
    let resource = resources::find_by_indicator(&mut tx, &server.machine().resource).await.unwrap().unwrap();
    let scopes = resources::scopes_of(&mut tx, &resource.id).await.unwrap();
    drop(tx);
    let ids: Vec<_> =
        scopes.into_iter().filter(|scope| names.contains(&scope.name.as_str())).map(|scope| scope.id).collect();
    assert_eq!(ids.len(), names.len());
    server.let_application_hold(&id, &ids).await;
    let form = server.client_credentials().basic(&id, &secret).with("scope", &names.join(" "));
    (id, form.access_token().await)
}

both!(a_machine_with_all_may_do_everything, async |server: TestServer| {
    let management = server.management().await;
    assert!(management.get(PLUGINS).await.expect(200).body.is_array());
    management.post(SUBJECT_TOKENS, json!({ "userId": server.demo().customer_user_id })).await.expect(201);
});

both!(a_narrow_scope_opens_the_routes_that_name_it, async |server: TestServer| {
    let body = json!({ "userId": server.demo().customer_user_id });
    let (_, token) = machine_with(&server, &["subject-tokens:write"]).await;
    server.bearer(&token).post(SUBJECT_TOKENS, body.clone()).await.expect(201);
    server.bearer(&token).get(PLUGINS).await.expect_api_error(403, "auth.forbidden");

    let (_, token) = machine_with(&server, &["plugins:read"]).await;
    server.bearer(&token).get(PLUGINS).await.expect(200);
    server.bearer(&token).post(SUBJECT_TOKENS, body.clone()).await.expect_api_error(403, "auth.forbidden");

    // Whoever does not ask for the scope has not got it.
    let token = server.client_credentials().with("scope", "plugins:read").access_token().await;
    server.bearer(&token).get(PLUGINS).await.expect_api_error(403, "auth.forbidden");
    server.bearer(&token).post(SUBJECT_TOKENS, body).await.expect_api_error(403, "auth.forbidden");
});

both!(without_a_bearer_token_nothing_opens, async |server: TestServer| {
    server.get(PLUGINS).await.expect_api_error(401, "auth.authorization_header_missing");
    for header in ["Basic abc", "Bearer", "Bearer ", "token"] {
        let request = server.anonymous().request(Method::GET, PLUGINS).header("authorization", header);
        let answer = Answer::of(request).await;
        answer.expect_api_error(401, "auth.authorization_token_type_not_supported");
        assert_eq!(answer["data"]["supportedTypes"], json!(["Bearer"]));
    }
    // Before the body is looked at.
    server.anonymous().post(SUBJECT_TOKENS, json!([])).await.expect_api_error(401, "auth.authorization_header_missing");
});

both!(a_token_expires_and_can_be_revoked, async |server: TestServer| {
    let token = server.management_token().await;
    server.clock.advance(Duration::from_secs(3599));
    server.bearer(&token).get(PLUGINS).await.expect(200);
    server.clock.advance(Duration::from_secs(1));
    server.bearer(&token).get(PLUGINS).await.expect_api_error(401, "auth.unauthorized");

    let token = server.management_token().await;
    server.bearer(&token).get(PLUGINS).await.expect(200);
    server.form("/oidc/token/revocation").with("token", &token).as_machine().send().await.expect(200);
    server.bearer(&token).get(PLUGINS).await.expect_api_error(401, "auth.unauthorized");
});

both!(a_token_ends_with_its_application, async |server: TestServer| {
    let (id, token) = machine_with(&server, &["all"]).await;
    server.bearer(&token).get(PLUGINS).await.expect(200);
    server.delete_application(&id).await;
    server.bearer(&token).get(PLUGINS).await.expect_api_error(401, "auth.unauthorized");
});

both!(tokens_for_others_do_not_open_it, async |server: TestServer| {
    let demo = server.demo();
    let other_resource = server.client_credentials().with("resource", &demo.resource).access_token().await;
    let opaque = server.mint(&demo.engineer_user_id, &demo.spa_client_id, "openid").await;
    let jwt = server.mint_for(&demo.engineer_user_id, &demo.spa_client_id, "openid", Some(&demo.resource)).await;
    for token in [other_resource, opaque, jwt, server.customer_token().await] {
        server.bearer(&token).get(PLUGINS).await.expect_api_error(401, "auth.unauthorized");
    }
});

both!(a_token_from_an_exchange_is_forbidden, async |server: TestServer| {
    let demo = server.demo();
    let actor = server.mint(&demo.engineer_user_id, &demo.spa_client_id, "openid").await;
    let plain = server.exchange(&server.customer_token().await).access_token().await;
    let with_actor = server.exchange(&server.customer_token().await).actor(&actor).access_token().await;
    for token in [plain, with_actor] {
        server.bearer(&token).get(PLUGINS).await.expect_api_error(403, "auth.forbidden");
        let body = json!({ "userId": demo.customer_user_id });
        server.bearer(&token).post(SUBJECT_TOKENS, body).await.expect_api_error(403, "auth.forbidden");
    }
});

both!(a_forged_token_is_refused, async |server: TestServer| {
    let genuine = server.management_token().await;
    let [header, payload, signature] = genuine.split('.').collect::<Vec<_>>().try_into().unwrap();
    let claims: Value = serde_json::from_slice(&BASE64URL_NOPAD.decode(payload.as_bytes()).unwrap()).unwrap();
    let public = server.get("/oidc/jwks").await.expect(200)["keys"][0].clone();
    let encode = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());

    // Signed by somebody else under the published key's name.
    let own_key = generate_key(Algorithm::ES256).unwrap();
    let mut forged_header = Header::new(jsonwebtoken::Algorithm::ES256);
    forged_header.kid = Some(public["kid"].as_str().unwrap().to_owned());
    forged_header.typ = Some("at+jwt".to_owned());
    let forge = |header: &Header, key: &EncodingKey| jsonwebtoken::encode(header, &claims, key).unwrap();
    let by_other_key = forge(&forged_header, &EncodingKey::from_ec_der(&own_key));
    // The public key taken for a shared secret.
    let mut shared = forged_header.clone();
    shared.alg = jsonwebtoken::Algorithm::HS256;
    let by_public_key = forge(&shared, &EncodingKey::from_secret(public.to_string().as_bytes()));
    let unsigned = encode(&json!({ "alg": "none", "typ": "at+jwt", "kid": public["kid"] }));
    let mut promoted = claims.clone();
    promoted["scope"] = "all users:write".into();
    let other_type = encode(&json!({ "alg": "ES256", "typ": "JWT", "kid": public["kid"] }));

    for token in [
        by_other_key,
        by_public_key,
        format!("{unsigned}.{payload}."),
        format!("{unsigned}.{payload}.{signature}"),
        format!("{header}.{}.{signature}", encode(&promoted)),
        format!("{other_type}.{payload}.{signature}"),
        format!("{header}.{payload}."),
        format!("{header}.{payload}.{}", &signature[..signature.len() - 2]),
        format!("{genuine}.{signature}"),
    ] {
        server.bearer(&token).get(PLUGINS).await.expect_api_error(401, "auth.unauthorized");
    }
    server.bearer(&genuine).get(PLUGINS).await.expect(200);
});

both!(a_token_of_another_server_is_refused, async |server: TestServer| {
    let other = TestServer::start(&Home::new(server.home.kind()).await, &[]).await.unwrap();
    assert_eq!(other.issuer(), server.issuer());
    let token = other.management_token().await;
    other.bearer(&token).get(PLUGINS).await.expect(200);
    server.bearer(&token).get(PLUGINS).await.expect_api_error(401, "auth.unauthorized");
});

both!(unknown_routes_have_the_same_error_format, async |server: TestServer| {
    for path in ["/api/nothing", "/api/subject-tokens/1/2", "/api/"] {
        server.get(path).await.expect_api_error(404, "request.unknown_route");
    }
});
