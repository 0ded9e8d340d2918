//! Breached passwords on the pages: registering, and changing one's own.

use crate::html;
use crate::sign_in::{PASSWORD, application, begin, csrf, fill_in, give_password};
use claimsmith_test_support::{BREACHED_PASSWORD, Browser, Home, TestServer, both, breached_file, told};
use std::sync::Arc;

const BINARY: &str = env!("CARGO_BIN_EXE_claimsmith");

both!(the_pages_refuse_breached_passwords, async |home: Arc<Home>| {
    let file = breached_file(BINARY, &home).await;
    let server = TestServer::start(&home, &[("CLAIMSMITH_PASSWORDS_BREACHED_FILE", &file)]).await.unwrap();
    let client = application(&server, false).await;
    let browser = Browser::new(&server);
    let page = begin(&browser, &client, &[("first_screen", "register")]).await.expect(200);
    let fields = [("username", "newcomer"), ("password", BREACHED_PASSWORD)];
    let refused = fill_in(&browser, &page, "/register", &fields).await.expect(422);
    assert!(html(&refused).contains("id=\"password-error\""), "{}", refused.body);
    assert!(html(&refused).contains("data breach") && !html(&refused).contains(BREACHED_PASSWORD), "{}", refused.body);
    let fields = [("username", "newcomer"), ("password", PASSWORD)];
    let answer = fill_in(&browser, &page, "/register", &fields).await.expect(303);
    assert!(told(&answer).contains_key("code"), "{answer:?}");

    give_password(&server).await;
    let (browser, _) = server.signed_in(&[&server.demo().customer_user_id.clone()]).await;
    let page = browser.visit("/account").await.expect(200);
    let token = csrf(&page);
    let fields = [("csrf", token.as_str()), ("current_password", PASSWORD), ("new_password", BREACHED_PASSWORD)];
    let form: Vec<_> = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let refused = browser.post("/account/password", &form).await.expect(422);
    assert!(html(&refused).contains("new_password-error"), "{}", refused.body);
});
