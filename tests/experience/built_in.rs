//! Signing in at the server's own applications, where no code is sent to anybody, whatever connectors there are.

use crate::browser::{Browser, take_codes, user_with_email};
use claimsmith_domain::console::built_in::BuiltInClient;
use claimsmith_domain::id::ApplicationId;
use claimsmith_test_support::{TestServer, both};
use serde_json::json;

const ADA: &str = "ada@example.com";

both!(no_connector_carries_codes_of_the_servers_own_applications, async |server: TestServer| {
    take_codes(&server).await;
    user_with_email(&server, ADA).await;
    let management = server.management().await;
    let factories = [
        // Without a connector, they would go to the mailbox of a demo server.
        None,
        Some(json!({ "connectorId": "plugin-email", "config": { "plugin": "courier" } })),
        Some(json!({ "connectorId": "http-email", "config": { "endpoint": "https://mail.example.com/send" } })),
        Some(json!({ "connectorId": "smtp", "config": {
            "host": "mail.example.com", "port": 587, "fromEmail": "no-reply@example.com" } })),
    ];
    for factory in factories {
        if let Some(factory) = factory {
            management.post("/api/connectors", factory).await.expect(200);
        }
        for client in BuiltInClient::ALL {
            let mut browser = Browser::of(&server, &ApplicationId::from(client.id())).await;
            browser.start("SignIn").await.expect(204);
            let refused = browser.ask("email", ADA, "SignIn").await;
            refused.expect_api_error(422, "user.sign_in_method_not_enabled");
            let forgotten = browser.start("ForgotPassword").await;
            forgotten.expect_api_error(400, "session.not_supported_for_forgot_password");
            let path = format!("/api/.well-known/sign-in-exp?appId={}", client.id());
            let shown = management.get(&path).await.expect(200);
            assert_eq!(shown["forgotPassword"], json!({ "email": false, "phone": false }));
            assert_eq!(shown["signInMode"], "SignIn");
        }
        // Others sign in as ever.
        let mut browser = Browser::new(&server).await;
        browser.start("ForgotPassword").await.expect(204);
        browser.ask("email", ADA, "ForgotPassword").await.expect(200);
    }
});
