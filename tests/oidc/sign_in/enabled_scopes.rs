//! Applications of others ask for what an operator enabled for them, and act in the organizations that the user chose;
//! API scopes that users have in an organization.

use super::{CALLBACK, Client, authorize, client, client_with, customer, with};
use crate::page::PageForm;
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_test_support::{Answer, Browser, TestServer, both, page_of, seed, told};
use serde_json::json;

const FILES: &str = "https://files.example.com";
const ORGANIZATIONS: &str = "openid offline_access urn:logto:scope:organizations";

async fn third_party(server: &TestServer) -> Client {
    client_with(server, ApplicationType::Native, CustomClientMetadata::default(), true).await
}

/// Allows what the application asks for, in these organizations; answers the page and the code.
async fn allow(browser: &Browser, parameters: &[(String, String)], chosen: &[&str]) -> (String, String) {
    let asked = authorize(browser, parameters).await.expect(303);
    let consent = browser.open(asked.header("location").unwrap()).await.expect(200);
    let form = PageForm::of(&consent).unwrap();
    let mut fields = vec![("decision", "allow")];
    fields.extend(chosen.iter().map(|id| ("organization", *id)));
    let mut filled = form.filled_in(&fields[..1]);
    filled.retain(|(name, _)| name != "organization");
    filled.extend(fields[1..].iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let allowed = browser.post(&form.action, &filled).await.expect(303);
    let answer = browser.open(allowed.header("location").unwrap()).await.expect(303);
    (consent.body.as_str().unwrap().to_owned(), told(&answer).remove("code").unwrap())
}

/// The scopes of an answer of the token endpoint.
fn scope(answer: &Answer) -> &str {
    answer.body["scope"].as_str().unwrap_or_default()
}

both!(a_third_party_gets_scopes_that_are_enabled_for_it, async |server: TestServer| {
    let third = third_party(&server).await;
    let user = customer(&server);
    let scopes = server.add_resource(seed::new_resource(FILES), &["files:read", "files:write"]).await;
    server.let_user_hold(&user, &scopes).await;
    let management = server.management().await;
    let consent = format!("/api/applications/{}/user-consent-scopes", third.id);
    // An application of before asks for everything, until an operator first enables something.
    assert_eq!(management.get(&consent).await.expect(200)["isLimited"], false);
    let (browser, _) = server.signed_in(&[&user]).await;
    let request =
        with(third.request("openid offline_access profile email files:read files:write"), &[("resource", FILES)]);
    let (page, code) = allow(&browser, &request, &[]).await;
    assert!(page.contains("files:write"), "{page}");
    let before = third.exchange(&server, &code).send().await.expect(200);
    assert_eq!(scope(&before), "openid offline_access profile email");

    let enabled = json!({ "userScopes": ["profile"], "resourceScopes": [scopes[0]] });
    management.post(&consent, enabled).await.expect(201);
    // It has no more than that from its refresh token either.
    let refreshed = third.refresh(&server, &before.text("refresh_token")).send().await.expect(200);
    assert_eq!(scope(&refreshed), "openid offline_access profile");
    let claims = server.verify(&refreshed.text("id_token"), &third.id).await.claims;
    assert!(claims.get("email").is_none(), "{claims}");
    let form = third.refresh(&server, &refreshed.text("refresh_token")).with("resource", FILES);
    assert_eq!(scope(&form.send().await.expect(200)), "files:read");
    // Nobody is asked for the rest.
    let (page, code) = allow(&browser, &with(request, &[("prompt", "consent")]), &[]).await;
    assert!(page.contains("files:read") && !page.contains("files:write"), "{page}");
    let tokens = third.exchange(&server, &code).send().await.expect(200);
    assert_eq!(scope(&tokens), "openid offline_access profile");
    // What is disabled is gone.
    management.delete(&format!("{consent}/user-scopes/profile")).await.expect(204);
    let tokens = third.refresh(&server, &tokens.text("refresh_token")).send().await.expect(200);
    assert_eq!(scope(&tokens), "openid offline_access");
});

both!(what_is_enabled_later_needs_another_consent, async |server: TestServer| {
    let third = third_party(&server).await;
    let management = server.management().await;
    let consent = format!("/api/applications/{}/user-consent-scopes", third.id);
    management.post(&consent, json!({ "userScopes": ["profile"] })).await.expect(201);
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let request = third.request("openid offline_access profile email");
    let (_, code) = allow(&browser, &request, &[]).await;
    let tokens = third.exchange(&server, &code).send().await.expect(200);
    management.post(&consent, json!({ "userScopes": ["email"] })).await.expect(201);
    let tokens = third.refresh(&server, &tokens.text("refresh_token")).send().await.expect(200);
    assert_eq!(scope(&tokens), "openid offline_access profile");
    let asked = authorize(&browser, &request).await.expect(303);
    assert_eq!(page_of(&asked), "/consent");
    let (_, code) = allow(&browser, &request, &[]).await;
    let tokens = third.exchange(&server, &code).send().await.expect(200);
    assert_eq!(scope(&tokens), "openid offline_access profile email");
});

both!(a_new_third_party_starts_without_scopes, async |server: TestServer| {
    let management = server.management().await;
    let body = json!({
        "name": "Theirs", "type": "Native", "isThirdParty": true,
        "oidcClientMetadata": { "redirectUris": [CALLBACK] },
    });
    let id = management.post("/api/applications", body).await.expect(200).text("id");
    let third = Client { id: id.into(), secret: String::new(), kind: ApplicationType::Native };
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let (_, code) = allow(&browser, &third.request("openid offline_access profile email"), &[]).await;
    let tokens = third.exchange(&server, &code).send().await.expect(200);
    assert_eq!(scope(&tokens), "openid offline_access");
    let me = server.bearer(&tokens.text("access_token")).get("/oidc/me").await.expect(200).body;
    assert_eq!(me, json!({ "sub": customer(&server) }));
});

both!(an_application_of_the_operator_gets_api_scopes_of_all_organizations, async |server: TestServer| {
    let own = client(&server, ApplicationType::Native).await;
    let user = customer(&server);
    let scopes = server.add_resource(seed::new_resource(FILES), &["files:read", "files:write", "files:share"]).await;
    server.let_user_hold(&user, &scopes[..1]).await;
    let one = server.add_organization_of(&user, &scopes[1..2]).await;
    server.add_organization_of(&user, &scopes[2..]).await;
    let (browser, _) = server.signed_in(&[&user]).await;
    let requested = format!("{ORGANIZATIONS} files:read files:write files:share");
    let code = own.code(&browser, &requested, &[("resource", FILES)]).await;
    let tokens = own.exchange(&server, &code).with("resource", FILES).send().await.expect(200);
    assert_eq!(scope(&tokens), "files:read files:write files:share");
    // Within an organization, it is what they have there, and everywhere.
    let form = own.refresh(&server, &tokens.text("refresh_token")).with("resource", FILES);
    let tokens = form.with("organization_id", &one).send().await.expect(200);
    assert_eq!(scope(&tokens), "files:read files:write");
});

both!(a_third_party_gets_api_scopes_of_the_organizations_that_were_chosen, async |server: TestServer| {
    let third = third_party(&server).await;
    let user = customer(&server);
    let scopes = server.add_resource(seed::new_resource(FILES), &["files:read", "files:write", "files:share"]).await;
    server.let_user_hold(&user, &scopes[..1]).await;
    let chosen = server.add_organization_of(&user, &scopes[1..2]).await;
    let other = server.add_organization_of(&user, &scopes[2..]).await;
    let management = server.management().await;
    let consent = format!("/api/applications/{}/user-consent-scopes", third.id);
    let enabled = json!({
        "userScopes": ["urn:logto:scope:organizations"], "resourceScopes": [scopes[0]],
        "organizationResourceScopes": [scopes[1], scopes[2]],
    });
    management.post(&consent, enabled).await.expect(201);
    let (browser, _) = server.signed_in(&[&user]).await;
    let scope_parameter = format!("{ORGANIZATIONS} files:read files:write files:share");
    let request = with(third.request(&scope_parameter), &[("resource", FILES)]);

    // The scopes of each organization stand beside it.
    let asked = authorize(&browser, &request).await.expect(303);
    assert_eq!(page_of(&asked), "/consent");
    let shown = browser.open("/api/interaction/consent").await.expect(200);
    let names = |resources: &serde_json::Value| -> Vec<String> {
        let scopes = resources[0]["scopes"].as_array().unwrap().iter();
        scopes.map(|scope| scope["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&shown["missingResourceScopes"]), ["files:read"]);
    let organizations = shown["organizations"].as_array().unwrap();
    for (id, scope) in [(&chosen, "files:write"), (&other, "files:share")] {
        let found = organizations.iter().find(|one| one["id"] == id.as_str()).unwrap();
        assert_eq!(names(&found["missingResourceScopes"]), [scope]);
    }

    let (page, code) = allow(&browser, &request, &[chosen.as_str()]).await;
    assert!(page.contains("files:write") && page.contains("files:share"), "{page}");
    let tokens = third.exchange(&server, &code).with("resource", FILES).send().await.expect(200);
    assert_eq!(scope(&tokens), "files:read");
    let form = third.refresh(&server, &tokens.text("refresh_token")).with("resource", FILES);
    let tokens = form.with("organization_id", &chosen).send().await.expect(200);
    assert_eq!(scope(&tokens), "files:read files:write");
    let form = third.refresh(&server, &tokens.text("refresh_token")).with("resource", FILES);
    form.clone().with("organization_id", &other).send().await.expect_oauth_error(403, "access_denied");

    // The operator lets it in elsewhere; the scope there needs the consent of the user still.
    let consents = format!("/api/applications/{}/users/{user}/consent-organizations", third.id);
    management.post(&consents, json!({ "organizationIds": [other] })).await.expect(201);
    let tokens = form.with("organization_id", &other).send().await.expect(200);
    assert_eq!(scope(&tokens), "files:read");
    let asked = authorize(&browser, &request).await.expect(303);
    assert_eq!(page_of(&asked), "/consent");
    // And takes it back.
    management.delete(&format!("{consents}/{chosen}")).await.expect(204);
    let form = third.refresh(&server, &tokens.text("refresh_token")).with("organization_id", &chosen);
    form.send().await.expect_oauth_error(403, "access_denied");
});

both!(with_its_last_grant_a_third_party_loses_the_organizations, async |server: TestServer| {
    let third = third_party(&server).await;
    let user = customer(&server);
    let organization = server.add_organization_of(&user, &[]).await;
    let (browser, _) = server.signed_in(&[&user]).await;
    let (_, code) = allow(&browser, &third.request(ORGANIZATIONS), &[organization.as_str()]).await;
    third.exchange(&server, &code).send().await.expect(200);
    let management = server.management().await;
    let consents = format!("/api/applications/{}/users/{user}/consent-organizations", third.id);
    assert_eq!(management.get(&consents).await.expect(200)["organizations"][0]["id"], organization.as_str());
    let grants = format!("/api/users/{user}/grants");
    let third_parties = management.get(&format!("{grants}?appType=thirdParty")).await.expect(200);
    let grant = third_parties["grants"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(management.get(&format!("{grants}?appType=firstParty")).await.expect(200)["grants"], json!([]));
    management.get(&format!("{grants}?appType=mine")).await.expect_api_error(400, "guard.invalid_input");
    management.delete(&format!("{grants}/{grant}")).await.expect(204);
    management.delete(&format!("{grants}/{grant}")).await.expect_api_error(400, "oidc.invalid_grant");
    assert_eq!(management.get(&consents).await.expect(200)["organizations"], json!([]));
});
