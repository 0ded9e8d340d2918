//! Claims of users in the ID tokens of an application that chose so (`docs/decisions/user-claims.md`).

use crate::page::{PageForm, html};
use crate::sign_in::{Client, authorize, client, client_with, customer};
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_domain::documents::id_token::IdTokenClaims;
use claimsmith_test_support::seed::new_resource;
use claimsmith_test_support::{Browser, TestServer, both, told};
use serde_json::{Map, Value, json};

/// An application with these claims in its ID tokens.
async fn with_claims(server: &TestServer, claims: &[IdTokenClaims], is_third_party: bool) -> Client {
    let metadata =
        CustomClientMetadata { id_token_claims: Some(claims.iter().copied().collect()), ..Default::default() };
    client_with(server, ApplicationType::Native, metadata, is_third_party).await
}

/// The claims about the user of an ID token, without those of every ID token.
async fn told_by(server: &TestServer, client: &Client, token: &str) -> Map<String, Value> {
    let mut claims = server.verify(token, &client.id).await.claims.as_object().unwrap().clone();
    for name in
        ["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "sid", "amr", "at_hash", "updated_at", "created_at"]
    {
        claims.remove(name);
    }
    claims
}

async fn id_token(server: &TestServer, client: &Client, browser: &Browser, scope: &str) -> String {
    let code = client.code(browser, scope, &[]).await;
    client.exchange(server, &code).send().await.expect(200).text("id_token")
}

both!(an_application_has_claims_of_users_in_its_id_tokens, async |server: TestServer| {
    use IdTokenClaims::{Address, Email, Groups, Phone, Profile};
    let management = server.management().await;
    let user = customer(&server);
    let organization = server.add_organization_of(&user, &[]).await;
    let change =
        json!({ "primaryPhone": "4915112345678", "username": "casey", "profile": { "address": { "country": "DE" } } });
    management.patch(&format!("/api/users/{user}"), change).await.expect(200);
    let (browser, _) = server.signed_in(&[&user]).await;
    let scope = "openid offline_access profile email phone address groups";
    let email = management.get(&format!("/api/users/{user}")).await.expect(200).text("primaryEmail");
    let of_profile = json!({ "name": "Casey Customer", "username": "casey", "preferred_username": "casey" });
    let of_email = json!({ "email": email, "email_verified": true });
    let of_phone = json!({ "phone_number": "4915112345678", "phone_number_verified": true });
    for (claims, expected) in [
        (&[][..], vec![]),
        (&[Profile], vec![&of_profile]),
        (&[Email, Phone], vec![&of_email, &of_phone]),
        (&[Address], vec![&json!({ "address": { "country": "DE" } })]),
    ] {
        let client = with_claims(&server, claims, false).await;
        let token = id_token(&server, &client, &browser, scope).await;
        let expected: Map<String, Value> =
            expected.into_iter().flat_map(|part| part.as_object().unwrap().clone()).collect();
        assert_eq!(told_by(&server, &client, &token).await, expected, "{claims:?}");
        // Each needs its scope.
        let token = id_token(&server, &client, &browser, "openid").await;
        assert!(told_by(&server, &client, &token).await.is_empty(), "{claims:?}");
    }
    let client = with_claims(&server, &[Groups], false).await;
    let code = client.code(&browser, scope, &[]).await;
    let tokens = client.exchange(&server, &code).send().await.expect(200);
    assert_eq!(tokens["scope"], scope);
    let again = client.refresh(&server, &tokens.text("refresh_token")).send().await.expect(200);
    for tokens in [tokens, again] {
        let claims = told_by(&server, &client, &tokens.text("id_token")).await;
        let groups = claims["groups"].as_array().unwrap();
        assert_eq!((claims.len(), groups.len(), &groups[0]), (1, 2, &json!("customer")), "{claims:?}");
        assert!(groups[1].as_str().unwrap().starts_with(&format!("{organization}:")), "{claims:?}");
        let me = server.bearer(&tokens.text("access_token")).get("/oidc/me").await.expect(200);
        assert_eq!(&me["groups"], &claims["groups"]);
    }
    // The preview shows what it gives.
    let asked = json!({ "userId": user, "scope": "openid groups", "tokenKind": "id-token" });
    let preview = management.post(&format!("/api/applications/{}/token-preview", client.id), asked).await.expect(200);
    assert_eq!(preview["claims"]["groups"].as_array().unwrap().len(), 2);
});

both!(without_the_setting_groups_is_a_scope_like_any_other, async |server: TestServer| {
    const GROUPS: &str = "https://groups.example.com";
    let user = customer(&server);
    let scopes = server.add_resource(new_resource(GROUPS), &["groups"]).await;
    server.let_user_hold(&user, &scopes).await;
    let (browser, _) = server.signed_in(&[&user]).await;
    let plain = client(&server, ApplicationType::Native).await;
    let code = plain.code(&browser, "openid email groups", &[("resource", GROUPS)]).await;
    let tokens = plain.exchange(&server, &code).with("resource", GROUPS).send().await.expect(200);
    assert_eq!(tokens["scope"], "groups");
    assert!(told_by(&server, &plain, &tokens.text("id_token")).await.is_empty());
    let code = plain.code(&browser, "openid groups", &[]).await;
    let tokens = plain.exchange(&server, &code).send().await.expect(200);
    assert_eq!(tokens["scope"], "openid");
    let me = server.bearer(&tokens.text("access_token")).get("/oidc/me").await.expect(200);
    assert_eq!(me.body.get("groups"), None);
});

both!(a_third_party_has_the_groups_that_were_consented_to, async |server: TestServer| {
    let user = customer(&server);
    let chosen = server.add_organization_of(&user, &[]).await;
    let other = server.add_organization_of(&user, &[]).await;
    let third = with_claims(&server, &[IdTokenClaims::Groups], true).await;
    let (browser, _) = server.signed_in(&[&user]).await;
    let asked = authorize(&browser, &third.request("openid groups urn:logto:scope:organizations")).await.expect(303);
    let consent = browser.open(asked.header("location").unwrap()).await.expect(200);
    assert!(html(&consent).unwrap().contains("See your roles, also in organizations"), "{consent:?}");
    let form = PageForm::of(&consent).unwrap();
    let allows = form.filled_in(&[("decision", "allow"), ("organization", chosen.as_str())]);
    let allowed = browser.post(&form.action, &allows).await.expect(303);
    let answer = browser.open(allowed.header("location").unwrap()).await.expect(303);
    let code = told(&answer).remove("code").unwrap();
    let tokens = third.exchange(&server, &code).send().await.expect(200);
    let claims = server.verify(&tokens.text("id_token"), &third.id).await.claims;
    let groups = claims["groups"].to_string();
    assert!(groups.contains(chosen.as_str()) && !groups.contains(other.as_str()), "{groups}");
    // It is not asked for again.
    let asked = authorize(&browser, &third.request("openid groups")).await.expect(303);
    assert!(told(&asked).contains_key("code"));
});
