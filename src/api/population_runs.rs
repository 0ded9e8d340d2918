//! Bodies of `/api/plugins/{name}/population-runs`: a version of a plugin, run over all users.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a version is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ComparedWith {
    /// The active version.
    #[default]
    Active,
    /// No plugin at all: every claim is one that it adds.
    Nothing,
}

/// Which token of a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RunTokenKind {
    /// The access token.
    #[default]
    AccessToken,
    /// The ID token beside it.
    IdToken,
}

/// HTTP requests of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunHttp {
    /// How many requests per second the run may send on average: 1 to 100.
    #[schema(minimum = 1, maximum = 100)]
    pub per_second: u32,
}

/// A run to start.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({
    "version": "4", "against": "active", "application": "q3v8k1znw2pd7f0ymx4ab", "sample": 10_000
}))]
pub struct StartPopulationRun {
    /// The version to try.
    pub version: String,
    /// What it is compared with.
    #[serde(default)]
    #[schema(required = false)]
    pub against: ComparedWith,
    /// The client id of the application whose tokens the users would get.
    pub application: String,
    /// How many users, evenly spread; all when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub sample: Option<i64>,
    /// As at the token endpoint; when left out, `authorization_code` if the application uses it, else token exchange.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant_type: Option<String>,
    /// Which token.
    #[serde(default)]
    #[schema(required = false)]
    pub token_kind: RunTokenKind,
    /// The resource indicator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// Scopes, separated by spaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Allows HTTP requests, within the grant of the plugin; needs `plugins:grant`. Otherwise they are refused and counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http: Option<RunHttp>,
}

/// Whether a run goes on, or how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PopulationRunState {
    /// It goes on.
    Running,
    /// It has passed all users.
    Complete,
    /// It was ended by a request, or since the principal that started it has lost the permissions for it, which
    /// `problem` says.
    Canceled,
    /// It cannot go on; `problem` says why.
    Failed,
}

impl PopulationRunState {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Running, Self::Complete, Self::Canceled, Self::Failed];

    /// Its spelling.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Canceled => "canceled",
            Self::Failed => "failed",
        }
    }

    /// The state of this spelling.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == text)
    }
}

/// A run.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "0m8k1znw2pd7f0ymx4ab1", "plugin": "plan", "version": "4", "against": "3",
    "application": "q3v8k1znw2pd7f0ymx4ab", "grantType": "authorization_code", "tokenKind": "access-token",
    "resource": null, "scope": null, "http": null, "withSecrets": false, "state": "running", "problem": null,
    "users": 1000, "total": 1000, "visited": 400, "compared": 390, "skipped": 10, "httpSent": 0, "httpRefused": 0,
    "results": {
        "classes": [{ "class": "equal", "count": 380, "share": 97.4 }, { "class": "different", "count": 10, "share": 2.6 }],
        "claims": [{ "name": "plan", "added": 0, "removed": 0, "changed": 10, "noise": 0 }],
        "otherClaims": 0, "noisy": 0, "candidate": { "p50Us": 800, "p99Us": 2400 },
        "against": { "p50Us": 790, "p99Us": 2300 }
    },
    "differences": 10, "dropped": 0, "bytes": 14_210, "createdBy": "b5n8q1w4z7k0x3c6t9r2m",
    "createdAt": 1_760_000_000_000_i64, "endedAt": null, "expiresAt": 1_760_604_800_000_i64
}))]
pub struct PopulationRunView {
    pub id: String,
    /// The name of the plugin.
    pub plugin: String,
    /// The version that is tried.
    pub version: String,
    /// The version that was active when it was started; null: it is compared with no plugin.
    pub against: Option<String>,
    /// The client id.
    pub application: String,
    /// As at the token endpoint.
    pub grant_type: String,
    /// Which token.
    pub token_kind: RunTokenKind,
    /// The resource indicator.
    pub resource: Option<String>,
    /// Scopes, separated by spaces.
    pub scope: Option<String>,
    /// Whether, and how often, it sends HTTP requests; null: they are refused.
    pub http: Option<RunHttp>,
    /// Whether the calls have the secrets of the plugin: whoever started it holds `plugins:secrets`. Otherwise each has the
    /// value `secret:NAME`.
    pub with_secrets: bool,
    /// Whether it goes on, or how it ended.
    pub state: PopulationRunState,
    /// Why it failed; or why the last user who was skipped has no such token.
    pub problem: Option<String>,
    /// How many users it is about.
    pub users: i64,
    /// All users at the start.
    pub total: i64,
    /// Users of those that it has passed.
    pub visited: i64,
    /// Users whose answers were compared.
    pub compared: i64,
    /// Users that would have no such token: suspended ones, and those that the token endpoint would refuse.
    pub skipped: i64,
    /// HTTP requests that were sent.
    pub http_sent: i64,
    /// HTTP requests that were refused.
    pub http_refused: i64,
    /// What was found so far; null if it cannot be read.
    pub results: Option<PopulationResults>,
    /// Differences that are stored.
    pub differences: i64,
    /// Differences that had no room.
    pub dropped: i64,
    /// Of the stored differences.
    pub bytes: i64,
    /// The principal that started it.
    pub created_by: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// When it ended, Unix milliseconds.
    pub ended_at: Option<i64>,
    /// When it is deleted with its differences, Unix milliseconds.
    pub expires_at: i64,
}

/// What a run has found.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PopulationResults {
    /// Users by class.
    pub classes: Vec<PopulationClass>,
    /// The claims that differ, by name; at most 200.
    pub claims: Vec<PopulationClaim>,
    /// Differences of further claims.
    pub other_claims: u64,
    /// Users whose answers differ, in part or all, by noise: in what also differs between two calls of the same version.
    pub noisy: u64,
    /// How long the calls of the version took that is tried. They were outranked by those of tokens.
    pub candidate: PopulationDurations,
    /// The same of the version that it is compared with.
    pub against: PopulationDurations,
}

/// The users of one class.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PopulationClass {
    /// `equal`, `different`, `deniedInstead`, `allowedInstead`, `failed` or `timedOut`.
    pub class: String,
    /// How many.
    pub count: u64,
    /// Of those that were compared, in percent.
    pub share: f64,
}

/// How often a claim differs.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PopulationClaim {
    /// Its name.
    pub name: String,
    /// Only the version that is tried sets it.
    pub added: u64,
    /// It does not set it.
    pub removed: u64,
    /// It sets another value.
    pub changed: u64,
    /// It differs by noise.
    pub noise: u64,
}

/// How long calls took, in microseconds.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PopulationDurations {
    /// The median.
    pub p50_us: Option<u64>,
    /// The 99th percentile.
    pub p99_us: Option<u64>,
}
