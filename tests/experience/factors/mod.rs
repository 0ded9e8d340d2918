//! Second factors: one-time passwords and backup codes, while signing in and registering.

mod adaptive;
mod backup_codes;
mod codes;
mod encryption_key;
mod events;
mod guesses;
mod meanwhile;
mod one_time_passwords;
mod policy;
mod set_up;
mod trusted_devices;

use crate::browser::{Browser, settings};
use claimsmith_services::tokens;
use claimsmith_storage::sessions;
use claimsmith_test_support::{Answer, TestServer, one_time_password};
use serde_json::{Value, json};
use std::time::Duration;

const STEP: Duration = Duration::from_secs(30);

/// The class of a sign-in with a second factor.
pub(crate) const MULTI_FACTOR: &str = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";

/// The settings of second factors.
async fn policy(server: &TestServer, policy: &str, factors: &[&str]) {
    settings(server, json!({ "mfa": { "policy": policy, "factors": factors } })).await;
}

/// A code that the authenticator does not show, now or in the steps around it.
fn wrong(server: &TestServer, secret: &str) -> String {
    let secret = totp_rs::Secret::try_from_base32(secret).unwrap();
    let authenticator = totp_rs::Builder::new().with_secret(secret).build().unwrap();
    let now = u64::try_from(server.clock.now_ms() / 1000).unwrap();
    let shown: Vec<String> = (0..5).map(|step| authenticator.generate(now + 30 * step - 60).to_string()).collect();
    (0..10).map(|number| format!("{number:06}")).find(|code| !shown.contains(code)).unwrap()
}

/// Gives a user an authenticator and backup codes; answers the secret and the codes.
async fn give(server: &TestServer, user: &str) -> (String, Vec<String>) {
    let management = server.management().await;
    let path = format!("/api/users/{user}/mfa-verifications");
    let secret = management.post(&path, json!({ "type": "Totp" })).await.expect(200).text("secret");
    let codes = management.post(&path, json!({ "type": "BackupCode" })).await.expect(200);
    (secret, codes["codes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap().to_owned()).collect())
}

/// The factors of a user by type, with the backup codes that are left.
async fn factors(server: &TestServer, user: &str) -> Vec<(String, Value)> {
    let path = format!("/api/users/{user}/mfa-verifications");
    let listed = server.management().await.get(&path).await.expect(200).body;
    let listed = listed.as_array().unwrap().iter();
    listed.map(|one| (one["type"].as_str().unwrap().to_owned(), one["remainCodes"].clone())).collect()
}

/// How the session of the browser was proved.
pub(crate) async fn amr(server: &TestServer, browser: &Browser) -> Vec<String> {
    let hash = tokens::hash(browser.session.as_ref().unwrap());
    let found = sessions::of_browser(&mut server.begin().await, &hash, server.clock.now_ms(), 0).await.unwrap();
    found[0].details.0.clone().unwrap().amr
}

impl Browser {
    /// Proves a one-time password of the user's authenticator.
    async fn totp(&mut self, code: &str) -> Answer {
        self.post("/verification/totp/verify", json!({ "code": code })).await
    }

    /// Proves a backup code.
    async fn backup_code(&mut self, code: &str) -> Answer {
        self.post("/verification/backup-code/verify", json!({ "code": code })).await
    }

    /// Asks for a new secret; answers it with the id of the verification.
    async fn new_secret(&mut self) -> (String, String) {
        let new = self.post("/verification/totp/secret", Value::Null).await.expect(200);
        assert!(new.text("secretQrCode").starts_with("data:image/svg+xml;base64,"));
        (new.text("secret"), new.text("verificationId"))
    }

    /// Proves a one-time password of a new secret.
    async fn confirm(&mut self, id: &str, code: &str) -> Answer {
        self.post("/verification/totp/verify", json!({ "code": code, "verificationId": id })).await
    }

    /// Wants to have a factor.
    async fn bind(&mut self, kind: &str, id: &str) -> Answer {
        self.post("/profile/mfa", json!({ "type": kind, "verificationId": id })).await
    }

    /// Sets up an authenticator; answers its secret.
    async fn set_up(&mut self, server: &TestServer) -> String {
        let (secret, id) = self.new_secret().await;
        self.confirm(&id, &one_time_password(server, &secret)).await.expect(200);
        self.bind("Totp", &id).await.expect(204);
        secret
    }

    /// Makes backup codes and keeps them.
    async fn keep_codes(&mut self) -> Vec<String> {
        let made = self.post("/verification/backup-code/generate", Value::Null).await.expect(200);
        self.bind("BackupCode", &made.text("verificationId")).await.expect(204);
        made["codes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap().to_owned()).collect()
    }
}
