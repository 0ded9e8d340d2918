//! The mailbox of a demo server: for the owner of the terminal, and nobody else.

use crate::{html, values};
use claimsmith_domain::documents::message::{MessageChannel, TemplateType};
use claimsmith_domain::id::MessageId;
use claimsmith_services::encryption::Purpose;
use claimsmith_storage::messages::{self, NewMessage};
use claimsmith_test_support::{Answer, Browser, Home, TestServer, both};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const MAILBOX: &str = "/demo/mailbox";

async fn write(server: &TestServer, name: &str, channel: &str, to: &str, contents: Value) {
    let id = MessageId::from(name);
    let sealed = server.app.cipher.encrypt(Purpose::Message, &id, contents.to_string().as_bytes()).unwrap();
    let now = server.clock.now_ms();
    let mut tx = server.begin().await;
    let message = NewMessage {
        id: &id,
        channel: MessageChannel::parse(channel).unwrap(),
        recipient: to,
        template_type: TemplateType::Register,
        language_tag: "en",
        contents: &sealed,
        about: None,
        expires_at: now + 600_000,
        in_mailbox: true,
        created_at: now,
    };
    messages::append(&mut tx, &message).await.unwrap();
    tx.commit().await.unwrap();
}

/// The link that the terminal shows.
fn link(server: &TestServer) -> String {
    format!("{MAILBOX}?code={}", server.app.mailbox_key.code().unwrap())
}

/// Opens the mailbox with what the page of the link has.
async fn open(browser: &Browser, server: &TestServer) -> Answer {
    let door = browser.open(&link(server)).await.expect(200);
    let page = html(&door);
    assert!(!page.contains("<script") && values(page, "action") == [MAILBOX], "{page}");
    let code = values(page, "value")[0].to_owned();
    let answer = browser.post(MAILBOX, &[("csrf".to_owned(), code)]).await.expect(303);
    // The code does not stay in the address.
    assert_eq!(answer.header("location"), Some("http://localhost:3001/demo/mailbox"));
    browser.open(MAILBOX).await.expect(200)
}

both!(the_link_of_the_terminal_opens_the_mailbox, async |server: TestServer| {
    let browser = Browser::new(&server);
    assert!(html(&open(&browser, &server).await).contains("Nothing yet."));
    let hostile = json!({ "code": "123456", "application": { "name": "<script>Shop" } });
    write(&server, "m1", "Email", "ada@example.com", hostile).await;
    write(&server, "m2", "Sms", "16502530000", json!({ "code": "654321" })).await;
    write(&server, "m3", "Email", "grace@example.com", json!({ "link": "https://id.example.com/l?a=1&b=2" })).await;
    let answer = browser.open(MAILBOX).await.expect(200);
    let page = html(&answer);
    for text in ["123456", "654321", "ada@example.com", "16502530000", "Text message", "&#60;script&#62;Shop"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(values(page, "href").contains(&"https://id.example.com/l?a=1&#38;b=2"), "{page}");
    assert!(page.find("654321") < page.find("123456"), "the newest first: {page}");
    assert!(!page.contains("expired"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    server.clock.advance(Duration::from_secs(600));
    assert_eq!(html(&browser.open(MAILBOX).await.expect(200)).matches("expired").count(), 3);

    let german = server.http.get(server.url(&link(&server))).header("accept-language", "de");
    assert!(html(&Answer::of(german).await.expect(200)).contains("Postfach öffnen"));
});

both!(nobody_else_opens_it, async |server: TestServer| {
    write(&server, "m1", "Email", "ada@example.com", json!({ "code": "123456" })).await;
    let closed = |answer: Answer| {
        let answer = answer.expect(403);
        assert!(html(&answer).contains("the link that the terminal shows") && answer.header("set-cookie").is_none());
    };
    closed(server.get(MAILBOX).await);
    closed(server.get(&format!("{MAILBOX}?code=")).await);
    closed(server.get(&format!("{MAILBOX}?code=guess")).await);
    let browser = Browser::new(&server);
    browser.set_cookie("claimsmith-mailbox", "guess");
    closed(browser.open(MAILBOX).await);
    browser.set_cookie("claimsmith-mailbox", server.app.mailbox_key.code().unwrap());
    closed(browser.open(MAILBOX).await);
    let code = || vec![("csrf".to_owned(), server.app.mailbox_key.code().unwrap().to_owned())];
    for form in [vec![], vec![("csrf".to_owned(), "guess".to_owned())]] {
        closed(browser.post(MAILBOX, &form).await);
    }
    // Another site that knew it could not use it either.
    let post = || server.http.post(server.url(MAILBOX)).form(&code());
    closed(Answer::of(post().header("origin", "https://evil.example")).await);
    closed(Answer::of(post().header("sec-fetch-site", "cross-site")).await);

    // Through a proxy it is not there, also for whoever has the cookie.
    let owner = Browser::new(&server);
    open(&owner, &server).await;
    for (name, value) in [
        ("x-forwarded-for", "127.0.0.1"),
        ("forwarded", "for=127.0.0.1"),
        ("x-forwarded-host", "localhost"),
        ("x-real-ip", "127.0.0.1"),
        ("via", "1.1 proxy"),
    ] {
        let request = server.http.get(server.url(MAILBOX)).header(name, value);
        let answer = owner.send(request).await.expect(404);
        assert!(!answer.body.to_string().contains("123456"), "{name}");
        let request = post().header(name, value);
        assert!(owner.send(request).await.expect(404).header("set-cookie").is_none(), "{name}");
    }
    let rebound = server.http.get(server.url(MAILBOX)).header("host", "evil.example");
    owner.send(rebound).await.expect(421);
});

both!(without_demo_data_there_is_none, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_DEMO", "false")]).await.unwrap();
    server.get(&link(&server)).await.expect(404);
    server.get(MAILBOX).await.expect(404);
});
