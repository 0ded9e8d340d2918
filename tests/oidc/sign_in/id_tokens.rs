//! ID tokens of people who signed in, and what introspection and revocation know of the tokens beside them.

use super::{CALLBACK, VERIFIER, authorize, client, client_with, customer, with};
use crate::page::PageForm;
use claimsmith_domain::documents::algorithm::Algorithm;
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_test_support::{Browser, TestServer, both, told};
use data_encoding::BASE64URL_NOPAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

both!(an_id_token_says_who_signed_in_when_and_how, async |server: TestServer| {
    let client = client(&server, ApplicationType::Native).await;
    let (browser, ids) = server.signed_in(&[&customer(&server)]).await;
    let signed_in_at = server.clock.now_ms() / 1000;
    server.clock.advance(std::time::Duration::from_secs(30));
    let code = client.code(&browser, "openid profile email offline_access", &[]).await;
    let answer = client.exchange(&server, &code).send().await.expect(200);
    let jwt = server.verify(&answer.text("id_token"), &client.id).await;
    assert_eq!((jwt.algorithm.as_str(), jwt.kind.as_deref()), ("RS256", Some("JWT")));
    let half = &Sha256::digest(answer.text("access_token"))[..16];
    let now = server.clock.now_ms() / 1000;
    let expected = json!({
        "iss": server.issuer(), "sub": customer(&server), "aud": client.id, "iat": now, "exp": now + 3600,
        "auth_time": signed_in_at, "nonce": "n-1", "sid": ids[0], "amr": ["pwd"],
        "at_hash": BASE64URL_NOPAD.encode(half),
    });
    assert_eq!(jwt.claims, expected, "profile claims stand at the userinfo endpoint");
    let me = server.bearer(&answer.text("access_token")).get("/oidc/me").await.expect(200);
    assert_eq!((me["sub"].clone(), me["name"].clone()), (json!(customer(&server)), json!("Casey Customer")));
    // A refresh gives one of the same sign-in.
    server.clock.advance(std::time::Duration::from_secs(30));
    let again = client.refresh(&server, &answer.text("refresh_token")).send().await.expect(200);
    let jwt = server.verify(&again.text("id_token"), &client.id).await;
    for (name, value) in [("auth_time", json!(signed_in_at)), ("sid", json!(ids[0])), ("sub", json!(customer(&server)))]
    {
        assert_eq!(jwt.claims[name], value, "{name}");
    }
    // It is no access token.
    server.bearer(&answer.text("id_token")).get("/oidc/me").await.expect(401);
});

both!(an_id_token_has_the_extended_claims_that_are_enabled, async |server: TestServer| {
    let management = server.management().await;
    let user = customer(&server);
    management.patch(&format!("/api/users/{user}"), json!({ "customData": { "plan": "gold" } })).await.expect(200);
    let role = json!({ "name": "editor", "description": "edits" });
    let role = management.post("/api/roles", role).await.expect(200).text("id");
    management.post(&format!("/api/users/{user}/roles"), json!({ "roleIds": [role] })).await.expect(201);
    let organization = server.add_organization_of(&user, &[]).await;
    let client = client(&server, ApplicationType::Native).await;
    let (browser, _) = server.signed_in(&[&user]).await;
    let scope = "openid custom_data identities roles urn:logto:scope:organizations urn:logto:scope:organization_roles";
    let every = [
        "custom_data",
        "identities",
        "sso_identities",
        "roles",
        "organizations",
        "organization_data",
        "organization_roles",
    ];
    let described = json!([{ "id": organization, "name": "Test organization", "description": null }]);
    for (enabled, expected) in [
        (json!([]), json!({})),
        (
            json!(["custom_data", "roles"]),
            json!({ "custom_data": { "plan": "gold" }, "roles": ["customer", "editor"] }),
        ),
        (
            json!(["organizations", "organization_data"]),
            json!({ "organizations": [organization], "organization_data": described }),
        ),
        (json!(["identities"]), json!({ "identities": {} })),
    ] {
        let change = json!({ "enabledExtendedClaims": enabled });
        management.put("/api/configs/id-token", change).await.expect(200);
        let code = client.code(&browser, scope, &[]).await;
        let token = client.exchange(&server, &code).send().await.expect(200).text("id_token");
        let mut claims = server.verify(&token, &client.id).await.claims;
        claims.as_object_mut().unwrap().retain(|name, _| every.contains(&name.as_str()));
        assert_eq!(claims, expected, "{enabled}");
    }
    // Enabled claims still need their scopes.
    management.put("/api/configs/id-token", json!({ "enabledExtendedClaims": every })).await.expect(200);
    let code = client.code(&browser, "openid", &[]).await;
    let token = client.exchange(&server, &code).send().await.expect(200).text("id_token");
    let claims = server.verify(&token, &client.id).await.claims;
    assert!(every.iter().all(|name| claims.get(name).is_none()), "{claims}");
});

both!(an_application_chooses_the_algorithm, async |server: TestServer| {
    for (algorithm, name) in [(Algorithm::ES256, "ES256"), (Algorithm::RS256, "RS256")] {
        let metadata = CustomClientMetadata {
            id_token_signed_response_alg: Some(algorithm),
            id_token_ttl: Some(120),
            ..CustomClientMetadata::default()
        };
        let client = client_with(&server, ApplicationType::Spa, metadata, false).await;
        let (browser, _) = server.signed_in(&[&customer(&server)]).await;
        let code = client.code(&browser, "openid", &[]).await;
        let token = client.exchange(&server, &code).send().await.expect(200).text("id_token");
        let jwt = server.verify(&token, &client.id).await;
        assert_eq!(jwt.algorithm, name);
        assert_eq!(jwt.claims["exp"].as_i64().unwrap() - jwt.claims["iat"].as_i64().unwrap(), 120);
    }
    // Without openid there is none.
    let client = client(&server, ApplicationType::Spa).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let code = client.code(&browser, "profile", &[]).await;
    assert_eq!(client.exchange(&server, &code).send().await.expect(200)["id_token"], Value::Null);
});

both!(a_hint_names_who_is_to_be_signed_in, async |server: TestServer| {
    let client = client(&server, ApplicationType::Spa).await;
    let engineer = server.demo().engineer_user_id.clone();
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let code = client.code(&browser, "openid", &[]).await;
    let hint = client.exchange(&server, &code).send().await.expect(200).text("id_token");
    let silent = |hint: &str| with(client.request("openid"), &[("prompt", "none"), ("id_token_hint", hint)]);
    assert!(told(&authorize(&browser, &silent(&hint)).await).contains_key("code"));
    let (other, _) = server.signed_in(&[&engineer]).await;
    assert_eq!(told(&authorize(&other, &silent(&hint)).await)["error"], "login_required");
    assert_eq!(told(&authorize(&browser, &silent("made-up")).await)["error"], "invalid_request");
});

both!(whoever_signs_in_as_somebody_else_than_the_hint_names_is_refused, async |server: TestServer| {
    const PASSWORD: &str = "violet-kettle-42";
    let client = client(&server, ApplicationType::Spa).await;
    let path = format!("/api/users/{}/password", server.demo().engineer_user_id);
    server.management().await.patch(&path, json!({ "password": PASSWORD })).await.expect(200);
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let code = client.code(&browser, "openid", &[]).await;
    let hint = client.exchange(&server, &code).send().await.expect(200).text("id_token");
    let other = Browser::new(&server);
    let asked = authorize(&other, &with(client.request("openid"), &[("id_token_hint", &hint)])).await.expect(303);
    let page = other.open(asked.header("location").unwrap()).await.expect(200);
    let form = PageForm::of(&page).unwrap();
    let fields = [("identifier", "engineer"), ("password", PASSWORD)];
    let signed_in = other.post(&form.action, &form.filled_in(&fields)).await.expect(303);
    let answer = other.open(signed_in.header("location").unwrap()).await.expect(303);
    let told = told(&answer);
    assert_eq!((told["error"].as_str(), told.get("code")), ("login_required", None));
});

both!(refresh_tokens_are_introspected_and_revoked, async |server: TestServer| {
    let metadata = CustomClientMetadata { always_issue_refresh_token: Some(true), ..CustomClientMetadata::default() };
    let web = client_with(&server, ApplicationType::Traditional, metadata, false).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let code = web.code(&browser, "openid profile", &[]).await;
    let tokens = web.exchange(&server, &code).send().await.expect(200);
    let (access, refresh) = (tokens.text("access_token"), tokens.text("refresh_token"));
    let introspect = async |token: &str| {
        let form = server.form("/oidc/token/introspection").with("token", token);
        web.prove(form).send().await.expect(200).body
    };
    let seen = introspect(&refresh).await;
    assert_eq!((&seen["active"], &seen["client_id"]), (&json!(true), &json!(web.id)));
    assert_eq!((&seen["sub"], &seen["scope"]), (&json!(customer(&server)), &json!("openid profile")));
    assert_eq!(introspect(&access).await["active"], true);
    // Nobody else sees it, or ends it.
    assert_eq!(server.introspect_as_web(&refresh).await, json!({ "active": false }));
    let revoke = |token: &str| server.form("/oidc/token/revocation").with("token", token);
    revoke(&refresh).as_web().send().await.expect_oauth_error(400, "invalid_request");
    web.prove(revoke(&refresh)).send().await.expect(200);
    assert_eq!(introspect(&refresh).await, json!({ "active": false }));
    assert_eq!(introspect(&access).await, json!({ "active": false }));
    web.refresh(&server, &refresh).send().await.expect_oauth_error(400, "invalid_grant");
    web.prove(revoke(&refresh)).send().await.expect(200);
    // The code is spent, too.
    let form = server.form("/oidc/token").with("grant_type", "authorization_code").with("code", &code);
    let form = form.with("redirect_uri", CALLBACK).with("code_verifier", VERIFIER);
    web.prove(form).send().await.expect_oauth_error(400, "invalid_grant");
});

both!(a_class_of_authentication_is_told_where_it_is_asked_for_and_met, async |server: TestServer| {
    const PASSWORD: &str = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport";
    let client = client(&server, ApplicationType::Native).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    for (acr_values, acr) in [
        ("", Value::Null),
        ("1 2", Value::Null),
        (PASSWORD, json!(PASSWORD)),
        (&format!("phrh  phr {PASSWORD} 1"), json!(PASSWORD)),
    ] {
        // The best that there is, and no error where there is none.
        let code = client.code(&browser, "openid offline_access", &[("acr_values", acr_values)]).await;
        let tokens = client.exchange(&server, &code).send().await.expect(200);
        assert_eq!(server.verify(&tokens.text("id_token"), &client.id).await.claims["acr"], acr, "{acr_values}");
        // It is kept.
        let again = client.refresh(&server, &tokens.text("refresh_token")).send().await.expect(200);
        assert_eq!(server.verify(&again.text("id_token"), &client.id).await.claims["acr"], acr, "{acr_values}");
    }
    let long = "x".repeat(4097);
    let refused = authorize(&browser, &with(client.request("openid"), &[("acr_values", &long)])).await;
    assert_eq!(told(&refused)["error"], "invalid_request");
});
