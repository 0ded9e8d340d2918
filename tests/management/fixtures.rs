//! Fixtures of these tests, made through the API itself.

use claimsmith_storage::Tx;
use claimsmith_test_support::{Actor, Answer, Api, Form, TOKEN_EXCHANGE, TestServer};
use reqwest::{Method, multipart};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;

/// An id that nothing has.
pub(crate) const NOBODY: &str = "nobody";

/// Creates a user, and answers the id.
pub(crate) async fn user(management: &Actor, username: &str) -> String {
    management.post("/api/users", json!({ "username": username })).await.expect(200).text("id")
}

/// Creates a resource with one scope, and answers their ids.
pub(crate) async fn scope(management: &Actor, indicator: &str, name: &str) -> (String, String) {
    let resource = json!({ "name": "Orders", "indicator": indicator });
    let resource_id = management.post("/api/resources", resource).await.expect(201).text("id");
    let path = format!("/api/resources/{resource_id}/scopes");
    let scope_id = management.post(&path, json!({ "name": name })).await.expect(201).text("id");
    (resource_id, scope_id)
}

/// Creates a role, and answers the id.
pub(crate) async fn role(management: &Actor, name: &str, kind: &str, scope_ids: &[&str]) -> String {
    let body = json!({ "name": name, "description": "for a test", "type": kind, "scopeIds": scope_ids });
    management.post("/api/roles", body).await.expect(200).text("id")
}

/// Creates a machine-to-machine application, and answers id and secret.
pub(crate) async fn machine(management: &Actor, name: &str) -> (String, String) {
    let body = json!({ "name": name, "type": "MachineToMachine" });
    let created = management.post("/api/applications", body).await.expect(200);
    (created.text("id"), created.text("secret"))
}

/// Uploads a plugin in JavaScript, with other parts of the form beside its source: their names and texts.
pub(crate) async fn upload(actor: &Actor, path: &str, source: &str, beside: &[(&'static str, &str)]) -> Answer {
    let part = |text: &str, file: &'static str| multipart::Part::text(text.to_owned()).file_name(file);
    let mut form = multipart::Form::new().part("source", part(source, "plugin.js"));
    for &(name, text) in beside {
        form = form.part(name, part(text, name));
    }
    Answer::of(actor.request(Method::PUT, path).multipart(form)).await
}

/// The ids of scopes of the Management API.
pub(crate) async fn management_scopes(api: &Api, management: &Actor, names: &[&str]) -> Vec<String> {
    let resources = management.get("/api/resources?includeScopes=true").await.expect(200).body;
    let resource = find(&resources, "indicator", &api.machine().resource);
    names.iter().map(|name| find(&resource["scopes"], "name", name)["id"].as_str().unwrap().to_owned()).collect()
}

/// An application that holds these scopes of the Management API, and nothing else.
pub(crate) async fn narrow(api: &Api, management: &Actor, scopes: &[&str]) -> Actor {
    narrow_as(api, management, &scopes.join(" "), scopes).await
}

/// The same with a name of the role and the application, for more scopes than a name has room for.
pub(crate) async fn narrow_as(api: &Api, management: &Actor, name: &str, scopes: &[&str]) -> Actor {
    let ids = management_scopes(api, management, scopes).await;
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let role_id = role(management, name, "MachineToMachine", &ids).await;
    let (client_id, secret) = machine(management, name).await;
    let path = format!("/api/roles/{role_id}/applications");
    management.post(&path, json!({ "applicationIds": [client_id] })).await.expect(201);
    let wanted = scopes.join(" ");
    let token = credentials(api, &client_id, &secret).with("scope", &wanted).send().await.expect(200);
    assert_eq!(token["scope"], wanted);
    api.bearer(&token.text("access_token"))
}

/// The `client_credentials` grant of an application for the Management API.
pub(crate) fn credentials(api: &Api, client_id: &str, secret: &str) -> Form {
    let form = api.form("/oidc/token").with("grant_type", "client_credentials");
    form.with("resource", &api.machine().resource).with("scope", "all").basic(client_id, secret)
}

/// An exchange of a new subject token of the user by the demo's single-page application.
pub(crate) async fn exchange(api: &Api, user_id: &str, resource: &str, scope: &str) -> Form {
    let subject_token = api.subject_token(user_id, json!({})).await;
    let form = api.exchange(&subject_token).with("grant_type", TOKEN_EXCHANGE);
    form.with("resource", resource).with("scope", scope)
}

/// The entry of a list whose member is this text.
#[track_caller]
pub(crate) fn find<'l>(list: &'l Value, member: &str, text: &str) -> &'l Value {
    let entries = list.as_array().unwrap_or_else(|| panic!("no list: {list:#}"));
    entries.iter().find(|entry| entry[member] == text).unwrap_or_else(|| panic!("no {member} {text} in {list:#}"))
}

/// The texts of one member of a list.
#[track_caller]
pub(crate) fn texts<'l>(list: &'l Value, member: &str) -> Vec<&'l str> {
    list.as_array().unwrap().iter().map(|entry| entry[member].as_str().unwrap()).collect()
}

/// Takes every connection for reads that the server has left, until what is returned is dropped. One that does not come
/// within `patience` is taken for none: on a slow machine, few of them come at once.
pub(crate) async fn hold_all(server: &TestServer, patience: Duration) -> Vec<Tx> {
    let mut held = Vec::new();
    while let Ok(connection) = timeout(patience, server.app.db.read()).await {
        held.push(connection.unwrap());
    }
    held
}
