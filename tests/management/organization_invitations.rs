//! `/api/organization-invitations`.

use crate::fixtures::{NOBODY, texts};
use claimsmith_test_support::{Actor, Mailed, TestServer, both};
use serde_json::{Value, json};
use std::time::Duration;

const PATH: &str = "/api/organization-invitations";

/// An organization and a role in it.
async fn zoo(management: &Actor) -> (String, String) {
    let zoo = management.post("/api/organizations", json!({ "name": "Zoo" })).await.expect(201).text("id");
    let role = management.post("/api/organization-roles", json!({ "name": "guest" })).await.expect(201).text("id");
    (zoo, role)
}

async fn user_with(management: &Actor, email: &str) -> String {
    management.post("/api/users", json!({ "primaryEmail": email })).await.expect(200).text("id")
}

both!(whoever_accepts_is_a_member_with_the_roles, async |server: TestServer| {
    let management = server.management().await;
    let (zoo, role) = zoo(&management).await;
    let (inviter, other) =
        (user_with(&management, "boss@zoo.test").await, user_with(&management, "other@zoo.test").await);
    let now = server.clock.now_ms();
    let body = json!({
        "invitee": "Ada@Example.com", "organizationId": zoo, "expiresAt": now + 60_000, "inviterId": inviter,
        "organizationRoleIds": [role], "messagePayload": false,
    });
    let created = management.post(PATH, body.clone()).await.expect(201);
    let id = created.text("id");
    let mut shown = json!({
        "tenantId": "default", "id": id, "inviterId": inviter, "invitee": "ada@example.com", "acceptedUserId": null,
        "organizationId": zoo, "status": "Pending", "createdAt": now, "updatedAt": now, "expiresAt": now + 60_000,
        "organizationRoles": [{ "id": role, "name": "guest" }],
    });
    assert_eq!(created.body, shown);
    let path = format!("{PATH}/{id}");
    assert_eq!(management.get(&path).await.expect(200).body, shown);
    management.post(PATH, body.clone()).await.expect_api_error(422, "entity.unique_integrity_violation");
    for (query, found) in [
        (format!("organizationId={zoo}&invitee=ADA%40example.com&inviterId={inviter}"), 1),
        (format!("inviterId={other}"), 0),
        ("invitee=bob%40example.com".to_owned(), 0),
    ] {
        let listed = management.get(&format!("{PATH}?{query}")).await.expect(200).body;
        assert_eq!(listed.as_array().unwrap().len(), found, "{query}");
    }

    let status = format!("{path}/status");
    let accept = |user: &str| json!({ "status": "Accepted", "acceptedUserId": user });
    management.put(&status, accept(&other)).await.expect_api_error(422, "request.invalid_input");
    management.put(&status, accept(NOBODY)).await.expect_api_error(404, "entity.not_found");
    management.put(&status, json!({ "status": "Accepted" })).await.expect_api_error(400, "guard.invalid_input");
    management.put(&status, json!({ "status": "Expired" })).await.expect_api_error(400, "guard.invalid_input");
    let ada = user_with(&management, "ADA@example.com").await;
    let accepted = management.put(&status, accept(&ada)).await.expect(200);
    shown["status"] = json!("Accepted");
    shown["acceptedUserId"] = json!(ada);
    assert_eq!(accepted.body, shown);
    let members = management.get(&format!("/api/organizations/{zoo}/users")).await.expect(200).body;
    assert_eq!(texts(&members, "id"), [&ada]);
    assert_eq!(members[0]["organizationRoles"], json!([{ "id": role, "name": "guest" }]));

    // Once, and members are not invited.
    management.put(&status, accept(&ada)).await.expect_api_error(422, "request.invalid_input");
    management.put(&status, json!({ "status": "Accepted" })).await.expect_api_error(422, "request.invalid_input");
    management.put(&status, json!({ "status": "Revoked" })).await.expect_api_error(422, "request.invalid_input");
    management.post(PATH, body).await.expect_api_error(422, "request.invalid_input");
    management.delete(&path).await.expect(204);
    management.delete(&path).await.expect_api_error(404, "entity.not_found");
    management.get(&path).await.expect_api_error(404, "entity.not_exists_with_id");
    management.put(&status, accept(&ada)).await.expect_api_error(404, "entity.not_exists_with_id");
    assert_eq!(texts(&management.get(&format!("/api/organizations/{zoo}/users")).await.expect(200).body, "id"), [&ada]);
});

both!(an_invitation_is_over_when_its_time_is_or_when_it_is_revoked, async |server: TestServer| {
    let management = server.management().await;
    let (zoo, _) = zoo(&management).await;
    let ada = user_with(&management, "ada@example.com").await;
    let invite = async || {
        let end = server.clock.now_ms() + 60_000;
        let body = json!({ "invitee": "ada@example.com", "organizationId": zoo, "expiresAt": end });
        management.post(PATH, body).await.expect(201).text("id")
    };
    let status = async |id: &str| management.get(&format!("{PATH}/{id}")).await.expect(200).text("status");
    let first = invite().await;
    server.clock.advance(Duration::from_mins(1));
    assert_eq!(status(&first).await, "Expired");
    let accept = json!({ "status": "Accepted", "acceptedUserId": ada });
    let answer = management.put(&format!("{PATH}/{first}/status"), accept.clone()).await;
    answer.expect_api_error(422, "request.invalid_input");
    // It makes room for another.
    let second = invite().await;
    assert_eq!((status(&first).await.as_str(), status(&second).await.as_str()), ("Expired", "Pending"));
    let revoked = management.put(&format!("{PATH}/{second}/status"), json!({ "status": "Revoked" })).await.expect(200);
    assert_eq!((&revoked["status"], &revoked["acceptedUserId"]), (&json!("Revoked"), &Value::Null));
    let answer = management.put(&format!("{PATH}/{second}/status"), accept).await;
    answer.expect_api_error(422, "request.invalid_input");
    invite().await;
    management.delete(&format!("/api/organizations/{zoo}")).await.expect(204);
    assert_eq!(management.get(PATH).await.expect(200).body, json!([]));
});

both!(an_invitation_that_cannot_be_is_refused, async |server: TestServer| {
    let management = server.management().await;
    let (zoo, role) = zoo(&management).await;
    let now = server.clock.now_ms();
    let body = |key: &str, value: Value| {
        let mut body = json!({ "invitee": "ada@example.com", "organizationId": zoo, "expiresAt": now + 60_000 });
        body[key] = value;
        body
    };
    let unknown = "entity.relation_foreign_key_not_found";
    for (key, value, status, code) in [
        ("messagePayload", json!(true), 400, "guard.invalid_input"),
        ("messagePayload", json!(null), 400, "guard.invalid_input"),
        ("messagePayload", json!("text"), 400, "guard.invalid_input"),
        ("invitee", json!("nobody"), 400, "guard.invalid_input"),
        ("expiresAt", json!(now), 400, "request.invalid_input"),
        ("expiresAt", json!("tomorrow"), 400, "guard.invalid_input"),
        ("organizationId", json!(NOBODY), 422, unknown),
        ("inviterId", json!(NOBODY), 422, unknown),
        ("organizationRoleIds", json!([role, NOBODY]), 422, unknown),
        ("organizationRoleIds", json!("x"), 400, "guard.invalid_input"),
    ] {
        management.post(PATH, body(key, value)).await.expect_api_error(status, code);
    }
    assert_eq!(management.get(PATH).await.expect(200).body, json!([]));
    management.get(&format!("{PATH}?invitee=a&invitee=b")).await.expect_api_error(400, "guard.invalid_input");
});

both!(an_invitation_is_sent_and_sent_again, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let management = server.management().await;
    let (zoo, role) = zoo(&management).await;
    let invitation = |payload: Value| {
        json!({ "invitee": "ada@example.com", "organizationId": zoo, "expiresAt": server.clock.now_ms() + 60_000,
            "organizationRoleIds": [role], "messagePayload": payload })
    };
    let created = management.post(PATH, invitation(json!({}))).await.expect(201);
    let message = inbox.message("ada@example.com", 1).await;
    assert_eq!(
        (&message["type"], &message["payload"]["organization"]["name"]),
        (&json!("OrganizationInvitation"), &json!("Zoo"))
    );
    let link = message["payload"]["link"].as_str().unwrap();
    assert!(
        link.starts_with(&format!("{}/invitation?id={}&token=", server.report.base_url, created.text("id"))),
        "{link}"
    );
    let again = format!("{PATH}/{}/message", created.text("id"));
    management.post(&again, json!({ "link": "https://shop.example.com/join" })).await.expect(204);
    let second = inbox.message("ada@example.com", 2).await;
    assert_eq!(second["payload"]["link"], "https://shop.example.com/join");
    assert_eq!(second["payload"]["locale"], "en");
    // In the language that the caller names, with the built-in texts of that language.
    management.post(&again, json!({ "locale": "de" })).await.expect(204);
    assert_eq!(inbox.message("ada@example.com", 3).await["payload"]["locale"], "de");
    for locale in [json!("no language"), json!(1), json!("")] {
        management.post(&again, json!({ "locale": locale })).await.expect_api_error(400, "guard.invalid_input");
    }
    let status = format!("{PATH}/{}/status", created.text("id"));
    management.put(&status, json!({ "status": "Revoked" })).await.expect(200);
    management.post(&again, json!({})).await.expect_api_error(422, "request.invalid_input");
    management
        .post(&format!("{PATH}/unknown/message"), json!({}))
        .await
        .expect_api_error(404, "entity.not_exists_with_id");
    // One that is not made is not sent.
    user_with(&management, "lee@example.com").await;
    let unknown = json!({ "invitee": "lee@example.com", "organizationId": NOBODY, "messagePayload": {},
        "expiresAt": server.clock.now_ms() + 60_000 });
    management.post(PATH, unknown).await.expect_api_error(422, "entity.relation_foreign_key_not_found");
    assert_eq!(inbox.messages("lee@example.com"), [Value::Null; 0]);
});

both!(an_invitation_that_has_ended_is_not_sent_any_more, async |mailed: Mailed| {
    let Mailed { server, inbox } = mailed;
    let management = server.management().await;
    let (zoo, _) = zoo(&management).await;
    for (number, (email, ends)) in
        [("lee@example.com", "revoked"), ("ada@example.com", "accepted"), ("bob@example.com", "deleted")]
            .iter()
            .enumerate()
    {
        let user_id = user_with(&management, email).await;
        let body = json!({ "invitee": email, "organizationId": zoo, "messagePayload": {},
            "expiresAt": server.clock.now_ms() + 3_600_000 });
        let id = management.post(PATH, body).await.expect(201).text("id");
        inbox.message(email, 1).await;
        server.put_off(email).await;
        assert_eq!((server.withdrawn(email).await, inbox.count()), (0, number + 1));
        let status = format!("{PATH}/{id}/status");
        match *ends {
            "revoked" => drop(management.put(&status, json!({ "status": "Revoked" })).await.expect(200)),
            "accepted" => {
                let accepted = json!({ "status": "Accepted", "acceptedUserId": user_id });
                management.put(&status, accepted).await.expect(200);
            }
            _ => drop(management.delete(&format!("{PATH}/{id}")).await.expect(204)),
        }
        assert_eq!(server.withdrawn(email).await, 1, "{ends}");
    }
});
