//! What pages show of the settings of sign-in and of an application.

use crate::sign_in::{application, begin, follow, request};
use crate::{html, style_sheets};
use claimsmith_test_support::{Answer, Browser, Home, TestServer, both};
use serde_json::{Value, json};
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

/// The colours, the pictures and the style sheet of one owner.
fn look(name: &str, colors: [&str; 2]) -> Value {
    let picture = |kind: &str| format!("https://{name}.test/{kind}.png");
    json!({
        "color": { "primaryColor": colors[0], "isDarkModeEnabled": true, "darkPrimaryColor": colors[1] },
        "branding": { "logoUrl": picture("logo"), "darkLogoUrl": picture("dark-logo"), "favicon": picture("icon"),
            "darkFavicon": picture("dark-icon") },
        "customCss": format!("{name}{{}}"),
    })
}

/// Whether a page has the pictures, the colours and the style sheet of an owner.
async fn looks_like(server: &TestServer, page: &Answer, (name, colors): (&str, [&str; 2])) -> [bool; 3] {
    let mut css = String::new();
    for path in style_sheets(html(page)) {
        css += server.get(&path).await.expect(200).body.as_str().unwrap();
    }
    let pictures = [
        format!("<source srcset=\"https://{name}.test/dark-logo.png\" media=\"(prefers-color-scheme: dark)\">"),
        format!("<img class=\"logo\" src=\"https://{name}.test/logo.png\""),
        format!("<link rel=\"icon\" href=\"https://{name}.test/icon.png\" media=\"(prefers-color-scheme: light)\">"),
        format!(
            "<link rel=\"icon\" href=\"https://{name}.test/dark-icon.png\" media=\"(prefers-color-scheme: dark)\">"
        ),
    ];
    [
        pictures.iter().all(|picture| html(page).contains(picture)),
        css.contains(&format!("light-dark({},{})", colors[0], colors[1])),
        css.contains(&format!("{name}{{}}")),
    ]
}

both!(pages_look_like_their_application_and_their_organization, async |server: TestServer| {
    let management = server.management().await;
    let client = application(&server, true).await;
    let (shop, zoo) = (("shop", ["#0055aa", "#66aaff"]), ("zoo", ["#aa0055", "#ff66aa"]));
    let mut own = look(shop.0, shop.1);
    let texts = json!({ "displayName": "The Corner Shop", "termsOfUseUrl": "https://shop.test/terms",
        "privacyPolicyUrl": "https://shop.test/privacy" });
    own.as_object_mut().unwrap().extend(texts.as_object().unwrap().clone());
    management.put(&format!("/api/applications/{client}/sign-in-experience"), own).await.expect(201);
    let mut organization = look(zoo.0, zoo.1);
    organization["name"] = json!("Zoo");
    let organization = management.post("/api/organizations", organization).await.expect(201).text("id");

    let page = begin(&Browser::new(&server), &client, &[]).await.expect(200);
    assert_eq!(looks_like(&server, &page, shop).await, [true; 3], "{}", page.body);
    assert_eq!(looks_like(&server, &page, zoo).await, [false; 3]);
    let page = begin(&Browser::new(&server), &client, &[("organization_id", &organization)]).await.expect(200);
    assert_eq!(looks_like(&server, &page, zoo).await, [true; 3], "{}", page.body);
    assert_eq!(looks_like(&server, &page, shop).await, [false; 3]);

    // The page that asks for consent names the application, its terms and its privacy policy.
    let (browser, _) = server.signed_in(&[&server.demo().customer_user_id]).await;
    let page = follow(&browser, browser.open(&request(&client, &[])).await).await.expect(200);
    for shown in ["The Corner Shop", "href=\"https://shop.test/terms\"", "href=\"https://shop.test/privacy\""] {
        assert!(html(&page).contains("page-consent") && html(&page).contains(shown), "{shown}: {}", page.body);
    }
});
