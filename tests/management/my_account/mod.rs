//! `/api/my-account` and `/api/verifications`: what people see and change of their own account.

mod access;
mod avatar;
mod breached_passwords;
mod codes;
mod data;
mod ends;
mod events;
mod factors;
mod identifiers;
mod impersonations;
mod leaving;
mod passkeys;
mod proof;
mod social;
mod trusted_devices;

use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_storage::Json;
use claimsmith_storage::sessions::grants::{self, Grant, GrantedScopes};
use claimsmith_test_support::{Actor, Answer, TestServer};
use reqwest::Method;
use serde_json::{Value, json};

/// The password of the demo's customer.
const PASSWORD: &str = "violet-kettle-42";
/// Every scope that the Account API knows.
const ALL: &str = "openid profile email phone address custom_data identities urn:logto:scope:sessions";

/// The demo's customer, with a password and a token of the demo's web application.
struct Casey {
    actor: Actor,
    id: UserId,
}

/// Enables the API, and gives the customer a password; answers the customer with these scopes.
async fn casey(server: &TestServer, scope: &str) -> Casey {
    let management = server.management().await;
    management.patch("/api/account-center", json!({ "enabled": true })).await.expect(200);
    let id = server.demo().customer_user_id.clone();
    management.patch(&format!("/api/users/{id}/password"), json!({ "password": PASSWORD })).await.expect(200);
    with(server, &id, scope).await
}

/// A user with a token of these scopes.
async fn with(server: &TestServer, id: &UserId, scope: &str) -> Casey {
    by(server, id, &server.demo().web_client_id.clone(), scope).await
}

/// A user with a token of this application.
async fn by(server: &TestServer, id: &UserId, client_id: &ApplicationId, scope: &str) -> Casey {
    let token = server.mint(id, client_id, scope).await;
    Casey { actor: server.bearer(&token), id: id.clone() }
}

/// The same with a token of a sign-in that was just now.
async fn signed_in(server: &TestServer, id: &UserId, scope: &str) -> Casey {
    let client_id = server.demo().web_client_id.clone();
    let casey = by(server, id, &client_id, scope).await;
    let (_, sessions) = server.signed_in(&[id]).await;
    let grant = Grant {
        id: claimsmith_domain::random::id(21).unwrap().into(),
        user_id: id.clone(),
        application_id: client_id,
        session_id: sessions.first().cloned(),
        scopes: Json(Some(GrantedScopes::default())),
        created_at: server.clock.now_ms(),
        expires_at: server.clock.now_ms() + 86_400_000,
    };
    let mut tx = server.begin().await;
    grants::insert(&mut tx, &grant).await.unwrap();
    let sql = "UPDATE issuances SET grant_id = $1 WHERE user_id = $2 AND grant_id IS NULL";
    tx.sql(sql).bind(&grant.id).bind(id).execute().await.unwrap();
    tx.commit().await.unwrap();
    casey
}

impl Casey {
    /// Proves the password; answers the id of the record.
    async fn prove(&self) -> String {
        let body = json!({ "password": PASSWORD });
        let answer = self.actor.post("/api/verifications/password", body).await.expect(201);
        answer.text("verificationRecordId")
    }

    /// A request with a verification record.
    async fn send(&self, record: &str, method: Method, path: &str, body: Value) -> Answer {
        let path = format!("/api/my-account{path}");
        let request = self.actor.request(method, &path).header("logto-verification-id", record);
        Answer::of(if body.is_null() { request } else { request.json(&body) }).await
    }

    /// The same with a fresh record.
    async fn proved(&self, method: Method, path: &str, body: Value) -> Answer {
        self.send(&self.prove().await, method, path, body).await
    }

    /// The account as they see it.
    async fn shown(&self) -> Value {
        self.actor.get("/api/my-account").await.expect(200).body
    }
}

/// Changes the settings of people's own accounts.
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

/// Changes the settings of sign-in.
async fn sign_in_settings(server: &TestServer, change: Value) {
    server.management().await.patch("/api/sign-in-exp", change).await.expect(200);
}
