//! What the operator asks people for when they register, in a browser without JavaScript.

use crate::html;
use crate::sign_in::{application, begin, csrf, follow};
use claimsmith_test_support::{Answer, Browser, TestServer, both};
use serde_json::{Value, json};

const PASSWORD: &str = "correct horse battery staple";

async fn post(browser: &Browser, page: &Answer, path: &str, fields: &[(&str, &str)]) -> Answer {
    let mut form = vec![("csrf".to_owned(), csrf(page))];
    form.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    browser.post(path, &form).await
}

/// A field of each kind.
async fn ask(server: &TestServer) {
    let part =
        |name: &str, required: bool| json!({ "enabled": true, "name": name, "type": "Text", "required": required });
    let choices = json!([{ "value": "s", "label": "Small <shop>" }, { "value": "l" }]);
    let fields = json!([
        { "name": "fullname", "type": "Fullname", "required": true, "config": { "parts": [part("givenName", true)] } },
        { "name": "birthdate", "type": "Date", "required": false, "config": { "format": "dd/MM/yyyy" } },
        { "name": "size", "type": "Select", "label": "Size", "required": true, "config": { "options": choices } },
        { "name": "age", "type": "Number", "label": "Age", "required": false, "config": { "minValue": 18 } },
        { "name": "news", "type": "Checkbox", "label": "News", "required": false, "config": { "defaultValue": "true" } },
        { "name": "website", "type": "Url", "required": false, "description": "Where to find you" },
        { "name": "code", "type": "Regex", "label": "Code", "required": false, "config": { "format": "^[A-Z]{3}$" } },
        { "name": "address", "type": "Address", "required": false,
            "config": { "parts": [part("locality", true), part("country", false)] } },
    ]);
    server.management().await.post("/api/custom-profile-fields/batch", fields).await.expect(201);
}

both!(the_fields_are_filled_in_while_registering, async |server: TestServer| {
    ask(&server).await;
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    begin(&browser, &client, &[]).await.expect(200);
    let page = browser.visit("/register").await.expect(200);
    let answer = post(&browser, &page, "/register", &[("username", "ada"), ("password", PASSWORD)]).await;
    let page = follow(&browser, answer).await.expect(200);
    let shown = html(&page);
    for part in [
        "page-profile",
        "name=\"field-givenName\" type=\"text\"",
        "name=\"field-birthdate\" type=\"date\"",
        "<select class=\"input\" id=\"field-size\" name=\"field-size\" required>",
        "<option value=\"s\">Small &#60;shop&#62;</option>",
        "name=\"field-age\" type=\"number\"",
        "min=\"18\"",
        "name=\"field-news\" type=\"checkbox\" value=\"true\" checked",
        "name=\"field-website\" type=\"url\"",
        "Where to find you",
        "name=\"field-address-locality\"",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains("<script>"));
    let good = [
        ("field-givenName", "Ada"),
        ("field-birthdate", "1815-12-10"),
        ("field-size", "s"),
        ("field-age", "36"),
        ("field-website", "https://ada.test"),
        ("field-code", "ADA"),
        ("field-address-locality", "London"),
    ];
    for (name, value, message) in [
        ("field-givenName", "", "please fill this in"),
        ("field-size", "", "Size: please fill this in"),
        ("field-size", "m", "Size: this is not accepted"),
        ("field-age", "17", "Age: this is not accepted"),
        ("field-birthdate", "10.12.1815", "this is not accepted"),
        ("field-website", "javascript:alert(1)", "this is not accepted"),
        ("field-code", "ada", "Code: this is not accepted"),
    ] {
        let wrong = good.map(|(own, entered)| (own, if own == name { value } else { entered }));
        let refused = post(&browser, &page, "/profile", &wrong).await.expect(422);
        assert!(html(&refused).contains(message), "{name} {value}: {}", refused.body);
        assert!(html(&refused).contains("form-error"), "{name} {value}: {}", refused.body);
    }
    let answer = post(&browser, &page, "/profile", &good).await.expect(303);
    follow(&browser, answer).await;
    let found = server.management().await.get("/api/users?search.username=ada").await.expect(200).body;
    let ada = &found[0];
    let profile = json!({
        "givenName": "Ada", "birthdate": "10/12/1815", "website": "https://ada.test", "address": { "locality": "London" },
    });
    assert_eq!((&ada["profile"]["birthdate"], &ada["profile"]), (&profile["birthdate"], &profile));
    assert_eq!(ada["customData"], json!({ "size": "s", "age": 36, "news": false, "code": "ADA" }));
    assert_ne!(ada["lastSignInAt"], Value::Null);
});
