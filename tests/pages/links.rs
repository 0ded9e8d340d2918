//! Links by email: one-time tokens and invitations. Opened by GET they do nothing.

use crate::codes::settings;
use crate::html;
use crate::sign_in::{PASSWORD, application, begin, fill_in};
use claimsmith_test_support::{Browser, Home, Mailed, Receiver, TestServer, Wire, both, page_of, told};
use serde_json::json;
use std::sync::Arc;

const LEE: &str = "lee@example.com";

both!(a_one_time_token_is_used_when_somebody_goes_on, async |server: TestServer| {
    let client = application(&server, false).await;
    let management = server.management().await;
    let sign_up = json!({ "identifiers": [], "password": false, "verify": false });
    management.patch("/api/sign-in-exp", json!({ "signUp": sign_up })).await.expect(200);
    let made = management.post("/api/one-time-tokens", json!({ "email": LEE })).await.expect(201);
    let token = made.text("token");
    let link = [("one_time_token", token.as_str()), ("login_hint", LEE)];
    // A program that looks at the links of emails.
    let scanner = Browser::new(&server);
    begin(&scanner, &client, &link).await.expect(200);
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &link).await.expect(200);
    assert!(html(&page).contains("page-one-time-token") && html(&page).contains(LEE), "{}", page.body);
    assert!(!html(&page).contains(&token));
    let answer = fill_in(&browser, &page, "/one-time-token", &[]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
    let found = management.get("/api/users?search.primaryEmail=lee@example.com").await.expect(200);
    assert_eq!(found.body.as_array().unwrap().len(), 1);
    // It was used, and the hint alone opens nothing.
    for parameters in
        [link, [("one_time_token", "wrong"), ("login_hint", LEE)], [("one_time_token", &token), ("login_hint", "")]]
    {
        let other = Browser::new(&server);
        let page = begin(&other, &client, &parameters).await.expect(200);
        let refused = fill_in(&other, &page, "/one-time-token", &[]).await.expect(422);
        assert!(html(&refused).contains("does not work any more"), "{}", refused.body);
    }
    let stranger = Browser::new(&server);
    begin(&stranger, &client, &[]).await.expect(200);
    assert_eq!(page_of(&stranger.open("/one-time-token").await.expect(303)), "/sign-in");
});

both!(a_link_for_a_forgotten_password_leads_to_a_new_one, async |server: TestServer| {
    const NEW: &str = "orange-kettle-43";
    // Nothing else replaces a password here.
    settings(&server, json!({ "forgotPasswordMethods": [] })).await;
    let client = application(&server, false).await;
    let management = server.management().await;
    let user = json!({ "username": "lee", "primaryEmail": LEE, "password": PASSWORD });
    management.post("/api/users", user).await.expect(200);
    let body = json!({ "email": LEE, "context": { "interactionEvent": "ForgotPassword" } });
    let token = management.post("/api/one-time-tokens", body).await.expect(201).text("token");
    let link = [("one_time_token", token.as_str()), ("login_hint", LEE), ("first_screen", "reset_password")];
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &link).await.expect(200);
    assert!(html(&page).contains("page-one-time-token") && html(&page).contains(LEE), "{}", page.body);
    let new_page = fill_in(&browser, &page, "/one-time-token", &[]).await.expect(200);
    assert!(html(&new_page).contains("page-new-password") && html(&new_page).contains(LEE), "{}", new_page.body);
    let refused = fill_in(&browser, &new_page, "/reset-password/new", &[("password", PASSWORD)]).await.expect(422);
    assert!(html(&refused).contains("different from the old one"), "{}", refused.body);
    let done = fill_in(&browser, &new_page, "/reset-password/new", &[("password", NEW)]).await.expect(200);
    assert!(html(&done).contains("page-sign-in") && html(&done).contains("role=\"status\""), "{}", done.body);
    let answer = fill_in(&browser, &done, "/sign-in", &[("identifier", "lee"), ("password", NEW)]).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");
    // It was used, and one for an address that nobody has leads nowhere.
    let body = json!({ "email": "nobody@example.com", "context": { "interactionEvent": "ForgotPassword" } });
    let other = management.post("/api/one-time-tokens", body).await.expect(201).text("token");
    for (token, address) in [(&token, LEE), (&other, "nobody@example.com")] {
        let browser = Browser::new(&server);
        let link = [("one_time_token", token.as_str()), ("login_hint", address)];
        let page = begin(&browser, &client, &link).await.expect(200);
        let refused = fill_in(&browser, &page, "/one-time-token", &[]).await.expect(422);
        assert!(html(&refused).contains("does not work any more"), "{}", refused.body);
    }
});

both!(an_invitation_is_accepted_on_a_page, async |home: Arc<Home>| {
    let Mailed { server, inbox } = Mailed::start(&home, &[]).await;
    let management = server.management().await;
    let organization =
        management.post("/api/organizations", json!({ "name": "Zoo & Co" })).await.expect(201).text("id");
    let receiver = Receiver::start().await;
    let hook =
        json!({ "events": ["Organization.Membership.Updated", "User.Created"], "config": { "url": receiver.url() } });
    management.post("/api/hooks", hook).await.expect(201);
    let members = format!("/api/organizations/{organization}/users");
    // Once for somebody new, once for somebody with an account.
    management.post("/api/users", json!({ "primaryEmail": "Ada@Example.com" })).await.expect(200);
    receiver.wait(1).await;
    for (number, email) in [LEE, "ada@example.com"].into_iter().enumerate() {
        let body = json!({ "invitee": email, "organizationId": organization, "messagePayload": {},
            "expiresAt": server.clock.now_ms() + 60_000 });
        management.post("/api/organization-invitations", body).await.expect(201);
        let message = inbox.message(email, 1).await;
        let link = message["payload"]["link"].as_str().unwrap().to_owned();
        let browser = Browser::new(&server);
        let page = browser.open(&link).await.expect(200);
        assert!(html(&page).contains("Zoo &#38; Co") && html(&page).contains(email), "{}", page.body);
        assert_eq!(management.get(&members).await.expect(200).body.as_array().unwrap().len(), number);
        let query = link.split_once('?').unwrap().1;
        let fields: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let mut wrong = fields.clone();
        let other = if wrong[1].1.starts_with('A') { "B" } else { "A" };
        wrong[1].1.replace_range(0..1, other);
        assert!(html(&browser.post("/invitation", &wrong).await.expect(422)).contains("does not work any more"));
        let request = server.http.post(server.url("/invitation")).form(&fields).header("sec-fetch-site", "cross-site");
        browser.send(request).await.expect(403);
        server.put_off(email).await;
        let done = browser.post("/invitation", &fields).await.expect(200);
        assert_eq!(server.withdrawn(email).await, 1);
        assert!(html(&done).contains("Welcome to Zoo"), "{}", done.body);
        browser.post("/invitation", &fields).await.expect(422);
        browser.open(&link).await.expect(422);
        assert_eq!(management.get(&members).await.expect(200).body.as_array().unwrap().len(), number + 1);
    }
    let mut told: Vec<String> =
        receiver.wait(4).await.iter().map(|one| one.json()["event"].as_str().unwrap().to_owned()).collect();
    told.sort();
    let joined = "Organization.Membership.Updated";
    assert_eq!(told, [joined, joined, "User.Created", "User.Created"]);
});

both!(half_a_form_keeps_no_connection_to_the_database, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_DATABASE_MAX_CONNECTIONS", "4")]).await.unwrap();
    let host = server.origin.trim_start_matches("http://");
    let head = format!(
        "POST /invitation HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: 9\r\nExpect: 100-continue\r\n\r\n"
    );
    let mut half_sent = Vec::new();
    for _ in 0..8 {
        let mut wire = Wire::open(&server).await.unwrap();
        wire.say(&head).await.unwrap();
        // It is being read.
        assert_eq!(wire.answer().await.unwrap().status, 100);
        half_sent.push(wire);
    }
    Browser::new(&server).open("/invitation").await.expect(422);
    for mut wire in half_sent {
        wire.say("id=nobody").await.unwrap();
        assert_eq!(wire.answer().await.unwrap().status, 422);
    }
});
