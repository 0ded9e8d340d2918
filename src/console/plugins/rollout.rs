//! `/console/plugins/{name}/rollout`: a version beside the active one, with its results, its share, and its end.

use crate::answer::{done, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::plugins::model::Plugin;
use crate::plugins::rollout_form::{self, days_of};
use crate::plugins::rollout_rules::{self, RuleField};
use crate::plugins::versions::grouped;
use crate::plugins::{api, page, read};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::plugin_rollouts::{RolloutClaim, RolloutClass, RolloutSide, RolloutView};
use claimsmith_api::plugins::VersionView;
use claimsmith_domain::documents::rollout::{DifferenceClass, RolloutMode, RolloutState};
use serde_json::json;

#[derive(Template)]
#[template(path = "plugins/rollout.html")]
struct RolloutPage {
    frame: Frame,
    plugin: Plugin,
    /// The rollout that is running, paused or over.
    rollout: Option<RolloutView>,
    /// The same in words.
    shown: Option<ShownRollout>,
    versions: Vec<VersionView>,
    /// The submitted form, after an error.
    sent: Form,
    alert: String,
}

impl RolloutPage {
    /// The rollout that is not over.
    fn open(&self) -> Option<&RolloutView> {
        self.rollout.as_ref().filter(|rollout| rollout.ended_at.is_none())
    }

    /// The value of a field: submitted, also if it was cleared; else of the rollout that is not over.
    fn field(&self, name: &str) -> String {
        if let Some((_, sent)) = self.sent.fields().iter().find(|(known, _)| known == name) {
            return sent.clone();
        }
        let Some(rollout) = self.open() else { return String::new() };
        match name {
            "mode" => rollout.mode.as_str().to_owned(),
            "share" => rollout.share.to_string(),
            "applications" => rollout.applications.join("\n"),
            "organizations" => rollout.organizations.join("\n"),
            "users" => rollout.users.join("\n"),
            "expires" => days_of(rollout),
            rule if rule.starts_with(rollout_rules::PREFIX) => {
                rollout.rules.map(|rules| rollout_rules::value(&rules, rule)).unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    /// The fields of the rules.
    fn rule_fields() -> &'static [RuleField] {
        rollout_rules::FIELDS
    }

    /// Whether the operator may start a rollout, or change the one that is not over.
    fn may_save(&self) -> bool {
        let method = if self.open().is_some() { "PATCH" } else { "POST" };
        self.frame.may(method, "/api/plugins/{name}/rollout")
    }

    /// Whether there is a version to try.
    fn has_candidates(&self) -> bool {
        self.versions.iter().any(|version| !version.active)
    }

    fn path(&self) -> String {
        format!("{}/rollout", api(&self.plugin.name))
    }
}

/// A rollout in words and numbers.
struct ShownRollout {
    version: String,
    active_version: String,
    state: &'static str,
    /// The CSS class of the badge of its state.
    class: &'static str,
    is_open: bool,
    is_paused: bool,
    mode: &'static str,
    reason: String,
    share: u8,
    started_at: i64,
    expires: i64,
    /// Empty without rules.
    rules: &'static str,
    /// Why rules do not promote the version now; empty where they may.
    breaker: &'static str,
    /// Calls of each version: title, runs, denied, failed, spared, p50, p99.
    calls: Vec<[String; 7]>,
    /// Answers by class: title, count, share.
    answers: Vec<[String; 3]>,
    /// Claims that differ: name, added, removed, changed, noise.
    claims: Vec<[String; 5]>,
    /// What a shadow did not do; empty where it did everything.
    missed: String,
    /// How many runs of a shadow took longer than the active version beside it; empty without any beside it.
    slower: String,
    /// What the golden cases cost that both versions have; empty where none were counted.
    cost: String,
    /// Whether there may be calls whose answers differ.
    has_samples: bool,
}

impl ShownRollout {
    fn of(rollout: &RolloutView) -> Self {
        let results = &rollout.results;
        let (state, class) = match rollout.state {
            RolloutState::Running => ("running", "good"),
            RolloutState::Paused => ("paused", "warn"),
            RolloutState::Promoted => ("promoted", ""),
            RolloutState::Aborted => ("aborted", "bad"),
        };
        let mut calls = vec![
            side(format!("Version {} (active)", rollout.active_version), &results.active),
            side(format!("Version {}", rollout.version), &results.candidate),
        ];
        if rollout.mode == RolloutMode::Shadow {
            calls.push(side(format!("Version {} beside the shadow", rollout.active_version), &results.baseline));
        }
        let answer =
            |one: &RolloutClass| [class_title(one.class).to_owned(), one.count.to_string(), format!("{} %", one.share)];
        let claim = |one: &RolloutClaim| {
            let [added, removed, changed, noise] =
                [one.added, one.removed, one.changed, one.noise].map(|count| count.to_string());
            [one.name.clone(), added, removed, changed, noise]
        };
        let has_sample = |one: &RolloutClass| !matches!(one.class, DifferenceClass::Equal | DifferenceClass::Noise);
        let cost = rollout.cost.map(|cost| {
            let [active, candidate] = [cost.active, cost.candidate].map(grouped);
            format!("{candidate} instructions; version {}: {active}", rollout.active_version)
        });
        let is_whole = results.dropped + results.http_refused == 0;
        Self {
            version: rollout.version.clone(),
            active_version: rollout.active_version.clone(),
            state,
            class,
            is_open: rollout.ended_at.is_none(),
            is_paused: rollout.state == RolloutState::Paused,
            mode: match rollout.mode {
                RolloutMode::Shadow => "Shadow",
                RolloutMode::Canary => "Canary",
            },
            reason: rollout.reason.as_deref().map(reason_text).unwrap_or_default().to_owned(),
            share: rollout.share,
            started_at: rollout.started_at,
            expires: rollout.expires,
            rules: match (&rollout.rules, rollout.rules_in_force) {
                (None, _) => "",
                (Some(_), true) => "In force",
                (Some(_), false) => "Not in force: their author may no longer activate versions",
            },
            breaker: if rollout.breaker_open {
                "Open: some calls of the version are not made, and rules do not promote it"
            } else {
                ""
            },
            calls,
            answers: results.classes.iter().map(answer).collect(),
            claims: results.claims.iter().map(claim).collect(),
            missed: if is_whole {
                String::new()
            } else {
                format!("{} calls not repeated, {} HTTP requests refused", results.dropped, results.http_refused)
            },
            slower: match results.baseline.runs {
                0 => String::new(),
                all => format!("{} of {all} calls", results.slower),
            },
            cost: cost.unwrap_or_default(),
            has_samples: results.classes.iter().any(has_sample),
        }
    }
}

fn side(title: String, side: &RolloutSide) -> [String; 7] {
    let counts = [side.runs, side.denied, side.failed, side.spared];
    let [runs, denied, failed, spared] = counts.map(|count| count.to_string());
    [title, runs, denied, failed, spared, milliseconds(side.p50_us), milliseconds(side.p99_us)]
}

/// Why a rollout is paused or over.
fn reason_text(reason: &str) -> &str {
    match reason {
        "byHand" => "An operator decided it.",
        "rules" => "Its rules decided it.",
        "different" => "Too many answers differ.",
        "denied" => "Too many calls were denied.",
        "failed" => "Too many calls failed.",
        "slowerP99" => "It is too slow.",
        "tooLittleTraffic" => "There was too little traffic to decide.",
        "undecidedAtExpiry" => "It expired undecided.",
        "breakerOpen" => "The circuit breaker of the version was open, so the rules could not decide.",
        "doesNotLoad" => "A node could not load the version.",
        "notTrusted" => "No trusted key signed the version.",
        "secondPersonRequired" => "A second person has to promote it.",
        "versionMissing" => "The version does not exist.",
        "disabled" => "The plugin was disabled.",
        other => other,
    }
}

pub(super) fn class_title(class: DifferenceClass) -> &'static str {
    match class {
        DifferenceClass::Equal => "Equal",
        DifferenceClass::Different => "Different",
        DifferenceClass::Noise => "Noise: also differs between two calls of the active version",
        DifferenceClass::DeniedInstead => "Denied instead",
        DifferenceClass::AllowedInstead => "Allowed instead",
        DifferenceClass::Failed => "Failed",
        DifferenceClass::TimedOut => "Timed out",
        DifferenceClass::OverBudget => "Out of memory",
    }
}

/// A duration in milliseconds.
pub(super) fn milliseconds(microseconds: Option<u64>) -> String {
    microseconds.map_or_else(|| "–".to_owned(), |us| format!("{}.{} ms", us / 1000, us % 1000 / 100))
}

async fn show_page(caller: &Caller, name: &str, sent: Form, alert: String) -> Result<Response, Failure> {
    let plugin = read(caller, name).await?;
    let rollout: Option<RolloutView> = caller.get_if_allowed(&format!("{}/rollout", api(name))).await?;
    let shown = rollout.as_ref().map(ShownRollout::of);
    let versions = caller.get_if_allowed(&format!("{}/versions", api(name))).await?.unwrap_or_default();
    let status = if alert.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let frame = Frame::new(caller, Section::Plugins);
    show_as(caller, status, &RolloutPage { frame, plugin, rollout, shown, versions, sent, alert })
}

pub(super) async fn show_rollout(caller: Caller, Path(name): Path<String>) -> Result<Response, Failure> {
    show_page(&caller, &name, Form::default(), String::new()).await
}

pub(super) async fn save_rollout(Path(name): Path<String>, posted: Posted) -> Result<Response, Failure> {
    let Posted { caller, form } = posted;
    let path = format!("{}/rollout", api(&name));
    let (method, path, body) = match form.text("act") {
        "promote" | "abort" => (Method::POST, format!("{path}/{}", form.text("act")), json!({})),
        "pause" => (Method::PATCH, path, json!({ "paused": true })),
        "resume" => (Method::PATCH, path, json!({ "paused": false })),
        act => {
            let is_new = act == "start";
            let shown: Option<RolloutView> = if is_new { None } else { caller.get_if_allowed(&path).await? };
            let now = rollout_form::server_time(&caller, &form).await;
            let asked = rollout_form::asked(&form, shown.as_ref(), is_new, now);
            match asked {
                Ok(body) if is_new => (Method::POST, path, body),
                Ok(body) => (Method::PATCH, path, body),
                Err(alert) => return show_page(&caller, &name, form, alert).await,
            }
        }
    };
    match caller.write_if(method, &path, body, form.filled("etag")).await {
        Ok(_) => Ok(done(&page(&name, "rollout"), "saved")),
        Err(failure) => {
            let alert = failure.into_part()?.text();
            show_page(&caller, &name, form, alert).await
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_shown_in_milliseconds() {
        assert_eq!(milliseconds(Some(1_250)), "1.2 ms");
        assert_eq!(milliseconds(None), "–");
    }
}
