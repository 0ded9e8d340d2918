//! The plan: what is to be done with each plugin, why, and what somebody has to do afterwards.

use super::folder::LocalPlugin;
use super::server::ServerPlugin;
use crate::remote::deploy::Language;
use crate::terminal::printable;
use claimsmith_runtime::HttpCapability;
use serde_json::{Value, json};
use similar::TextDiff;
use std::time::Duration;

/// How long two texts are compared before the differences become coarse.
const DIFF_TIME: Duration = Duration::from_secs(2);
/// Unchanged lines around a change.
const CONTEXT_LINES: usize = 3;
/// What the server shows in place of a variable's value that the caller may not see.
const HIDDEN: &str = "********";

/// What is done with one plugin.
pub(super) struct Step {
    pub(super) name: String,
    pub(super) action: Action,
    /// The entity tag of what it was compared with.
    pub(super) etag: Option<String>,
    /// What changes, line by line.
    pub(super) changes: Vec<String>,
    /// What somebody has to do: grants, secrets.
    pub(super) needs: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Create,
    /// Its source, or more than one of its files.
    Change,
    Settings,
    Cases,
    /// It has a signature that the server does not have.
    Signature,
    /// It is there and the same, and no version of it serves.
    Activate,
    Delete,
    Nothing,
}

impl Action {
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Create => "new",
            Self::Change => "changed",
            Self::Settings => "settings only",
            Self::Cases => "golden cases only",
            Self::Signature => "signature only",
            Self::Activate => "not active",
            Self::Delete => "deleted",
            Self::Nothing => "unchanged",
        }
    }

    fn mark(self) -> char {
        match self {
            Self::Create => '+',
            Self::Change | Self::Settings | Self::Cases | Self::Signature | Self::Activate => '~',
            Self::Delete => '-',
            Self::Nothing => '=',
        }
    }

    /// Whether the plugin is uploaded.
    pub(super) fn uploads(self) -> bool {
        !matches!(self, Self::Delete | Self::Nothing)
    }
}

impl Step {
    /// Of a plugin of the folder, which may be on the server.
    pub(super) fn of(local: &LocalPlugin, server: Option<&ServerPlugin>) -> Self {
        let granted = server.and_then(|server| server.granted.as_ref());
        let mut needs = Vec::new();
        if let Some(declared) = &local.settings.capabilities.http
            && !covers(granted, declared)
        {
            let hosts = serde_json::to_value(&declared.hosts).unwrap_or_default();
            let name = &local.name;
            needs.push(format!("a grant of HTTP requests to {hosts}: claimsmith plugin grant {name} --declared"));
        }
        let granted_cache = server.and_then(|server| server.granted_cache);
        if let Some(declared) = &local.settings.capabilities.cache
            && granted_cache.is_none_or(|granted| declared.intersect(&granted) != *declared)
        {
            let (entries, kib, name) = (declared.entries, declared.kib, &local.name);
            let shared = if declared.everybody { ", shared by everybody" } else { "" };
            needs.push(format!(
                "a grant of a cache of {entries} entries and {kib} KiB{shared}: claimsmith plugin grant {name} --declared"
            ));
        }
        let missing = local.secrets.iter().filter(|key| !server.is_some_and(|server| server.secrets.contains(*key)));
        needs.extend(missing.map(|key| format!("the secret {key}: claimsmith plugin secret set {} {key}", local.name)));
        let (action, changes) = if let Some(server) = server {
            compared(local, server)
        } else {
            let size = local.source.bytes.len();
            (Action::Create, vec![format!("{}, {size} bytes, {}", spelled(local.language), local.digest)])
        };
        let etag = server.and_then(|server| server.etag.clone());
        Self { name: local.name.clone(), action, etag, changes, needs }
    }

    /// Of a plugin that is not in the folder any more.
    pub(super) fn deletion(name: String, etag: String, key: &str) -> Self {
        let changes = vec![format!("it was applied with the label key {key}, and is not in the folder")];
        Self { name, action: Action::Delete, etag: Some(etag), changes, needs: Vec::new() }
    }

    /// As text, with a line for each change.
    pub(super) fn rendered(&self) -> String {
        // Names and label keys are the server's.
        let mut lines = vec![format!("{} {}: {}", self.action.mark(), printable(&self.name), self.action.title())];
        lines.extend(self.changes.iter().map(|line| format!("    {}", printable(line))));
        lines.extend(self.needs.iter().map(|need| format!("  ! it needs {}", printable(need))));
        lines.join("\n")
    }

    pub(super) fn json(&self) -> Value {
        json!({ "name": self.name, "action": self.action.title(), "changes": self.changes, "needs": self.needs })
    }
}

/// How many plugins there are of which sort.
pub(super) fn summary(steps: &[Step]) -> String {
    let sorts = [
        Action::Create,
        Action::Change,
        Action::Settings,
        Action::Cases,
        Action::Signature,
        Action::Activate,
        Action::Delete,
        Action::Nothing,
    ];
    let counted = sorts.into_iter().filter_map(|sort| {
        let count = steps.iter().filter(|step| step.action == sort).count();
        (count > 0).then(|| format!("{count} {}", sort.title()))
    });
    format!("plan: {}", counted.collect::<Vec<_>>().join(", "))
}

fn compared(local: &LocalPlugin, server: &ServerPlugin) -> (Action, Vec<String>) {
    let (mut changes, version) = (Vec::new(), &server.version);
    let language = spelled(local.language);
    let is_other_source = local.digest != server.digest || language != server.language;
    if is_other_source {
        let text = std::str::from_utf8(&local.source.bytes).ok();
        match server.source.as_deref().zip(text) {
            Some((before, after)) => changes.extend(diff(&local.source.file_name, version, before, after)),
            None => changes.push(format!(
                "source: {} → {}, {} bytes",
                server.digest,
                local.digest,
                local.source.bytes.len()
            )),
        }
    }
    let is_other_settings = server.settings.as_ref().is_none_or(|settings| {
        // A value that is not shown is taken to be the same.
        let mut settings = settings.clone();
        for (key, value) in &mut settings.environment {
            if value.as_str() == HIDDEN
                && let Some(own) = local.settings.environment.get(key)
            {
                value.clone_from(own);
            }
        }
        settings != local.settings
    });
    if is_other_settings {
        let after = local.settings.to_toml().unwrap_or_default();
        changes.extend(diff(&format!("{}.toml", local.name), version, &server.settings_text, &after));
    }
    let cases = local.cases_text();
    let is_other_cases = cases != server.cases;
    if is_other_cases {
        let (before, after) = (server.cases.as_deref().unwrap_or_default(), cases.as_deref().unwrap_or_default());
        changes.extend(diff(&format!("{}.cases.json", local.name), version, before, after));
    }
    // Without a signature in the folder, that of the server stays.
    let signature = local.signature_text();
    let is_other_signature = signature.is_some() && signature != server.signature;
    if is_other_signature && !is_other_source {
        changes.push("its signature is not the one of the server".to_owned());
    }
    let action = match (is_other_source, is_other_settings, is_other_cases) {
        (false, false, false) if is_other_signature => Action::Signature,
        (false, false, false) if server.is_active => Action::Nothing,
        (false, false, false) => Action::Activate,
        (false, true, false) => Action::Settings,
        (false, false, true) => Action::Cases,
        _ => Action::Change,
    };
    (action, changes)
}

/// The differences of two texts, without what would steer a terminal.
fn diff(name: &str, version: &str, before: &str, after: &str) -> Vec<String> {
    let diff = TextDiff::configure().timeout(DIFF_TIME).diff_lines(before, after);
    let (old, new) = (format!("{name}, version {version} of the server"), format!("{name} of the folder"));
    let text = diff.unified_diff().context_radius(CONTEXT_LINES).header(&old, &new).to_string();
    text.lines().map(|line| printable(&line.replace('\t', "    "))).collect()
}

fn covers(granted: Option<&HttpCapability>, declared: &HttpCapability) -> bool {
    granted.and_then(|granted| declared.intersect(granted)).as_ref() == Some(declared)
}

/// As the API spells it.
fn spelled(language: Language) -> &'static str {
    match language {
        Language::JavaScript => "javascript",
        Language::TypeScript => "typescript",
        Language::Wasm => "wasm",
    }
}

#[cfg(test)]
mod tests;
