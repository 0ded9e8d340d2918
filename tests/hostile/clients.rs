//! The attackers: no client, a public client, somebody with a token for their own account, and applications with one
//! narrow scope of the Management API each.

use crate::world::World;
use claimsmith_test_support::{Actor, Api};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The clients that were used so far, by name.
pub(crate) struct Clients {
    management: Actor,
    api: Api,
    account: Actor,
    known: BTreeMap<String, Actor>,
}

impl Clients {
    pub(crate) async fn of(world: &World) -> Self {
        let api = world.api_beside();
        let account = api.bearer(&world.account_token().await);
        Self { management: api.management().await, api, account, known: BTreeMap::new() }
    }

    /// The client of this name.
    pub(crate) async fn named(&mut self, name: &str) -> Actor {
        match name {
            "nobody" | "public" => self.api.anonymous(),
            "all" => self.management.clone(),
            "account" => self.account.clone(),
            scope => {
                if !self.known.contains_key(scope) {
                    let actor = self.narrow(scope).await;
                    self.known.insert(scope.to_owned(), actor);
                }
                self.known[scope].clone()
            }
        }
    }

    /// An application that holds one scope of the Management API.
    async fn narrow(&self, scope: &str) -> Actor {
        let resources = self.management.get("/api/resources?includeScopes=true").await.expect(200).body;
        let resource = find(&resources, "indicator", &self.api.machine().resource);
        let role = json!({
            "name": scope, "description": "for an attack", "type": "MachineToMachine",
            "scopeIds": [find(&resource["scopes"], "name", scope)["id"]],
        });
        let role = self.management.post("/api/roles", role).await.expect(200).text("id");
        let application = json!({ "name": scope, "type": "MachineToMachine" });
        let application = self.management.post("/api/applications", application).await.expect(200);
        let path = format!("/api/roles/{role}/applications");
        self.management.post(&path, json!({ "applicationIds": [application["id"]] })).await.expect(201);
        let form = self.api.form("/oidc/token").with("grant_type", "client_credentials");
        let form = form.with("resource", &self.api.machine().resource).with("scope", scope);
        let token = form.basic(&application.text("id"), &application.text("secret")).send().await.expect(200);
        self.api.bearer(&token.text("access_token"))
    }
}

fn find<'l>(list: &'l Value, member: &str, text: &str) -> &'l Value {
    let entries = list.as_array().unwrap();
    entries.iter().find(|entry| entry[member] == text).unwrap_or_else(|| panic!("no {member} {text} in {list:#}"))
}
