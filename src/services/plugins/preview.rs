//! Previews of the claims plugins for a token: the same calls as for an issued token, without storing or counting
//! anything.

use super::{
    Plugins,
    claims::{self, CallObserver, Claims, ClaimsRefusal, PluginIssuance},
    registry::RegistryEntry,
    step::Step,
};
use claimsmith_domain::documents::plugin::{Origin, State};
use claimsmith_runtime::Kind;
use serde::Serialize;
use std::sync::Arc;

/// What the plugins would do for a token.
#[derive(Debug)]
pub struct ClaimsPreview {
    /// The plugins that were called, in order.
    pub steps: Vec<Step>,
    /// The claims plugins that were not.
    pub skipped: Vec<Skipped>,
    /// Their claims, or why there would be no token.
    pub result: Result<Claims, ClaimsRefusal>,
}

/// A claims plugin that is not called.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Skipped {
    /// Its name.
    #[schema(value_type = String)]
    pub name: Arc<str>,
    /// Where it comes from.
    pub source: Origin,
    /// `disabled`, `failed`, `token-kinds`, `grant-types`, `applications`, `resources` or `management-api`.
    pub reason: &'static str,
    /// The same in words.
    pub message: &'static str,
}

impl Plugins {
    /// Calls every plugin that applies, as for a token, and reports each result. None is called if `called` is false.
    pub async fn preview(&self, issuance: &PluginIssuance<'_>, called: bool) -> ClaimsPreview {
        let snapshot = self.0.registry.snapshot();
        let unmet = |entry: &RegistryEntry| {
            let PluginIssuance { kind, grant_type, application, resource, .. } = *issuance;
            entry.manifest.unmet_filter(kind, grant_type, application, resource)
        };
        let mut skipped = Vec::new();
        for status in &snapshot.statuses {
            let entry = snapshot.entries.iter().find(|entry| entry.name == status.name);
            let may_be_claims = match entry {
                Some(entry) => entry.may_be(Kind::Claims),
                // Its settings show its likely kind.
                None => status.kind.is_none_or(|kind| kind == Kind::Claims) && !status.token_kinds.is_empty(),
            };
            let reason = match entry {
                _ if !may_be_claims => None,
                _ if status.state == State::Disabled => Some("enabled"),
                None => Some("failed"),
                Some(_) if !called => Some("management-api"),
                Some(entry) => unmet(entry),
            };
            if let Some((reason, message)) = reason.map(told) {
                skipped.push(Skipped { name: Arc::clone(&status.name), source: status.source, reason, message });
            }
        }
        let mut steps = Vec::new();
        let result = if called {
            claims::collect(&snapshot, &self.0.rules, issuance, CallObserver::Preview(&mut steps)).await
        } else {
            Ok(Claims::default())
        };
        for step in &mut steps {
            step.source = snapshot.statuses.iter().find(|known| known.name == step.name).map(|known| known.source);
        }
        ClaimsPreview { steps, skipped, result }
    }
}

/// The code and the text of the reason that a plugin is not called.
fn told(reason: &'static str) -> (&'static str, &'static str) {
    match reason {
        "enabled" => ("disabled", "it is not in service"),
        "failed" => ("failed", "it never loaded, and tokens do not depend on it"),
        "token_kinds" => ("token-kinds", "its setting token_kinds does not name this kind of token"),
        "grant_types" => ("grant-types", "its setting grant_types does not name this grant"),
        "applications" => ("applications", "its setting applications does not name this application"),
        "resources" => ("resources", "its setting resources does not name this resource"),
        other => (other, "plugins are never called for tokens of the Management API and of the console"),
    }
}
