//! Second factors of one's own account.

use super::{ALL, casey, sign_in_settings, with};
use claimsmith_storage::users::passkeys::{self, Passkey};
use claimsmith_storage::{Json, audit};
use claimsmith_test_support::{TestServer, both, one_time_password};
use reqwest::Method;
use serde_json::{Value, json};

const PATH: &str = "/mfa-verifications";

both!(an_authenticator_and_backup_codes_are_set_up_named_and_removed, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let record = casey.prove().await;
    let send = async |method, path: &str, body| casey.send(&record, method, path, body).await;
    let generate = "/mfa-verifications/totp-secret/generate";
    let secret = send(Method::POST, generate, Value::Null).await.expect(200).text("secret");
    let totp = json!({ "type": "Totp", "secret": secret, "code": one_time_password(&server, &secret) });
    let answer = send(Method::POST, PATH, totp.clone()).await;
    answer.expect_api_error(400, "session.mfa.mfa_factor_not_enabled");
    sign_in_settings(&server, json!({ "mfa": { "factors": ["Totp", "BackupCode"], "policy": "UserControlled" } }))
        .await;

    let path = "/mfa-verifications/backup-codes/generate";
    let codes = send(Method::POST, path, Value::Null).await.expect(200).body["codes"].clone();
    let backup = json!({ "type": "BackupCode", "codes": codes });
    let answer = send(Method::POST, PATH, backup.clone()).await;
    answer.expect_api_error(422, "session.mfa.backup_code_can_not_be_alone");
    casey
        .actor
        .post("/api/my-account/mfa-verifications", totp.clone())
        .await
        .expect_api_error(401, "verification_record.permission_denied");
    for (body, status, code) in [
        (json!({ "type": "Totp", "secret": secret, "code": "000000" }), 400, "session.mfa.invalid_totp_code"),
        (json!({ "type": "Totp", "secret": "abc" }), 400, "user.totp_secret_invalid"),
        (json!({ "type": "BackupCode", "codes": ["a"] }), 422, "user.wrong_backup_code_format"),
        // The settings do not have passkeys.
        (
            json!({ "type": "WebAuthn", "newIdentifierVerificationRecordId": "x" }),
            400,
            "session.mfa.mfa_factor_not_enabled",
        ),
        (json!({ "type": "Pigeon" }), 400, "guard.invalid_input"),
    ] {
        send(Method::POST, PATH, body).await.expect_api_error(status, code);
    }
    send(Method::POST, PATH, totp.clone()).await.expect(204);
    send(Method::POST, PATH, totp).await.expect_api_error(422, "user.totp_already_in_use");
    send(Method::POST, PATH, backup.clone()).await.expect(204);
    send(Method::POST, PATH, backup).await.expect_api_error(422, "user.backup_code_already_in_use");

    let mut listed = casey.actor.get("/api/my-account/mfa-verifications").await.expect(200).body;
    // Both were added at the same time.
    listed.as_array_mut().unwrap().sort_by_key(|one| one["type"] != "Totp");
    assert_eq!((&listed[0]["type"], &listed[1]["type"]), (&json!("Totp"), &json!("BackupCode")));
    assert_eq!((&listed[1]["remainCodes"], listed[0].get("name")), (&json!(10), None));
    assert!(listed[0]["lastUsedAt"].is_string(), "{listed:#}");
    let text = listed.to_string();
    assert!(!text.contains(&secret) && !text.contains(codes[0].as_str().unwrap()), "{text}");

    let id = listed[0]["id"].as_str().unwrap();
    let name = format!("{PATH}/{id}/name");
    send(Method::PATCH, &name, json!({ "name": "My phone" })).await.expect(200);
    send(Method::PATCH, &name, json!({ "name": "" })).await.expect_api_error(400, "guard.invalid_input");
    let other = format!("{PATH}/nothing/name");
    send(Method::PATCH, &other, json!({ "name": "x" })).await.expect_api_error(404, "entity.not_found");
    let renamed = casey.actor.get("/api/my-account/mfa-verifications").await.expect(200).body;
    let renamed = renamed.as_array().unwrap().iter().find(|one| one["id"] == id).unwrap();
    assert_eq!(renamed["name"], "My phone");

    let next = send(Method::POST, generate, Value::Null).await.expect(200).text("secret");
    let wrong = json!({ "secret": next, "code": "000000" });
    let answer = send(Method::PUT, "/mfa-verifications/totp", wrong).await;
    answer.expect_api_error(400, "session.mfa.invalid_totp_code");
    let body = json!({ "secret": next, "code": one_time_password(&server, &next) });
    send(Method::PUT, "/mfa-verifications/totp", body).await.expect(204);
    let listed = casey.actor.get("/api/my-account/mfa-verifications").await.expect(200).body;
    assert_eq!(listed.as_array().unwrap().len(), 2);
    for factor in listed.as_array().unwrap() {
        let path = format!("{PATH}/{}", factor["id"].as_str().unwrap());
        casey
            .actor
            .delete(&format!("/api/my-account{path}"))
            .await
            .expect_api_error(401, "verification_record.permission_denied");
        send(Method::DELETE, &path, Value::Null).await.expect(204);
        send(Method::DELETE, &path, Value::Null).await.expect_api_error(404, "entity.not_found");
    }
    let mut tx = server.begin().await;
    let added = audit::list_by_key(&mut tx, "Account.User.AddMfaFactor", 30).await.unwrap();
    assert!(added.iter().all(|log| !log.payload.to_string().contains(&secret)), "no secret is logged");
});

both!(nobody_touches_the_factor_of_another, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    sign_in_settings(&server, json!({ "mfa": { "factors": ["Totp"], "policy": "UserControlled" } })).await;
    let management = server.management().await;
    let path = format!("/api/users/{}/mfa-verifications", server.demo().engineer_user_id);
    management.post(&path, json!({ "type": "Totp" })).await.expect(200);
    let factor = management.get(&path).await.expect(200).body[0]["id"].as_str().unwrap().to_owned();
    let own = format!("{PATH}/{factor}");
    casey.proved(Method::DELETE, &own, Value::Null).await.expect_api_error(404, "entity.not_found");
    let name = format!("{own}/name");
    casey.proved(Method::PATCH, &name, json!({ "name": "x" })).await.expect_api_error(404, "entity.not_found");
    assert_eq!(management.get(&path).await.expect(200).body.as_array().unwrap().len(), 1);
});

both!(people_say_whether_they_are_asked_for_a_factor, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let initial = casey.actor.get("/api/my-account/mfa-settings").await.expect(200).body;
    assert_eq!(initial, json!({ "skipMfaOnSignIn": false }));
    let body = json!({ "skipMfaOnSignIn": true });
    casey
        .actor
        .patch("/api/my-account/mfa-settings", body.clone())
        .await
        .expect_api_error(401, "verification_record.permission_denied");
    assert_eq!(casey.proved(Method::PATCH, "/mfa-settings", body.clone()).await.expect(200).body, body);
    let configs = casey.actor.get("/api/my-account/logto-configs").await.expect(200).body;
    assert_eq!(configs["mfa"]["skipMfaOnSignIn"], true);
    let change = json!({ "mfa": { "enabled": true }, "passkeySignIn": { "skipped": true } });
    let changed = casey.proved(Method::PATCH, "/logto-configs", change).await.expect(200).body;
    assert_eq!((&changed["mfa"]["enabled"], &changed["passkeySignIn"]["skipped"]), (&json!(true), &json!(true)));
    let other = with(&server, &casey.id, "openid identities").await;
    assert_eq!(other.actor.get("/api/my-account/mfa-settings").await.expect(200).body, body);
});

both!(the_passkey_that_is_the_last_way_in_stays, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let passkey = Passkey {
        id: claimsmith_domain::random::id(21).unwrap().into(),
        user_id: casey.id.clone(),
        credential_id: "credential".to_owned(),
        credential: Json(json!({})),
        is_synced: false,
        name: None,
        agent: None,
        created_at: 0,
        last_used_at: None,
    };
    let mut tx = server.begin().await;
    passkeys::insert(&mut tx, &passkey).await.unwrap();
    tx.commit().await.unwrap();
    let by = |identifier: &str| {
        json!({ "methods": [
            { "identifier": identifier, "password": true, "verificationCode": false, "isPasswordPrimary": true },
        ] })
    };
    // Casey has no number.
    let change = json!({ "passkeySignIn": { "enabled": true }, "signIn": by("phone") });
    sign_in_settings(&server, change).await;
    let path = format!("{PATH}/{}", passkey.id);
    let refused = casey.proved(Method::DELETE, &path, Value::Null).await;
    refused.expect_api_error(400, "user.last_sign_in_method_required");
    sign_in_settings(&server, json!({ "signIn": by("username") })).await;
    casey.proved(Method::DELETE, &path, Value::Null).await.expect(204);
});
