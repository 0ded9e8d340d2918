//! Rollouts of plugins: their modes and states, who is chosen whatever the share, the rules that end them, and how the
//! answers of two versions differ.

use claimsmith_json::present_object;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// The longest rollout: 30 days, in milliseconds.
pub const MAX_ROLLOUT_MS: i64 = 30 * 24 * 3_600_000;
/// The duration of a rollout that names no end: 7 days, in milliseconds.
pub const DEFAULT_ROLLOUT_MS: i64 = 7 * 24 * 3_600_000;

/// What a version in a rollout does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RolloutMode {
    /// It is called beside the active version, and its answers have no effect.
    Shadow,
    /// It answers for its share.
    Canary,
}

/// Where a rollout stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RolloutState {
    /// It runs.
    Running,
    /// The active version answers everybody until the rollout is resumed or ended.
    Paused,
    /// Its version was activated.
    Promoted,
    /// It ended, and the active version stayed.
    Aborted,
}

/// How an answer of the version in a rollout differs from that of the active version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DifferenceClass {
    /// The same JSON values.
    Equal,
    /// Other values.
    Different,
    /// Other values, which also differ when the active version is called twice.
    Noise,
    /// A denial in place of an answer.
    DeniedInstead,
    /// An answer in place of a denial.
    AllowedInstead,
    /// A failure in place of an answer.
    Failed,
    /// No answer in time.
    TimedOut,
    /// More memory than a call may use.
    OverBudget,
}

impl RolloutMode {
    /// Its spelling.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shadow => "shadow",
            Self::Canary => "canary",
        }
    }

    /// The mode of this spelling.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Shadow, Self::Canary].into_iter().find(|mode| mode.as_str() == text)
    }
}

impl RolloutState {
    /// Its spelling.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Promoted => "promoted",
            Self::Aborted => "aborted",
        }
    }

    /// The state of this spelling.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Running, Self::Paused, Self::Promoted, Self::Aborted].into_iter().find(|state| state.as_str() == text)
    }
}

impl DifferenceClass {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Equal,
        Self::Different,
        Self::Noise,
        Self::DeniedInstead,
        Self::AllowedInstead,
        Self::Failed,
        Self::TimedOut,
        Self::OverBudget,
    ];

    /// Its spelling.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Different => "different",
            Self::Noise => "noise",
            Self::DeniedInstead => "deniedInstead",
            Self::AllowedInstead => "allowedInstead",
            Self::Failed => "failed",
            Self::TimedOut => "timedOut",
            Self::OverBudget => "overBudget",
        }
    }
}

/// Who is chosen whatever the share.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Audience {
    /// Client ids.
    pub applications: Vec<String>,
    /// Ids of organizations.
    pub organizations: Vec<String>,
    /// Ids of users.
    pub users: Vec<String>,
}

impl Audience {
    /// Whether it names nobody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.applications.is_empty() && self.organizations.is_empty() && self.users.is_empty()
    }
}

/// What ends or pauses a rollout. A rule acts with the right of the principal that set it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RolloutRules {
    /// Activates the version after so many runs and minutes.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present_object")]
    #[schema(required = false)]
    pub promote_after: Option<PromoteAfter>,
    /// Aborts the rollout above these values.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present_object")]
    #[schema(required = false)]
    pub abort_over: Option<AbortOver>,
    /// Pauses the rollout where there is too little traffic to decide.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present_object")]
    #[schema(required = false)]
    pub pause_under: Option<PauseUnder>,
}

/// When a version is activated. Both must have been reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PromoteAfter {
    /// Runs of the version.
    #[serde(deserialize_with = "runs")]
    pub runs: u32,
    /// Minutes without a pause, at most 43200.
    #[serde(deserialize_with = "minutes")]
    pub minutes: u32,
}

/// When a rollout is aborted: where any value is above its limit. Limits are percentages of the runs, of at least 20.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AbortOver {
    /// Answers with other values. Of a shadow only: a canary's answers are not compared.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "percent")]
    #[schema(value_type = f64, required = false)]
    pub different: Option<f64>,
    /// Denials of the version, less those of the active version.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "percent")]
    #[schema(value_type = f64, required = false)]
    pub denied: Option<f64>,
    /// Failures of the version, less those of the active version.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "percent")]
    #[schema(value_type = f64, required = false)]
    pub failed: Option<f64>,
    /// By how many percent the 99th percentile of the durations exceeds that of the active version, after 100 runs of
    /// both.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "excess", rename = "slowerP99")]
    #[schema(value_type = f64, required = false)]
    pub slower_p99: Option<f64>,
}

/// When a rollout is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PauseUnder {
    /// Fewer runs than this when the minutes of `promoteAfter` are over; without them, within an hour.
    #[serde(deserialize_with = "runs")]
    pub runs: u32,
}

/// `#[serde(deserialize_with = "share")]`: a whole percentage.
pub fn share<'de, D: Deserializer<'de>>(input: D) -> Result<u8, D::Error> {
    let share = i64::deserialize(input)?;
    u8::try_from(share)
        .ok()
        .filter(|share| *share <= 100)
        .ok_or_else(|| D::Error::custom(format!("expected a whole number of percent from 0 to 100, found {share}")))
}

/// The same for a member that may be left out.
pub fn present_share<'de, D: Deserializer<'de>>(input: D) -> Result<Option<u8>, D::Error> {
    share(input).map(Some)
}

fn within<'de, D: Deserializer<'de>>(input: D, most: i64, what: &str) -> Result<u32, D::Error> {
    let number = i64::deserialize(input)?;
    let fits = u32::try_from(number).ok().filter(|_| number >= 1 && number <= most);
    fits.ok_or_else(|| D::Error::custom(format!("expected 1 to {most} {what}, found {number}")))
}

fn runs<'de, D: Deserializer<'de>>(input: D) -> Result<u32, D::Error> {
    within(input, 1_000_000_000, "runs")
}

fn minutes<'de, D: Deserializer<'de>>(input: D) -> Result<u32, D::Error> {
    within(input, 43_200, "minutes")
}

fn bounded<'de, D: Deserializer<'de>>(input: D, most: f64) -> Result<Option<f64>, D::Error> {
    let percent = f64::deserialize(input)?;
    if (0.0..=most).contains(&percent) {
        return Ok(Some(percent));
    }
    Err(D::Error::custom(format!("expected a percentage from 0 to {most}, found {percent}")))
}

fn percent<'de, D: Deserializer<'de>>(input: D) -> Result<Option<f64>, D::Error> {
    bounded(input, 100.0)
}

fn excess<'de, D: Deserializer<'de>>(input: D) -> Result<Option<f64>, D::Error> {
    bounded(input, 10_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Debug, Deserialize)]
    struct Shared {
        #[serde(deserialize_with = "share")]
        share: u8,
    }

    #[test]
    fn a_share_is_a_whole_percentage() {
        for share in [0, 1, 100] {
            let read = serde_json::from_value::<Shared>(json!({ "share": share })).map(|read| read.share);
            assert_eq!(read.ok(), u8::try_from(share).ok());
        }
        for share in [json!(101), json!(-1), json!(1.5), json!("10"), json!(null), json!(4_294_967_296_i64)] {
            assert!(serde_json::from_value::<Shared>(json!({ "share": share })).is_err(), "{share}");
        }
    }

    #[test]
    fn rules_come_back_as_they_were_written() {
        let written = json!({
            "promoteAfter": { "runs": 500, "minutes": 60 }, "abortOver": { "different": 1.5, "slowerP99": 50.0 },
            "pauseUnder": { "runs": 20 }
        });
        let rules: RolloutRules = serde_json::from_value(written.clone()).unwrap_or_default();
        assert_eq!(serde_json::to_value(rules).ok(), Some(written));
        for wrong in [
            json!({ "promoteAfter": { "runs": 0, "minutes": 1 } }),
            json!({ "promoteAfter": [1, 2] }),
            json!({ "promoteAfter": { "runs": 1 } }),
            json!({ "abortOver": { "denied": 101 } }),
            json!({ "abortOver": { "denied": -1 } }),
            json!({ "abortOver": { "slower": 1 } }),
            json!({ "pauseUnder": null }),
        ] {
            assert!(serde_json::from_value::<RolloutRules>(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
