//! Authorization requests: what is answered, to whom, and how.

use super::{CALLBACK, authorize, client, client_with, customer, with};
use crate::page::PageForm;
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_storage::Json;
use claimsmith_test_support::{Answer, Browser, Home, TestServer, both, page_of, seed, told};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

/// The page that a browser is sent to.
fn page(server: &TestServer, answer: &Answer) -> String {
    assert!(answer.header("location").unwrap().starts_with(server.report.base_url.as_str()), "{answer:?}");
    page_of(answer)
}

both!(somebody_who_is_signed_in_gets_a_code_at_once, async |server: TestServer| {
    let client = client(&server, ApplicationType::Spa).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let answer = authorize(&browser, &client.request("openid profile")).await.expect(303);
    assert!(answer.header("location").unwrap().starts_with(&format!("{CALLBACK}&code=")), "{answer:?}");
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let told = told(&answer);
    let names: Vec<&str> = told.keys().map(String::as_str).collect();
    assert_eq!(names, ["code", "iss", "state", "tenant"]);
    assert_eq!((told["state"].as_str(), told["iss"].as_str()), ("s t&ä", server.issuer().as_str()));
    // 43 characters of 62: 256 bits.
    assert_eq!(told["code"].len(), 43);
    // The same by a form, whose answer is still told in the query.
    let answer = browser.post("/oidc/auth", &client.request("openid")).await.expect(303);
    assert!(answer.header("location").unwrap().contains("&code="), "{answer:?}");
});

both!(the_answer_comes_as_it_was_asked_for, async |server: TestServer| {
    let client = client(&server, ApplicationType::Spa).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let request = |more| with(client.request("openid"), more);
    let answer = authorize(&browser, &request(&[("response_mode", "fragment")])).await.expect(303);
    assert!(answer.header("location").unwrap().starts_with(&format!("{CALLBACK}#code=")), "{answer:?}");
    let answer = authorize(&browser, &request(&[("response_mode", "form_post")])).await.expect(200);
    let html = answer.body.as_str().unwrap();
    assert!(html.contains(r#"action="https://shop.example.com/callback?tenant=1""#), "{html}");
    for name in ["code", "state", "iss"] {
        assert!(html.contains(&format!(r#"name="{name}""#)), "{html}");
    }
    assert!(html.contains(r#"value="s t&amp;ä""#) || html.contains(r#"value="s t&#38;ä""#), "{html}");
    // Errors, too.
    let answer = authorize(&browser, &request(&[("response_mode", "form_post"), ("response_type", "")])).await;
    assert!(answer.expect(200).body.as_str().unwrap().contains(r#"value="invalid_request""#));
});

both!(a_wrong_client_or_redirect_uri_is_shown_to_the_person_alone, async |server: TestServer| {
    let spa = client(&server, ApplicationType::Spa).await;
    let mut machine = seed::new_application(ApplicationType::MachineToMachine);
    machine.oidc_client_metadata =
        Json(OidcClientMetadata { redirect_uris: vec![CALLBACK.to_owned()], ..OidcClientMetadata::default() });
    let (machine, _) = server.add(machine).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    for (name, value) in [
        ("client_id", ""),
        ("client_id", "nobody"),
        ("client_id", machine.as_str()),
        ("redirect_uri", ""),
        ("redirect_uri", "https://evil.example.com/callback?tenant=1"),
        ("redirect_uri", "https://shop.example.com/callback"),
        ("redirect_uri", "https://shop.example.com/callback?tenant=1&more=1"),
        ("redirect_uri", "https://shop.example.com/callback?tenant=1#fragment"),
        ("redirect_uri", "javascript:alert(1)"),
    ] {
        let answer = authorize(&browser, &with(spa.request("openid"), &[(name, value)])).await;
        assert_eq!((answer.status, answer.header("location")), (400, None), "{name}={value}");
    }
    // Twice: which one would be meant?
    let mut twice = spa.request("openid");
    twice.push(("redirect_uri".to_owned(), "https://evil.example.com/".to_owned()));
    let answer = authorize(&browser, &twice).await;
    assert_eq!((answer.status, answer.header("location")), (400, None));
});

both!(what_is_wrong_with_a_request_is_told_the_application, async |server: TestServer| {
    let client = client(&server, ApplicationType::Spa).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let long = "x".repeat(5000);
    let table: &[(&[(&str, &str)], &str)] = &[
        (&[("response_type", "")], "invalid_request"),
        (&[("response_type", "token"), ("response_mode", "query")], "unsupported_response_type"),
        (&[("response_type", "id_token"), ("response_mode", "query")], "unsupported_response_type"),
        (&[("response_mode", "web_message")], "invalid_request"),
        (&[("code_challenge", ""), ("code_challenge_method", "")], "invalid_request"),
        (&[("code_challenge", "")], "invalid_request"),
        (&[("code_challenge_method", "")], "invalid_request"),
        (&[("code_challenge_method", "plain")], "invalid_request"),
        (&[("code_challenge", "short")], "invalid_request"),
        (&[("scope", "openid \u{e4}")], "invalid_scope"),
        (&[("resource", "https://nothing.example.com")], "invalid_target"),
        (&[("resource", &server.machine().resource)], "invalid_target"),
        (&[("prompt", "none login")], "invalid_request"),
        (&[("prompt", "dance")], "invalid_request"),
        (&[("max_age", "-1")], "invalid_request"),
        (&[("max_age", "soon")], "invalid_request"),
        (&[("nonce", &long)], "invalid_request"),
        (&[("request", "eyJhbGciOiJub25lIn0.e30.")], "request_not_supported"),
        (&[("request_uri", "https://shop.example.com/request")], "request_uri_not_supported"),
        (&[("registration", "{}")], "registration_not_supported"),
    ];
    for (more, error) in table {
        let answer = authorize(&browser, &with(client.request("openid"), more)).await.expect(303);
        let told = told(&answer);
        assert_eq!(told.get("error").map(String::as_str), Some(*error), "{more:?} {told:?}");
        assert_eq!((told["state"].as_str(), told["iss"].as_str()), ("s t&ä", server.issuer().as_str()), "{more:?}");
        assert!(!told.contains_key("code") && !told["error_description"].is_empty(), "{told:?}");
    }
    let mut twice = client.request("openid");
    twice.push(("nonce".to_owned(), "n-2".to_owned()));
    assert_eq!(told(&authorize(&browser, &twice).await)["error"], "invalid_request");
    // What nobody knows is ignored.
    let answer =
        authorize(&browser, &with(client.request("openid"), &[("extra", "foobar"), ("display", "popup")])).await;
    assert!(told(&answer).contains_key("code"));
});

both!(whoever_is_not_signed_in_is_sent_to_a_page, async |server: TestServer| {
    let client = client(&server, ApplicationType::Spa).await;
    let browser = Browser::new(&server);
    for (more, expected) in [
        (vec![], "/sign-in"),
        (vec![("first_screen", "register")], "/register"),
        (vec![("prompt", "create")], "/register"),
        (vec![("prompt", "select_account")], "/sign-in"),
    ] {
        let answer = authorize(&browser, &with(client.request("openid"), &more)).await.expect(303);
        assert_eq!(page(&server, &answer), expected, "{more:?}");
        let set = answer.header("set-cookie").unwrap();
        assert!(set.starts_with("claimsmith-interaction-") && set.contains("Path=/"), "{set}");
    }
    let silent = authorize(&browser, &with(client.request("openid"), &[("prompt", "none")])).await.expect(303);
    assert_eq!(told(&silent)["error"], "login_required");
    assert!(silent.header("set-cookie").is_none());
    // A cookie that opens nothing is no session, and no error.
    browser.set_cookie("claimsmith-session", "made-up");
    assert_eq!(page(&server, &authorize(&browser, &client.request("openid")).await), "/sign-in");
});

both!(a_session_ends_by_idleness_by_age_and_with_its_user, async |server: TestServer| {
    let client = client(&server, ApplicationType::Spa).await;
    let user = server.add_user().await;
    let silent = with(client.request("openid"), &[("prompt", "none")]);
    let (browser, _) = server.signed_in(&[&user]).await;
    assert!(told(&authorize(&browser, &silent).await).contains_key("code"));
    server.set_suspended(&user, true).await;
    assert_eq!(told(&authorize(&browser, &silent).await)["error"], "login_required");
    server.set_suspended(&user, false).await;
    // Its lifetime in these tests is a day.
    server.clock.advance(Duration::from_millis(86_400_000 + 1));
    assert_eq!(told(&authorize(&browser, &silent).await)["error"], "login_required");
});

both!(a_session_that_nobody_uses_ends, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_SESSION_IDLE_TTL", "3600")]).await.unwrap();
    let client = client(&server, ApplicationType::Spa).await;
    let silent = with(client.request("openid"), &[("prompt", "none")]);
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    // Each use counts.
    for _ in 0..2 {
        server.clock.advance(Duration::from_secs(3599));
        assert!(told(&authorize(&browser, &silent).await).contains_key("code"));
    }
    server.clock.advance(Duration::from_hours(1));
    assert_eq!(told(&authorize(&browser, &silent).await)["error"], "login_required");
});

both!(max_age_and_prompts_ask_again, async |server: TestServer| {
    let client = client(&server, ApplicationType::Spa).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    server.clock.advance(Duration::from_millis(60_000));
    for (more, asks) in [
        (vec![("max_age", "61")], false),
        (vec![("max_age", "59")], true),
        (vec![("max_age", "0")], true),
        (vec![("prompt", "login")], true),
    ] {
        let answer = authorize(&browser, &with(client.request("openid"), &more)).await.expect(303);
        let asked = page_of(&answer) == "/sign-in";
        assert_eq!(asked, asks, "{more:?}");
    }
    let answer = authorize(&browser, &with(client.request("openid"), &[("prompt", "select_account")])).await;
    assert_eq!(page(&server, &answer), "/switch-account");
    let silent = with(client.request("openid"), &[("prompt", "none"), ("max_age", "59")]);
    assert_eq!(told(&authorize(&browser, &silent).await)["error"], "login_required");
});

both!(whoever_signed_in_without_a_second_factor_is_asked_again_where_one_is_wanted, async |server: TestServer| {
    const MULTI_FACTOR: &str = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";
    let client = client(&server, ApplicationType::Spa).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let wanted = with(client.request("openid"), &[("acr_values", MULTI_FACTOR)]);
    assert_eq!(page(&server, &authorize(&browser, &wanted).await.expect(303)), "/sign-in");
    let silent = with(wanted, &[("prompt", "none")]);
    assert_eq!(told(&authorize(&browser, &silent).await)["error"], "login_required");
});

both!(third_parties_need_a_consent, async |server: TestServer| {
    let third = client_with(&server, ApplicationType::Spa, CustomClientMetadata::default(), true).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let answer = authorize(&browser, &third.request("openid email")).await.expect(303);
    assert_eq!(page(&server, &answer), "/consent");
    let silent = with(third.request("openid email"), &[("prompt", "none")]);
    assert_eq!(told(&authorize(&browser, &silent).await)["error"], "consent_required");
});

both!(an_address_begins_so_many_sign_ins_and_then_fewer, async |server: TestServer| {
    let client = client(&server, ApplicationType::Spa).await;
    let browser = Browser::new(&server);
    for _ in 0..300 {
        assert_eq!(page(&server, &authorize(&browser, &client.request("openid")).await), "/sign-in");
    }
    let refused = authorize(&browser, &client.request("openid")).await.expect(303);
    assert_eq!(told(&refused)["error"], "temporarily_unavailable");
    // Whoever is signed in begins none.
    let (signed_in, _) = server.signed_in(&[&customer(&server)]).await;
    assert!(told(&authorize(&signed_in, &client.request("openid")).await).contains_key("code"));
    server.clock.advance(Duration::from_millis(100));
    assert_eq!(page(&server, &authorize(&browser, &client.request("openid")).await), "/sign-in");
});

both!(an_interaction_is_resumed_in_its_own_browser_alone, async |server: TestServer| {
    let client = client(&server, ApplicationType::Spa).await;
    let browser = Browser::new(&server);
    authorize(&browser, &client.request("openid")).await.expect(303);
    for path in ["/oidc/auth/made-up", "/oidc/auth/"] {
        let status = browser.open(path).await.status;
        assert!(status == 400 || status == 404, "{path}: {status}");
    }
    assert_eq!(Browser::new(&server).open("/oidc/auth/made-up").await.status, 400);
});

both!(an_interaction_gives_one_code_however_often_its_browser_comes_back, async |server: TestServer| {
    let client = client(&server, ApplicationType::Spa).await;
    let (browser, ids) = server.signed_in(&[&customer(&server)]).await;
    let request = with(client.request("openid"), &[("prompt", "select_account")]);
    let asked = authorize(&browser, &request).await.expect(303);
    let form = PageForm::of(&browser.open(asked.header("location").unwrap()).await.expect(200)).unwrap();
    let chosen = browser.post(&form.action, &form.filled_in(&[("account", &ids[0])])).await.expect(303);
    let back = chosen.header("location").unwrap();
    let mut racers = JoinSet::new();
    for _ in 0..10 {
        // The same browser, before it gets an answer.
        let tab = Browser::new(&server);
        for name in ["claimsmith-session", &browser.interaction_cookie().0] {
            tab.set_cookie(name, &browser.cookie(name).unwrap());
        }
        let back = back.to_owned();
        racers.spawn(async move { tab.open(&back).await });
    }
    let answers = racers.join_all().await;
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 303);
    assert_eq!((won.len(), lost.len()), (1, 9), "{won:?}");
    assert!(told(&won[0]).contains_key("code"));
    assert!(lost.iter().all(|answer| answer.status == 400), "{lost:?}");
});

both!(errors_of_a_response_type_with_a_fragment_arrive_in_the_fragment, async |server: TestServer| {
    let client = client(&server, ApplicationType::Spa).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    for (response_type, response_mode, separator) in [
        ("token", "", '#'),
        ("id_token", "", '#'),
        ("code id_token", "", '#'),
        ("code id_token token", "", '#'),
        ("id_token", "query", '&'),
        ("code", "fragment", '#'),
        ("none", "", '&'),
        ("code_id_token", "", '&'),
        ("", "", '&'),
    ] {
        let more = [("response_type", response_type), ("response_mode", response_mode), ("scope", "openid \u{e4}")];
        let answer = authorize(&browser, &with(client.request("openid"), &more)).await.expect(303);
        let location = answer.header("location").unwrap();
        let told =
            location.strip_prefix(&format!("{CALLBACK}{separator}")).unwrap_or_else(|| panic!("{more:?} {location}"));
        assert!(told.starts_with("error=") && told.contains("state=") && told.contains("iss="), "{location}");
    }
    let more = [("response_type", "id_token"), ("response_mode", "form_post")];
    let page = authorize(&browser, &with(client.request("openid"), &more)).await.expect(200);
    assert_eq!(PageForm::of(&page).unwrap().fields["error"], "unsupported_response_type");
});

both!(a_request_object_is_refused_the_way_that_it_asks_for, async |server: TestServer| {
    let client = client(&server, ApplicationType::Spa).await;
    let browser = Browser::new(&server);
    let object = |claims: serde_json::Value| {
        let encoded = data_encoding::BASE64URL_NOPAD.encode(claims.to_string().as_bytes());
        format!("eyJhbGciOiJub25lIn0.{encoded}.")
    };
    let asked = async |claims: serde_json::Value, more: &[(&str, &str)]| {
        let object = object(claims);
        let without = [("request", object.as_str()), ("state", "")];
        authorize(&browser, &with(with(client.request("openid"), &without), more)).await
    };
    let claims = serde_json::json!({
        "response_mode": "form_post", "state": "inside", "redirect_uri": "https://evil.example.com/",
    });
    let fields = PageForm::of(&asked(claims.clone(), &[]).await.expect(200)).unwrap();
    assert_eq!(fields.action, CALLBACK, "nothing else of it is obeyed");
    assert_eq!((&*fields.fields["error"], &*fields.fields["state"]), ("request_not_supported", "inside"));
    // What is sent beside it comes first.
    let more = [("response_mode", "query"), ("state", "outside")];
    let told = told(&asked(claims, &more).await.expect(303));
    assert_eq!((&*told["error"], &*told["state"]), ("request_not_supported", "outside"));
    let more = [("response_mode", "form_post"), ("state", "outside")];
    let fields = PageForm::of(&asked(serde_json::json!({}), &more).await.expect(200)).unwrap();
    assert_eq!((&*fields.fields["error"], &*fields.fields["state"]), ("request_not_supported", "outside"));
    for unread in ["x", "a.b.c", "..", "e30.bm9uc2Vuc2U.", &object(serde_json::json!({ "response_mode": 1 }))] {
        let answer = authorize(&browser, &with(client.request("openid"), &[("request", unread)])).await.expect(303);
        assert_eq!(claimsmith_test_support::told(&answer)["error"], "request_not_supported", "{unread}");
    }
});

both!(numbers_of_a_json_body_are_taken_as_texts, async |server: TestServer| {
    let client = client(&server, ApplicationType::Spa).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let mut object: serde_json::Map<_, _> =
        client.request("openid").into_iter().map(|(name, value)| (name, value.into())).collect();
    object.insert("max_age".to_owned(), 3600.into());
    object.insert("state".to_owned(), 17.into());
    let post = async |object: &serde_json::Map<String, serde_json::Value>| {
        browser.send(server.http.post(server.url("/oidc/auth")).json(object)).await
    };
    let told = told(&post(&object).await.expect(303));
    assert!(told.contains_key("code") && told["state"] == "17", "{told:?}");
    object.insert("max_age".to_owned(), (-1).into());
    assert_eq!(claimsmith_test_support::told(&post(&object).await.expect(303))["error"], "invalid_request");
    object.insert("max_age".to_owned(), serde_json::json!([3600]));
    post(&object).await.expect_oauth_error(400, "invalid_request");
});
