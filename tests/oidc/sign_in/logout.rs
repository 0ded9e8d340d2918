//! RP-initiated logout.

use super::{Client, authorize, client, client_with, customer, with};
use crate::page::PageForm;
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_storage::Json;
use claimsmith_test_support::{Answer, Browser, TestServer, both, seed, told};

const BYE: &str = "https://shop.example.com/bye?tenant=1";

/// An application that people can be sent back to.
async fn shop(server: &TestServer) -> Client {
    let mut application = seed::new_application(ApplicationType::Native);
    application.custom_client_metadata = Json(CustomClientMetadata::default());
    application.oidc_client_metadata = Json(OidcClientMetadata {
        redirect_uris: vec![super::CALLBACK.to_owned()],
        post_logout_redirect_uris: vec![BYE.to_owned()],
        ..OidcClientMetadata::default()
    });
    let (id, secret) = server.add(application).await;
    Client { id, secret, kind: ApplicationType::Native }
}

async fn id_token(server: &TestServer, shop: &Client, browser: &Browser) -> String {
    let code = shop.code(browser, "openid", &[]).await;
    shop.exchange(server, &code).send().await.expect(200).text("id_token")
}

async fn sign_out(browser: &Browser, parameters: &[(&str, &str)]) -> Answer {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    browser.open(&format!("/oidc/session/end?{query}")).await
}

async fn is_signed_in(browser: &Browser, shop: &Client) -> bool {
    let silent = with(shop.request("openid"), &[("prompt", "none")]);
    told(&authorize(browser, &silent).await).contains_key("code")
}

both!(the_hint_of_a_session_ends_it_at_once, async |server: TestServer| {
    let shop = shop(&server).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let hint = id_token(&server, &shop, &browser).await;
    // An expired hint is a hint.
    server.clock.advance(std::time::Duration::from_secs(4000));
    let state = "s".repeat(128);
    let asked = [("id_token_hint", hint.as_str()), ("post_logout_redirect_uri", BYE), ("state", &state)];
    let answer = sign_out(&browser, &asked).await.expect(303);
    assert_eq!(answer.header("location"), Some(format!("{BYE}&state={state}").as_str()));
    assert_eq!(browser.cookie("claimsmith-session"), None);
    assert!(!is_signed_in(&browser, &shop).await);
    // Once more: there is nothing to end, and no error.
    let answer = sign_out(&browser, &asked[..2]).await.expect(303);
    assert_eq!(answer.header("location"), Some(BYE));
});

both!(one_account_of_several_is_signed_out, async |server: TestServer| {
    let shop = shop(&server).await;
    let engineer = server.demo().engineer_user_id.clone();
    let (browser, _) = server.signed_in(&[&engineer, &customer(&server)]).await;
    let hint = id_token(&server, &shop, &browser).await;
    sign_out(&browser, &[("id_token_hint", &hint)]).await.expect(303);
    // The other one goes on.
    assert!(is_signed_in(&browser, &shop).await);
    let management = server.management().await;
    let sessions = |id: String| {
        let management = management.clone();
        async move {
            let answer = management.get(&format!("/api/users/{id}/sessions")).await.expect(200);
            answer["sessions"].as_array().unwrap().len()
        }
    };
    assert_eq!(sessions(customer(&server).to_string()).await, 0);
    assert_eq!(sessions(engineer.to_string()).await, 1);
});

both!(without_a_hint_people_are_asked, async |server: TestServer| {
    let shop = shop(&server).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    for parameters in [vec![], vec![("state", "x")], vec![("client_id", shop.id.as_str())]] {
        let page = sign_out(&browser, &parameters).await.expect(200);
        assert!(page.body.as_str().unwrap().contains("name=\"confirm\""), "{}", page.body);
        assert!(is_signed_in(&browser, &shop).await);
    }
    let page = sign_out(&browser, &[("client_id", &shop.id), ("post_logout_redirect_uri", BYE)]).await.expect(200);
    let html = page.body.as_str().unwrap();
    let between = |before: &str| {
        html.split_once(before).unwrap().1.split_once('"').unwrap().0.replace("&#38;", "&").replace("&amp;", "&")
    };
    let (action, csrf) = (between("action=\""), between("name=\"csrf\" value=\""));
    let form = |csrf: &str| vec![("confirm".to_owned(), "true".to_owned()), ("csrf".to_owned(), csrf.to_owned())];
    // Another site cannot answer for them.
    browser.post(&action, &form("made-up")).await.expect(200);
    assert!(is_signed_in(&browser, &shop).await);
    let answer = browser.post(&action, &form(&csrf)).await.expect(303);
    assert_eq!(answer.header("location"), Some(BYE));
    assert!(!is_signed_in(&browser, &shop).await);
    // Nobody is there to be asked.
    let answer = sign_out(&browser, &[]).await.expect(303);
    assert!(answer.header("location").unwrap().ends_with("/signed-out"));
});

both!(a_bad_hint_or_address_leads_nowhere, async |server: TestServer| {
    let shop = shop(&server).await;
    let other = client(&server, ApplicationType::Native).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let hint = id_token(&server, &shop, &browser).await;
    let (head, rest) = hint.split_once('.').unwrap();
    let (payload, signature) = rest.split_once('.').unwrap();
    let none = data_encoding::BASE64URL_NOPAD.encode(br#"{"alg":"none","typ":"JWT"}"#);
    let unsigned = format!("{none}.{payload}.");
    let foreign = format!("{head}.{payload}.{}", signature.chars().rev().collect::<String>());
    let code = shop.code(&browser, "openid", &[]).await;
    let access = shop.exchange(&server, &code).send().await.expect(200).text("access_token");
    // Signed by the server as well, and yet no ID token.
    let resource = server.demo().resource.clone();
    let code = shop.code(&browser, "openid resource:read", &[("resource", &resource)]).await;
    let exchange = shop.exchange(&server, &code).with("resource", &resource);
    let signed = exchange.send().await.expect(200).text("access_token");
    // A hint that cannot be verified is none: the person is asked, and is sent back only to where the client may.
    for hint in [unsigned.as_str(), &foreign, &access, &signed, "nonsense"] {
        for (client_id, returns) in [(None, false), (Some(shop.id.as_str()), true)] {
            let mut parameters = vec![("id_token_hint", hint), ("post_logout_redirect_uri", BYE)];
            parameters.extend(client_id.map(|id| ("client_id", id)));
            let page = sign_out(&browser, &parameters).await.expect(200);
            assert!(PageForm::of(&page).unwrap().asks_for("confirm"), "{parameters:?}");
            assert!(is_signed_in(&browser, &shop).await);
            // Where nobody is signed in, there is nothing to ask.
            let location = sign_out(&Browser::new(&server), &parameters).await.expect(303);
            let location = location.header("location").unwrap();
            assert_eq!((location == BYE, location.ends_with("/signed-out")), (returns, !returns), "{parameters:?}");
        }
    }
    for parameters in [
        vec![("id_token_hint", hint.as_str()), ("post_logout_redirect_uri", "https://evil.example.com/")],
        vec![("id_token_hint", &hint), ("post_logout_redirect_uri", "https://shop.example.com/bye?tenant=1&more=1")],
        vec![("id_token_hint", &hint), ("client_id", &other.id), ("post_logout_redirect_uri", BYE)],
        vec![("id_token_hint", "nonsense"), ("client_id", &other.id), ("post_logout_redirect_uri", BYE)],
        vec![("post_logout_redirect_uri", BYE)],
        vec![("client_id", &other.id), ("post_logout_redirect_uri", BYE)],
    ] {
        let answer = sign_out(&browser, &parameters).await;
        assert_eq!((answer.status, answer.header("location")), (400, None), "{parameters:?}");
    }
    assert!(is_signed_in(&browser, &shop).await);
});

both!(what_ends_with_the_session_is_what_was_not_asked_for_offline, async |server: TestServer| {
    let metadata = CustomClientMetadata { always_issue_refresh_token: Some(true), ..CustomClientMetadata::default() };
    let web = client_with(&server, ApplicationType::Traditional, metadata, false).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let tokens = |more: &'static [(&'static str, &'static str)], scope: &'static str| {
        let (web, browser, server) = (web.clone(), browser.clone(), &server);
        async move {
            let code = web.code(&browser, scope, more).await;
            web.exchange(server, &code).send().await.expect(200)
        }
    };
    let online = tokens(&[], "openid").await;
    let offline = tokens(&[("prompt", "consent")], "openid offline_access").await;
    let me = async |token: String| server.bearer(&token).get("/oidc/me").await.status;
    assert_eq!(me(online.text("access_token")).await, 200);
    sign_out(&browser, &[("id_token_hint", &online.text("id_token"))]).await.expect(303);
    assert_eq!(me(online.text("access_token")).await, 401);
    assert_eq!(me(offline.text("access_token")).await, 200);
    web.refresh(&server, &online.text("refresh_token")).send().await.expect_oauth_error(400, "invalid_grant");
    web.refresh(&server, &offline.text("refresh_token")).send().await.expect(200);
});

both!(the_answer_of_another_site_signs_nobody_out, async |server: TestServer| {
    let shop = shop(&server).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let page = sign_out(&browser, &[]).await.expect(200);
    let form = PageForm::of(&page).unwrap();
    let yes = form.filled_in(&[("confirm", "true")]);
    for (name, value) in [
        ("origin", "https://evil.example.com"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        let request = server.http.post(server.url(&form.action)).form(&yes).header(name, value);
        let asked = browser.send(request).await.expect(200);
        assert!(PageForm::of(&asked).unwrap().asks_for("confirm"), "{name}: {value}");
        assert!(is_signed_in(&browser, &shop).await, "{name}: {value}");
    }
    browser.post(&form.action, &yes).await.expect(303);
    assert!(!is_signed_in(&browser, &shop).await);
});

both!(a_parameter_that_comes_twice_signs_nobody_out, async |server: TestServer| {
    let shop = shop(&server).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let hint = id_token(&server, &shop, &browser).await;
    let good =
        [("id_token_hint", hint.as_str()), ("client_id", &shop.id), ("post_logout_redirect_uri", BYE), ("state", "s")];
    for (name, value) in good {
        let twice: Vec<_> = good.into_iter().chain([(name, value)]).collect();
        let answer = sign_out(&browser, &twice).await;
        assert_eq!((answer.status, answer.header("location")), (400, None), "{name}");
        assert!(is_signed_in(&browser, &shop).await, "{name}");
    }
    sign_out(&browser, &good).await.expect(303);
    assert!(!is_signed_in(&browser, &shop).await);
});
