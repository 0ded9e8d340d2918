//! Signing in at other servers in a browser without JavaScript: buttons, the way there and back, and what goes wrong.

use crate::sign_in::{application, begin, csrf, fill_in, follow, request};
use claimsmith_test_support::{Answer, Browser, Home, Spoil, TestServer, Upstream, both, page_of, parameters, told};
use serde_json::{Value, json};
use std::sync::Arc;

async fn server(home: &Arc<Home>) -> TestServer {
    TestServer::start(home, &[("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "127.0.0.0/8")]).await.unwrap()
}

/// A connector of an upstream; answers its id.
async fn connector(server: &TestServer, upstream: &Upstream, target: &str, name: &str) -> String {
    let metadata = json!({ "target": target, "name": { "en": name, "de": format!("{name} auf Deutsch") } });
    let body = json!({ "connectorId": "oidc", "metadata": metadata, "config": upstream.config() });
    server.management().await.post("/api/connectors", body).await.expect(200).text("id")
}

/// An enterprise connector for `acme.example`; answers its id.
async fn company(server: &TestServer, upstream: &Upstream, name: &str) -> String {
    let body = json!({
        "providerName": "OIDC", "connectorName": name, "config": upstream.config(), "domains": ["acme.example"],
    });
    server.management().await.post("/api/sso-connectors", body).await.expect(200).text("id")
}

async fn settings(server: &TestServer, change: Value) {
    server.management().await.patch("/api/sign-in-exp", change).await.expect(200);
}

fn html(answer: &Answer) -> &str {
    answer.body.as_str().unwrap()
}

/// Presses the button of a connector; answers where the browser is sent.
async fn press(browser: &Browser, page: &Answer, path: &str, fields: &[(&str, &str)]) -> Answer {
    let mut form = vec![("csrf".to_owned(), csrf(page))];
    form.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    browser.post(path, &form).await
}

/// Signs in at the upstream, and comes back.
async fn come_back(browser: &Browser, upstream: &Upstream, sent: &Answer) -> Answer {
    follow(browser, browser.open(&way_back(upstream, sent)).await).await
}

/// The address at which somebody comes back who signed in at the upstream.
fn way_back(upstream: &Upstream, sent: &Answer) -> String {
    assert_eq!(sent.status, 303, "{:#}", sent.body);
    let away = sent.header("location").unwrap();
    let asked = parameters(away);
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("code", &upstream.let_in(away))
        .append_pair("state", &asked["state"])
        .append_pair("iss", &upstream.issuer)
        .finish();
    format!("{}?{query}", asked["redirect_uri"])
}

both!(a_person_registers_and_signs_in_elsewhere, async |home: Arc<Home>| {
    let server = server(&home).await;
    let (work, club) = (Upstream::start(true).await, Upstream::start(true).await);
    work.person(json!({ "sub": "ada", "name": "Ada", "email": "ada@example.com", "email_verified": true }));
    let id = connector(&server, &work, "work", "The Works").await;
    connector(&server, &club, "club", "The <Club>").await;
    settings(&server, json!({ "socialSignInConnectorTargets": ["club", "work"] })).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[]).await.expect(200);
    let (first, second) = (
        html(&page).find("Continue with The &#60;Club&#62;").unwrap(),
        html(&page).find("Continue with The Works").unwrap(),
    );
    assert!(first < second, "in the order of the settings");
    let german = begin(&Browser::new(&server), &client, &[("ui_locales", "de")]).await.expect(200);
    assert!(html(&german).contains("Weiter mit The Works auf Deutsch"), "{}", html(&german));

    let sent = press(&browser, &page, &format!("/sign-in/social/{id}"), &[]).await;
    let page = come_back(&browser, &work, &sent).await.expect(200);
    // Somebody new, who still needs a user name, and no password.
    assert!(html(&page).contains("name=\"username\"") && !html(&page).contains("name=\"password\""), "{}", html(&page));
    let answer = fill_in(&browser, &page, "/profile", &[("username", "ada")]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");

    let again = Browser::new(&server);
    let page = begin(&again, &client, &[("first_screen", "register")]).await.expect(200);
    // Whoever has an account signs in, whichever button it was.
    let sent = press(&again, &page, &format!("/register/social/{id}"), &[]).await;
    let answer = come_back(&again, &work, &sent).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
    let users = server.management().await.get("/api/users?search=ada").await.expect(200);
    assert_eq!(users.body.as_array().unwrap().len(), 1);
    let shown = server.get("/api/.well-known/sign-in-exp").await.expect(200)["socialConnectors"].clone();
    let shown: Vec<_> =
        shown.as_array().unwrap().iter().map(|one| (one["target"].clone(), one["name"]["en"].clone())).collect();
    assert_eq!(shown, [(json!("club"), json!("The <Club>")), (json!("work"), json!("The Works"))]);
});

both!(an_answer_in_a_form_comes_back_by_get, async |home: Arc<Home>| {
    let server = server(&home).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream, "work", "The Works").await;
    settings(
        &server,
        json!({ "socialSignInConnectorTargets": ["work"], "socialSignIn": { "skipRequiredIdentifiers": true } }),
    )
    .await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[]).await.expect(200);
    let sent = press(&browser, &page, &format!("/sign-in/social/{id}"), &[]).await;
    let back = way_back(&upstream, &sent);
    // Other sites send forms without the cookies.
    let stranger = Browser::new(&server);
    let form: Vec<(String, String)> =
        parameters(&back).into_iter().chain([("user".to_owned(), "x".to_owned())]).collect();
    let forwarded = stranger.post(&format!("/callback/{id}"), &form).await.expect(303);
    let location = forwarded.header("location").unwrap().to_owned();
    assert!(location.starts_with(&format!("{}/callback/{id}?", server.report.base_url)), "{location}");
    assert_eq!(parameters(&location), parameters(&back), "what is not of the protocol stays behind");
    // The same as JSON, which programs send.
    let mut json = json!(parameters(&back));
    json["some"] = json!("data");
    let sent = stranger.request(reqwest::Method::POST, &format!("/callback/{id}")).json(&json);
    let forwarded = stranger.send(sent).await.expect(303);
    assert_eq!(parameters(forwarded.header("location").unwrap()), parameters(&back));
    let sent = stranger.request(reqwest::Method::POST, &format!("/callback/{id}")).json(&json!({ "code": { "a": 1 } }));
    stranger.send(sent).await.expect(400);
    // Only the browser that left comes in.
    stranger.open(&location).await.expect(400);
    let answer = follow(&browser, browser.open(&location).await).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
    // The answer counts once; whoever brings it again goes on with the session.
    let again = browser.open(&location).await.expect(303);
    assert!(again.header("location").unwrap().ends_with("?again=true"), "{again:?}");
});

both!(what_goes_wrong_elsewhere_is_said_and_not_repeated, async |home: Arc<Home>| {
    let server = server(&home).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream, "work", "The Works").await;
    settings(&server, json!({ "socialSignInConnectorTargets": ["work"] })).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[]).await.expect(200);
    let path = format!("/sign-in/social/{id}");
    let sent = press(&browser, &page, &path, &[]).await;
    let state = parameters(sent.header("location").unwrap())["state"].clone();
    let denied =
        format!("/callback/{id}?error=%3Cscript%3Ealert(1)%3C/script%3E&error_description=%3Cb%3Eno&state={state}");
    let page = browser.open(&denied).await.expect(422);
    assert!(html(&page).contains("You were not signed in there."), "{}", html(&page));
    assert!(!html(&page).contains("alert(1)") && !html(&page).contains("%3Cb"), "{}", html(&page));
    // From there it can be tried again.
    upstream.spoil(Spoil::Audience);
    let sent = press(&browser, &page, &path, &[]).await;
    let page = come_back(&browser, &upstream, &sent).await.expect(422);
    assert!(html(&page).contains("Signing in there did not work."), "{}", html(&page));
    upstream.spoil(None);
    let sent = press(&browser, &page, &path, &[]).await;
    let back = way_back(&upstream, &sent);
    browser.open(&back.replace("state=", "state=x")).await.expect(400);
    browser.open(&format!("{back}&state=twice")).await.expect(400);
    browser.open("/callback/nobody?state=x&code=y").await.expect(400);
    follow(&browser, browser.open(&back).await).await.expect(200);
    let logs = server.management().await.get("/api/logs?page_size=100").await.expect(200).body;
    let of = |key: &str| logs.as_array().unwrap().iter().filter(|log| log["key"] == key).count();
    assert!(of("Interaction.SignIn.Verification.Social.Create") >= 3, "{logs:#}");
    assert!(of("Interaction.SignIn.Verification.Social.Submit") >= 3, "{logs:#}");
    assert!(!logs.to_string().contains("alert(1)") && !logs.to_string().contains(&state), "{logs:#}");
});

both!(whoever_has_to_agree_agrees_before, async |home: Arc<Home>| {
    let server = server(&home).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream, "work", "The Works").await;
    let terms = json!({
        "socialSignInConnectorTargets": ["work"], "termsOfUseUrl": "https://example.com/terms", "agreeToTermsPolicy": "Manual",
    });
    settings(&server, terms).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[]).await.expect(200);
    let path = format!("/sign-in/social/{id}");
    press(&browser, &page, &path, &[]).await.expect(422);
    press(&browser, &page, &path, &[("agree", "true")]).await.expect(303);
    // The button is no link, and works for nobody else.
    browser.post(&path, &[]).await.expect(403);
});

both!(a_company_is_found_by_an_address, async |home: Arc<Home>| {
    let server = server(&home).await;
    let upstream = Upstream::start(false).await;
    upstream.person(json!({ "sub": "ada", "email": "ada@acme.example", "email_verified": true }));
    let body = json!({
        "providerName": "OIDC", "connectorName": "Acme", "config": upstream.config(), "domains": ["acme.example"],
    });
    server.management().await.post("/api/sso-connectors", body).await.expect(200);
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[]).await.expect(200);
    assert!(!html(&page).contains("/single-sign-on"), "{}", html(&page));
    settings(&server, json!({ "singleSignOnEnabled": true })).await;
    let page = browser.open("/sign-in").await.expect(200);
    assert!(html(&page).contains("/single-sign-on"), "{}", html(&page));
    let page = browser.open("/single-sign-on").await.expect(200);
    let nobody = fill_in(&browser, &page, "/single-sign-on", &[("email", "ada@other.example")]).await.expect(422);
    assert!(html(&nobody).contains("No company signs in here with this address."), "{}", html(&nobody));
    let sent = press(&browser, &page, "/single-sign-on", &[("email", "ada@acme.example")]).await;
    assert_eq!(parameters(sent.header("location").unwrap())["login_hint"], "ada@acme.example");
    let answer = come_back(&browser, &upstream, &sent).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
    // At the page for everybody, the address leads there, too, whatever the password is.
    let other = Browser::new(&server);
    let page = begin(&other, &client, &[]).await.expect(200);
    let fields = [("identifier", "Ada@ACME.example"), ("password", "wrong")];
    let sent = press(&other, &page, "/sign-in", &fields).await;
    let answer = come_back(&other, &upstream, &sent).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
});

both!(whoever_is_new_agrees_before_they_get_an_account, async |home: Arc<Home>| {
    let server = server(&home).await;
    let upstream = Upstream::start(false).await;
    let id = connector(&server, &upstream, "work", "The Works").await;
    let company = json!({
        "providerName": "OIDC", "connectorName": "Acme", "config": upstream.config(), "domains": ["acme.example"],
    });
    server.management().await.post("/api/sso-connectors", company).await.expect(200);
    let change = json!({
        "socialSignInConnectorTargets": ["work"], "socialSignIn": { "skipRequiredIdentifiers": true },
        "singleSignOnEnabled": true, "termsOfUseUrl": "https://example.com/terms",
        "agreeToTermsPolicy": "ManualRegistrationOnly",
    });
    settings(&server, change).await;
    let client = application(&server, false).await;
    let social = format!("/sign-in/social/{id}");
    for (email, path, fields) in [
        ("ada@example.com", social.as_str(), vec![]),
        ("ada@acme.example", "/single-sign-on", vec![("email", "ada@acme.example")]),
    ] {
        upstream.person(json!({ "sub": email, "email": email, "email_verified": true }));
        let browser = Browser::new(&server);
        let page = begin(&browser, &client, &[]).await.expect(200);
        let sent = press(&browser, &page, path, &fields).await;
        let asked = come_back(&browser, &upstream, &sent).await.expect(200);
        assert!(html(&asked).contains("page-no-account") && html(&asked).contains(email), "{}", html(&asked));
        let refused = fill_in(&browser, &asked, "/register/elsewhere", &[]).await.expect(422);
        assert!(html(&refused).contains("agree-error"), "{}", html(&refused));
        let known = format!("/api/users?search.primaryEmail={email}");
        assert_eq!(server.management().await.get(&known).await.expect(200).body, json!([]), "{email}");
        let done = fill_in(&browser, &refused, "/register/elsewhere", &[("agree", "true")]).await.expect(303);
        assert!(told(&done).contains_key("code"), "{done:?}");
        // Whoever has an account has agreed.
        let again = Browser::new(&server);
        let page = begin(&again, &client, &[]).await.expect(200);
        let sent = press(&again, &page, path, &fields).await;
        let answer = come_back(&again, &upstream, &sent).await.expect(303);
        assert!(told(&answer).contains_key("code"), "{answer:?}");
    }
    let stranger = Browser::new(&server);
    begin(&stranger, &client, &[]).await.expect(200);
    assert_eq!(page_of(&stranger.open("/register/elsewhere").await.expect(303)), "/sign-in");
});

both!(one_of_several_companies_is_chosen, async |home: Arc<Home>| {
    let server = server(&home).await;
    let (works, labs) = (Upstream::start(false).await, Upstream::start(false).await);
    labs.person(json!({ "sub": "ada", "email": "ada@acme.example", "email_verified": true }));
    company(&server, &works, "Acme Works").await;
    let id = company(&server, &labs, "Acme <Labs>").await;
    settings(&server, json!({ "singleSignOnEnabled": true })).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let shows_both =
        |page: &Answer| html(page).contains(">Acme Works<") && html(page).contains(">Acme &#60;Labs&#62;<");
    let page = begin(&browser, &client, &[]).await.expect(200);
    let fields = [("identifier", "ada@acme.example"), ("password", "whatever")];
    let page = fill_in(&browser, &page, "/sign-in", &fields).await.expect(200);
    assert!(shows_both(&page), "{}", html(&page));
    let page = browser.open("/single-sign-on").await.expect(200);
    let fields = [("email", "ada@acme.example"), ("connector", "nobody's")];
    let page = fill_in(&browser, &page, "/single-sign-on", &fields).await.expect(200);
    assert!(shows_both(&page), "{}", html(&page));
    // The address is that of one of them, or no connector is chosen by its id.
    let foreign = [("email", "ada@other.example"), ("connector", id.as_str())];
    fill_in(&browser, &page, "/single-sign-on", &foreign).await.expect(422);
    let chosen = [("email", "ada@acme.example"), ("connector", id.as_str())];
    let sent = press(&browser, &page, "/single-sign-on", &chosen).await;
    let answer = come_back(&browser, &labs, &sent).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
    assert!(!works.requests().iter().any(|path| path == "/token"));
});

both!(an_application_sends_people_straight_there, async |home: Arc<Home>| {
    let server = server(&home).await;
    let (work, acme) = (Upstream::start(false).await, Upstream::start(false).await);
    work.person(json!({ "sub": "grace" }));
    acme.person(json!({ "sub": "ada", "email": "ada@acme.example", "email_verified": true }));
    connector(&server, &work, "work", "The Works").await;
    let sso = format!("sso:{}", company(&server, &acme, "Acme").await);
    let change = json!({
        "socialSignInConnectorTargets": ["work"], "socialSignIn": { "skipRequiredIdentifiers": true },
        "singleSignOnEnabled": true,
    });
    settings(&server, change).await;
    let client = application(&server, false).await;
    for (wanted, upstream) in [("social:work", &work), (sso.as_str(), &acme)] {
        let browser = Browser::new(&server);
        let more = [("direct_sign_in", wanted), ("login_hint", "ada@acme.example")];
        let asked = browser.open(&request(&client, &more)).await.expect(303);
        let direct = asked.header("location").unwrap();
        assert!(direct.contains("/direct"), "{direct}");
        let sent = browser.open(direct).await.expect(303);
        assert_eq!(parameters(sent.header("location").unwrap())["login_hint"], "ada@acme.example");
        let answer = come_back(&browser, upstream, &sent).await.expect(303);
        assert!(told(&answer).contains_key("code"), "{wanted}: {answer:?}");
    }
    // Where there is no such server, people choose.
    for wanted in ["social:other", "sso:nobody", "sso:work", "social:", "work", "password:x"] {
        let page = begin(&Browser::new(&server), &client, &[("direct_sign_in", wanted)]).await.expect(200);
        assert!(html(&page).contains("action=\"/sign-in\""), "{wanted}: {}", html(&page));
    }
    let more = [("direct_sign_in", "social:other"), ("first_screen", "register")];
    let page = begin(&Browser::new(&server), &client, &more).await.expect(200);
    assert!(html(&page).contains("action=\"/register\""), "{}", html(&page));
    // Nobody is at the page without a request.
    Browser::new(&server).open("/direct").await.expect(400);
    // Whoever has to agree sees to what before.
    settings(&server, json!({ "termsOfUseUrl": "https://example.com/terms", "agreeToTermsPolicy": "Manual" })).await;
    let page = begin(&Browser::new(&server), &client, &[("direct_sign_in", "social:work")]).await.expect(200);
    assert!(html(&page).contains("name=\"agree\""), "{}", html(&page));
});
