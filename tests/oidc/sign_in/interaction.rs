//! `context.interaction`: claims plugins are told of the sign-in that a token comes from.

use super::{Client, authorize, client, customer, with};
use crate::page::PageForm;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_test_support::{Answer, Browser, Home, TestServer, both, told};
use serde_json::{Value, json};
use std::sync::Arc;

/// Puts it into access tokens and ID tokens.
const PLUGIN: &str = "export const getCustomJwtClaims = ({ context }) => ({ by: context.interaction ?? 'nobody' });";
const SETTINGS: &str = "token_kinds = [\"access-token\", \"id-token\"]\n";
const PASSWORD: &str = "violet-kettle-42";

async fn start(home: &Arc<Home>) -> TestServer {
    std::fs::write(home.plugins_dir().join("by.js"), PLUGIN).unwrap();
    std::fs::write(home.plugins_dir().join("by.toml"), SETTINGS).unwrap();
    TestServer::start(home, &[]).await.unwrap()
}

/// Sends a browser to a page, fills it in, and answers the code that comes of it.
async fn code(browser: &Browser, client: &Client, more: &[(&str, &str)], fields: &[(&str, &str)]) -> String {
    let scope = "openid profile offline_access resource:read";
    let mut answer = authorize(browser, &with(client.request(scope), more)).await.expect(303);
    while !answer.header("location").is_some_and(|location| location.starts_with("https://shop.example.com/")) {
        answer = if let Some(location) = answer.header("location").map(str::to_owned) {
            browser.open(&location).await
        } else {
            let form = PageForm::of(&answer).unwrap_or_else(|| panic!("no form: {answer:?}"));
            browser.post(&form.action, &form.filled_in(fields)).await.expect(303)
        };
    }
    told(&answer).remove("code").unwrap()
}

/// What the access token and the ID token of an answer say of the sign-in; both say the same.
async fn by(server: &TestServer, client: &Client, tokens: &Answer) -> Value {
    let access = server.verify(&tokens.text("access_token"), &server.demo().resource).await;
    let id = server.verify(&tokens.text("id_token"), &client.id).await;
    assert_eq!(access.claims["by"], id.claims["by"]);
    access.claims["by"].clone()
}

both!(a_token_of_a_sign_in_tells_of_it, async |home: Arc<Home>| {
    let server = start(&home).await;
    let user = customer(&server);
    let path = format!("/api/users/{user}/password");
    server.management().await.patch(&path, json!({ "password": PASSWORD })).await.expect(200);
    let client = client(&server, ApplicationType::Native).await;
    let resource = server.demo().resource.clone();
    let asked = [("resource", resource.as_str())];
    let browser = Browser::new(&server);
    let fields = [("identifier", "Customer"), ("password", PASSWORD)];
    let code = code(&browser, &client, &asked, &fields).await;
    let tokens = client.exchange(&server, &code).with("resource", &resource).send().await.expect(200);
    let mut by_password = by(&server, &client, &tokens).await;
    let id = by_password["verificationRecords"][0]["id"].take();
    assert_eq!(id.as_str().unwrap().len(), 21);
    let record = json!({
        "id": null, "type": "Password", "identifier": { "type": "username", "value": "Customer" }, "verified": true,
    });
    let expected = json!({ "interactionEvent": "SignIn", "userId": user, "verificationRecords": [record] });
    assert_eq!(by_password, expected);
    by_password["verificationRecords"][0]["id"] = id;

    // A refresh is of the same sign-in, and so is another token of the session, also when that has ended.
    let refresh = |tokens: &Answer| client.refresh(&server, &tokens.text("refresh_token")).with("resource", &resource);
    let again = refresh(&tokens).send().await.expect(200);
    assert_eq!(by(&server, &client, &again).await, by_password);
    let silent = self::code(&browser, &client, &[("resource", &resource), ("prompt", "none")], &[]).await;
    let tokens = client.exchange(&server, &silent).with("resource", &resource).send().await.expect(200);
    assert_eq!(by(&server, &client, &tokens).await, by_password);
    let sid = server.verify(&tokens.text("id_token"), &client.id).await.claims["sid"].as_str().unwrap().to_owned();
    server.management().await.delete(&format!("/api/users/{user}/sessions/{sid}")).await.expect(204);
    let last = refresh(&again).send().await.expect(200);
    assert_eq!(by(&server, &client, &last).await, by_password);

    // An impersonation has none, whoever acts.
    let exchanged = server.exchange(&server.customer_token().await).send().await.expect(200);
    assert_eq!(server.verify(&exchanged.text("access_token"), &resource).await.claims["by"], "nobody");
});

both!(a_token_of_a_registration_tells_of_it, async |home: Arc<Home>| {
    let server = start(&home).await;
    let client = client(&server, ApplicationType::Native).await;
    let resource = server.demo().resource.clone();
    let browser = Browser::new(&server);
    let register = [("resource", resource.as_str()), ("first_screen", "register")];
    let code = code(&browser, &client, &register, &[("username", "newcomer"), ("password", PASSWORD)]).await;
    let tokens = client.exchange(&server, &code).with("resource", &resource).send().await.expect(200);
    let told = by(&server, &client, &tokens).await;
    assert_eq!(told["interactionEvent"], "Register");
    assert_eq!(told["userId"], server.verify(&tokens.text("id_token"), &client.id).await.claims["sub"]);
    let [record] = &told["verificationRecords"].as_array().unwrap()[..] else { panic!("{told}") };
    assert_eq!(record["type"], "NewPasswordIdentity");
    assert_eq!(record["identifier"], json!({ "type": "username", "value": "newcomer" }));
    assert!(!told.to_string().contains("argon2") && !told.to_string().contains(PASSWORD), "{told}");
});

both!(a_session_of_which_nothing_is_known_tells_nothing, async |home: Arc<Home>| {
    let server = start(&home).await;
    let client = client(&server, ApplicationType::Native).await;
    let resource = server.demo().resource.clone();
    // As those were that began before anything was kept of them.
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let code = client.code(&browser, "openid resource:read", &[("resource", &resource)]).await;
    let tokens = client.exchange(&server, &code).with("resource", &resource).send().await.expect(200);
    assert_eq!(by(&server, &client, &tokens).await, "nobody");
});
