//! The device flow (RFC 8628): a device without a keyboard asks, somebody lets it in with a browser.

mod answers;
mod browsers;
mod command_line;
mod ends;
mod guessing;
mod polling;
mod refusals;
mod story;

use crate::page::{PageForm, html};
use crate::sign_in::{Client, client_with};
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_storage::audit;
use claimsmith_test_support::{Answer, Browser, Form, TestServer};
use serde_json::Value;
use std::time::Duration;

/// The grant type.
const DEVICE_CODE: &str = "urn:ietf:params:oauth:grant-type:device_code";
/// The password of the demo's customer, once they have one.
const PASSWORD: &str = "violet-kettle-42";
/// How long a device waits between two questions.
const INTERVAL: Duration = Duration::from_secs(5);

/// The application on a device.
async fn device(server: &TestServer) -> Client {
    device_of(server, false).await
}

/// The same, of somebody else if `is_third_party`.
async fn device_of(server: &TestServer, is_third_party: bool) -> Client {
    let metadata = CustomClientMetadata { is_device_flow: Some(true), ..CustomClientMetadata::default() };
    client_with(server, ApplicationType::Native, metadata, is_third_party).await
}

/// What a device gets that asks.
struct Codes {
    device_code: String,
    /// As it is shown.
    user_code: String,
}

/// A request for codes.
fn asks(server: &TestServer, client: &Client, scope: &str) -> Form {
    client.prove(server.form("/oidc/device/auth").with("scope", scope))
}

/// A device asks.
async fn ask(server: &TestServer, client: &Client, scope: &str) -> Codes {
    codes(&asks(server, client, scope).send().await.expect(200))
}

fn codes(answer: &Answer) -> Codes {
    Codes { device_code: answer.text("device_code"), user_code: answer.text("user_code") }
}

/// The device asks for its tokens.
fn poll(server: &TestServer, client: &Client, codes: &Codes) -> Form {
    let form = server.form("/oidc/token").with("grant_type", DEVICE_CODE);
    client.prove(form.with("device_code", &codes.device_code))
}

/// Follows redirects within the server.
async fn follow(browser: &Browser, mut answer: Answer) -> Answer {
    while let Some(location) = answer.header("location").map(str::to_owned) {
        assert_eq!(answer.status, 303, "{location}");
        answer = browser.visit(&location).await;
    }
    answer
}

/// Fills in the form of a page, and sees what comes of it.
async fn fill_in(browser: &Browser, page: &Answer, fields: &[(&str, &str)]) -> Answer {
    let form = PageForm::of(page).unwrap_or_else(|| panic!("no form: {page:?}"));
    follow(browser, browser.post(&form.action, &form.filled_in(fields)).await).await
}

/// Somebody enters a code.
async fn enter(browser: &Browser, code: &str) -> Answer {
    let page = browser.open("/device").await.expect(200);
    fill_in(browser, &page, &[("user_code", code)]).await
}

/// Whoever is signed in lets the device in.
async fn let_in(browser: &Browser, codes: &Codes) {
    let page = enter(browser, &codes.user_code).await.expect(200);
    let done = fill_in(browser, &page, &[("decision", "allow")]).await.expect(200);
    assert!(text(&done).contains("Your device is connected"), "{done:?}");
}

/// The text of a page.
fn text(answer: &Answer) -> &str {
    html(answer).unwrap_or_else(|| panic!("no page: {answer:?}"))
}

/// Whether a page asks whether the device is one's own.
fn asks_to_confirm(answer: &Answer) -> bool {
    text(answer).contains("Is this your device?") && PageForm::of(answer).is_some_and(|form| form.asks_for("decision"))
}

/// The entries of the audit log with this key, the newest first.
async fn entries(server: &TestServer, key: &str) -> Vec<Value> {
    let found = audit::list_by_key(&mut server.begin().await, key, 100).await.unwrap();
    found.into_iter().map(|log| log.payload.0).collect()
}

/// Gives the demo's customer a password.
async fn give_password(server: &TestServer) {
    let path = format!("/api/users/{}/password", server.demo().customer_user_id);
    server.management().await.patch(&path, serde_json::json!({ "password": PASSWORD })).await.expect(200);
}
