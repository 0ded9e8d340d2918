//! From a device that asks to its tokens, with somebody who signs in on the way.

use super::{
    INTERVAL, PASSWORD, ask, asks, asks_to_confirm, codes, device, device_of, enter, entries, fill_in, follow,
    give_password, let_in, poll, text,
};
use crate::page::PageForm;
use crate::sign_in::customer;
use claimsmith_test_support::{Browser, TestServer, both};
use serde_json::{Value, json};

both!(a_device_is_let_in_by_somebody_who_signs_in, async |server: TestServer| {
    give_password(&server).await;
    let (client, resource) = (device(&server).await, server.demo().resource.clone());
    let scope = "openid profile offline_access resource:read resource:admin";
    let asked = asks(&server, &client, scope).with("resource", &resource).with("nonce", "n-1").send().await.expect(200);
    assert_eq!(asked.header("cache-control"), Some("no-store"));
    assert_eq!((&asked["expires_in"], &asked["interval"]), (&json!(600), &json!(5)));
    let (codes, page) = (codes(&asked), format!("{}/device", server.report.base_url));
    assert_eq!(asked["verification_uri"], page);
    assert_eq!(asked["verification_uri_complete"], format!("{page}?user_code={}", codes.user_code));
    // Twice five consonants, none of which looks like another.
    let (first, second) = codes.user_code.split_once('-').unwrap();
    let is_consonant = |letter| "BCDFGHJKLMNPQRSTVWXZ".contains(letter);
    assert!(first.len() == 5 && second.len() == 5 && format!("{first}{second}").chars().all(is_consonant));
    poll(&server, &client, &codes).send().await.expect_oauth_error(400, "authorization_pending");

    // The code that comes with the address is filled in, and nothing more.
    let browser = Browser::new(&server);
    let page = browser.open(&asked.text("verification_uri_complete")).await.expect(200);
    assert!(text(&page).contains(&format!("value=\"{}\"", codes.user_code)), "{page:?}");
    server.clock.advance(INTERVAL);
    poll(&server, &client, &codes).send().await.expect_oauth_error(400, "authorization_pending");
    // However it is typed.
    let typed = format!(" {} ", codes.user_code.replace('-', " ").to_lowercase());
    let sign_in = fill_in(&browser, &page, &[("user_code", &typed)]).await.expect(200);
    assert!(PageForm::of(&sign_in).unwrap().asks_for("identifier"), "{sign_in:?}");
    assert!(text(&sign_in).contains("Test application"), "the application is named from here on");
    let confirm = fill_in(&browser, &sign_in, &[("identifier", "customer"), ("password", PASSWORD)]).await.expect(200);
    assert!(asks_to_confirm(&confirm), "{confirm:?}");
    for told in [
        codes.user_code.as_str(),
        "Test application",
        "Signed in as Casey Customer",
        "See your name and your picture",
        "Keep this access while you are away",
        "Read your data",
    ] {
        assert!(text(&confirm).contains(told), "{told}: {}", text(&confirm));
    }
    assert!(!text(&confirm).contains("another network"), "they are in the same one");
    // Nothing is given before somebody says so.
    server.clock.advance(INTERVAL);
    poll(&server, &client, &codes).send().await.expect_oauth_error(400, "authorization_pending");
    let signed_in_at = server.clock.now_ms() / 1000 - 5;
    let done = fill_in(&browser, &confirm, &[("decision", "allow")]).await.expect(200);
    assert!(text(&done).contains("Your device is connected"), "{done:?}");

    server.clock.advance(INTERVAL);
    let tokens = poll(&server, &client, &codes).with("resource", &resource).send().await.expect(200);
    assert_eq!(tokens.header("cache-control"), Some("no-store"));
    assert_eq!((&tokens["token_type"], &tokens["scope"]), (&json!("Bearer"), &json!("resource:read")));
    let jwt = server.verify(&tokens.text("access_token"), &resource).await;
    assert_eq!((&jwt.claims["sub"], &jwt.claims["client_id"]), (&json!(customer(&server)), &json!(client.id)));
    let id_token = server.verify(&tokens.text("id_token"), &client.id).await.claims;
    let sid = id_token["sid"].as_str().unwrap();
    let expected = [
        ("sub", json!(customer(&server))),
        ("nonce", json!("n-1")),
        ("auth_time", json!(signed_in_at)),
        ("amr", json!(["pwd"])),
    ];
    for (name, value) in expected {
        assert_eq!(id_token[name], value, "{name}");
    }
    // A refresh goes on where the device began.
    let again = client.refresh(&server, &tokens.text("refresh_token")).send().await.expect(200);
    assert_eq!(again["scope"], "openid profile offline_access");
    let me = server.bearer(&again.text("access_token")).get("/oidc/me").await.expect(200);
    assert_eq!(me["name"], "Casey Customer");
    assert_eq!(server.verify(&again.text("id_token"), &client.id).await.claims["sid"], sid);

    let mut told = String::new();
    let id = entries(&server, "DeviceAuthorization.Create").await[0]["deviceAuthorizationId"].clone();
    assert!(id.is_string());
    for key in ["Create", "Code.Submit", "Approve"] {
        let found = entries(&server, &format!("DeviceAuthorization.{key}")).await;
        let [entry] = &found[..] else { panic!("{key}: {found:?}") };
        assert_eq!((&entry["deviceAuthorizationId"], &entry["applicationId"]), (&id, &json!(client.id)), "{key}");
        assert_eq!((&entry["result"], &entry["ip"]), (&json!("Success"), &json!("127.0.0.1")), "{key}");
        told += &entry.to_string();
    }
    let approved = &entries(&server, "DeviceAuthorization.Approve").await[0];
    assert_eq!((&approved["userId"], &approved["sessionId"]), (&json!(customer(&server)), &json!(sid)));
    // Waiting is no refusal.
    let exchanged = entries(&server, "ExchangeTokenBy.DeviceCode").await;
    let [exchanged] = &exchanged[..] else { panic!("{exchanged:?}") };
    assert_eq!((&exchanged["deviceAuthorizationId"], &exchanged["grantId"]), (&id, &approved["grantId"]));
    for key in ["Interaction.SignIn.Submit", "Interaction.SignIn.Consent.Submit", "Interaction.End"] {
        told += &entries(&server, key).await[0].to_string();
    }
    for secret in [codes.device_code.as_str(), &codes.user_code, &codes.user_code.replace('-', ""), PASSWORD] {
        assert!(!told.contains(secret), "{secret} in {told}");
    }
});

both!(whoever_is_signed_in_is_asked_about_every_device, async |server: TestServer| {
    let client = device(&server).await;
    let (browser, ids) = server.signed_in(&[&customer(&server)]).await;
    for _ in 0..2 {
        let codes = ask(&server, &client, "openid").await;
        let confirm = enter(&browser, &codes.user_code).await.expect(200);
        assert!(asks_to_confirm(&confirm), "what was given before does not count: {confirm:?}");
        poll(&server, &client, &codes).send().await.expect_oauth_error(400, "authorization_pending");
        let done = fill_in(&browser, &confirm, &[("decision", "allow")]).await.expect(200);
        assert!(text(&done).contains("connected"));
        let tokens = poll(&server, &client, &codes).send().await.expect(200);
        assert_eq!(server.verify(&tokens.text("id_token"), &client.id).await.claims["sid"], ids[0].as_str());
        // Without offline_access, and without openid, there is none of each.
        assert_eq!(tokens["refresh_token"], Value::Null);
    }
    let codes = ask(&server, &client, "profile").await;
    let_in(&browser, &codes).await;
    assert_eq!(poll(&server, &client, &codes).send().await.expect(200)["id_token"], Value::Null);
});

both!(the_device_of_a_third_party_gets_the_organizations_that_are_chosen, async |server: TestServer| {
    let client = device_of(&server, true).await;
    let user = customer(&server);
    let chosen = server.add_organization_of(&user, &[]).await;
    let other = server.add_organization_of(&user, &[]).await;
    let (browser, _) = server.signed_in(&[&user]).await;
    let scope = "openid offline_access urn:logto:scope:organizations";
    let codes = ask(&server, &client, scope).await;
    let confirm = enter(&browser, &codes.user_code).await.expect(200);
    assert!(text(&confirm).contains("run by somebody else") && text(&confirm).contains(chosen.as_str()));
    let foreign = [("decision", "allow"), ("organization", "nowhere")];
    fill_in(&browser, &confirm, &foreign).await.expect(422);
    let allowed = [("decision", "allow"), ("organization", chosen.as_str())];
    fill_in(&browser, &confirm, &allowed).await.expect(200);
    let form = poll(&server, &client, &codes);
    form.clone().with("organization_id", &other).send().await.expect_oauth_error(403, "access_denied");
    let tokens = form.with("organization_id", &chosen).send().await.expect(200);
    server.verify(&tokens.text("access_token"), &format!("urn:logto:organization:{chosen}")).await;
    let refresh = client.refresh(&server, &tokens.text("refresh_token"));
    refresh.with("organization_id", &other).send().await.expect_oauth_error(403, "access_denied");
});

both!(somebody_registers_on_the_way_to_a_device, async |server: TestServer| {
    let client = device(&server).await;
    let codes = codes(&asks(&server, &client, "openid").with("first_screen", "register").send().await.expect(200));
    let browser = Browser::new(&server);
    let register = enter(&browser, &codes.user_code).await.expect(200);
    let confirm = fill_in(&browser, &register, &[("username", "newcomer"), ("password", PASSWORD)]).await.expect(200);
    assert!(asks_to_confirm(&confirm) && text(&confirm).contains("Signed in as newcomer"), "{confirm:?}");
    fill_in(&browser, &confirm, &[("decision", "allow")]).await.expect(200);
    let tokens = poll(&server, &client, &codes).send().await.expect(200);
    assert!(tokens["id_token"].is_string());
});

both!(another_account_is_asked_anew, async |server: TestServer| {
    let client = device(&server).await;
    let engineer = server.demo().engineer_user_id.clone();
    let (browser, ids) = server.signed_in(&[&engineer, &customer(&server)]).await;
    let codes = ask(&server, &client, "openid").await;
    let confirm = enter(&browser, &codes.user_code).await.expect(200);
    assert!(
        text(&confirm).contains("Casey Customer") && text(&confirm).contains("href=\"/switch-account?interaction=")
    );
    // Allowed, but the browser did not come back: what one allowed is not the other's.
    let form = PageForm::of(&confirm).unwrap();
    browser.post(&form.action, &form.filled_in(&[("decision", "allow")])).await.expect(303);
    let accounts = browser.open("/switch-account").await.expect(200);
    let confirm = fill_in(&browser, &accounts, &[("account", &ids[0])]).await.expect(200);
    assert!(asks_to_confirm(&confirm) && text(&confirm).contains("Erin Engineer"), "{confirm:?}");
    poll(&server, &client, &codes).send().await.expect_oauth_error(400, "authorization_pending");
    fill_in(&browser, &confirm, &[("decision", "allow")]).await.expect(200);
    let tokens = poll(&server, &client, &codes).send().await.expect(200);
    assert_eq!(server.verify(&tokens.text("id_token"), &client.id).await.claims["sub"], engineer.as_str());
});

both!(a_fresh_sign_in_is_asked_for_where_the_device_wants_one, async |server: TestServer| {
    give_password(&server).await;
    let client = device(&server).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    server.clock.advance(INTERVAL);
    for wish in [("prompt", "login"), ("max_age", "1")] {
        let codes = codes(&asks(&server, &client, "openid").with(wish.0, wish.1).send().await.expect(200));
        let sign_in = enter(&browser, &codes.user_code).await.expect(200);
        assert!(PageForm::of(&sign_in).unwrap().asks_for("password"), "{wish:?}: {sign_in:?}");
        let fields = [("identifier", "customer"), ("password", PASSWORD)];
        assert!(asks_to_confirm(&fill_in(&browser, &sign_in, &fields).await.expect(200)), "{wish:?}");
        server.clock.advance(INTERVAL);
    }
    // Whom the device expects, and somebody else.
    let codes_of_casey = ask(&server, &client, "openid").await;
    let_in(&browser, &codes_of_casey).await;
    let hint = poll(&server, &client, &codes_of_casey).send().await.expect(200).text("id_token");
    let engineer = server.demo().engineer_user_id.clone();
    let (other, _) = server.signed_in(&[&engineer]).await;
    let codes = codes(&asks(&server, &client, "openid").with("id_token_hint", &hint).send().await.expect(200));
    assert!(asks_to_confirm(&enter(&browser, &codes.user_code).await.expect(200)));
    let page = enter(&other, &codes.user_code).await.expect(200);
    assert!(PageForm::of(&page).unwrap().asks_for("password"), "{page:?}");
    let answer = follow(&other, other.open("/device/confirm").await).await;
    assert!(!asks_to_confirm(&answer), "{answer:?}");
});
