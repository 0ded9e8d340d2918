//! Data of a user: custom data, password, identities, tokens, second factors, grants.

use crate::fixtures::{NOBODY, exchange, user};
use claimsmith_storage::users;
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};
use std::time::Duration;

both!(a_user_is_changed, async |server: TestServer| {
    let management = server.management().await;
    let body = json!({
        "username": "ada", "primaryEmail": "Ada@Example.com", "name": "Ada", "avatar": "https://a.test/a.png",
        "customData": { "tier": "gold" }, "profile": { "givenName": "Ada" },
    });
    let created = management.post("/api/users", body).await.expect(200);
    let path = format!("/api/users/{}", created.text("id"));
    server.clock.advance(Duration::from_secs(1));
    let body = json!({
        "username": "Lovelace", "primaryPhone": "441234567890", "name": null, "avatar": "",
        "customData": { "plan": 1 }, "profile": { "locale": "en" },
    });
    let changed = management.patch(&path, body).await.expect(200);
    for (name, value) in [
        ("username", json!("Lovelace")),
        ("primaryEmail", json!("Ada@Example.com")),
        ("primaryPhone", json!("441234567890")),
        ("name", Value::Null),
        ("avatar", json!("")),
        ("customData", json!({ "plan": 1 })),
        ("profile", json!({ "locale": "en" })),
        ("createdAt", created["createdAt"].clone()),
        ("updatedAt", json!(server.clock.now_ms())),
    ] {
        assert_eq!(changed[name], value, "{name}");
    }
    assert_eq!(management.get(&path).await.expect(200).body, changed.body);
    let emptied = management.patch(&path, json!({ "username": "", "primaryEmail": null })).await.expect(200);
    assert_eq!((&emptied["username"], &emptied["primaryEmail"]), (&Value::Null, &Value::Null));
    // Nothing to change is no change; `null` is one.
    for nothing in [json!({}), json!({ "unknown": 1 })] {
        management.patch(&path, nothing).await.expect_api_error(422, "entity.invalid_input");
    }
    assert_eq!(management.get(&path).await.expect(200).body, emptied.body);
    management.patch("/api/users/nobody", json!({})).await.expect_api_error(404, "entity.not_found");
});

both!(identifiers_are_the_same_whatever_their_case, async |server: TestServer| {
    let management = server.management().await;
    let taken = json!({ "username": "Ada", "primaryEmail": "Jos\u{e9}@Example.com", "primaryPhone": "441234567890" });
    management.post("/api/users", taken).await.expect(200);
    let id = user(&management, "grace").await;
    for (body, code) in [
        (json!({ "username": "ADA" }), "user.username_already_in_use"),
        (json!({ "primaryEmail": "JOSE\u{301}@example.COM" }), "user.email_already_in_use"),
        (json!({ "primaryPhone": "441234567890" }), "user.phone_already_in_use"),
    ] {
        management.post("/api/users", body.clone()).await.expect_api_error(422, code);
        management.patch(&format!("/api/users/{id}"), body).await.expect_api_error(422, code);
    }
    // One's own is not taken.
    management.patch(&format!("/api/users/{id}"), json!({ "username": "GRACE" })).await.expect(200);
});

both!(of_two_who_take_a_name_at_once_one_gets_it, async |server: TestServer| {
    let management = server.management().await;
    let mut ids = Vec::new();
    for index in 0..8 {
        ids.push(user(&management, &format!("user{index}")).await);
    }
    let mut changes = tokio::task::JoinSet::new();
    for id in ids {
        let management = management.clone();
        changes.spawn(async move { management.patch(&format!("/api/users/{id}"), json!({ "username": "Ada" })).await });
    }
    let answers = changes.join_all().await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        refused.expect_api_error(422, "user.username_already_in_use");
    }
});

both!(data_is_merged_key_by_key, async |server: TestServer| {
    let management = server.management().await;
    let id = user(&management, "ada").await;
    let path = format!("/api/users/{id}");
    let merge = json!({ "customData": { "a": { "x": 1 }, "b": 2 } });
    management.patch(&format!("{path}/custom-data"), merge).await.expect(200);
    let merge = json!({ "customData": { "a": { "y": 1 }, "c": null } });
    let merged = management.patch(&format!("{path}/custom-data"), merge).await.expect(200).body;
    assert_eq!(merged, json!({ "a": { "y": 1 }, "b": 2, "c": null }));
    assert_eq!(management.get(&format!("{path}/custom-data")).await.expect(200).body, merged);
    let profile = |profile: Value| json!({ "profile": profile });
    let first = profile(json!({ "givenName": "Ada", "address": { "country": "UK" } }));
    management.patch(&format!("{path}/profile"), first).await.expect(200);
    let second = profile(json!({ "familyName": "Lovelace", "address": { "region": "London" }, "unknown": 1 }));
    let merged = management.patch(&format!("{path}/profile"), second).await.expect(200).body;
    let expected = json!({ "givenName": "Ada", "familyName": "Lovelace", "address": { "region": "London" } });
    assert_eq!(merged, expected);
    for part in ["custom-data", "profile"] {
        management.patch(&format!("{path}/{part}"), json!({})).await.expect_api_error(400, "guard.invalid_input");
        let body = json!({ "customData": {}, "profile": {} });
        let answer = management.patch(&format!("/api/users/nobody/{part}"), body).await;
        answer.expect_api_error(404, "entity.not_found");
    }
    management.get("/api/users/nobody/custom-data").await.expect_api_error(404, "entity.not_found");
});

both!(a_password_is_set_and_verified, async |server: TestServer| {
    let management = server.management().await;
    let id = user(&management, "ada").await;
    let path = format!("/api/users/{id}");
    let has = async || management.get(&format!("{path}/has-password")).await.expect(200)["hasPassword"].clone();
    let verify = async |password: &str| {
        management.post(&format!("{path}/password/verify"), json!({ "password": password })).await
    };
    assert_eq!(has().await, false);
    verify("engine").await.expect_api_error(422, "session.invalid_credentials");
    let set = management.patch(&format!("{path}/password"), json!({ "password": "engine" })).await.expect(200);
    assert_eq!((&set["hasPassword"], has().await), (&json!(true), json!(true)));
    verify("engine").await.expect(204);
    verify("Engine").await.expect_api_error(422, "session.invalid_credentials");
    for body in [json!({}), json!({ "password": "" }), json!({ "password": "a".repeat(257) })] {
        let answer = management.patch(&format!("{path}/password"), body.clone()).await;
        answer.expect_api_error(400, "guard.invalid_input");
        let answer = management.post(&format!("{path}/password/verify"), body).await;
        answer.expect_api_error(400, "guard.invalid_input");
    }
    let body = json!({ "password": "engine" });
    let answer = management.patch("/api/users/nobody/password", body).await;
    answer.expect_api_error(404, "entity.not_found");
});

both!(an_imported_digest_is_renewed_when_it_verifies, async |server: TestServer| {
    let management = server.management().await;
    let md5 = "5f4dcc3b5aa765d61d8327deb882cf99";
    let body = json!({ "username": "ada", "passwordDigest": md5, "passwordAlgorithm": "MD5" });
    let id = management.post("/api/users", body).await.expect(200).text("id");
    let verify = format!("/api/users/{id}/password/verify");
    let digest = async || {
        users::find(&mut server.begin().await, &id.as_str().into()).await.unwrap().unwrap().password_digest.unwrap()
    };
    management.post(&verify, json!({ "password": "wrong" })).await.expect(422);
    assert_eq!(digest().await, md5);
    management.post(&verify, json!({ "password": "password" })).await.expect(204);
    let renewed = digest().await;
    assert!(renewed.starts_with("$argon2id$"), "{renewed}");
    management.post(&verify, json!({ "password": "password" })).await.expect(204);
    assert_eq!(digest().await, renewed);
});

both!(identities_are_linked_to_one_user_each, async |server: TestServer| {
    let management = server.management().await;
    let (ada, grace) = (user(&management, "ada").await, user(&management, "grace").await);
    let path = format!("/api/users/{ada}/identities/github");
    let first = json!({ "userId": "gh-1", "details": { "email": "ada@example.com" } });
    let linked = management.put(&path, first.clone()).await.expect(201).body;
    assert_eq!(linked, json!({ "github": first }));
    assert_eq!(management.get(&path).await.expect(200).body, first);
    let second = json!({ "userId": "gh-2" });
    assert_eq!(management.put(&path, second.clone()).await.expect(200).body, json!({ "github": second }));

    let others = format!("/api/users/{grace}/identities/github");
    management.put(&others, second.clone()).await.expect_api_error(422, "user.identity_already_in_use");
    // Replaced, so free again.
    management.put(&others, first).await.expect(201);
    assert_eq!(management.delete(&path).await.expect(200)["identities"], json!({}));
    management.delete(&path).await.expect_api_error(404, "user.identity_not_exist");
    management.get(&path).await.expect_api_error(404, "user.identity_not_exist");
    management.put(&path, json!({})).await.expect_api_error(400, "guard.invalid_input");
    let nobodys = format!("/api/users/{NOBODY}/identities/github");
    management.put(&nobodys, second.clone()).await.expect_api_error(404, "entity.not_found");
    // Gone with its user.
    management.delete(&format!("/api/users/{grace}")).await.expect(204);
    management.put(&path, json!({ "userId": "gh-1" })).await.expect(201);
});

both!(personal_access_tokens_are_made_renamed_and_deleted, async |server: TestServer| {
    let management = server.management().await;
    let id = user(&management, "ada").await;
    let path = format!("/api/users/{id}/personal-access-tokens");
    let expires_at = server.clock.now_ms() + 1000;
    let made = management.post(&path, json!({ "name": "laptop", "expiresAt": expires_at })).await.expect(201);
    let value = made.text("value");
    assert_eq!((value.len(), &value[..4], &made["expiresAt"]), (36, "pat_", &json!(expires_at)));
    let listed = management.get(&path).await.expect(200).body;
    let shown = json!({
        "tenantId": "default", "userId": id, "name": "laptop", "value": "********",
        "createdAt": server.clock.now_ms(), "expiresAt": expires_at,
    });
    assert_eq!(listed, json!([shown]));
    let stored = users::personal_access_tokens::list(&mut server.begin().await, &id.as_str().into()).await.unwrap();
    assert!(!format!("{stored:?}").contains(&value));

    let again = management.post(&path, json!({ "name": "laptop" })).await;
    again.expect_api_error(422, "user.personal_access_token_name_exists");
    management.post(&path, json!({ "name": "ci" })).await.expect(201);
    let taken = management.patch(&format!("{path}/ci"), json!({ "name": "laptop" })).await;
    taken.expect_api_error(422, "user.personal_access_token_name_exists");
    let renamed = management.patch(&format!("{path}/ci"), json!({ "name": "a/b" })).await.expect(200);
    assert_eq!(renamed["name"], "a/b");
    // A name that no path can hold.
    let rename = async |from: &str, to: &str| management.patch(&path, json!({ "currentName": from, "name": to })).await;
    let renamed = rename("a/b", "b/c").await.expect(200);
    assert_eq!((&renamed["name"], &renamed["value"]), (&json!("b/c"), &json!("********")));
    rename("a/b", "x").await.expect_api_error(404, "entity.not_exists");
    rename("b/c", "laptop").await.expect_api_error(422, "user.personal_access_token_name_exists");
    management.post(&format!("{path}/delete"), json!({ "name": "b/c" })).await.expect(204);
    management.delete(&format!("{path}/laptop")).await.expect(204);
    management.delete(&format!("{path}/laptop")).await.expect_api_error(404, "entity.not_found");
    assert_eq!(management.get(&path).await.expect(200).body, json!([]));
    let past = json!({ "name": "x", "expiresAt": server.clock.now_ms() });
    for body in [past, json!({}), json!({ "name": "" }), json!({ "name": "x", "expiresAt": "soon" })] {
        management.post(&path, body).await.expect_api_error(400, "guard.invalid_input");
    }
    let nobodys = format!("/api/users/{NOBODY}/personal-access-tokens");
    management.get(&nobodys).await.expect_api_error(404, "entity.not_found");
    management.post(&nobodys, json!({ "name": "x" })).await.expect_api_error(404, "entity.not_found");
});

both!(second_factors_are_given_and_taken, async |server: TestServer| {
    let management = server.management().await;
    let id = user(&management, "ada").await;
    let path = format!("/api/users/{id}/mfa-verifications");
    let alone = management.post(&path, json!({ "type": "BackupCode" })).await;
    alone.expect_api_error(422, "session.mfa.backup_code_can_not_be_alone");
    let totp = management.post(&path, json!({ "type": "Totp" })).await.expect(200);
    assert_eq!(totp.text("secret").len(), 32);
    assert!(totp.text("secretQrCode").starts_with("data:image/svg+xml;base64,"));
    let codes = management.post(&path, json!({ "type": "BackupCode" })).await.expect(200);
    assert_eq!(codes["codes"].as_array().unwrap().len(), 10);
    let listed = management.get(&path).await.expect(200).body;
    let kinds: Vec<_> = listed.as_array().unwrap().iter().map(|one| (&one["type"], &one["remainCodes"])).collect();
    assert!(kinds.contains(&(&json!("Totp"), &Value::Null)) && kinds.contains(&(&json!("BackupCode"), &json!(10))));
    assert!(!listed.to_string().contains(&totp.text("secret")));
    let stored = users::mfa::list(&mut server.begin().await, &id.as_str().into()).await.unwrap();
    assert!(!format!("{stored:?}").contains(&totp.text("secret")), "secrets are sealed");

    management.post(&path, json!({ "type": "Totp" })).await.expect_api_error(422, "user.totp_already_in_use");
    let again = management.post(&path, json!({ "type": "BackupCode" })).await;
    again.expect_api_error(422, "user.backup_code_already_in_use");
    for factor in listed.as_array().unwrap() {
        management.delete(&format!("{path}/{}", factor["id"].as_str().unwrap())).await.expect(204);
    }
    management.delete(&format!("{path}/{NOBODY}")).await.expect_api_error(404, "entity.not_found");
    let given = json!({ "type": "Totp", "secret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" });
    assert_eq!(management.post(&path, given.clone()).await.expect(200)["secret"], given["secret"]);
    let given: Vec<String> = (0..10).map(|index| format!("abcdefgh{index:02}")).collect();
    let given = json!({ "type": "BackupCode", "codes": given });
    assert_eq!(management.post(&path, given.clone()).await.expect(200)["codes"], given["codes"]);

    let grace = user(&management, "grace").await;
    let path = format!("/api/users/{grace}/mfa-verifications");
    let short = json!({ "type": "Totp", "secret": "GEZDGNBV" });
    management.post(&path, short).await.expect_api_error(422, "user.totp_secret_invalid");
    for body in [json!({}), json!({ "type": "Sms" }), json!({ "type": "Totp", "secret": 1 })] {
        management.post(&path, body).await.expect_api_error(400, "guard.invalid_input");
    }
    management.post(&path, json!({ "type": "Totp" })).await.expect(200);
    let few = json!({ "type": "BackupCode", "codes": ["abcdefgh01"] });
    management.post(&path, few).await.expect_api_error(422, "user.wrong_backup_code_format");
});

both!(a_grant_is_listed_until_it_is_revoked, async |server: TestServer| {
    let management = server.management().await;
    let customer = server.demo().customer_user_id.clone();
    let path = format!("/api/users/{customer}/grants");
    let form = exchange(&server, &customer, &server.demo().resource, "resource:read").await.as_web();
    let token = form.send().await.expect(200).text("access_token");
    let grants = management.get(&path).await.expect(200).body;
    let grant = &grants["grants"][0];
    assert_eq!(grant["payload"]["clientId"], json!(server.demo().web_client_id));
    assert_eq!(grant["payload"]["resource"], json!(server.demo().resource));
    assert_eq!(server.introspect_as_web(&token).await["active"], true);

    let one = format!("{path}/{}", grant["id"].as_str().unwrap());
    let elsewhere = format!("/api/users/{}/grants/{}", server.demo().engineer_user_id, grant["id"].as_str().unwrap());
    management.delete(&elsewhere).await.expect_api_error(400, "oidc.invalid_grant");
    management.delete(&one).await.expect(204);
    management.delete(&one).await.expect_api_error(400, "oidc.invalid_grant");
    assert_eq!(server.introspect_as_web(&token).await, json!({ "active": false }));
    assert_eq!(management.get(&path).await.expect(200)["grants"], json!([]));
    let sessions = format!("/api/users/{customer}/sessions");
    assert_eq!(management.get(&sessions).await.expect(200).body, json!({ "sessions": [] }));
    management.get(&format!("/api/users/{NOBODY}/grants")).await.expect_api_error(404, "entity.not_found");
});
