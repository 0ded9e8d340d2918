//! Invalid input of roles, resources, scopes and applications: the error names the fault, and nothing is written.

use crate::fixtures::{NOBODY, machine, role, scope, user};
use claimsmith_test_support::{Actor, Answer, TestServer, both};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

/// One of each kind.
struct World {
    management: Actor,
    user: String,
    role: String,
    machines: String,
    resource: String,
    scope: String,
    application: String,
}

impl World {
    async fn of(server: &TestServer) -> Self {
        let management = server.management().await;
        let user = user(&management, "somebody").await;
        let (resource, scope) = scope(&management, "https://taken.test", "taken").await;
        let role = role(&management, "taken", "User", &[&scope]).await;
        let machines = crate::fixtures::role(&management, "machines", "MachineToMachine", &[]).await;
        let (application, _) = machine(&management, "backend").await;
        for (path, body) in [
            (format!("/api/roles/{role}/users"), json!({ "userIds": [user] })),
            (format!("/api/roles/{machines}/applications"), json!({ "applicationIds": [application] })),
        ] {
            management.post(&path, body).await.expect(201);
        }
        Self { management, user, role, machines, resource, scope, application }
    }

    /// `METHOD /path` with ids for names.
    fn route(&self, operation: &str) -> (Method, String) {
        let (method, path) = operation.split_once(' ').unwrap();
        let path = path
            .replace("{role}", &self.role)
            .replace("{machines}", &self.machines)
            .replace("{resource}", &self.resource)
            .replace("{scope}", &self.scope)
            .replace("{application}", &self.application);
        (Method::from_bytes(method.as_bytes()).unwrap(), format!("/api{path}"))
    }

    async fn send(&self, operation: &str, body: Value) -> Answer {
        let (method, path) = self.route(operation);
        self.management.send(method, &path, body).await
    }

    async fn send_text(&self, operation: &str, text: &str) -> Answer {
        let (method, path) = self.route(operation);
        let request = self.management.request(method, &path).header(CONTENT_TYPE, "application/json");
        Answer::of(request.body(text.to_owned())).await
    }

    /// All that there is.
    async fn all(&self) -> Vec<Value> {
        let mut all = Vec::new();
        for list in LISTS.iter().chain(&["/resources?includeScopes=true", "/applications/{application}/secrets"]) {
            all.push(self.send(&format!("GET {list}"), Value::Null).await.expect(200).body);
        }
        all
    }
}

/// Lists in pages.
const LISTS: [&str; 8] = [
    "/roles",
    "/roles/{role}/scopes",
    "/roles/{role}/users",
    "/roles/{machines}/applications",
    "/resources",
    "/resources/{resource}/scopes",
    "/applications",
    "/applications/{application}/roles",
];

/// Operations that read a body.
const WRITES: [&str; 17] = [
    "POST /roles",
    "PATCH /roles/{role}",
    "POST /roles/{role}/scopes",
    "POST /roles/{role}/users",
    "POST /roles/{machines}/applications",
    "POST /resources",
    "PATCH /resources/{resource}",
    "PATCH /resources/{resource}/is-default",
    "POST /resources/{resource}/scopes",
    "PATCH /resources/{resource}/scopes/{scope}",
    "POST /applications",
    "PATCH /applications/{application}",
    "PATCH /applications/{application}/custom-data",
    "POST /applications/{application}/secrets",
    "PATCH /applications/{application}/secrets/Default%20secret",
    "POST /applications/{application}/roles",
    "PUT /applications/{application}/roles",
];

both!(invalid_bodies_are_distinguished, async |server: TestServer| {
    let world = World::of(&server).await;
    let before = world.all().await;
    let deep_list = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep_object = format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    let large = format!("{{\"name\":\"{}\"}}", "a".repeat(1024 * 1024));
    for operation in WRITES {
        for text in ["{", "{\"name\": }", "nonsense", "{\"name\":\"a\"} trailing", &deep_list, &deep_object] {
            world.send_text(operation, text).await.expect_api_error(400, "request.invalid_json");
        }
        for text in ["[]", "null", "\"text\"", "{\"name\":\"a\\u0000b\",\"x\\u0000\":1}"] {
            world.send_text(operation, text).await.expect_api_error(400, "guard.invalid_input");
        }
        world.send_text(operation, &large).await.expect_api_error(413, "request.body_too_large");
    }
    assert_eq!(world.all().await, before);
});

both!(fields_that_are_wrong_are_named, async |server: TestServer| {
    let world = World::of(&server).await;
    let before = world.all().await;
    let (long, longer) = ("a".repeat(129), "a".repeat(257));
    let ids = vec!["x"; 1001];
    let cases: Vec<(&str, Vec<(Value, &str)>)> = vec![
        (
            "PATCH /roles/{role}",
            vec![
                (json!({ "name": long }), "name"),
                (json!({ "name": "" }), "name"),
                (json!({ "name": null }), "name"),
                (json!({ "name": 1 }), "name"),
                (json!({ "description": long }), "description"),
                (json!({ "description": null }), "description"),
                (json!({ "isDefault": "yes" }), "isDefault"),
                (json!({ "isDefault": null }), "isDefault"),
                // What comes before the field that is wrong is not written either.
                (json!({ "name": "half", "description": "half", "isDefault": 1 }), "isDefault"),
            ],
        ),
        (
            "POST /roles/{role}/scopes",
            vec![
                (json!({}), "scopeIds"),
                (json!({ "scopeIds": [] }), "scopeIds"),
                (json!({ "scopeIds": ids }), "scopeIds"),
            ],
        ),
        (
            "POST /roles/{role}/users",
            vec![(json!({ "userIds": null }), "userIds"), (json!({ "userIds": [null] }), "userIds[0]")],
        ),
        (
            "POST /roles/{machines}/applications",
            vec![
                (json!({ "applicationIds": [] }), "applicationIds"),
                (json!({ "applicationIds": { "a": 1 } }), "applicationIds"),
                (json!({ "applicationIds": [long] }), "applicationIds"),
            ],
        ),
        (
            "PATCH /resources/{resource}",
            vec![
                (json!({ "name": longer }), "name"),
                (json!({ "name": null }), "name"),
                (json!({ "accessTokenTtl": 0 }), "accessTokenTtl"),
                (json!({ "accessTokenTtl": "60" }), "accessTokenTtl"),
                (json!({ "accessTokenTtl": null }), "accessTokenTtl"),
                (json!({ "name": "half", "accessTokenTtl": 31_536_001 }), "accessTokenTtl"),
            ],
        ),
        (
            "PATCH /resources/{resource}/is-default",
            vec![
                (json!({}), "isDefault"),
                (json!({ "isDefault": null }), "isDefault"),
                (json!({ "isDefault": 1 }), "isDefault"),
            ],
        ),
        (
            "PATCH /resources/{resource}/scopes/{scope}",
            vec![
                (json!({ "name": longer }), "name"),
                (json!({ "name": "" }), "name"),
                (json!({ "name": null }), "name"),
                (json!({ "name": "quo\"ted" }), "name"),
                (json!({ "name": "half", "description": longer }), "description"),
                (json!({ "description": 1 }), "description"),
            ],
        ),
        (
            "PATCH /applications/{application}",
            vec![
                (json!({ "isAdmin": null }), "isAdmin"),
                (json!({ "name": "half", "isAdmin": "yes" }), "isAdmin"),
                (json!({ "description": longer }), "description"),
                (json!({ "customData": null }), "customData"),
            ],
        ),
        (
            "PATCH /applications/{application}/secrets/Default%20secret",
            vec![
                (json!({ "name": null }), "name"),
                (json!({ "name": long }), "name"),
                (json!({ "name": "half", "expiresAt": 1 }), "expiresAt"),
                (json!({ "expiresAt": "tomorrow" }), "expiresAt"),
            ],
        ),
        (
            "PUT /applications/{application}/roles",
            vec![
                (json!({}), "roleIds"),
                (json!({ "roleIds": null }), "roleIds"),
                (json!({ "roleIds": ids }), "roleIds"),
                (json!({ "roleIds": [1] }), "roleIds[0]"),
            ],
        ),
    ];
    for (operation, bodies) in cases {
        for (body, key) in bodies {
            let answer = world.send(operation, body.clone()).await;
            answer.expect_api_error(400, "guard.invalid_input");
            let details = answer.text("details");
            let named = details.contains(&format!("\"{key}\"")) || details.contains(&format!("missing field `{key}`"));
            assert!(named, "{operation} {body}: {details}");
        }
    }
    assert_eq!(world.all().await, before);
});

both!(conflicts_and_missing_objects_are_errors, async |server: TestServer| {
    let world = World::of(&server).await;
    let before = world.all().await;
    let World { user, role, machines, scope, application, .. } = &world;
    let (missing, nothing, unrelated) =
        ("entity.not_exists_with_id", "entity.not_exists", "entity.relation_foreign_key_not_found");
    let gone = "entity.not_found";
    let described = json!({ "name": "taken", "description": "d" });
    for (operation, body, status, code) in [
        ("POST /roles", described.clone(), 422, "role.name_in_use"),
        ("PATCH /roles/{machines}", described, 422, "role.name_in_use"),
        ("POST /roles/{role}/scopes", json!({ "scopeIds": [scope] }), 422, "role.scope_exists"),
        ("POST /roles/{role}/users", json!({ "userIds": [user] }), 422, "role.user_exists"),
        (
            "POST /roles/{machines}/applications",
            json!({ "applicationIds": [application] }),
            422,
            "role.application_exists",
        ),
        (
            "POST /resources",
            json!({ "name": "n", "indicator": "https://taken.test" }),
            422,
            "resource.resource_identifier_in_use",
        ),
        ("POST /resources/{resource}/scopes", json!({ "name": "taken" }), 422, "scope.name_exists"),
        (
            "POST /applications/{application}/secrets",
            json!({ "name": "Default secret" }),
            422,
            "application.secret_name_exists",
        ),
        ("PUT /applications/{application}/roles", json!({ "roleIds": [role] }), 422, "application.invalid_role_type"),
        ("PUT /applications/{application}/roles", json!({ "roleIds": [NOBODY] }), 404, unrelated),
        ("POST /roles", json!({ "name": "n", "description": "d", "scopeIds": [scope, NOBODY] }), 404, unrelated),
        ("POST /roles/{role}/scopes", json!({ "scopeIds": [NOBODY] }), 404, unrelated),
        ("POST /roles/{role}/users", json!({ "userIds": [NOBODY] }), 404, unrelated),
        ("POST /roles/{machines}/applications", json!({ "applicationIds": [NOBODY] }), 404, unrelated),
        ("GET /roles/nobody", Value::Null, 404, missing),
        ("PATCH /roles/nobody", json!({}), 404, nothing),
        ("DELETE /roles/nobody", Value::Null, 404, gone),
        ("DELETE /roles/{role}/scopes/nobody", Value::Null, 404, gone),
        ("DELETE /roles/{role}/users/nobody", Value::Null, 404, gone),
        ("DELETE /roles/nobody/users/nobody", Value::Null, 404, gone),
        ("DELETE /roles/{machines}/applications/nobody", Value::Null, 404, gone),
        ("GET /resources/nobody", Value::Null, 404, missing),
        ("PATCH /resources/nobody", json!({}), 404, nothing),
        ("PATCH /resources/nobody/is-default", json!({ "isDefault": true }), 404, nothing),
        ("DELETE /resources/nobody", Value::Null, 404, gone),
        ("PATCH /resources/{resource}/scopes/nobody", json!({}), 404, nothing),
        ("DELETE /resources/{resource}/scopes/nobody", Value::Null, 404, gone),
        ("GET /applications/nobody", Value::Null, 404, missing),
        ("PATCH /applications/nobody", json!({ "isAdmin": true }), 404, nothing),
        ("PATCH /applications/nobody/custom-data", json!({}), 404, nothing),
        ("PATCH /applications/{application}/secrets/nobody", json!({}), 404, nothing),
        ("DELETE /applications/{application}/roles/nobody", Value::Null, 404, gone),
        ("DELETE /applications/nobody", Value::Null, 404, gone),
    ] {
        let answer = world.send(operation, body.clone()).await;
        assert_eq!((answer.status, &answer["code"]), (status, &json!(code)), "{operation} {body}: {:#}", answer.body);
    }
    assert_eq!(world.all().await, before);
    assert_eq!(
        world.management.get(&format!("/api/roles/{machines}/applications")).await.expect(200).body[0]["id"],
        *application
    );
});

both!(lists_refuse_what_is_no_page_and_no_search, async |server: TestServer| {
    let world = World::of(&server).await;
    for list in LISTS {
        for query in ["page=0", "page_size=0", "page_size=101", "page=x", "page=1&page=2"] {
            let answer = world.send(&format!("GET {list}?{query}"), Value::Null).await;
            answer.expect_api_error(400, "guard.invalid_pagination");
        }
        world.send(&format!("GET {list}?page=1&page_size=100"), Value::Null).await.expect(200);
    }
    let twice = world.send("GET /resources?includeScopes=1&includeScopes=1", Value::Null).await;
    twice.expect_api_error(400, "guard.invalid_input");
    for list in
        ["/roles/nobody/scopes", "/roles/nobody/users", "/roles/nobody/applications", "/resources/nobody/scopes"]
    {
        let answer = world.send(&format!("GET {list}"), Value::Null).await;
        answer.expect_api_error(404, "entity.not_exists_with_id");
    }
    for list in LISTS.iter().filter(|list| **list != "/resources") {
        for query in
            ["search=", "search.secret=a", "search.name=a&search.name=b", "search=(&mode=posix", "search=a&mode=x"]
        {
            let answer = world.send(&format!("GET {list}?{query}"), Value::Null).await;
            answer.expect_api_error(400, "request.invalid_input");
        }
    }
});
