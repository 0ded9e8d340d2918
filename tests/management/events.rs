//! Every operation that makes an event, over HTTP, and the event in the outbox (`docs/decisions/webhook-events.md`).

use crate::fixtures::NOBODY;
use claimsmith_storage::hooks;
use claimsmith_test_support::{Actor, Answer, TestServer, both};
use reqwest::Method;
use serde_json::{Map, Value, json};

/// What an event carries as `data`.
#[derive(Clone, Copy)]
enum Data {
    /// What was answered.
    Answered,
    /// What there was before, as a user is shown without `hasPassword`.
    Former,
    /// What this path lists now.
    Listed(&'static str),
    /// Nothing.
    Nothing,
}

/// An operation. Names in braces stand for ids that earlier operations answered.
struct Operation {
    method: Method,
    route: &'static str,
    body: Value,
    status: u16,
    /// Remembers the id in the answer under this name.
    makes: &'static str,
    events: Vec<(&'static str, Data)>,
    /// What the last event carries besides.
    details: Value,
}

fn operation(method: Method, route: &'static str, body: Value, status: u16, event: (&'static str, Data)) -> Operation {
    Operation { method, route, body, status, makes: "", events: vec![event], details: json!({}) }
}

impl Operation {
    fn makes(self, name: &'static str) -> Self {
        Self { makes: name, ..self }
    }

    fn and(mut self, event: &'static str, data: Data) -> Self {
        self.events.push((event, data));
        self
    }

    fn telling(self, details: Value) -> Self {
        Self { details, ..self }
    }
}

const NONE: Value = Value::Null;

fn users() -> Vec<Operation> {
    use Data::{Answered, Former};
    vec![
        operation(Method::POST, "/users", json!({ "username": "ada" }), 200, ("User.Created", Answered))
            .makes("userId"),
        operation(
            Method::PATCH,
            "/users/{userId}/is-suspended",
            json!({ "isSuspended": true }),
            200,
            ("User.SuspensionStatus.Updated", Answered),
        ),
        operation(Method::PATCH, "/users/{userId}", json!({ "name": "Ada" }), 200, ("User.Data.Updated", Answered)),
        // Changes nothing.
        operation(Method::PATCH, "/users/{userId}", json!({ "name": "Ada" }), 200, ("User.Data.Updated", Answered)),
        operation(
            Method::PATCH,
            "/users/{userId}/custom-data",
            json!({ "customData": { "tier": "gold" } }),
            200,
            ("User.Data.Updated", Answered),
        ),
        operation(
            Method::PATCH,
            "/users/{userId}/profile",
            json!({ "profile": { "givenName": "Ada" } }),
            200,
            ("User.Data.Updated", Answered),
        ),
        operation(
            Method::PATCH,
            "/users/{userId}/password",
            json!({ "password": "engine 1843" }),
            200,
            ("User.Data.Updated", Answered),
        ),
        operation(Method::DELETE, "/users/{userId}", NONE, 204, ("User.Deleted", Former)),
    ]
}

fn roles() -> Vec<Operation> {
    use Data::{Answered, Nothing};
    vec![
        operation(
            Method::POST,
            "/resources/{resourceId}/scopes",
            json!({ "name": "orders:read" }),
            201,
            ("Scope.Created", Answered),
        )
        .makes("scopeId"),
        operation(
            Method::POST,
            "/roles",
            json!({ "name": "readers", "description": "d", "scopeIds": [] }),
            200,
            ("Role.Created", Answered),
        )
        .makes("id"),
        operation(
            Method::POST,
            "/roles",
            json!({ "name": "writers", "description": "d", "scopeIds": ["{scopeId}"] }),
            200,
            ("Role.Created", Answered),
        )
        .makes("other")
        .and("Role.Scopes.Updated", Data::Listed("/resources/{resourceId}/scopes"))
        .telling(json!({ "roleId": "{other}" })),
        operation(
            Method::POST,
            "/roles/{id}/scopes",
            json!({ "scopeIds": ["{scopeId}"] }),
            201,
            ("Role.Scopes.Updated", Answered),
        ),
        operation(
            Method::PATCH,
            "/roles/{id}",
            json!({ "description": "They read.", "isDefault": true }),
            200,
            ("Role.Data.Updated", Answered),
        ),
        // Nothing changes, and it is told all the same.
        operation(Method::PATCH, "/roles/{id}", json!({}), 200, ("Role.Data.Updated", Answered)),
        operation(
            Method::PATCH,
            "/resources/{resourceId}/scopes/{scopeId}",
            json!({ "name": "orders:list", "description": "See orders." }),
            200,
            ("Scope.Data.Updated", Answered),
        ),
        operation(Method::DELETE, "/roles/{id}/scopes/{scopeId}", NONE, 204, ("Role.Scopes.Updated", Nothing)),
        operation(Method::DELETE, "/roles/{id}", NONE, 204, ("Role.Deleted", Nothing)),
        operation(Method::DELETE, "/resources/{resourceId}/scopes/{scopeId}", NONE, 204, ("Scope.Deleted", Nothing)),
    ]
}

fn organizations() -> Vec<Operation> {
    use Data::{Answered, Nothing};
    const MEMBERS: (&str, Data) = ("Organization.Membership.Updated", Data::Nothing);
    const SCOPES: (&str, Data) = ("OrganizationRole.Scopes.Updated", Data::Nothing);
    let members = |method, route, body, status, changes: Value| {
        let mut details = json!({ "organizationId": "{id}" });
        details.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        operation(method, route, body, status, MEMBERS).telling(details)
    };
    let named = |name: &str| json!({ "name": name });
    vec![
        operation(Method::POST, "/users", json!({ "username": "bob" }), 200, ("User.Created", Answered)).makes("bob"),
        operation(Method::POST, "/users", json!({ "username": "cem" }), 200, ("User.Created", Answered))
            .makes("userId"),
        operation(Method::POST, "/organizations", named("Zoo"), 201, ("Organization.Created", Answered)).makes("id"),
        operation(Method::PATCH, "/organizations/{id}", named("Ark"), 200, ("Organization.Data.Updated", Answered)),
        members(
            Method::POST,
            "/organizations/{id}/users",
            json!({ "userIds": ["{bob}"] }),
            201,
            json!({ "addedUserIds": ["{bob}"] }),
        ),
        // Changes nothing.
        members(Method::POST, "/organizations/{id}/users", json!({ "userIds": ["{bob}"] }), 201, json!({})),
        members(
            Method::PUT,
            "/organizations/{id}/users",
            json!({ "userIds": ["{userId}"] }),
            204,
            json!({ "addedUserIds": ["{userId}"], "removedUserIds": ["{bob}"] }),
        ),
        members(
            Method::DELETE,
            "/organizations/{id}/users/{userId}",
            NONE,
            204,
            json!({ "removedUserIds": ["{userId}"] }),
        ),
        operation(Method::DELETE, "/organizations/{id}", NONE, 204, ("Organization.Deleted", Nothing)),
        operation(Method::POST, "/organization-scopes", named("feed"), 201, ("OrganizationScope.Created", Answered))
            .makes("organizationScopeId"),
        operation(Method::POST, "/organization-scopes", named("b"), 201, ("OrganizationScope.Created", Answered))
            .makes("id"),
        operation(
            Method::PATCH,
            "/organization-scopes/{id}",
            named("c"),
            200,
            ("OrganizationScope.Data.Updated", Answered),
        ),
        operation(Method::DELETE, "/organization-scopes/{id}", NONE, 204, ("OrganizationScope.Deleted", Nothing)),
        operation(
            Method::POST,
            "/organization-roles",
            json!({ "name": "captain", "organizationScopeIds": [], "resourceScopeIds": [] }),
            201,
            ("OrganizationRole.Created", Answered),
        )
        .makes("id"),
        operation(
            Method::POST,
            "/organization-roles",
            json!({ "name": "keeper", "organizationScopeIds": ["{organizationScopeId}"] }),
            201,
            ("OrganizationRole.Created", Answered),
        )
        .makes("keeper")
        .and("OrganizationRole.Scopes.Updated", Nothing)
        .telling(json!({ "organizationRoleId": "{keeper}" })),
        operation(
            Method::PATCH,
            "/organization-roles/{id}",
            named("admiral"),
            200,
            ("OrganizationRole.Data.Updated", Answered),
        ),
        operation(
            Method::POST,
            "/organization-roles/{id}/scopes",
            json!({ "organizationScopeIds": ["{organizationScopeId}"] }),
            201,
            SCOPES,
        ),
        operation(
            Method::PUT,
            "/organization-roles/{id}/scopes",
            json!({ "organizationScopeIds": ["{organizationScopeId}"] }),
            204,
            SCOPES,
        ),
        operation(Method::DELETE, "/organization-roles/{id}/scopes/{organizationScopeId}", NONE, 204, SCOPES),
        operation(Method::DELETE, "/organization-roles/{id}", NONE, 204, ("OrganizationRole.Deleted", Nothing)),
    ]
}

/// The ids that stand for names.
struct World<'s> {
    server: &'s TestServer,
    management: Actor,
    hook_id: String,
    ids: Map<String, Value>,
}

impl World<'_> {
    fn fill(&self, text: &str) -> String {
        self.ids
            .iter()
            .fold(text.to_owned(), |text, (name, id)| text.replace(&format!("{{{name}}}"), id.as_str().unwrap()))
    }

    /// The events that the hook is to be told of, oldest first, from the `skip`th.
    async fn events(&self, skip: usize) -> Vec<Value> {
        let mut tx = self.server.begin().await;
        let events = hooks::outbox::events_for(&mut tx, &self.hook_id.as_str().into()).await.unwrap();
        events.into_iter().skip(skip).map(|event| serde_json::from_str(&event.payload).unwrap()).collect()
    }

    async fn run(&mut self, operation: &Operation) {
        // One millisecond an operation: events are in the order of their times.
        self.server.clock.advance(std::time::Duration::from_millis(1));
        let told = self.events(0).await.len();
        let path = self.fill(operation.route);
        let body: Value = serde_json::from_str(&self.fill(&operation.body.to_string())).unwrap();
        let former = if operation.method == Method::DELETE {
            self.management.get(&format!("/api{path}")).await.body
        } else {
            Value::Null
        };
        let answer = self.management.send(operation.method.clone(), &format!("/api{path}"), body).await;
        assert_eq!(answer.status, operation.status, "{} {path}: {:#}", operation.method, answer.body);
        if !operation.makes.is_empty() {
            self.ids.insert(operation.makes.to_owned(), answer["id"].clone());
        }
        let mut events = self.events(told).await;
        let mut expected = Vec::new();
        for event in &operation.events {
            expected.push(self.expected(operation, *event, &answer, &former).await);
        }
        if let (Some(Value::Object(last)), Value::Object(details)) = (expected.last_mut(), &operation.details) {
            let details: Value = serde_json::from_str(&self.fill(&json!(details).to_string())).unwrap();
            last.extend(details.as_object().unwrap().clone());
        }
        // Those of one operation happen at once.
        let name = |event: &Value| event["event"].as_str().unwrap().to_owned();
        events.sort_by_key(name);
        expected.sort_by_key(name);
        assert_eq!(json!(events), json!(expected), "{} {path}", operation.method);
    }

    async fn expected(&self, operation: &Operation, event: (&str, Data), answer: &Answer, former: &Value) -> Value {
        let names = operation.route.split('{').skip(1).filter_map(|rest| rest.split('}').next());
        let params: Map<String, Value> = names.map(|name| (name.to_owned(), self.ids[name].clone())).collect();
        let now = std::time::UNIX_EPOCH + std::time::Duration::from_millis(self.server.clock.now_ms().unsigned_abs());
        let mut payload = json!({
            "event": event.0,
            "createdAt": humantime::format_rfc3339_millis(now).to_string(),
            "ip": "127.0.0.1",
            "path": self.fill(operation.route),
            "method": operation.method.as_str(),
            "status": operation.status,
            "params": params,
            "matchedRoute": operation.route.replace('{', ":").replace('}', ""),
        });
        match event.1 {
            Data::Answered => payload["data"] = answer.body.clone(),
            Data::Former => {
                payload["data"] = former.clone();
                payload["data"].as_object_mut().unwrap().remove("hasPassword");
            }
            Data::Listed(path) => {
                payload["data"] = self.management.get(&format!("/api{}", self.fill(path))).await.expect(200).body;
            }
            Data::Nothing => {}
        }
        payload
    }
}

/// Every event that the Management API can cause.
const EVENTS: [&str; 22] = [
    "User.Created",
    "User.Deleted",
    "User.Data.Updated",
    "User.SuspensionStatus.Updated",
    "Role.Created",
    "Role.Deleted",
    "Role.Data.Updated",
    "Role.Scopes.Updated",
    "Scope.Created",
    "Scope.Deleted",
    "Scope.Data.Updated",
    "Organization.Created",
    "Organization.Deleted",
    "Organization.Data.Updated",
    "Organization.Membership.Updated",
    "OrganizationRole.Created",
    "OrganizationRole.Deleted",
    "OrganizationRole.Data.Updated",
    "OrganizationRole.Scopes.Updated",
    "OrganizationScope.Created",
    "OrganizationScope.Deleted",
    "OrganizationScope.Data.Updated",
];

async fn hook(management: &Actor, events: &[&str], enabled: bool) -> String {
    let body = json!({ "events": events, "config": { "url": "https://receiver.test" }, "enabled": enabled });
    management.post("/api/hooks", body).await.expect(201).text("id")
}

both!(every_operation_leaves_its_event, async |server: TestServer| {
    let management = server.management().await;
    let resource = json!({ "name": "Orders", "indicator": "https://orders.test" });
    let resource_id = management.post("/api/resources", resource).await.expect(201).text("id");
    let hook_id = hook(&management, &EVENTS, true).await;
    let ids = Map::from_iter([("resourceId".to_owned(), json!(resource_id))]);
    let mut world = World { server: &server, management, hook_id, ids };
    for operation in users().iter().chain(&roles()).chain(&organizations()) {
        world.run(operation).await;
    }
});

both!(an_event_is_left_for_hooks_that_want_it_and_with_its_change, async |server: TestServer| {
    let management = server.management().await;
    let wants = hook(&management, &["User.Created"], true).await;
    let other = hook(&management, &["User.Deleted"], true).await;
    let off = hook(&management, &["User.Created"], false).await;
    management.post("/api/users", json!({ "username": "ada" })).await.expect(200);
    // Refused, so nothing happened.
    management.post("/api/users", json!({ "username": "ada" })).await.expect(422);
    management.delete(&format!("/api/users/{NOBODY}")).await.expect(404);
    let mut tx = server.begin().await;
    for (id, told) in [(wants, 1), (other, 0), (off, 0)] {
        assert_eq!(hooks::outbox::events_for(&mut tx, &id.as_str().into()).await.unwrap().len(), told);
    }
});
