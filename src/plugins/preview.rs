//! What each claims plugin would do for a token: the same calls as those of a token, of which nothing is kept or
//! counted.

use super::{
    Plugins,
    claims::{self, Audience, Claims, Issuance, Refusal},
    registry::Entry,
    status::{Origin, State},
};
use claimsmith_runtime::{CallError, Kind, LogLine, OnError};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::{sync::Arc, time::Duration};

/// What the plugins would do for a token.
#[derive(Debug)]
pub struct Preview {
    /// The plugins that were called, in order.
    pub steps: Vec<Step>,
    /// The claims plugins that were not.
    pub skipped: Vec<Skipped>,
    /// Their claims, or why there would be no token.
    pub result: Result<Claims, Refusal>,
}

/// What one plugin did.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Its name.
    #[schema(value_type = String)]
    pub name: Arc<str>,
    /// `sha256:…` of its source; null when it never loaded.
    #[schema(value_type = Option<String>)]
    pub digest: Option<Arc<str>>,
    /// Its place among the others.
    pub order: i32,
    /// `ok`, `denied`, or a word of how it failed.
    pub outcome: &'static str,
    /// What came of it.
    pub effect: Effect,
    /// Why it denied or failed, without secrets.
    pub message: Option<String>,
    /// What its failure means: `deny` or `skip`.
    #[schema(value_type = String)]
    pub on_error: OnError,
    /// The claims that it added.
    #[schema(value_type = Object)]
    pub added: Map<String, Value>,
    /// The claims of earlier plugins that it replaced: `{before, after}` by name.
    #[schema(value_type = Object)]
    pub changed: Map<String, Value>,
    /// Reserved claims that it tried to set.
    pub dropped: Vec<String>,
    /// What it wrote, without secrets.
    #[schema(value_type = Vec<Object>)]
    pub logs: Vec<LogLine>,
    /// Wall-clock microseconds.
    pub duration_us: u64,
}

/// What came of a plugin's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Its claims are in the token.
    Merged,
    /// It failed, and the token is issued without its claims.
    Ignored,
    /// There is no token.
    Refused,
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

impl Step {
    /// `before`: the claims of the plugins before it; `merged`: with its own, or why not.
    pub(super) fn new(
        entry: &Entry,
        before: &Map<String, Value>,
        merged: &Result<Map<String, Value>, CallError>,
        (dropped, logs, duration): (Vec<String>, Vec<LogLine>, Duration),
    ) -> Self {
        let (mut added, mut changed) = (Map::new(), Map::new());
        for (name, after) in merged.iter().flatten() {
            match before.get(name) {
                None => _ = added.insert(name.clone(), after.clone()),
                Some(same) if same == after => {}
                Some(before) => _ = changed.insert(name.clone(), json!({ "before": before, "after": after })),
            }
        }
        let on_error = entry.manifest.on_error(Kind::Claims);
        let mask = |text: &str| entry.masked(text);
        let (outcome, effect, message) = match merged {
            Ok(_) => ("ok", Effect::Merged, None),
            Err(CallError::Denied(message)) => ("denied", Effect::Refused, Some(mask(message))),
            Err(error) if on_error == OnError::Skip => {
                (error.outcome(), Effect::Ignored, Some(mask(&error.to_string())))
            }
            Err(error) => (error.outcome(), Effect::Refused, Some(mask(&error.to_string()))),
        };
        Self {
            name: Arc::clone(&entry.name),
            digest: entry.version.as_ref().map(|version| Arc::clone(&version.digest)),
            order: entry.manifest.order,
            outcome,
            effect,
            message,
            on_error,
            added,
            changed,
            dropped,
            logs: logs.into_iter().map(|line| LogLine { message: mask(&line.message), ..line }).collect(),
            duration_us: u64::try_from(duration.as_micros()).unwrap_or(u64::MAX),
        }
    }
}

impl Plugins {
    /// Calls every plugin that applies, as for a token, and tells what each did. None is called where `called` is false.
    pub async fn preview(&self, issuance: &Issuance<'_>, called: bool) -> Preview {
        let snapshot = self.0.registry.snapshot();
        let unmet = |entry: &Entry| {
            let Issuance { kind, grant_type, application, resource, .. } = *issuance;
            entry.manifest.unmet_filter(kind, grant_type, application, resource)
        };
        let mut skipped = Vec::new();
        for status in &snapshot.statuses {
            let entry = snapshot.entries.iter().find(|entry| entry.name == status.name);
            let may_be_claims = match entry {
                Some(entry) => entry.may_be(Kind::Claims),
                // Its settings tell what it most likely is.
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
            claims::collect(&snapshot, &self.0.rules, issuance, Audience::Preview(&mut steps)).await
        } else {
            Ok(Claims::default())
        };
        Preview { steps, skipped, result }
    }
}

/// The word and the words of why a plugin is not called.
fn told(reason: &'static str) -> (&'static str, &'static str) {
    match reason {
        "enabled" => ("disabled", "it is not in service"),
        "failed" => ("failed", "it never loaded, and tokens do not depend on it"),
        "token_kinds" => ("token-kinds", "its setting token_kinds does not name this kind of token"),
        "grant_types" => ("grant-types", "its setting grant_types does not name this grant"),
        "applications" => ("applications", "its setting applications does not name this application"),
        "resources" => ("resources", "its setting resources does not name this resource"),
        other => (other, "plugins are never called for tokens of the Management API"),
    }
}
