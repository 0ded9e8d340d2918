//! What one claims plugin did for a previewed token.

use super::registry::RegistryEntry;
use claimsmith_domain::documents::plugin::Origin;
use claimsmith_runtime::{CallError, Kind, LogLine, OnError};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::{sync::Arc, time::Duration};

/// What one plugin did.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Its name.
    #[schema(value_type = String)]
    pub name: Arc<str>,
    /// Where it comes from.
    pub source: Option<Origin>,
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

impl Step {
    /// `before`: the claims of the plugins before it; `merged`: with its own, or why not.
    pub(super) fn new(
        entry: &RegistryEntry,
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
        let mask = |text: &str| entry.masked(text).into_owned();
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
            source: None,
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
