//! A resource without a path, named with and without the slash after its host
//! (`docs/decisions/resource-indicators.md`), and the parameters of an exchange.

use crate::page::PageForm;
use crate::sign_in::{authorize, client, client_with, customer, with};
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_test_support::seed::new_resource;
use claimsmith_test_support::{TestServer, both, told};
use serde_json::json;

const ORDERS: &str = "https://orders.example.com";
const ORDERS_SLASH: &str = "https://orders.example.com/";
const BOOKS: &str = "https://books.example.com";
const BOOKS_SLASH: &str = "https://books.example.com/";

/// A form of a machine that holds `read` of these resources.
async fn machine(server: &TestServer, indicators: &[&str]) -> claimsmith_test_support::Form {
    let (id, secret) = server.add_application(ApplicationType::MachineToMachine).await;
    for indicator in indicators {
        let scopes = server.add_resource(new_resource(indicator), &["read"]).await;
        server.let_application_hold(&id, &scopes).await;
    }
    server.form("/oidc/token").with("grant_type", "client_credentials").with("scope", "read").basic(&id, &secret)
}

both!(a_machine_names_it_either_way_and_gets_the_registered_spelling, async |server: TestServer| {
    let form = machine(&server, &[ORDERS, BOOKS_SLASH]).await;
    for (named, registered) in
        [(ORDERS, ORDERS), (ORDERS_SLASH, ORDERS), (BOOKS, BOOKS_SLASH), (BOOKS_SLASH, BOOKS_SLASH)]
    {
        let answer = form.clone().with("resource", named).send().await.expect(200);
        assert_eq!(answer["scope"], "read", "{named}");
        assert_eq!(server.verify(&answer.text("access_token"), registered).await.claims["aud"], registered);
    }
    for other in [
        "https://orders.example.com//",
        "https://orders.example.com/?",
        "https://ORDERS.example.com",
        "HTTPS://orders.example.com",
    ] {
        form.clone().with("resource", other).send().await.expect_oauth_error(400, "invalid_target");
    }
    // It is one resource, so it is named once.
    let twice = form.with("resource", ORDERS).and("resource", ORDERS_SLASH);
    twice.send().await.expect_oauth_error(400, "invalid_target");
});

both!(two_resources_from_before_keep_their_spellings, async |server: TestServer| {
    let form = machine(&server, &[ORDERS, ORDERS_SLASH]).await;
    for named in [ORDERS, ORDERS_SLASH] {
        let answer = form.clone().with("resource", named).send().await.expect(200);
        assert_eq!(server.verify(&answer.text("access_token"), named).await.claims["aud"], named);
    }
    // Until one of them is gone.
    let management = server.management().await;
    let listed = management.get("/api/resources").await.expect(200).body;
    let gone = listed.as_array().unwrap().iter().find(|one| one["indicator"] == ORDERS).unwrap()["id"].clone();
    management.delete(&format!("/api/resources/{}", gone.as_str().unwrap())).await.expect(204);
    let answer = form.with("resource", ORDERS).send().await.expect(200);
    assert_eq!(server.verify(&answer.text("access_token"), ORDERS_SLASH).await.claims["aud"], ORDERS_SLASH);
});

both!(every_request_of_a_sign_in_names_it_either_way, async |server: TestServer| {
    let web = client(&server, ApplicationType::Traditional).await;
    let user = customer(&server);
    let scopes = server.add_resource(new_resource(ORDERS), &["read"]).await;
    server.let_user_hold(&user, &scopes).await;
    let (browser, _) = server.signed_in(&[&user]).await;
    let scope = "openid offline_access read";
    for (asked, named) in [(ORDERS, ORDERS_SLASH), (ORDERS_SLASH, ORDERS), (ORDERS_SLASH, ORDERS_SLASH)] {
        let code = web.code(&browser, scope, &[("resource", asked), ("prompt", "consent")]).await;
        let first = web.exchange(&server, &code).with("resource", named).send().await.expect(200);
        let again = web.refresh(&server, &first.text("refresh_token")).with("resource", asked).send().await.expect(200);
        for answer in [first, again] {
            assert_eq!(answer["scope"], "read", "{asked} {named}");
            server.verify(&answer.text("access_token"), ORDERS).await;
        }
    }
    // Pushed; and implied, since it is the only one.
    let mut push = web.prove(server.form("/oidc/request"));
    for (name, value) in web.request("read") {
        push = push.with(&name, &value);
    }
    let push = push.with("resource", ORDERS_SLASH).and("resource", ORDERS);
    let reference = push.send().await.expect(201).text("request_uri");
    let request = [("client_id".to_owned(), web.id.to_string()), ("request_uri".to_owned(), reference)];
    let code = told(&authorize(&browser, &request).await.expect(303)).remove("code").unwrap();
    let token = web.exchange(&server, &code).access_token().await;
    server.verify(&token, ORDERS).await;
    // Introspection by whoever has a scope there.
    let (api, secret) = server.add_application(ApplicationType::MachineToMachine).await;
    server.let_application_hold(&api, &scopes).await;
    let asked = server.form("/oidc/token/introspection").with("token", &token).basic(&api, &secret);
    let seen = asked.send().await.expect(200);
    assert_eq!((&seen["active"], &seen["aud"]), (&json!(true), &json!(ORDERS)));
    // A preview says the same.
    let path = format!("/api/applications/{}/token-preview", web.id);
    let preview = json!({ "userId": user, "resource": ORDERS_SLASH, "scope": "openid read" });
    let preview = server.management().await.post(&path, preview).await.expect(200);
    assert_eq!((&preview["claims"]["aud"], &preview["scope"]), (&json!(ORDERS), &json!("read")));
});

both!(consent_is_for_the_resource_whichever_way_it_was_named, async |server: TestServer| {
    let third = client_with(&server, ApplicationType::Native, CustomClientMetadata::default(), true).await;
    let user = customer(&server);
    let scopes = server.add_resource(new_resource(ORDERS), &["read"]).await;
    server.let_user_hold(&user, &scopes).await;
    let (browser, _) = server.signed_in(&[&user]).await;
    let request = with(third.request("openid read"), &[("resource", ORDERS_SLASH)]);
    let asked = authorize(&browser, &request).await.expect(303);
    let consent = browser.open(asked.header("location").unwrap()).await.expect(200);
    let form = PageForm::of(&consent).unwrap();
    let allowed = browser.post(&form.action, &form.filled_in(&[("decision", "allow")])).await.expect(303);
    let answer = browser.open(allowed.header("location").unwrap()).await.expect(303);
    let code = told(&answer).remove("code").unwrap();
    let answer = third.exchange(&server, &code).with("resource", ORDERS_SLASH).send().await.expect(200);
    assert_eq!(answer["scope"], "read");
    // It is not asked for again.
    let request = with(third.request("openid read"), &[("resource", ORDERS)]);
    assert!(told(&authorize(&browser, &request).await.expect(303)).contains_key("code"));
});

both!(an_exchange_names_it_either_way_also_as_its_audience, async |server: TestServer| {
    let resource = server.demo().resource.clone();
    let slash = format!("{resource}/");
    server.add_resource(new_resource(ORDERS), &[]).await;
    let form = server.exchange(&server.customer_token().await);
    // Nothing of this uses the subject token up.
    for (name, value) in [("audience", ORDERS), ("audience", "service-b"), ("resource", ORDERS_SLASH)] {
        let refused = form.clone().with("audience", &resource).with(name, value);
        refused.send().await.expect_oauth_error(400, "invalid_target");
    }
    let alone = form.clone().without("resource").with("audience", &resource);
    alone.send().await.expect_oauth_error(400, "invalid_target");
    let management = form.clone().with("audience", &server.machine().resource);
    management.send().await.expect_oauth_error(400, "invalid_target");
    form.clone()
        .and("audience", &resource)
        .and("audience", &resource)
        .send()
        .await
        .expect_oauth_error(400, "invalid_request");
    for (resource_parameter, audience) in [(&resource, &slash), (&slash, &resource), (&slash, &slash)] {
        let form = server.exchange(&server.customer_token().await);
        let token = form.with("resource", resource_parameter).with("audience", audience).access_token().await;
        assert_eq!(server.verify(&token, &resource).await.claims["aud"], resource);
    }
    // The first one is still good.
    form.send().await.expect(200);
});

both!(an_exchange_gives_access_tokens_and_no_other_type, async |server: TestServer| {
    let form = server.exchange(&server.customer_token().await);
    for name in ["refresh_token", "id_token", "saml1", "saml2", "ACCESS_TOKEN", ""] {
        let asked = form.clone().with("requested_token_type", &format!("urn:ietf:params:oauth:token-type:{name}"));
        asked.send().await.expect_oauth_error(400, "invalid_request");
    }
    for name in ["access_token", "jwt"] {
        let form = server.exchange(&server.customer_token().await);
        let asked = form.with("requested_token_type", &format!("urn:ietf:params:oauth:token-type:{name}"));
        let answer = asked.with("scope", "nothing").send().await.expect(200);
        assert_eq!(answer["issued_token_type"], "urn:ietf:params:oauth:token-type:access_token");
        // An exchange says what was granted, also if it is nothing.
        assert_eq!(answer["scope"], "");
        assert!(answer["refresh_token"].is_null() && answer["id_token"].is_null(), "{}", answer.body);
    }
    form.send().await.expect(200);
});
