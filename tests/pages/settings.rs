//! What pages show of the settings of sign-in and of an application.

use crate::html;
use crate::sign_in::{application, begin, follow, request};
use claimsmith_test_support::{Browser, Home, TestServer, both};
use serde_json::json;
use std::sync::Arc;

both!(pages_say_where_there_is_help_and_whose_application_it_is, async |server: TestServer| {
    let client = application(&server, true).await;
    let browser = Browser::new(&server);
    begin(&browser, &client, &[]).await.expect(200);
    let management = server.management().await;
    management.patch("/api/sign-in-exp", json!({ "supportEmail": "help@shop.example.com" })).await.expect(200);
    let page = browser.open("/sign-in").await.expect(200);
    assert!(html(&page).contains("mailto:help@shop.example.com"), "{}", page.body);
    let help = "https://shop.example.com/help";
    management.patch("/api/sign-in-exp", json!({ "supportWebsiteUrl": help })).await.expect(200);
    let page = browser.open("/sign-in").await.expect(200);
    assert!(html(&page).contains(help) && !html(&page).contains("mailto:"), "{}", page.body);

    let branding = json!({ "branding": { "favicon": "https://cdn.test/icon.png", "darkFavicon": "https://cdn.test/night.png" },
        "color": { "primaryColor": "#0055aa", "isDarkModeEnabled": true, "darkPrimaryColor": "#ffffff" } });
    management.patch("/api/sign-in-exp", branding).await.expect(200);
    let page = browser.open("/sign-in").await.expect(200);
    for icon in ["https://cdn.test/icon.png", "https://cdn.test/night.png"] {
        assert!(html(&page).contains(icon), "{icon}: {}", page.body);
    }

    // A third party is shown by its logo where it asks for something.
    let path = format!("/api/applications/{client}");
    let logo = "https://partner.example.com/logo.png";
    management.patch(&path, json!({ "oidcClientMetadata": { "logoUri": logo } })).await.expect(200);
    let (browser, _) = server.signed_in(&[&server.demo().customer_user_id]).await;
    let page = follow(&browser, browser.open(&request(&client, &[])).await).await.expect(200);
    assert!(html(&page).contains("page-consent") && html(&page).contains(logo), "{}", page.body);
});

both!(a_passkey_is_offered_where_the_settings_say, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_BASE_URL", "http://localhost:3001")]).await.unwrap();
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    browser.open(&request(&client, &[])).await.expect(303);
    let management = server.management().await;
    for (settings, mode) in [
        (json!({ "enabled": true }), None),
        (json!({ "enabled": true, "showPasskeyButton": true }), Some("button")),
        (json!({ "enabled": true, "allowAutofill": true }), Some("offer")),
        (json!({ "enabled": false, "showPasskeyButton": true, "allowAutofill": true }), None),
    ] {
        management.patch("/api/sign-in-exp", json!({ "passkeySignIn": settings })).await.expect(200);
        let page = browser.open("/sign-in").await.expect(200);
        let page = html(&page);
        assert_eq!(page.contains("/sign-in/passkey"), mode.is_some(), "{settings}: {page}");
        if let Some(mode) = mode {
            assert!(page.contains(&format!("data-passkey=\"{mode}\"")), "{settings}: {page}");
        }
    }
});
