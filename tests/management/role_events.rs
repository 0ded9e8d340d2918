//! Events of changed roles, which hooks subscribe to by name (`docs/decisions/events-by-name-only.md`).

use crate::fixtures::{NOBODY, role, user};
use claimsmith_storage::hooks;
use claimsmith_test_support::{Actor, Answer, TestServer, both};
use reqwest::Method;
use serde_json::{Value, json};

const OF_USER: &str = "User.Roles.Updated";
const OF_MEMBER: &str = "Organization.Membership.Roles.Updated";

async fn hook(management: &Actor, events: &[&str]) -> String {
    let body = json!({ "events": events, "config": { "url": "https://receiver.test" } });
    management.post("/api/hooks", body).await.expect(201).text("id")
}

/// What a hook has been told, in the order of ids of those told at once: event, status, and what changed.
async fn told(server: &TestServer, hook_id: &str, skip: usize) -> Vec<Value> {
    let mut tx = server.begin().await;
    let events = hooks::outbox::events_for(&mut tx, &hook_id.into()).await.unwrap();
    let shown = |text: &str| {
        let mut event: Value = serde_json::from_str(text).unwrap();
        let members = event.as_object_mut().unwrap();
        for name in ["createdAt", "ip", "userAgent", "path", "method", "params", "matchedRoute"] {
            members.remove(name);
        }
        event
    };
    events.iter().skip(skip).map(|event| shown(&event.payload)).collect()
}

struct Story<'s> {
    server: &'s TestServer,
    management: Actor,
    hook_id: String,
    seen: usize,
}

impl Story<'_> {
    /// Sends a request, and compares the events that it makes.
    async fn step(&mut self, method: Method, path: &str, body: Value, status: u16, expected: &[Value]) {
        let answer = self.management.send(method.clone(), path, body).await;
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.body);
        let mut events = told(self.server, &self.hook_id, self.seen).await;
        self.seen += events.len();
        let mut expected = expected.to_vec();
        events.sort_by_key(|event| event["userId"].to_string());
        expected.sort_by_key(|event| event["userId"].to_string());
        assert_eq!(events, expected, "{method} {path}");
    }
}

both!(changed_roles_of_users_are_told_whichever_way_they_change, async |server: TestServer| {
    let management = server.management().await;
    let (ada, bob) = (user(&management, "ada").await, user(&management, "bob").await);
    let first = role(&management, "first", "User", &[]).await;
    let second = role(&management, "second", "User", &[]).await;
    let families = hook(&management, &["*", "User.*", "Organization.*"]).await;
    let hook_id = hook(&management, &[OF_USER]).await;
    let mut story = Story { server: &server, management, hook_id, seen: 0 };
    let event = |status: u16, user: &str, changes: Value| {
        let mut event = json!({ "event": OF_USER, "status": status, "userId": user });
        event.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        event
    };
    let roles = format!("/api/users/{ada}/roles");
    let added = |status, user: &str, id: &String| event(status, user, json!({ "addedRoleIds": [id] }));
    let removed = |user: &str, id: &String| event(204, user, json!({ "removedRoleIds": [id] }));

    let body = json!({ "roleIds": [first] });
    story.step(Method::POST, &roles, body.clone(), 201, &[added(201, &ada, &first)]).await;
    // Changes nothing.
    story.step(Method::POST, &roles, body, 201, &[event(201, &ada, json!({}))]).await;
    let changes = json!({ "addedRoleIds": [second], "removedRoleIds": [first] });
    story.step(Method::PUT, &roles, json!({ "roleIds": [second] }), 200, &[event(200, &ada, changes)]).await;
    story.step(Method::DELETE, &format!("{roles}/{second}"), Value::Null, 204, &[removed(&ada, &second)]).await;
    // Refused, so nothing happened.
    story.step(Method::DELETE, &format!("{roles}/{second}"), Value::Null, 404, &[]).await;
    story.step(Method::POST, &roles, json!({ "roleIds": [first, NOBODY] }), 404, &[]).await;

    let holders = format!("/api/roles/{first}/users");
    let both = json!({ "userIds": [ada, bob] });
    let events = [added(201, &ada, &first), added(201, &bob, &first)];
    story.step(Method::POST, &holders, both.clone(), 201, &events).await;
    story.step(Method::POST, &holders, both, 422, &[]).await;
    story.step(Method::DELETE, &format!("{holders}/{bob}"), Value::Null, 204, &[removed(&bob, &first)]).await;
    // What ends is told by its own event.
    story.step(Method::DELETE, &format!("/api/users/{ada}"), Value::Null, 204, &[]).await;

    // New users get the default roles.
    let body = json!({ "isDefault": true });
    story.step(Method::PATCH, &format!("/api/roles/{second}"), body, 200, &[]).await;
    let created = user(&story.management, "cem").await;
    assert_eq!(told(&server, &story.hook_id, story.seen).await, [added(200, &created, &second)]);
    let import = story.management.request(Method::POST, "/api/users/import");
    let import = import.header("content-type", "application/jsonl").body("{\"username\":\"dan\"}\n");
    Answer::of(import).await.expect(200);
    let imported = told(&server, &story.hook_id, story.seen + 1).await;
    assert_eq!((imported.len(), &imported[0]["addedRoleIds"]), (1, &json!([second])));
    let names = told(&server, &families, 0).await;
    assert!(names.iter().all(|event| event["event"] != OF_USER) && !names.is_empty(), "{names:?}");
});

both!(changed_roles_of_members_are_told_whichever_way_they_change, async |server: TestServer| {
    let management = server.management().await;
    let (ada, bob) = (user(&management, "ada").await, user(&management, "bob").await);
    let organization = management.post("/api/organizations", json!({ "name": "Zoo" })).await.expect(201).text("id");
    let mut roles = Vec::new();
    for name in ["captain", "keeper"] {
        roles.push(management.post("/api/organization-roles", json!({ "name": name })).await.expect(201).text("id"));
    }
    let users = format!("/api/organizations/{organization}/users");
    management.post(&users, json!({ "userIds": [ada, bob] })).await.expect(201);
    let families = hook(&management, &["*", "User.*", "Organization.*"]).await;
    let hook_id = hook(&management, &[OF_MEMBER]).await;
    let mut story = Story { server: &server, management, hook_id, seen: 0 };
    let event = |status: u16, user: &str, changes: Value| {
        let mut event = json!({ "event": OF_MEMBER, "status": status, "organizationId": organization, "userId": user });
        event.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        event
    };
    let added = |status, user: &str, ids: &[&String]| event(status, user, json!({ "addedOrganizationRoleIds": ids }));
    let (captain, keeper) = (&roles[0], &roles[1]);
    let of_ada = format!("{users}/{ada}/roles");
    let body = |ids: &[&String]| json!({ "organizationRoleIds": ids });

    story.step(Method::POST, &of_ada, body(&[captain]), 201, &[added(201, &ada, &[captain])]).await;
    story.step(Method::POST, &of_ada, body(&[captain]), 201, &[event(201, &ada, json!({}))]).await;
    let changes = json!({ "addedOrganizationRoleIds": [keeper], "removedOrganizationRoleIds": [captain] });
    story.step(Method::PUT, &of_ada, body(&[keeper]), 204, &[event(204, &ada, changes)]).await;
    // Of several roles for several members, each is told what is new.
    let all = json!({ "userIds": [ada, bob], "organizationRoleIds": [keeper] });
    let events = [event(201, &ada, json!({})), added(201, &bob, &[keeper])];
    story.step(Method::POST, &format!("{users}/roles"), all, 201, &events).await;
    let removed = json!({ "removedOrganizationRoleIds": [keeper] });
    let path = format!("{of_ada}/{keeper}");
    story.step(Method::DELETE, &path, Value::Null, 204, &[event(204, &ada, removed)]).await;
    story.step(Method::DELETE, &path, Value::Null, 404, &[]).await;
    let stranger = format!("{users}/{NOBODY}/roles");
    story.step(Method::POST, &stranger, body(&[captain]), 422, &[]).await;

    // By an invitation.
    let eve = user(&story.management, "eve").await;
    let path = format!("/api/users/{eve}");
    story.step(Method::PATCH, &path, json!({ "primaryEmail": "eve@example.com" }), 200, &[]).await;
    let expires_at = server.clock.now_ms() + 3_600_000;
    let invitation = json!({
        "organizationId": organization, "invitee": "eve@example.com", "organizationRoleIds": [captain],
        "expiresAt": expires_at, "messagePayload": false,
    });
    let invited = story.management.post("/api/organization-invitations", invitation).await.expect(201);
    let path = format!("/api/organization-invitations/{}/status", invited.text("id"));
    let accepted = json!({ "status": "Accepted", "acceptedUserId": eve });
    story.step(Method::PUT, &path, accepted, 200, &[added(200, &eve, &[captain])]).await;
    // Who leaves is told by the event of the members.
    story.step(Method::DELETE, &format!("{users}/{ada}"), Value::Null, 204, &[]).await;
    let names = told(&server, &families, 0).await;
    assert!(names.iter().all(|event| event["event"] != OF_MEMBER) && !names.is_empty(), "{names:?}");
});

both!(the_catalogue_names_no_family_for_what_only_its_name_selects, async |server: TestServer| {
    let management = server.management().await;
    let listed = management.get("/api/hooks/events").await.expect(200).body;
    for name in [OF_USER, OF_MEMBER] {
        let event = listed.as_array().unwrap().iter().find(|one| one["event"] == name).unwrap();
        assert_eq!((&event["family"], &event["example"]["event"]), (&Value::Null, &json!(name)));
    }
});
