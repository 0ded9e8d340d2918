//! Suspension, a new password and deletion end the sessions of a user, and the tokens that came from them.

use crate::browser::{Browser, sessions_of, user};
use claimsmith_domain::authorization::request::Authorized;
use claimsmith_domain::id::{GrantId, UserId};
use claimsmith_storage::Json;
use claimsmith_storage::sessions::codes::{self, Code};
use claimsmith_storage::sessions::grants::{self, Grant, GrantedScopes};
use claimsmith_test_support::{TestServer, both};
use serde_json::json;

/// Gives a user a grant with a code, as of a sign-in.
async fn grant(server: &TestServer, user_id: &UserId) -> (GrantId, String) {
    let (now, application_id) = (server.clock.now_ms(), server.demo().spa_client_id.clone());
    let id = GrantId::from(claimsmith_domain::random::id(21).unwrap());
    let hash = claimsmith_domain::random::id(64).unwrap();
    let grant = Grant {
        id: id.clone(),
        user_id: user_id.clone(),
        application_id: application_id.clone(),
        session_id: None,
        scopes: Json(Some(GrantedScopes::default())),
        created_at: now,
        expires_at: now + 1000,
    };
    let code = Code {
        hash: hash.clone(),
        grant_id: id.clone(),
        user_id: user_id.clone(),
        application_id,
        authorization_details: Json(Some(Authorized::default())),
        family_id: "family".to_owned(),
        created_at: now,
        expires_at: now + 1000,
        consumed_at: None,
    };
    let mut tx = server.begin().await;
    grants::insert(&mut tx, &grant).await.unwrap();
    codes::insert(&mut tx, &code).await.unwrap();
    tx.commit().await.unwrap();
    (id, hash)
}

both!(who_is_suspended_or_gets_a_new_password_is_signed_out, async |server: TestServer| {
    let management = server.management().await;
    let id = user(&server, "ada").await;
    let (mut browser, mut other) = (Browser::new(&server).await, Browser::new(&server).await);
    user(&server, "grace").await;
    other.sign_in("grace").await;
    let path = format!("/api/users/{id}");
    for (part, body) in [
        ("is-suspended", json!({ "isSuspended": true })),
        ("password", json!({ "password": crate::browser::PASSWORD })),
    ] {
        browser.authorize(&server).await;
        browser.sign_in("ada").await;
        let (grant_id, code) = grant(&server, &id.as_str().into()).await;
        assert_eq!(sessions_of(&server, &browser).await, [id.as_str()]);
        management.patch(&format!("{path}/{part}"), body).await.expect(200);
        management.patch(&format!("{path}/is-suspended"), json!({ "isSuspended": false })).await.expect(200);
        assert_eq!(sessions_of(&server, &browser).await, [""; 0], "{part}");
        let mut tx = server.begin().await;
        assert!(codes::find(&mut tx, &code).await.unwrap().is_none(), "{part}");
        assert!(grants::find(&mut tx, &grant_id).await.unwrap().is_some(), "consents stay");
    }
    // Nothing else ends them.
    browser.authorize(&server).await;
    browser.sign_in("ada").await;
    management.patch(&path, json!({ "name": "Ada" })).await.expect(200);
    management.patch(&format!("{path}/is-suspended"), json!({ "isSuspended": false })).await.expect(200);
    assert_eq!(sessions_of(&server, &browser).await, [id.as_str()]);
    management.delete(&path).await.expect(204);
    assert_eq!(sessions_of(&server, &browser).await, [""; 0]);
    assert_eq!(sessions_of(&server, &other).await.len(), 1, "of nobody else");
});
