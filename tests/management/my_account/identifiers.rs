//! Removing addresses and linked accounts, and a new password.

use super::{ALL, PASSWORD, casey, settings, sign_in_settings, signed_in, with};
use claimsmith_domain::id::UserId;
use claimsmith_test_support::{TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

both!(addresses_are_removed_but_not_the_last_way_in, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let management = server.management().await;
    let user = format!("/api/users/{}", casey.id);
    management.patch(&user, json!({ "primaryPhone": "+49 1511 2345678" })).await.expect(200);
    sign_in_settings(
        &server,
        json!({ "signIn": { "methods": [
        { "identifier": "email", "password": true, "verificationCode": false, "isPasswordPrimary": true },
        { "identifier": "phone", "password": true, "verificationCode": false, "isPasswordPrimary": true },
    ] } }),
    )
    .await;
    let answer = casey.actor.delete("/api/my-account/primary-phone").await;
    answer.expect_api_error(401, "verification_record.permission_denied");
    casey.proved(Method::DELETE, "/primary-phone", Value::Null).await.expect(204);
    assert_eq!(casey.shown().await["primaryPhone"], Value::Null);
    // The user name is there, but the settings do not take it.
    let answer = casey.proved(Method::DELETE, "/primary-email", Value::Null).await;
    answer.expect_api_error(400, "user.last_sign_in_method_required");
    let identity = format!("{user}/identities/github");
    management.put(&identity, json!({ "userId": "583231" })).await.expect(201);
    // An account at a connector that signs nobody in is no way in.
    let answer = casey.proved(Method::DELETE, "/primary-email", Value::Null).await;
    answer.expect_api_error(400, "user.last_sign_in_method_required");
    let github = json!({ "connectorId": "github", "config": { "clientId": "c", "clientSecret": "s" } });
    management.post("/api/connectors", github).await.expect(200);
    sign_in_settings(&server, json!({ "socialSignInConnectorTargets": ["github"] })).await;
    casey.proved(Method::DELETE, "/primary-email", Value::Null).await.expect(204);
    let answer = casey.proved(Method::DELETE, "/identities/github", Value::Null).await;
    answer.expect_api_error(400, "user.last_sign_in_method_required");
    assert!(casey.shown().await["identities"].get("github").is_some());
    let answer = casey.proved(Method::DELETE, "/identities/gitlab", Value::Null).await;
    answer.expect_api_error(404, "user.identity_not_exist");
    sign_in_settings(
        &server,
        json!({ "signIn": { "methods": [
        { "identifier": "username", "password": true, "verificationCode": false, "isPasswordPrimary": true },
    ] } }),
    )
    .await;
    casey.proved(Method::DELETE, "/identities/github", Value::Null).await.expect(204);
    assert_eq!(casey.shown().await["identities"], json!({}));
});

both!(a_new_password_is_checked_and_signs_out_elsewhere, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let (browser, _) = server.signed_in(&[&casey.id]).await;
    let set = async |record: &str, password: &str| {
        casey.send(record, Method::POST, "/password", json!({ "password": password })).await
    };
    set("nothing", "another-kettle-42").await.expect_api_error(401, "verification_record.permission_denied");
    let record = casey.prove().await;
    for (password, code) in
        [("short", "password.rejected"), ("customer", "password.rejected"), (PASSWORD, "user.same_password")]
    {
        set(&record, password).await.expect_api_error(422, code);
    }
    set(&record, "another-kettle-42").await.expect(204);
    drop(browser);
    let management = server.management().await;
    let sessions = management.get(&format!("/api/users/{}/sessions", casey.id)).await.expect(200).body;
    assert_eq!(sessions["sessions"], json!([]), "nobody is signed in any more");
    let verify = format!("/api/users/{}/password/verify", casey.id);
    management.post(&verify, json!({ "password": "another-kettle-42" })).await.expect(204);
    management.post(&verify, json!({ "password": PASSWORD })).await.expect(422);
});

both!(who_has_nothing_to_prove_themselves_with_sets_a_first_password, async |server: TestServer| {
    casey(&server, ALL).await;
    settings(&server, json!({ "deletionEnabled": true })).await;
    let management = server.management().await;
    let id = management.post("/api/users", json!({ "username": "bare" })).await.expect(200).text("id");
    let id = UserId::from(id);
    let body = json!({ "password": "another-kettle-42" });
    // A token alone does nothing that matters, and neither does one of a sign-in of long ago.
    let late = signed_in(&server, &id, ALL).await;
    server.clock.advance(Duration::from_secs(600));
    for bare in [with(&server, &id, ALL).await, late] {
        assert_eq!(bare.shown().await["hasSecurityVerificationMethod"], false);
        for (method, path, body) in [
            (Method::POST, "/password", body.clone()),
            (Method::GET, "/export", Value::Null),
            (Method::DELETE, "/identities/github", Value::Null),
            (Method::DELETE, "", Value::Null),
        ] {
            let refused = bare.send("nothing", method, path, body).await;
            refused.expect_api_error(401, "verification_record.permission_denied");
        }
    }
    let bare = signed_in(&server, &id, ALL).await;
    bare.send("nothing", Method::GET, "/export", Value::Null).await.expect(200);
    bare.actor.post("/api/my-account/password", body.clone()).await.expect(204);
    assert_eq!(bare.shown().await["hasPassword"], true);
    // From now on there is something.
    let answer = bare.actor.post("/api/my-account/password", json!({ "password": "one-more-kettle-42" })).await;
    answer.expect_api_error(401, "verification_record.permission_denied");
    let answer = bare.actor.delete("/api/my-account/primary-email").await;
    answer.expect_api_error(401, "verification_record.permission_denied");
});
