//! In whose words a message is said: the operator's for the language, the connector's, or the built-in ones.

use super::{config, connect, server, write_more};
use claimsmith_test_support::{Home, Mail, MailRelay, Security, TestServer, both};
use serde_json::{Value, json};
use std::sync::Arc;

async fn told(server: &TestServer, relay: &MailRelay, language: &str) -> Mail {
    let count = relay.mails().len();
    let contents = json!({ "code": "123456", "application": { "name": "Shop & <Co>" } });
    write_more(server, ("Email", "ada@example.com"), language, contents).await;
    relay.wait(count + 1).await.swap_remove(count)
}

#[expect(clippy::needless_pass_by_value, reason = "it is made where it is given")]
fn template(language: &str, details: Value) -> Value {
    json!({ "templates": [{ "languageTag": language, "templateType": "SignIn", "details": details }] })
}

both!(the_operators_words_come_before_all_others, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let relay = MailRelay::start(Security::StartTls).await;
    connect(&management, "smtp", config(&relay, json!({ "replyTo": "help@example.com" }))).await;
    let mail = told(&server, &relay, "fr-CA").await;
    assert!(mail.header("Subject").contains("connexion"), "{}", mail.data);
    assert_eq!(mail.header("Reply-To"), "help@example.com");
    // A language that there are no words in is English.
    assert!(told(&server, &relay, "nl").await.header("Subject").contains("sign-in code"));

    let templates = json!([{
        "usageType": "SignIn", "subject": "Code {{code}}", "content": "{{application.name}}: {{code}}",
        "contentType": "text/plain",
    }]);
    let words = json!({ "templates": templates, "replyTo": "help@example.com" });
    connect(&management, "smtp", config(&relay, words)).await;
    let mail = told(&server, &relay, "fr").await;
    assert_eq!(mail.header("Subject"), "Code 123456");
    assert!(mail.header("Content-Type").starts_with("text/plain") && mail.data.contains("Shop & <Co>: 123456"));

    let own = json!({
        "subject": "{{application.name}}", "content": "<b>{{application.name}}</b> {{code}}", "sendFrom": "Our shop",
        "replyTo": "Team <team@example.com>",
    });
    management.put("/api/email-templates", template("de", own)).await.expect(200);
    let mail = told(&server, &relay, "de-AT").await;
    assert_eq!(
        (mail.header("From"), mail.header("Reply-To")),
        ("\"Our shop\" <shop@example.com>".to_owned(), "Team <team@example.com>".to_owned(),)
    );
    assert!(mail.header("Content-Type").starts_with("text/html"), "{}", mail.data);
    assert!(mail.data.contains("<b>Shop &amp; &lt;Co&gt;</b> 123456"), "{}", mail.data);
    // Others read what the connector says, until there are words in the language that all fall back to.
    assert_eq!(told(&server, &relay, "fr").await.header("Subject"), "Code 123456");
    let english = json!({ "subject": "In English", "content": "{{code}}" });
    management.put("/api/email-templates", template("en", english)).await.expect(200);
    assert_eq!(told(&server, &relay, "fr").await.header("Subject"), "In English");
});
