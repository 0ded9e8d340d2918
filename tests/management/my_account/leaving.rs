//! All of one's data, and the deletion of the account.

use super::{ALL, PASSWORD, casey, settings, with};
use claimsmith_storage::audit;
use claimsmith_test_support::{TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};

both!(the_export_has_everything_but_secrets, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    server.signed_in(&[&casey.id]).await;
    let management = server.management().await;
    let user = format!("/api/users/{}", casey.id);
    let change = json!({ "mfa": { "factors": ["Totp", "BackupCode"], "policy": "UserControlled" } });
    management.patch("/api/sign-in-exp", change).await.expect(200);
    let totp = management.post(&format!("{user}/mfa-verifications"), json!({ "type": "Totp" })).await.expect(200);
    let codes =
        management.post(&format!("{user}/mfa-verifications"), json!({ "type": "BackupCode" })).await.expect(200);
    let token = management.post(&format!("{user}/personal-access-tokens"), json!({ "name": "ci" })).await.expect(201);
    server.exchange(&server.customer_token().await).access_token().await;
    casey.actor.get("/api/my-account/export").await.expect_api_error(401, "verification_record.permission_denied");
    let all = casey.proved(Method::GET, "/export", Value::Null).await.expect(200).body;
    assert_eq!((&all["user"]["id"], &all["user"]["username"]), (&json!(casey.id), &json!("customer")));
    assert_eq!(all["secondFactors"].as_array().unwrap().len(), 2);
    assert_eq!((&all["personalAccessTokens"][0]["name"], &all["sessions"][0]["amr"]), (&json!("ci"), &json!(["pwd"])));
    assert_eq!(all["impersonations"][0]["reason"], "a stuck order");
    for part in ["settings", "grants", "roles", "organizations", "organizationRoles", "exportedAt"] {
        assert!(!all[part].is_null(), "{part}");
    }
    let text = all.to_string();
    let digest: (String,) = {
        let sql = "SELECT password_digest FROM users WHERE id = $1";
        server.begin().await.sql(sql).bind(&casey.id).one().await.unwrap()
    };
    for secret in [totp.text("secret"), codes["codes"][0].as_str().unwrap().to_owned(), token.text("value"), digest.0] {
        assert!(!text.contains(&secret), "{secret}");
    }
    assert!(!text.contains("igest\":\"") && !text.contains("sealed"), "{text}");
    let logs = audit::list_by_key(&mut server.begin().await, "Account.User.Export", 10).await.unwrap();
    assert_eq!(logs.iter().filter(|log| log.payload["result"] == "Success").count(), 1);
});

both!(people_delete_their_account_where_they_may, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let answer = casey.proved(Method::DELETE, "", Value::Null).await;
    answer.expect_api_error(403, "account_center.deletion_not_enabled");
    settings(&server, json!({ "deletionEnabled": true })).await;
    // What a token may not see, it does not delete.
    for scope in ["openid profile", &ALL.replace(" identities", "")] {
        let narrow = with(&server, &casey.id, scope).await;
        narrow.proved(Method::DELETE, "", Value::Null).await.expect_api_error(401, "auth.unauthorized");
    }
    casey.actor.delete("/api/my-account").await.expect_api_error(401, "verification_record.permission_denied");
    let management = server.management().await;
    management.get(&format!("/api/users/{}", casey.id)).await.expect(200);
    casey.proved(Method::DELETE, "", Value::Null).await.expect(204);
    management.get(&format!("/api/users/{}", casey.id)).await.expect(404);
    casey.actor.get("/api/my-account").await.expect_api_error(401, "auth.unauthorized");
    let body = json!({ "password": PASSWORD });
    casey.actor.post("/api/verifications/password", body).await.expect_api_error(401, "auth.unauthorized");
    let logs = audit::list_by_key(&mut server.begin().await, "Account.User.Delete", 10).await.unwrap();
    let done: Vec<_> = logs.iter().filter(|log| log.payload["result"] == "Success").collect();
    assert_eq!((done.len(), &done[0].payload["userId"]), (1, &json!(casey.id)));
});
