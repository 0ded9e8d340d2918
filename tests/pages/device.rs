//! The pages of the device flow, for browsers without JavaScript.

use crate::sign_in::{csrf, fill_in, follow};
use crate::{BROWSER, browse, html, values};
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_storage::Json;
use claimsmith_test_support::{Answer, Browser, TestServer, both, page_of, seed};

/// A device that asks; answers its codes.
async fn ask(server: &TestServer) -> (String, String) {
    let mut application = seed::new_application(ApplicationType::Native);
    "Living room TV".clone_into(&mut application.name);
    application.custom_client_metadata =
        Json(CustomClientMetadata { is_device_flow: Some(true), ..CustomClientMetadata::default() });
    let (client_id, _) = server.add(application).await;
    let form = server.form("/oidc/device/auth").with("client_id", &client_id);
    let answer = form.with("scope", "openid profile").send().await.expect(200);
    (answer.text("device_code"), answer.text("user_code"))
}

both!(the_page_asks_for_the_code_and_nothing_else, async |server: TestServer| {
    let answer = browse(&server, "/device").await.expect(200);
    let page = html(&answer);
    assert!(page.contains("Connect a device") && page.contains("name=\"user_code\"") && !page.contains("<script"));
    assert_eq!(values(page, "action"), ["/device"]);
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.contains("form-action 'self'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    let cookie = answer.header("set-cookie").unwrap();
    for attribute in ["claimsmith-device=", "HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    // What comes with the address is text, is not long, and is not looked up.
    for (query, shown) in [
        ("user_code=BCDFG-HJKLM", "value=\"BCDFG-HJKLM\""),
        ("user_code=%22%3E%3Cscript%3E", "value=\"&#34;&#62;&#60;script&#62;\""),
        (&*format!("user_code={}", "B".repeat(5000)), &*format!("value=\"{}\"", "B".repeat(32))),
        ("user_code=%FF&x", "name=\"user_code\""),
        ("user_code=", "name=\"user_code\""),
    ] {
        let answer = browse(&server, &format!("/device?{query}")).await.expect(200);
        assert!(html(&answer).contains(shown), "{query}: {}", html(&answer));
    }
});

both!(what_is_wrong_with_a_code_is_told_at_its_field, async |server: TestServer| {
    let browser = Browser::new(&server);
    let page = browser.open("/device").await.expect(200);
    for (typed, message) in [
        ("", "Please fill in this field."),
        ("  ", "Please fill in this field."),
        ("BCDFG-HJKLM", "The code is not correct."),
        ("\"><script>", "The code is not correct."),
    ] {
        let answer = fill_in(&browser, &page, "/device", &[("user_code", typed)]).await.expect(422);
        let page = html(&answer);
        assert!(page.contains("id=\"user_code-error\"") && page.contains(message), "{typed}: {page}");
        assert!(page.contains("aria-invalid=\"true\"") && !page.contains("<script>"), "{typed}: {page}");
    }
});

both!(a_person_lets_a_device_in_without_javascript, async |server: TestServer| {
    let (_, user_code) = ask(&server).await;
    let (browser, _) = server.signed_in(&[&server.demo().customer_user_id]).await;
    let page = browser.open(&format!("/device?user_code={user_code}")).await.expect(200);
    let confirm = fill_in(&browser, &page, "/device", &[("user_code", &user_code)]).await.expect(200);
    let shown = html(&confirm);
    for text in ["Is this your device?", "Living room TV", &user_code, "Casey Customer", "Yes, connect it"] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    assert!(!shown.contains("<script"), "{shown}");
    assert_eq!(values(shown, "action"), ["/device/confirm"]);
    let buttons: Vec<_> =
        values(shown, "value").into_iter().filter(|value| ["allow", "deny"].contains(value)).collect();
    assert_eq!(buttons, ["allow", "deny"]);
    let done = fill_in(&browser, &confirm, "/device/confirm", &[("decision", "allow")]).await.expect(200);
    assert!(html(&done).contains("Your device is connected"));
    // Back on the page of before, there is nothing to answer any more: another code can be entered.
    let form = [("csrf".to_owned(), csrf(&confirm)), ("decision".to_owned(), "allow".to_owned())];
    assert_eq!(page_of(&browser.post("/device/confirm", &form).await.expect(303)), "/device");
});

/// What each page says in each language: its title, and a word of its own.
const TITLES: [(&str, [&str; 4]); 6] = [
    ("en", ["Connect a device", "Is this your device?", "Your device is connected", "The device was not connected"]),
    ("de", ["Gerät verbinden", "Ist das Ihr Gerät?", "Ihr Gerät ist verbunden", "Das Gerät wurde nicht verbunden"]),
    (
        "fr",
        [
            "Connecter un appareil",
            "Est-ce bien votre appareil ?",
            "Votre appareil est connecté",
            "L’appareil n’a pas été connecté",
        ],
    ),
    (
        "es",
        [
            "Conectar un dispositivo",
            "¿Es este su dispositivo?",
            "Su dispositivo está conectado",
            "El dispositivo no se ha conectado",
        ],
    ),
    ("ja", ["デバイスを接続", "お使いのデバイスですか？", "デバイスを接続しました", "デバイスは接続されませんでした"]),
    ("zh", ["连接设备", "这是您的设备吗？", "设备已连接", "设备未连接"]),
];

both!(the_pages_speak_six_languages, async |server: TestServer| {
    for (language, titles) in TITLES {
        let (_, user_code) = ask(&server).await;
        let (browser, _) = server.signed_in(&[&server.demo().customer_user_id]).await;
        let open = async |path: &str| {
            let request = server.http.get(server.url(path)).header("accept", BROWSER);
            browser.send(request.header("accept-language", language)).await
        };
        let page = open("/device").await.expect(200);
        assert_title(&page, language, titles[0]);
        let form = [("csrf".to_owned(), csrf(&page)), ("user_code".to_owned(), user_code)];
        follow(&browser, browser.post("/device", &form).await).await.expect(200);
        let paths = ["/device/confirm", "/device/connected", "/device/denied"];
        for (path, title) in paths.into_iter().zip(&titles[1..]) {
            assert_title(&open(path).await.expect(200), language, title);
        }
    }
});

fn assert_title(answer: &Answer, language: &str, title: &str) {
    let page = html(answer);
    assert!(page.contains(&format!("<html lang=\"{language}\"")), "{language}: {page}");
    assert!(page.contains(&format!("<title>{title}</title>")), "{language} {title}: {page}");
}
