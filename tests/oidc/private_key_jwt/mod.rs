//! Client authentication by signed assertions (`private_key_jwt`, RFC 7523): what works, what is refused, and where keys
//! come from.

mod audit;
mod endpoints;
mod methods;
mod refusals;
mod remote;
mod single_use;

use claimsmith_domain::documents::application::{ApplicationType, OidcClientMetadata};
use claimsmith_domain::id::ApplicationId;
use claimsmith_services::tokens::Algorithm;
use claimsmith_storage::{Json, applications};
use claimsmith_test_support::{ClientKey, Form, TestServer, seed};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The `client_assertion_type`.
pub(crate) const TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// An application of this type, with `oidcClientMetadata` as the Management API takes it; answers id and secret.
async fn application(server: &TestServer, kind: ApplicationType, metadata: Value) -> (ApplicationId, String) {
    let mut application = seed::new_application(kind);
    application.oidc_client_metadata = Json(serde_json::from_value(metadata).unwrap());
    server.add(application).await
}

/// A machine with these keys by value; answers its id.
async fn machine(server: &TestServer, keys: &[&ClientKey]) -> ApplicationId {
    application(server, ApplicationType::MachineToMachine, json!({ "jwks": set(keys) })).await.0
}

/// Changes what an application registered.
async fn register(server: &TestServer, id: &ApplicationId, change: impl FnOnce(&mut OidcClientMetadata)) {
    let mut tx = server.begin().await;
    let mut application = applications::find(&mut tx, id).await.unwrap().unwrap();
    change(&mut application.oidc_client_metadata.0);
    applications::update(&mut tx, &application).await.unwrap();
    tx.commit().await.unwrap();
}

/// The public parts of keys.
fn set(keys: &[&ClientKey]) -> Value {
    json!({ "keys": keys.iter().map(|key| &key.jwk).collect::<Vec<_>>() })
}

/// The key of most of these tests.
fn key() -> ClientKey {
    ClientKey::new(Algorithm::ES256, "k1")
}

fn header() -> Value {
    json!({ "alg": "ES256", "kid": "k1" })
}

/// Good claims, with a `jti` that no other has.
fn claims(server: &TestServer, client_id: &str) -> Value {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let now = server.clock.now_ms() / 1000;
    let jti = format!("jti-{}", NEXT.fetch_add(1, Ordering::Relaxed));
    json!({ "iss": client_id, "sub": client_id, "aud": server.issuer(), "exp": now + 60, "iat": now, "jti": jti })
}

/// A good assertion by [`key`].
fn assertion(server: &TestServer, client_id: &str, key: &ClientKey) -> String {
    key.sign(&header(), &claims(server, client_id))
}

/// A form with an assertion.
fn with_assertion(form: Form, assertion: &str) -> Form {
    form.with("client_assertion_type", TYPE).with("client_assertion", assertion)
}

/// The request of a machine for a token of the demo's API, without its client.
fn ask(server: &TestServer) -> Form {
    server.form("/oidc/token").with("grant_type", "client_credentials").with("resource", &server.demo().resource)
}
