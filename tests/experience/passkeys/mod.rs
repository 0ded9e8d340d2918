//! Passkeys: made while signing in, proved as a second factor, and in place of a password.

mod attacks;
mod second_factor;
mod sign_in;

use crate::browser::Browser;
use claimsmith_test_support::{Answer, Authenticator, TestServer};
use serde_json::{Value, json};

/// What is answered to what proves nothing.
const REFUSED: &str = "session.mfa.webauthn_verification_failed";

/// An authenticator for a server.
fn authenticator(server: &TestServer) -> Authenticator {
    Authenticator::new(&server.report.base_url)
}

impl Browser {
    /// Asks for a new passkey: the verification, and the options.
    async fn ask_for_new(&mut self) -> (String, Value) {
        let asked = self.post("/verification/web-authn/registration", Value::Null).await.expect(200);
        (asked.text("verificationId"), asked["registrationOptions"].clone())
    }

    /// Answers with a new passkey.
    async fn confirm_new(&mut self, id: &str, payload: Value) -> Answer {
        let body = json!({ "verificationId": id, "payload": payload });
        self.post("/verification/web-authn/registration/verify", body).await
    }

    /// Makes a passkey and keeps it.
    async fn make_passkey(&mut self, authenticator: &mut Authenticator) {
        let (id, options) = self.ask_for_new().await;
        self.confirm_new(&id, authenticator.create(&options)).await.expect(200);
        self.post("/profile/mfa", json!({ "type": "WebAuthn", "verificationId": id })).await.expect(204);
    }

    /// Asks for a passkey as a second factor: the verification, and the options.
    async fn ask_for_factor(&mut self) -> (String, Value) {
        let asked = self.post("/verification/web-authn/authentication", Value::Null).await.expect(200);
        (asked.text("verificationId"), asked["authenticationOptions"].clone())
    }

    /// Answers with a passkey as a second factor.
    async fn prove_factor(&mut self, id: &str, payload: Value) -> Answer {
        let body = json!({ "verificationId": id, "payload": payload });
        self.post("/verification/web-authn/authentication/verify", body).await
    }

    /// What the sign-in page asks before anything else.
    async fn preflight(&mut self) -> Value {
        let asked = self.post("/preflight/sign-in-passkey/authentication", Value::Null).await.expect(200);
        asked["authenticationOptions"].clone()
    }

    /// Answers with a passkey in place of a password.
    async fn prove_sign_in(&mut self, id: Option<&str>, payload: Value) -> Answer {
        let mut body = json!({ "payload": payload });
        if let Some(id) = id {
            body["verificationId"] = json!(id);
        }
        self.post("/verification/sign-in-passkey/authentication/verify", body).await
    }
}

/// Gives a user a passkey by a sign-in, where passkeys are a second factor that everybody may have.
async fn give(server: &TestServer, username: &str) -> Authenticator {
    let mut authenticator = authenticator(server);
    let mut browser = Browser::new(server).await;
    browser.identified(username).await;
    browser.make_passkey(&mut authenticator).await;
    browser.submit().await.expect(200);
    authenticator
}
