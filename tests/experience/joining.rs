//! Just-in-time membership: whoever proves an address of an organization's domain joins it, with its roles.

use crate::browser::{Browser, take_codes, user_with_email};
use claimsmith_test_support::{Home, Mailed, Received, Receiver, TestServer, both};
use serde_json::{Value, json};
use std::sync::Arc;

/// An organization that takes in whoever has an address of `example.com`, as an editor; its id and that of the role.
async fn organization(server: &TestServer) -> (String, String) {
    let management = server.management().await;
    let organization = management.post("/api/organizations", json!({ "name": "Example" })).await.expect(201).text("id");
    let role = management.post("/api/organization-roles", json!({ "name": "editor" })).await.expect(201).text("id");
    let path = format!("/api/organizations/{organization}/jit");
    management.post(&format!("{path}/email-domains"), json!({ "emailDomain": "example.com" })).await.expect(201);
    management.post(&format!("{path}/roles"), json!({ "organizationRoleIds": [role] })).await.expect(201);
    (organization, role)
}

/// The ids of members, with their roles.
async fn members(server: &TestServer, organization: &str) -> Vec<(Value, Value)> {
    let path = format!("/api/organizations/{organization}/users");
    let found = server.management().await.get(&path).await.expect(200).body;
    let members = found.as_array().unwrap().iter();
    members.map(|member| (member["id"].clone(), member["organizationRoles"].clone())).collect()
}

both!(whoever_proves_an_address_of_the_domain_joins, async |home: Arc<Home>| {
    let Mailed { server, inbox } = Mailed::start(&home, &[]).await;
    take_codes(&server).await;
    let (organization, role) = organization(&server).await;
    let receiver = Receiver::start().await;
    let hook = json!({ "events": ["Organization.Membership.Updated"], "config": { "url": receiver.url() } });
    server.management().await.post("/api/hooks", hook).await.expect(201);
    let of_roles = Receiver::start().await;
    let events = ["User.Roles.Updated", "Organization.Membership.Roles.Updated"];
    let hook = json!({ "events": events, "config": { "url": of_roles.url() } });
    server.management().await.post("/api/hooks", hook).await.expect(201);

    // Whom an operator creates joins nothing, neither does whoever signs in with a password.
    let id = user_with_email(&server, "ada@Example.com").await;
    let mut browser = Browser::new(&server).await;
    let by_password = crate::browser::credentials("email", "ada@example.com", crate::browser::PASSWORD);
    browser.start("SignIn").await.expect(204);
    let verified = browser.post("/verification/password", by_password).await.expect(200);
    browser.identify(&verified).await.expect(204);
    browser.submit().await.expect(200);
    assert_eq!(members(&server, &organization).await, []);

    // At the end of a sign-in, not before it.
    browser.authorize(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = browser.prove(&inbox, "ada@Example.com", "SignIn", 1).await;
    browser.identify(&verified).await.expect(204);
    assert_eq!(members(&server, &organization).await, []);
    browser.submit().await.expect(200);
    let editor = json!([{ "id": role, "name": "editor" }]);
    assert_eq!(members(&server, &organization).await, [(json!(id), editor.clone())]);
    let told = receiver.wait(1).await[0].json();
    assert_eq!((&told["organizationId"], &told["addedUserIds"]), (&json!(organization), &json!([id])));
    assert_eq!((&told["interactionEvent"], &told["sessionId"]), (&json!("SignIn"), &json!(browser.interaction_id)));

    let told = of_roles.wait(1).await[0].json();
    let changed = (&told["event"], &told["userId"], &told["addedOrganizationRoleIds"], &told["interactionEvent"]);
    assert_eq!(changed, (&json!(events[1]), &json!(id), &json!([role]), &json!("SignIn")));

    // Once more nothing happens; somebody new joins when they register, and gets the default roles.
    let member = json!({ "name": "member", "description": "d", "isDefault": true });
    let member = server.management().await.post("/api/roles", member).await.expect(200).text("id");
    browser.authorize(&server).await;
    browser.start("SignIn").await.expect(204);
    let verified = browser.prove(&inbox, "ada@Example.com", "SignIn", 2).await;
    browser.identify(&verified).await.expect(204);
    browser.submit().await.expect(200);
    let mut other = Browser::new(&server).await;
    other.start("Register").await.expect(204);
    let verified = other.prove(&inbox, "grace@example.com", "Register", 1).await;
    other.identify(&verified).await.expect(201);
    other.submit().await.expect(200);
    let told = receiver.wait(2).await[1].json();
    assert_eq!(told["interactionEvent"], "Register");
    let mut told: Vec<Value> = of_roles.wait(3).await[1..].iter().map(Received::json).collect();
    told.sort_by_key(|event| event["event"].to_string());
    let [joined, registered] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((&joined["event"], &joined["addedOrganizationRoleIds"]), (&json!(events[1]), &json!([role])));
    assert_eq!((&registered["event"], &registered["addedRoleIds"]), (&json!(events[0]), &json!([member])));
    assert_eq!((&joined["interactionEvent"], &joined["userId"]), (&json!("Register"), &registered["userId"]));
    assert_eq!(members(&server, &organization).await.len(), 2);
    // Others do not.
    for (number, email) in ["eve@sub.example.com", "eve@example.com.evil.test"].into_iter().enumerate() {
        let mut stranger = Browser::new(&server).await;
        stranger.start("Register").await.expect(204);
        let verified = stranger.prove(&inbox, email, "Register", 1).await;
        stranger.identify(&verified).await.expect(201);
        stranger.submit().await.expect(200);
        assert_eq!(members(&server, &organization).await.len(), 2, "{number} {email}");
    }
    assert_eq!(receiver.count(), 2);
});
