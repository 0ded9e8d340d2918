//! Previews of tokens of people who sign in, beside the tokens that they get.

use super::{client, client_with, customer};
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_test_support::{Answer, TestServer, both};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Map, Value, json};

/// Says of which kind the token is.
const KIND: &str = "export const getCustomJwtClaims = ({ token }) => ({ kind: token.kind, asked: token.scope });";

/// The claims without those of one token alone, and without those of the session.
fn comparable(claims: &Value) -> Map<String, Value> {
    let mut claims = claims.as_object().unwrap().clone();
    for name in ["jti", "iat", "exp", "auth_time", "nonce", "sid", "amr", "at_hash"] {
        claims.remove(name);
    }
    claims
}

both!(a_preview_of_a_sign_in_is_what_the_code_gives, async |server: TestServer| {
    let management = server.management().await;
    let demo = server.demo();
    let request = management.request(Method::PUT, "/api/plugins/kind").header(CONTENT_TYPE, "text/javascript");
    Answer::of(request.body(KIND)).await.expect(201);
    let both_kinds = json!({ "tokenKinds": ["access-token", "id-token"] });
    management.patch("/api/plugins/kind", both_kinds).await.expect(200);
    let own = client(&server, ApplicationType::Traditional).await;
    let path = format!("/api/applications/{}/token-preview", own.id);
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;

    // For a resource.
    let scope = "openid profile resource:read resource:unknown";
    let code = own.code(&browser, scope, &[("resource", &demo.resource)]).await;
    let form = own.exchange(&server, &code).with("resource", &demo.resource);
    let issued = form.send().await.expect(200);
    let asked = json!({ "userId": customer(&server), "resource": demo.resource, "scope": scope });
    let preview = management.post(&path, asked.clone()).await.expect(200);
    let token = server.verify(&issued.text("access_token"), &demo.resource).await.claims;
    assert_eq!(comparable(&preview["claims"]), comparable(&token));
    assert_eq!((&preview["claims"]["kind"], &preview["assumed"]), (&json!("AccessToken"), &json!(["signIn"])));
    assert_eq!((&preview["expiresIn"], &preview["scope"]), (&issued["expires_in"], &issued["scope"]));

    // The ID token beside it.
    let mut of_id_token = asked.clone();
    of_id_token["tokenKind"] = json!("id-token");
    let preview = management.post(&path, of_id_token).await.expect(200);
    let token = server.verify(&issued.text("id_token"), &own.id).await.claims;
    assert_eq!(comparable(&preview["claims"]), comparable(&token));
    assert_eq!((&preview["claims"]["kind"], &preview["tokenKind"]), (&json!("IdToken"), &json!("id-token")));

    // Without a resource it is for this server, and no JWT. It is issued later, so it is listed first.
    server.clock.advance(std::time::Duration::from_secs(1));
    let code = own.code(&browser, "openid email", &[]).await;
    let issued = own.exchange(&server, &code).send().await.expect(200);
    let preview = management.post(&path, json!({ "userId": customer(&server), "scope": "openid email" })).await;
    let preview = preview.expect(200);
    assert_eq!((&preview["format"], &preview["scope"]), (&json!("opaque"), &issued["scope"]));
    let asked = server.form("/oidc/token/introspection").with("token", &issued.text("access_token"));
    let live = own.prove(asked).send().await.expect(200);
    assert_eq!((&live["kind"], &live["sub"]), (&preview["claims"]["kind"], &preview["claims"]["sub"]));

    // The record of that token can be asked about once more.
    let listed = management.get(&format!("/api/issuances?applicationId={}", own.id)).await.expect(200);
    let record = &listed.body[0];
    assert_eq!((&record["grantType"], &record["format"]), (&json!("authorization_code"), &json!("opaque")));
    let again = management.post("/api/plugins/kind/test", json!({ "issuanceId": record["id"] })).await.expect(200);
    assert_eq!((&again["claims"]["asked"], &again["notKept"]), (&issued["scope"], &json!(["present", "interaction"])));
});

both!(a_preview_of_a_third_party_takes_consent_for_granted, async |server: TestServer| {
    let management = server.management().await;
    let demo = server.demo();
    let other = client_with(&server, ApplicationType::Spa, CustomClientMetadata::default(), true).await;
    let path = format!("/api/applications/{}/token-preview", other.id);
    let asked = json!({ "userId": customer(&server), "resource": demo.resource, "scope": "openid resource:read" });
    let preview = management.post(&path, asked).await.expect(200);
    assert_eq!((&preview["outcome"], &preview["scope"]), (&json!("issued"), &json!("resource:read")));
    assert_eq!(preview["assumed"], json!(["signIn", "consent"]));
    // It may not act for anybody, whoever would consent.
    let acting = json!({ "userId": customer(&server), "resource": demo.resource, "subjectTokenContext": {} });
    assert_eq!(management.post(&path, acting).await.expect(200)["refusal"]["error"], "unauthorized_client");
});
