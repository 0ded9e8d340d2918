//! `/api/my-account/trusted-devices`.

use super::{casey, settings, sign_in_settings, with};
use claimsmith_domain::id::UserId;
use claimsmith_storage::sessions::trusted_devices::{self, TrustedDevice};
use claimsmith_test_support::{TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};

const SCOPE: &str = "openid urn:logto:scope:trusted_devices";
const PATH: &str = "/trusted-devices";

/// Trusts a device for a day.
async fn give(server: &TestServer, user_id: &UserId, id: &str) {
    let now = server.clock.now_ms();
    let device = TrustedDevice {
        id: id.into(),
        user_id: user_id.clone(),
        hash: id.to_owned(),
        user_agent: Some("Mozilla/5.0 Firefox/140.0".to_owned()),
        ip: Some("192.0.2.7".to_owned()),
        created_at: now,
        last_used_at: now,
        expires_at: now + 86_400_000,
    };
    let mut tx = server.begin().await;
    trusted_devices::put(&mut tx, &device).await.unwrap();
    tx.commit().await.unwrap();
}

both!(people_see_and_end_the_trust_in_their_devices, async |server: TestServer| {
    sign_in_settings(&server, json!({ "trustedDevice": { "enabled": true } })).await;
    let casey = casey(&server, SCOPE).await;
    let engineer = server.demo().engineer_user_id.clone();
    give(&server, &casey.id, "d1").await;
    give(&server, &engineer, "d2").await;
    let refused = casey.send("nothing", Method::GET, PATH, Value::Null).await;
    refused.expect_api_error(401, "verification_record.permission_denied");
    let listed = casey.proved(Method::GET, PATH, Value::Null).await.expect(200);
    assert_eq!(listed.header("total-number"), Some("1"));
    let listed = listed.body;
    let created = claimsmith_domain::clock::iso8601(server.clock.now_ms());
    assert_eq!((&listed[0]["id"], &listed[0]["createdAt"]), (&json!("d1"), &json!(created)));
    assert_eq!((&listed[0]["isCurrent"], &listed[0]["ip"]), (&json!(false), &json!("192.0.2.7")));
    assert!(listed[0].get("hash").is_none());
    let one = format!("{PATH}/d1");
    let refused = casey.send("nothing", Method::DELETE, &one, Value::Null).await;
    refused.expect_api_error(401, "verification_record.permission_denied");
    let of_another = casey.proved(Method::DELETE, &format!("{PATH}/d2"), Value::Null).await;
    of_another.expect_api_error(404, "entity.not_found");
    casey.proved(Method::DELETE, &one, Value::Null).await.expect(204);
    casey.proved(Method::DELETE, &one, Value::Null).await.expect_api_error(404, "entity.not_found");
    // Not without the scope, and not where the field is off.
    let narrow = with(&server, &casey.id, "openid profile").await;
    let refused = narrow.proved(Method::GET, PATH, Value::Null).await;
    refused.expect_api_error(401, "auth.unauthorized");
    give(&server, &casey.id, "d3").await;
    settings(&server, json!({ "fields": { "trustedDevice": "ReadOnly" } })).await;
    casey.proved(Method::GET, PATH, Value::Null).await.expect(200);
    let refused = casey.proved(Method::DELETE, &format!("{PATH}/d3"), Value::Null).await;
    refused.expect_api_error(400, "account_center.field_not_editable");
    settings(&server, json!({ "fields": { "trustedDevice": "Off" } })).await;
    let refused = casey.proved(Method::GET, PATH, Value::Null).await;
    refused.expect_api_error(400, "account_center.field_not_enabled");
});
