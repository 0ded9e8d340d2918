//! `/account` in a browser without JavaScript.

mod changes;
mod codes;
mod company_links;
mod factors;
mod fields;
mod leaving;
mod links;
mod others;
mod passkeys;
mod picture;
mod signing_in;

use crate::sign_in::{csrf, give_password};
use claimsmith_domain::id::{SessionId, UserId};
use claimsmith_test_support::{Answer, Browser, TestServer};
use serde_json::{Value, json};
use std::time::Duration;

/// The demo's customer at the page, who signed in some time ago.
async fn casey(server: &TestServer) -> (Browser, UserId, SessionId) {
    give_password(server).await;
    let id = server.demo().customer_user_id.clone();
    let (browser, sessions) = server.signed_in(&[&id]).await;
    server.clock.advance(Duration::from_secs(601));
    (browser, id, sessions[0].clone())
}

fn html(page: &Answer) -> &str {
    page.body.as_str().unwrap()
}

/// Posts a form of a page, with its token.
async fn post(browser: &Browser, page: &Answer, path: &str, fields: &[(&str, &str)]) -> Answer {
    let mut form = vec![("csrf".to_owned(), csrf(page))];
    form.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    browser.post(path, &form).await
}

/// Posts a form, and the password that is asked for then.
async fn post_proved(browser: &Browser, path: &str, fields: &[(&str, &str)]) -> Answer {
    let page = browser.visit("/account").await.expect(200);
    let asked = post(browser, &page, path, fields).await.expect(200);
    assert!(html(&asked).contains("page-account-proof"), "{}", asked.body);
    for (name, value) in fields {
        assert!(html(&asked).contains(&format!("name=\"{name}\" value=\"{value}\"")), "{name}: {}", asked.body);
    }
    let mut again = fields.to_vec();
    again.push(("current_password", crate::sign_in::PASSWORD));
    post(browser, &asked, path, &again).await
}

/// Asserts that the browser is sent back to the page.
fn saved(answer: &Answer) {
    assert_eq!(answer.status, 303, "{}", answer.body);
    assert!(answer.header("location").unwrap().ends_with("/account?saved=true"), "{answer:?}");
}

async fn user(server: &TestServer, id: &UserId) -> Value {
    server.management().await.get(&format!("/api/users/{id}")).await.expect(200).body
}

async fn settings(server: &TestServer, mut change: Value) {
    let management = server.management().await;
    if let Some(fields) = change.get_mut("fields").and_then(Value::as_object_mut) {
        // What a test does not name is off.
        let shown = management.get("/api/account-center").await.expect(200).body;
        for name in shown["fields"].as_object().unwrap().keys() {
            fields.entry(name).or_insert(json!("Off"));
        }
    }
    management.patch("/api/account-center", change).await.expect(200);
}

async fn factors_on(server: &TestServer) {
    let change = json!({ "mfa": { "factors": ["Totp", "BackupCode"], "policy": "UserControlled" } });
    server.management().await.patch("/api/sign-in-exp", change).await.expect(200);
}
