//! Who acted as oneself: listed with reason and ticket, and ended at once.

use super::{ALL, Casey, casey, with};
use claimsmith_storage::audit;
use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};
use std::time::Duration;

const PATH: &str = "/api/my-account/impersonations";

/// Acts for the demo's customer as the engineer; answers the token.
async fn act(server: &TestServer) -> String {
    let demo = server.demo();
    let actor = server.mint(&demo.engineer_user_id, &demo.web_client_id, "openid").await;
    server.exchange(&server.customer_token().await).actor(&actor).as_web().access_token().await
}

async fn list(casey: &Casey) -> Value {
    casey.actor.get(PATH).await.expect(200).body
}

both!(a_person_sees_who_acted_as_them_and_ends_it, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    assert_eq!(list(&casey).await, json!([]));
    let token = act(&server).await;
    let demo = server.demo();
    let answer = casey.actor.get(PATH).await.expect(200);
    let one = &answer.body[0];
    let (id, now) = (one["id"].as_str().unwrap().to_owned(), server.clock.now_ms());
    let management = server.management().await;
    let erin = management.get(&format!("/api/users/{}", demo.engineer_user_id)).await.expect(200).body;
    let web = management.get(&format!("/api/applications/{}", demo.web_client_id)).await.expect(200).body;
    let expected = json!({
        "id": id, "actor": { "id": demo.engineer_user_id, "name": erin["name"] },
        "application": { "id": demo.web_client_id, "name": web["name"] },
        "resource": demo.resource, "scope": "resource:read", "organizationId": null,
        "reason": "a stuck order", "ticketId": "TECH-1234", "isActive": true,
        "createdAt": now, "expiresAt": now + 3_600_000, "endedAt": null,
    });
    assert_eq!((one, answer.header("total-number")), (&expected, Some("1")));

    assert_eq!(server.introspect_as_web(&token).await["active"], true);
    let path = format!("{PATH}/{id}");
    for _ in 0..2 {
        casey.actor.delete(&path).await.expect(204);
        assert_eq!(server.introspect_as_web(&token).await, json!({ "active": false }));
    }
    assert_eq!((&list(&casey).await[0]["isActive"], &list(&casey).await[0]["endedAt"]), (&json!(false), &json!(now)));
    let logs = audit::list_by_key(&mut server.begin().await, "Account.Impersonation.End", 10).await.unwrap();
    assert_eq!((logs.len(), &logs[0].payload["jti"], &logs[0].payload["by"]), (1, &json!(id), &json!("user")));
    assert_eq!(logs[0].payload["actorId"], json!(demo.engineer_user_id));
    let shown = management.get(&format!("/api/impersonations/{id}")).await.expect(200).body;
    assert_eq!(shown["endedAt"], json!(now));
});

both!(nobody_ends_what_is_none_of_theirs, async |server: TestServer| {
    let casey = casey(&server, ALL).await;
    let token = act(&server).await;
    let id = list(&casey).await[0]["id"].as_str().unwrap().to_owned();
    let erin = with(&server, &server.demo().engineer_user_id, ALL).await;
    assert_eq!(list(&erin).await, json!([]), "it is not theirs who acted");
    let path = format!("{PATH}/{id}");
    erin.actor.delete(&path).await.expect_api_error(404, "entity.not_found");
    // Who acts as somebody does not hide it.
    server.bearer(&token).get(PATH).await.expect_api_error(403, "auth.forbidden");
    server.bearer(&token).delete(&path).await.expect_api_error(403, "auth.forbidden");
    casey.actor.delete(&format!("{PATH}/nothing")).await.expect_api_error(404, "entity.not_found");
    assert_eq!(server.introspect_as_web(&token).await["active"], true);
    // What is over is not ended.
    server.clock.advance(Duration::from_secs(3600));
    let casey = with(&server, &casey.id, ALL).await;
    casey.actor.delete(&path).await.expect(204);
    assert_eq!(list(&casey).await[0]["endedAt"], Value::Null);
    assert_eq!(list(&casey).await[0]["isActive"], false);
});
