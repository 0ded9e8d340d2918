//! Signing in at the server's own applications, where no plugin takes part: none composes the codes.

use crate::browser::{Browser, take_codes, user_with_email};
use claimsmith::domain::console::built_in::BuiltInClient;
use claimsmith::domain::id::ApplicationId;
use claimsmith_test_support::{TestServer, both};
use serde_json::json;

const ADA: &str = "ada@example.com";

async fn at(server: &TestServer, client: BuiltInClient, event: &str) -> Browser {
    let mut browser = Browser::of(server, &ApplicationId::from(client.id())).await;
    browser.start(event).await.expect(204);
    browser
}

both!(no_plugin_composes_codes_at_the_servers_own_applications, async |server: TestServer| {
    take_codes(&server).await;
    user_with_email(&server, ADA).await;
    let management = server.management().await;
    // Without a connector they go to the mailbox of a demo server.
    for client in BuiltInClient::ALL {
        for event in ["SignIn", "ForgotPassword"] {
            at(&server, client, event).await.ask("email", ADA, event).await.expect(200);
        }
    }
    let mut couriers = Vec::new();
    for factory in ["plugin-email", "plugin-sms"] {
        let courier = json!({ "connectorId": factory, "config": { "plugin": "courier" } });
        couriers.push(management.post("/api/connectors", courier).await.expect(200).text("id"));
    }
    for client in BuiltInClient::ALL {
        let mut browser = at(&server, client, "SignIn").await;
        browser.ask("email", ADA, "SignIn").await.expect_api_error(501, "connector.not_found");
        let forgotten = browser.start("ForgotPassword").await;
        forgotten.expect_api_error(400, "session.not_supported_for_forgot_password");
        let shown = management.get(&format!("/api/.well-known/sign-in-exp?appId={}", client.id())).await.expect(200);
        assert_eq!(shown["forgotPassword"], json!({ "email": false, "phone": false }));
    }
    // Others sign in as ever, and a connector without a plugin serves everybody.
    let mut browser = Browser::new(&server).await;
    browser.start("ForgotPassword").await.expect(204);
    browser.ask("email", ADA, "ForgotPassword").await.expect(200);
    for courier in couriers {
        management.delete(&format!("/api/connectors/{courier}")).await.expect(204);
    }
    let service = json!({ "connectorId": "http-email", "config": { "endpoint": "https://mail.example.com/send" } });
    management.post("/api/connectors", service).await.expect(200);
    for client in BuiltInClient::ALL {
        at(&server, client, "SignIn").await.ask("email", ADA, "SignIn").await.expect(200);
    }
});
