//! Applications of others: they get what the person at the browser allowed, and no more.

use super::{authorize, client, client_with, customer, with};
use crate::page::PageForm;
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_test_support::{TestServer, both, page_of, seed, told};
use serde_json::json;

const FILES: &str = "https://files.example.com";

both!(what_a_user_is_given_later_is_not_what_they_allowed, async |server: TestServer| {
    let third = client_with(&server, ApplicationType::Native, CustomClientMetadata::default(), true).await;
    let own = client(&server, ApplicationType::Native).await;
    let user = customer(&server);
    let scopes = server.add_resource(seed::new_resource(FILES), &["files:read", "files:write"]).await;
    server.let_user_hold(&user, &scopes[..1]).await;
    let (browser, _) = server.signed_in(&[&user]).await;
    let scope = "openid offline_access files:read files:write";
    let request = with(third.request(scope), &[("resource", FILES)]);
    let asked = authorize(&browser, &request).await.expect(303);
    let consent = browser.open(asked.header("location").unwrap()).await.expect(200);
    let form = PageForm::of(&consent).unwrap();
    let allowed = browser.post(&form.action, &form.filled_in(&[("decision", "allow")])).await.expect(303);
    let answer = browser.open(allowed.header("location").unwrap()).await.expect(303);
    let code = told(&answer).remove("code").unwrap();
    let tokens = third.exchange(&server, &code).with("resource", FILES).send().await.expect(200);
    assert_eq!(tokens["scope"], "files:read");
    server.let_user_hold(&user, &scopes[1..]).await;
    let refresh = third.refresh(&server, &tokens.text("refresh_token")).with("resource", FILES);
    assert_eq!(refresh.send().await.expect(200)["scope"], "files:read");
    // An application of the operator's own gets all of it.
    let code = own.code(&browser, scope, &[("resource", FILES)]).await;
    let tokens = own.exchange(&server, &code).with("resource", FILES).send().await.expect(200);
    assert_eq!(tokens["scope"], "files:read files:write");
    // The other one has to ask.
    let asked = authorize(&browser, &request).await.expect(303);
    assert_eq!(page_of(&asked), "/consent");
});

both!(a_third_party_is_told_of_the_organizations_that_were_chosen, async |server: TestServer| {
    let third = client_with(&server, ApplicationType::Native, CustomClientMetadata::default(), true).await;
    let own = client(&server, ApplicationType::Native).await;
    let user = customer(&server);
    let chosen = server.add_organization_of(&user, &[]).await;
    let other = server.add_organization_of(&user, &[]).await;
    let (browser, _) = server.signed_in(&[&user]).await;
    let scope = "openid offline_access urn:logto:scope:organizations urn:logto:scope:organization_roles";
    let asked = authorize(&browser, &third.request(scope)).await.expect(303);
    let consent = browser.open(asked.header("location").unwrap()).await.expect(200);
    let form = PageForm::of(&consent).unwrap();
    let allows = form.filled_in(&[("decision", "allow"), ("organization", chosen.as_str())]);
    let allowed = browser.post(&form.action, &allows).await.expect(303);
    let answer = browser.open(allowed.header("location").unwrap()).await.expect(303);
    let code = told(&answer).remove("code").unwrap();
    let first = third.exchange(&server, &code).send().await.expect(200);
    let again = third.refresh(&server, &first.text("refresh_token")).send().await.expect(200);
    for tokens in [first, again] {
        let me = server.bearer(&tokens.text("access_token")).get("/oidc/me").await.expect(200).body;
        let id_token = server.verify(&tokens.text("id_token"), &third.id).await.claims;
        for claims in [&me, &id_token] {
            assert_eq!(claims["organizations"], json!([chosen]), "{claims}");
            assert_eq!(claims["organization_roles"].as_array().unwrap().len(), 1, "{claims}");
            assert!(!claims.to_string().contains(other.as_str()), "{claims}");
        }
    }
    // An application of the operator's own is told of all of them.
    let code = own.code(&browser, scope, &[]).await;
    let tokens = own.exchange(&server, &code).send().await.expect(200);
    let me = server.bearer(&tokens.text("access_token")).get("/oidc/me").await.expect(200).body;
    let id_token = server.verify(&tokens.text("id_token"), &own.id).await.claims;
    for claims in [&me, &id_token] {
        assert_eq!(claims["organizations"].as_array().unwrap().len(), 2, "{claims}");
        assert_eq!(claims["organization_roles"].as_array().unwrap().len(), 2, "{claims}");
    }
});

both!(nobody_consents_for_somebody_who_is_signed_in_elsewhere, async |server: TestServer| {
    let third = client_with(&server, ApplicationType::Spa, CustomClientMetadata::default(), true).await;
    let engineer = server.demo().engineer_user_id.clone();
    let (theirs, _) = server.signed_in(&[&engineer]).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let asked = authorize(&theirs, &third.request("openid profile")).await.expect(303);
    let consent = theirs.open(asked.header("location").unwrap()).await.expect(200);
    assert!(consent.body.as_str().unwrap().contains("Erin"), "{}", consent.body);
    // Their interaction comes into another browser.
    let (name, secret) = theirs.interaction_cookie();
    browser.set_cookie(&name, &secret);
    let refused = browser.open("/consent").await.expect(404);
    assert!(!refused.body.to_string().contains("Erin"), "{}", refused.body);
    let form = PageForm::of(&consent).unwrap();
    browser.post(&form.action, &form.filled_in(&[("decision", "allow")])).await.expect(404);
    // Nothing was allowed by that.
    let resumed = form.filled_in(&[("decision", "deny")]);
    let denied = theirs.post(&form.action, &resumed).await.expect(303);
    let answer = theirs.open(denied.header("location").unwrap()).await.expect(303);
    assert_eq!(told(&answer)["error"], "access_denied");
});
