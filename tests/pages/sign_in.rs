//! Signing in, registering and consenting in a browser without JavaScript.

use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::id::ApplicationId;
use claimsmith_storage::Json;
use claimsmith_test_support::{Answer, Browser, TestServer, both, seed, told};
use serde_json::json;

const CALLBACK: &str = "https://shop.example.com/callback";
/// The password of the demo's customer.
pub(crate) const PASSWORD: &str = "violet-kettle-42";
/// The challenge of RFC 7636 appendix B.
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A single-page application with one redirect URI.
pub(crate) async fn application(server: &TestServer, is_third_party: bool) -> ApplicationId {
    let mut application = seed::new_application(ApplicationType::Spa);
    application.is_third_party = is_third_party;
    application.custom_client_metadata = Json(CustomClientMetadata::default());
    application.oidc_client_metadata =
        Json(OidcClientMetadata { redirect_uris: vec![CALLBACK.to_owned()], ..OidcClientMetadata::default() });
    server.add(application).await.0
}

/// Gives the demo's customer a password.
pub(crate) async fn give_password(server: &TestServer) {
    let path = format!("/api/users/{}/password", server.demo().customer_user_id);
    server.management().await.patch(&path, json!({ "password": PASSWORD })).await.expect(200);
}

/// Sends the browser to the authorization endpoint, and to the page that it answers.
pub(crate) async fn begin(browser: &Browser, client_id: &str, more: &[(&str, &str)]) -> Answer {
    follow(browser, browser.open(&request(client_id, more)).await).await
}

/// Where an authorization request goes.
pub(crate) fn request(client_id: &str, more: &[(&str, &str)]) -> String {
    let parameters = [
        ("client_id", client_id),
        ("redirect_uri", CALLBACK),
        ("response_type", "code"),
        ("scope", "openid profile"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ];
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).extend_pairs(more).finish();
    format!("/oidc/auth?{query}")
}

/// Follows redirects as long as they lead to this server.
pub(crate) async fn follow(browser: &Browser, mut answer: Answer) -> Answer {
    while let Some(location) = answer.header("location").map(str::to_owned) {
        if location.starts_with(CALLBACK) {
            break;
        }
        assert_eq!(answer.status, 303);
        answer = browser.open(&location).await;
    }
    answer
}

/// The token of the form of a page.
pub(crate) fn csrf(page: &Answer) -> String {
    let html = page.body.as_str().unwrap();
    // With custom CSS it is a text, which selectors do not read.
    match html.split_once("<textarea name=\"csrf\" autocomplete=\"off\" readonly hidden>") {
        Some((_, rest)) => rest.split_once('<').unwrap().0.to_owned(),
        None => html.split_once("name=\"csrf\" value=\"").unwrap().1.split_once('"').unwrap().0.to_owned(),
    }
}

/// Fills the form of a page in, and sends it to its path.
pub(crate) async fn fill_in(browser: &Browser, page: &Answer, path: &str, fields: &[(&str, &str)]) -> Answer {
    let mut form = vec![("csrf".to_owned(), csrf(page))];
    form.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    follow(browser, browser.post(path, &form).await).await
}

both!(a_person_signs_in_with_a_password, async |server: TestServer| {
    give_password(&server).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[("login_hint", "customer")]).await.expect(200);
    assert!(page.body.as_str().unwrap().contains("value=\"customer\""), "{}", page.body);
    for (identifier, password) in [("customer", "wrong"), ("nobody", PASSWORD), ("customer@example.com", "wrong")] {
        let fields = [("identifier", identifier), ("password", password)];
        let refused = fill_in(&browser, &page, "/sign-in", &fields).await.expect(422);
        let html = refused.body.as_str().unwrap();
        assert!(html.contains("role=\"alert\"") && html.contains(&format!("value=\"{identifier}\"")), "{html}");
        assert!(!html.contains(PASSWORD) && !html.contains("wrong\""), "{html}");
    }
    // Known or not, they are answered at one time.
    let mut deadlines = server.clock.deadlines();
    assert!(deadlines.len() >= 2);
    deadlines.dedup();
    assert_eq!(deadlines.len(), 1);
    let empty = fill_in(&browser, &page, "/sign-in", &[("identifier", "customer")]).await.expect(422);
    assert!(empty.body.as_str().unwrap().contains("password-error"), "{}", empty.body);
    let fields = [("identifier", "Customer"), ("password", PASSWORD)];
    let answer = fill_in(&browser, &page, "/sign-in", &fields).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
    // The interaction is over, the session is there.
    assert!(told(&begin(&browser, &client, &[("prompt", "none")]).await).contains_key("code"));
    // The page of before goes on with the session.
    let answer = fill_in(&browser, &page, "/sign-in", &[("identifier", "customer")]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
});

both!(a_name_like_an_address_or_a_number_signs_in, async |server: TestServer| {
    let management = server.management().await;
    let client = application(&server, false).await;
    let allowed =
        json!({ "usernamePolicy": { "allowedChars": { "at": true, "leadingDigit": true, "letters": true } } });
    management.patch("/api/sign-in-exp", allowed).await.expect(200);
    let names = ["jane@corp.example", "4711-0815", "Jörg"];
    management.patch("/api/sign-in-exp", json!({ "usernamePolicy": { "allowedChars": { "hyphen": true } } })).await;
    for name in names {
        let user = json!({ "username": name, "password": PASSWORD });
        management.post("/api/users", user).await.expect(200);
    }
    let method = crate::codes::method;
    let every = json!([method("username", true, false), method("email", true, true), method("phone", true, true)]);
    for methods in [json!([method("username", true, false)]), every] {
        management.patch("/api/sign-in-exp", json!({ "signIn": { "methods": methods } })).await.expect(200);
        for name in names {
            let browser = Browser::new(&server);
            let page = begin(&browser, &client, &[]).await.expect(200);
            let wrong = [("identifier", name), ("password", "wrong")];
            fill_in(&browser, &page, "/sign-in", &wrong).await.expect(422);
            let right = [("identifier", name), ("password", PASSWORD)];
            let answer = fill_in(&browser, &page, "/sign-in", &right).await.expect(303);
            assert!(told(&answer).contains_key("code"), "{name} {answer:?}");
        }
    }
    // Who registers is told of characters in words that fit the policy.
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[("first_screen", "register")]).await.expect(200);
    for name in ["joe@corp.example", "jane.doe"] {
        let fields = [("username", name), ("password", PASSWORD)];
        let refused = fill_in(&browser, &page, "/register", &fields).await.expect(422);
        let html = refused.body.as_str().unwrap();
        assert!(html.contains("a character that is not allowed here"), "{html}");
    }
});

both!(a_person_registers, async |server: TestServer| {
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[("first_screen", "register")]).await.expect(200);
    for (username, password, field) in [
        ("customer", PASSWORD, "username"),
        ("9lives", PASSWORD, "username"),
        ("", PASSWORD, "username"),
        ("newcomer", "1234567", "password"),
        ("newcomer", "password", "password"),
        ("newcomer", "", "password"),
    ] {
        let fields = [("username", username), ("password", password)];
        let refused = fill_in(&browser, &page, "/register", &fields).await.expect(422);
        let html = refused.body.as_str().unwrap();
        assert!(html.contains(&format!("id=\"{field}-error\"")), "{username} {password} {html}");
    }
    let fields = [("username", "newcomer"), ("password", PASSWORD)];
    let answer = fill_in(&browser, &page, "/register", &fields).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
    let users = server.management().await.get("/api/users?search=newcomer").await.expect(200);
    assert_eq!(users.body[0]["applicationId"], client.as_str());
});

both!(forms_of_other_sites_and_browsers_are_refused, async |server: TestServer| {
    give_password(&server).await;
    let client = application(&server, false).await;
    let (browser, other) = (Browser::new(&server), Browser::new(&server));
    let page = begin(&browser, &client, &[]).await.expect(200);
    let elsewhere = begin(&other, &client, &[]).await.expect(200);
    let fields = [("identifier", "customer"), ("password", PASSWORD)];
    let mut form: Vec<(String, String)> =
        fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    // Without a token, with that of another browser, and from another site.
    browser.post("/sign-in", &form).await.expect(403);
    fill_in(&browser, &elsewhere, "/sign-in", &fields).await.expect(403);
    form.push(("csrf".to_owned(), csrf(&page)));
    for (name, value) in [("origin", "https://evil.example.com"), ("sec-fetch-site", "cross-site"), ("origin", "null")]
    {
        let request = server.http.post(server.url("/sign-in")).form(&form).header(name, value);
        browser.send(request).await.expect(403);
    }
    // A browser without an interaction sees a page, and nothing else.
    let stranger = Browser::new(&server);
    for path in ["/sign-in", "/register", "/profile", "/consent", "/switch-account"] {
        let page = stranger.open(path).await.expect(400);
        assert!(page.header("content-type").unwrap().starts_with("text/html"), "{path}");
        stranger.post(path, &form).await.expect(400);
    }
    // None of it kept the person out.
    let answer = fill_in(&browser, &page, "/sign-in", &fields).await.expect(303);
    assert!(told(&answer).contains_key("code"));
});

both!(a_field_that_comes_twice_is_refused, async |server: TestServer| {
    give_password(&server).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[]).await.expect(200);
    for (name, value) in [("identifier", "nobody"), ("password", "wrong"), ("csrf", "wrong"), ("unknown", "1")] {
        // Whichever of them would count, the other is behind it or before it.
        for twice in [[(name, value), (name, value)], [("identifier", "customer"), (name, value)]] {
            let fields = [("identifier", "customer"), ("password", PASSWORD), twice[0], twice[1]];
            fill_in(&browser, &page, "/sign-in", &fields).await.expect(403);
        }
    }
    let fields = [("identifier", "customer"), ("password", PASSWORD)];
    assert!(told(&fill_in(&browser, &page, "/sign-in", &fields).await.expect(303)).contains_key("code"));
});

both!(the_sign_in_of_somebody_else_is_not_taken_over, async |server: TestServer| {
    give_password(&server).await;
    let client = application(&server, false).await;
    // Somebody signs in, and has others open the address that their own browser is sent to then.
    let attacker = Browser::new(&server);
    let page = begin(&attacker, &client, &[]).await.expect(200);
    let form = [("csrf", csrf(&page).as_str()), ("identifier", "customer"), ("password", PASSWORD)]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let sent = attacker.post("/sign-in", &form).await.expect(303);
    let address = sent.header("location").unwrap().to_owned();
    assert!(address.contains("/oidc/auth/"), "{address}");
    let (victim, stranger) = (Browser::new(&server), Browser::new(&server));
    begin(&victim, &client, &[]).await.expect(200);
    for browser in [&victim, &stranger] {
        let answer = browser.open(&address).await.expect(400);
        assert_eq!((answer.header("location"), browser.cookie("claimsmith-session")), (None, None));
    }
    // Their own is untouched, and so is that of whoever signed in.
    victim.open("/sign-in").await.expect(200);
    assert!(told(&attacker.open(&address).await.expect(303)).contains_key("code"));
});

both!(a_third_party_gets_what_a_person_allows, async |server: TestServer| {
    give_password(&server).await;
    let third = application(&server, true).await;
    let browser = Browser::new(&server);
    let resource = server.demo().resource.clone();
    let more = [("resource", resource.as_str())];
    let page = begin(&browser, &third, &more).await.expect(200);
    let fields = [("identifier", "customer"), ("password", PASSWORD)];
    let consent = fill_in(&browser, &page, "/sign-in", &fields).await.expect(200);
    let html = consent.body.as_str().unwrap();
    assert!(html.contains("Test application") && html.contains("Casey Customer"), "{html}");
    // No.
    let denied = fill_in(&browser, &consent, "/consent", &[("decision", "deny")]).await.expect(303);
    assert_eq!(told(&denied)["error"], "access_denied");
    // Nothing was remembered; this time yes.
    let consent = begin(&browser, &third, &more).await.expect(200);
    fill_in(&browser, &consent, "/consent", &[]).await.expect(400);
    let foreign = [("decision", "allow"), ("organization", "nowhere")];
    fill_in(&browser, &consent, "/consent", &foreign).await.expect(422);
    let allowed = fill_in(&browser, &consent, "/consent", &[("decision", "allow")]).await.expect(303);
    assert!(told(&allowed).contains_key("code"));
    // It is remembered, for what was shown and no more.
    assert!(told(&begin(&browser, &third, &more).await).contains_key("code"));
    let user = format!("/api/users/{}", server.demo().customer_user_id);
    server.management().await.patch(&user, json!({ "name": "" })).await.expect(200);
    let again = begin(&browser, &third, &[("prompt", "consent")]).await;
    // Asked for, all of it is shown again. Whoever has an empty name is called by the user name.
    let html = again.expect(200).body.as_str().unwrap().to_owned();
    assert!(html.contains("name=\"decision\"") && html.contains("Test application"), "{html}");
    assert!(html.contains("Signed in as customer"), "{html}");
});

both!(nobody_consents_for_a_session_of_another_browser, async |server: TestServer| {
    give_password(&server).await;
    let third = application(&server, true).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &third, &[]).await.expect(200);
    let fields = [("identifier", "customer"), ("password", PASSWORD)];
    let consent = fill_in(&browser, &page, "/sign-in", &fields).await.expect(200);
    // Whoever has the cookie of the interaction alone, or another session beside it.
    let (other, _) = server.signed_in(&[&server.demo().engineer_user_id]).await;
    for stranger in [Browser::new(&server), other] {
        let (name, secret) = browser.interaction_cookie();
        stranger.set_cookie(&name, &secret);
        let shown = stranger.open("/consent").await.expect(404);
        assert!(!shown.body.as_str().unwrap().contains("Casey Customer"), "{shown:?}");
        fill_in(&stranger, &consent, "/consent", &[("decision", "allow")]).await.expect(404);
    }
    let allowed = fill_in(&browser, &consent, "/consent", &[("decision", "allow")]).await.expect(303);
    assert!(told(&allowed).contains_key("code"));
});

both!(one_of_several_accounts_is_chosen, async |server: TestServer| {
    let client = application(&server, false).await;
    let engineer = server.demo().engineer_user_id.clone();
    let (browser, ids) = server.signed_in(&[&engineer, &server.demo().customer_user_id]).await;
    let (_, foreign) = server.signed_in(&[&engineer]).await;
    let page = begin(&browser, &client, &[("prompt", "select_account")]).await.expect(200);
    let html = page.body.as_str().unwrap();
    assert!(html.contains("Casey Customer") && html.contains("Erin Engineer"), "{html}");
    // A session of another browser is none of these.
    let refused = fill_in(&browser, &page, "/switch-account", &[("account", &foreign[0])]).await;
    assert_eq!(refused.status, 404);
    let another = fill_in(&browser, &page, "/switch-account", &[("account", "another")]).await.expect(200);
    assert!(another.body.as_str().unwrap().contains("name=\"identifier\""));
    let chosen = fill_in(&browser, &page, "/switch-account", &[("account", &ids[0])]).await.expect(303);
    assert!(told(&chosen).contains_key("code"));
});

both!(what_is_missing_is_asked_for, async |server: TestServer| {
    let management = server.management().await;
    let methods = json!([
        { "identifier": "username", "password": true, "verificationCode": false, "isPasswordPrimary": true },
        { "identifier": "email", "password": true, "verificationCode": false, "isPasswordPrimary": true },
    ]);
    management.patch("/api/sign-in-exp", json!({ "signIn": { "methods": methods } })).await.expect(200);
    let user = json!({ "primaryEmail": "lee@example.com", "password": PASSWORD });
    let user = management.post("/api/users", user).await.expect(200);
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[]).await.expect(200);
    let fields = [("identifier", "LEE@example.com"), ("password", PASSWORD)];
    let profile = fill_in(&browser, &page, "/sign-in", &fields).await.expect(200);
    let html = profile.body.as_str().unwrap();
    assert!(html.contains("name=\"username\"") && !html.contains("name=\"password\""), "{html}");
    let taken = fill_in(&browser, &profile, "/profile", &[("username", "customer")]).await.expect(422);
    assert!(taken.body.as_str().unwrap().contains("username-error"));
    let answer = fill_in(&browser, &profile, "/profile", &[("username", "lee")]).await.expect(303);
    assert!(told(&answer).contains_key("code"));
    let path = format!("/api/users/{}", user["id"].as_str().unwrap());
    assert_eq!(management.get(&path).await.expect(200)["username"], "lee");
});

both!(who_comes_without_a_sign_in_goes_where_the_settings_say, async |server: TestServer| {
    let browser = Browser::new(&server);
    browser.open("/sign-in").await.expect(400);
    let management = server.management().await;
    let elsewhere = "https://shop.example.com/welcome";
    management.patch("/api/sign-in-exp", json!({ "unknownSessionRedirectUrl": elsewhere })).await.expect(200);
    for page in ["/sign-in", "/register"] {
        assert_eq!(browser.open(page).await.expect(303).header("location"), Some(elsewhere), "{page}");
    }
    // Somebody who is signing in stays.
    let client = application(&server, false).await;
    begin(&browser, &client, &[]).await.expect(200);
    browser.open("/sign-in").await.expect(200);
    management.patch("/api/sign-in-exp", json!({ "unknownSessionRedirectUrl": "" })).await.expect(200);
    Browser::new(&server).open("/sign-in").await.expect(400);
});
