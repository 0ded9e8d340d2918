//! Where answers go, and what could be smuggled into them, as `OAuch`'s folder `AuthEndpoint` tries it.

use super::checks::expect_refusal;
use super::relying_party::{CALLBACK, RelyingParty, add_client};
use crate::page::html;
use crate::sign_in::{VERIFIER, challenge};
use claimsmith_test_support::{Browser, TestServer, both};

both!(a_redirect_uri_is_matched_fully, async |server: TestServer| {
    let rp = RelyingParty::register(server, "query").await;
    let browser = Browser::new(&rp.server);
    rp.sign_in(&browser, &[]).await;
    for uri in [
        "https://client.example.com/callback",
        "https://client.example.com/callback/?tenant=1",
        "https://client.example.com/callback/../callback?tenant=1",
        "https://client.example.com/Callback?tenant=1",
        "https://CLIENT.example.com/callback?tenant=1",
        "https://client.example.com:443/callback?tenant=1",
        "https://client.example.com:8443/callback?tenant=1",
        "https://client.example.com.evil.example/callback?tenant=1",
        "https://client.example.com@evil.example/callback?tenant=1",
        "https://user@client.example.com/callback?tenant=1",
        "https://evil.example\\@client.example.com/callback?tenant=1",
        "http://client.example.com/callback?tenant=1",
        "//client.example.com/callback?tenant=1",
        "/callback?tenant=1",
        "https://client.example.com/callback?tenant=1#fragment",
        "https://client.example.com/callback?tenant=1&code=pollution",
        "https://client.example.com/callback?tenant=1%00",
        "https://client.example.com/callback?tenant=1\r\nlocation: https://evil.example",
        "javascript:alert(1)",
    ] {
        rp.ask(&browser, &[("redirect_uri", uri)]).await.expect_error_page();
    }
    rp.ask(&browser, &[("redirect_uri", "")]).await.expect_error_page();
});

both!(the_redirect_uri_of_a_code_is_confirmed_at_the_token_endpoint, async |server: TestServer| {
    let rp = RelyingParty::register(server, "query").await;
    let code = rp.authorize(&Browser::new(&rp.server), &[]).await["code"].clone();
    for uri in ["https://client.example.com/callback", "https://evil.example.com/callback?tenant=1"] {
        expect_refusal(&rp.redeem(&code).with("redirect_uri", uri).send().await, 400, "invalid_grant");
    }
    expect_refusal(&rp.redeem(&code).without("redirect_uri").send().await, 400, "invalid_request");
    rp.redeem(&code).send().await.expect(200);
});

both!(no_wrong_request_is_an_open_redirect, async |server: TestServer| {
    let rp = RelyingParty::register(server, "query").await;
    let browser = Browser::new(&rp.server);
    for wrong in
        [("scope", "\u{1}"), ("response_type", "nonsense"), ("prompt", "nonsense"), ("response_mode", "nonsense")]
    {
        let more = [wrong, ("redirect_uri", "https://evil.example.com/")];
        rp.ask(&browser, &more).await.expect_error_page();
        rp.ask(&browser, &[wrong, ("client_id", "nobody")]).await.expect_error_page();
    }
});

both!(a_parameter_that_comes_twice_is_refused, async |server: TestServer| {
    let rp = RelyingParty::register(server, "query").await;
    let browser = Browser::new(&rp.server);
    rp.sign_in(&browser, &[]).await;
    for (name, is_told) in
        [("client_id", false), ("redirect_uri", false), ("scope", true), ("nonce", true), ("response_type", true)]
    {
        let mut request = rp.request(&[]);
        let again = request.iter().find(|(known, _)| known == name).unwrap().clone();
        request.push(again);
        let reached = rp.ask_as(&browser, &request).await;
        if is_told {
            reached.expect_error(&["invalid_request"]);
        } else {
            reached.expect_error_page();
        }
    }
    // Also one that nobody reads.
    let mut request = rp.request(&[("display", "page")]);
    request.push(("display".to_owned(), "popup".to_owned()));
    rp.ask_as(&browser, &request).await.expect_error(&["invalid_request"]);
    // Which state would be sent back?
    let mut request = rp.request(&[]);
    request.push(("state".to_owned(), "another".to_owned()));
    let members = rp.ask_as(&browser, &request).await.back();
    assert_eq!((members["error"].as_str(), members.get("state")), ("invalid_request", None));
});

both!(parameters_of_the_request_do_not_become_members_of_the_answer, async |server: TestServer| {
    let rp = RelyingParty::register(server, "query").await;
    let browser = Browser::new(&rp.server);
    let state = "s&code=pollution&iss=https://evil.example.com";
    let more = [("code", "pollution"), ("error", "pollution"), ("iss", "https://evil.example.com"), ("state", state)];
    let members = rp.authorize(&browser, &more).await;
    // `checks` refuses an answer that has a member twice.
    assert_ne!(members["code"], "pollution");
    rp.redeem(&members["code"]).send().await.expect(200);
});

both!(pages_of_a_sign_in_are_not_framed_and_tell_no_one_where_they_are, async |server: TestServer| {
    let rp = RelyingParty::register(server, "query").await;
    let page = rp.ask(&Browser::new(&rp.server), &[]).await.page();
    assert!(html(&page).is_some());
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(!policy.contains("unsafe-inline") && !policy.contains("form-action"), "{policy}");
    for (name, value) in [
        ("x-frame-options", "DENY"),
        ("referrer-policy", "same-origin"),
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(page.header(name), Some(value));
    }
});

both!(a_fragment_is_answered_in_the_fragment, async |server: TestServer| {
    let rp = RelyingParty::register(server, "fragment").await;
    rp.sign_in(&Browser::new(&rp.server), &[]).await;
    rp.ask(&Browser::new(&rp.server), &[("prompt", "none")]).await.expect_error(&["login_required"]);
});

both!(a_code_is_bound_to_its_client, async |server: TestServer| {
    let rp = RelyingParty::register(server, "query").await;
    let challenge = challenge(VERIFIER);
    let more = [("code_challenge", challenge.as_str()), ("code_challenge_method", "S256")];
    let code = rp.authorize(&Browser::new(&rp.server), &more).await["code"].clone();
    let (id, secret) = add_client(&rp.server, "Traditional").await;
    let stolen = rp.redeem(&code).with("redirect_uri", CALLBACK).with("code_verifier", VERIFIER);
    expect_refusal(&stolen.clone().basic(&id, &secret).send().await, 400, "invalid_grant");
    stolen.send().await.expect(200);
});
