//! Bodies of `/api/plugins/{name}/rollout`.

use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::rollout::{
    DifferenceClass, RolloutMode, RolloutRules, RolloutState, present_share, share,
};
use claimsmith_json::{Listed, present, present_object};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// A rollout to begin.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({
    "version": "3", "mode": "canary", "share": 5, "users": ["b5n8q1w4z7k0x3c6t9r2m"],
    "rules": {
        "promoteAfter": { "runs": 5000, "minutes": 120 },
        "abortOver": { "denied": 1.0, "failed": 0.5, "slowerP99": 100.0 }, "pauseUnder": { "runs": 200 }
    },
    "expires": 1_760_600_000_000_i64
}))]
pub struct StartRollout {
    /// The version that is tried, which is not the active one.
    pub version: String,
    /// `shadow`: it is called beside the active version, without an effect. `canary`: it answers for its share.
    pub mode: RolloutMode,
    /// Percent of users; of applications where a token has no user, and of deliveries for a webhook transform.
    #[serde(deserialize_with = "share")]
    #[schema(value_type = u8, maximum = 100)]
    pub share: u8,
    /// Client ids that are chosen whatever the share.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    pub applications: Option<IdList<String, 0>>,
    /// Organizations that are chosen whatever the share.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    pub organizations: Option<IdList<String, 0>>,
    /// Users that are chosen whatever the share.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    pub users: Option<IdList<String, 0>>,
    /// What ends or pauses it, with the right of the caller. Without rules, only persons do.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = RolloutRules, required = false)]
    pub rules: Option<RolloutRules>,
    /// When it is paused if nothing has ended it, Unix milliseconds: at most 30 days from now, by default 7.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = i64, required = false)]
    pub expires: Option<i64>,
}

/// What is to change of a rollout; what is left out stays.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({ "share": 25, "paused": false }))]
pub struct UpdateRollout {
    /// A change of the mode begins to count anew.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = RolloutMode, required = false)]
    pub mode: Option<RolloutMode>,
    /// Percent of users. Raising it never moves anybody back.
    #[serde(default, deserialize_with = "present_share")]
    #[schema(value_type = u8, required = false, maximum = 100)]
    pub share: Option<u8>,
    /// Client ids that are chosen whatever the share.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    pub applications: Option<IdList<String, 0>>,
    /// Organizations that are chosen whatever the share.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    pub organizations: Option<IdList<String, 0>>,
    /// Users that are chosen whatever the share.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    pub users: Option<IdList<String, 0>>,
    /// Replaced as a whole; null removes them.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<RolloutRules>, required = false)]
    pub rules: Option<Option<Listed<RolloutRules>>>,
    /// When it is paused if nothing has ended it, Unix milliseconds.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = i64, required = false)]
    pub expires: Option<i64>,
    /// `true` pauses it: the active version answers everybody. `false` resumes it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    pub paused: Option<bool>,
}

/// The rollout of a plugin, with its results on all nodes.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "plugin": "plan", "version": "3", "activeVersion": "2", "mode": "shadow", "state": "running", "reason": null,
    "share": 10, "applications": [], "organizations": [], "users": [], "rules": null, "rulesBy": null,
    "rulesInForce": false, "breakerOpen": false,
    "startedBy": "b5n8q1w4z7k0x3c6t9r2m", "startedAt": 1_760_000_000_000_i64,
    "expires": 1_760_600_000_000_i64, "endedBy": null, "endedAt": null,
    "cost": { "cases": 4, "active": 48_211, "candidate": 51_730 },
    "results": {
        "active": { "runs": 1200, "denied": 3, "failed": 0, "spared": 0, "p50Us": 760, "p99Us": 3900 },
        "candidate": { "runs": 118, "denied": 1, "failed": 0, "spared": 0, "p50Us": 810, "p99Us": 4100 },
        "baseline": { "runs": 14, "denied": 0, "failed": 0, "spared": 0, "p50Us": 800, "p99Us": 4000 },
        "compared": 118, "classes": [{ "class": "equal", "count": 113, "share": 95.8 }],
        "claims": [{ "name": "plan", "added": 0, "removed": 0, "changed": 5, "noise": 0 }],
        "slower": 2, "dropped": 0, "httpRefused": 0
    }
}))]
pub struct RolloutView {
    /// The plugin.
    pub plugin: String,
    /// The version that is tried.
    pub version: String,
    /// The version that was active when it began.
    pub active_version: String,
    /// What it does.
    pub mode: RolloutMode,
    /// Where it stands.
    pub state: RolloutState,
    /// Why it is paused or over: `byHand`, `rules`, `different`, `denied`, `failed`, `slowerP99`, `tooLittleTraffic`,
    /// `undecidedAtExpiry`, `breakerOpen`, `doesNotLoad`, `notTrusted`, `secondPersonRequired`, `versionMissing` or
    /// `disabled`.
    pub reason: Option<String>,
    /// Percent of users.
    pub share: u8,
    /// Client ids that are chosen whatever the share.
    pub applications: Vec<String>,
    /// Organizations that are chosen whatever the share.
    pub organizations: Vec<String>,
    /// Users that are chosen whatever the share.
    pub users: Vec<String>,
    /// What ends or pauses it.
    pub rules: Option<RolloutRules>,
    /// The principal with whose right the rules act.
    pub rules_by: Option<String>,
    /// Whether this principal still has that right.
    pub rules_in_force: bool,
    /// Whether the circuit breaker of its version is open or half-open, for everybody or for a single application or
    /// user; false once the rollout is over. Rules do not promote the version meanwhile.
    #[serde(default)]
    pub breaker_open: bool,
    /// The principal that began it.
    pub started_by: String,
    /// Unix milliseconds.
    pub started_at: i64,
    /// When it is paused if nothing has ended it, Unix milliseconds.
    pub expires: i64,
    /// The principal that ended it; null where rules did.
    pub ended_by: Option<String>,
    /// Unix milliseconds.
    pub ended_at: Option<i64>,
    /// What the golden cases cost that both versions have; null where none were counted.
    #[serde(default)]
    pub cost: Option<RolloutCost>,
    /// What was counted.
    pub results: RolloutResultsView,
}

/// Instructions of golden cases, as they were counted when the versions were uploaded: in production they are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RolloutCost {
    /// How many cases both versions have.
    pub cases: u64,
    /// Instructions of the active version.
    pub active: u64,
    /// Instructions of the version in the rollout.
    pub candidate: u64,
}

/// What was counted of a rollout.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RolloutResultsView {
    /// Calls of the active version.
    pub active: RolloutSide,
    /// Calls of the version in the rollout.
    pub candidate: RolloutSide,
    /// Calls of the active version beside those of a shadow, with the same priority: what its durations are compared with.
    pub baseline: RolloutSide,
    /// Compared answers of a shadow.
    pub compared: u64,
    /// The same by class.
    pub classes: Vec<RolloutClass>,
    /// The claims that differ; of a webhook transform what became of the delivery.
    pub claims: Vec<RolloutClaim>,
    /// Runs of a shadow that took at least a quarter longer than the active version beside it.
    pub slower: u64,
    /// Calls that a shadow did not repeat, since its queue was full or the version could not be run.
    pub dropped: u64,
    /// Requests of a shadow that were refused, since the active version had not sent them.
    pub http_refused: u64,
}

/// Calls of one version.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RolloutSide {
    /// All.
    pub runs: u64,
    /// Those that denied.
    pub denied: u64,
    /// Those that failed.
    pub failed: u64,
    /// Calls that were not made, since the circuit breaker of the version was open. They are not among the runs.
    #[serde(default)]
    pub spared: u64,
    /// Median of the durations, microseconds.
    pub p50_us: Option<u64>,
    /// 99th percentile, microseconds.
    pub p99_us: Option<u64>,
}

/// Compared answers of one class.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RolloutClass {
    /// The class.
    pub class: DifferenceClass,
    /// How many.
    pub count: u64,
    /// Percent of all compared answers.
    pub share: f64,
}

/// How often a claim differs.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RolloutClaim {
    /// Its name.
    pub name: String,
    /// The active version does not set it.
    pub added: u64,
    /// The version in the rollout does not set it.
    pub removed: u64,
    /// It has another value.
    pub changed: u64,
    /// It also differs between two calls of the active version.
    pub noise: u64,
}

/// A call whose answers differ, redacted as a recording is.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "0192b7c46a1e7d3f8b524c9e", "class": "different", "createdAt": 1_760_000_000_000_i64,
    "content": {
        "input": { "token": { "sub": "k4x8m1q9" }, "context": {} },
        "active": {
            "outcome": "ok", "answer": { "plan": "gold" },
            "redactedAnswer": { "outcome": "ok", "answer": { "plan": "gold" }, "message": null }
        },
        "candidate": {
            "outcome": "ok", "answer": { "plan": "silver" },
            "redactedAnswer": { "outcome": "ok", "answer": { "plan": "silver" }, "message": null }
        },
        "differs": ["plan"], "durationUs": 800
    },
    "cases": {
        "active": {
            "name": "rollout of version 3: different 524c9e", "input": { "token": { "sub": "k4x8m1q9" }, "context": {} },
            "expected": { "claims": { "plan": "gold" } }
        },
        "candidate": {
            "name": "rollout of version 3: different 524c9e", "input": { "token": { "sub": "k4x8m1q9" }, "context": {} },
            "expected": { "claims": { "plan": "silver" } }
        }
    }
}))]
pub struct RolloutSampleView {
    /// The id of the sample.
    pub id: String,
    /// How the answers differ.
    pub class: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// The input, both answers, what both versions answer to the redacted input, and what differs.
    #[schema(value_type = Object)]
    pub content: Value,
    /// The golden cases that can be made of it.
    #[serde(default)]
    pub cases: RolloutSampleCases,
}

/// Golden cases of a sample: the redacted input, and what a version answers to it. Null where a golden case cannot expect
/// the answer, such as one that did not come in time.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct RolloutSampleCases {
    /// It expects what the active version answers.
    #[schema(value_type = Option<Object>)]
    pub active: Option<Value>,
    /// It expects what the version in the rollout answers.
    #[schema(value_type = Option<Object>)]
    pub candidate: Option<Value>,
}
