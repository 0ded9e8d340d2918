//! Refused addresses: throw-away ones, by the operator's own list, and those that the lists of the settings block or do not
//! let in.

use crate::browser::{Browser, settings, take_codes};
use claimsmith_test_support::{Home, Mailed, TestServer, both};
use serde_json::json;
use std::fs;
use std::sync::Arc;

const VARIABLE: &str = "CLAIMSMITH_EMAILS_DISPOSABLE_DOMAINS_FILE";

both!(nobody_registers_with_a_throw_away_address, async |home: Arc<Home>| {
    let file = home.folder().join("disposable.txt");
    fs::write(&file, "# Ours.\nTrash.example\n").unwrap();
    let Mailed { server, inbox } = Mailed::start(&home, &[(VARIABLE, file.to_str().unwrap())]).await;
    take_codes(&server).await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    // The list alone refuses nobody.
    browser.ask("email", "one@trash.example", "Register").await.expect(200);
    inbox.message("one@trash.example", 1).await;
    settings(&server, json!({ "emailBlocklistPolicy": { "blockDisposableAddresses": true } })).await;
    for address in ["two@trash.example", "two@mail.TRASH.example"] {
        let refused = browser.ask("email", address, "Register").await;
        refused.expect_api_error(422, "session.email_blocklist.email_not_allowed");
    }
    browser.ask("email", "two@good.example", "Register").await.expect(200);
    inbox.message("two@good.example", 1).await;
    assert_eq!(inbox.count(), 2);
});

both!(a_list_that_cannot_be_read_keeps_the_server_from_starting, async |home: Arc<Home>| {
    let file = home.folder().join("disposable.txt");
    let changes = [(VARIABLE, file.to_str().unwrap())];
    let error = TestServer::start(&home, &changes).await.err().unwrap();
    assert!(format!("{error:#}").contains("emails.disposable_domains_file"), "{error:#}");
    fs::write(&file, "trash.example\nsomebody@trash.example\n").unwrap();
    let error = TestServer::start(&home, &changes).await.err().unwrap();
    assert!(format!("{error:#}").contains("line 2 is no domain"), "{error:#}");
});

both!(nobody_registers_with_an_address_that_the_lists_refuse, async |mailed: Mailed| {
    let Mailed { server, .. } = mailed;
    take_codes(&server).await;
    let lists = json!({ "customBlocklist": ["@*.evil.example", "bot*@good.example"],
        "customAllowlist": ["@good.example", "@*.good.example", "ada@mail.evil.example"] });
    settings(&server, json!({ "emailBlocklistPolicy": lists })).await;
    let mut browser = Browser::new(&server).await;
    browser.start("Register").await.expect(204);
    for address in ["ada@mail.evil.example", "bot7@good.example", "ada@other.example"] {
        let refused = browser.ask("email", address, "Register").await;
        refused.expect_api_error(422, "session.email_blocklist.email_not_allowed");
    }
    for address in ["ada@good.example", "ada@sales.good.example"] {
        browser.ask("email", address, "Register").await.expect(200);
    }
    for wrong in ["good.example", "*", "@*", "a*b"] {
        let change = json!({ "emailBlocklistPolicy": { "customAllowlist": [wrong] } });
        let refused = server.management().await.patch("/api/sign-in-exp", change).await;
        refused.expect_api_error(400, "sign_in_experiences.invalid_custom_email_blocklist_format");
    }
});
