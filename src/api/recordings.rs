//! Bodies of `/api/plugins/{name}/recordings`: recordings of a plugin's calls.

use claimsmith_domain::documents::plugin::{RecordedOutcome, RecordingState};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// What is to be recorded.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({
    "count": 50, "until": "30m", "applications": ["q3v8k1znw2pd"], "outcomes": ["ok", "denied"],
    "keep": ["context.user.customData.plan"], "expiresInDays": 7
}))]
pub struct StartRecording {
    /// How many calls: 1 to 1000.
    #[schema(minimum = 1, maximum = 1000)]
    pub count: i64,
    /// When it ends, whether so many calls came or not: Unix milliseconds, or how long from now, such as `90s`, `30m` or
    /// `2h`; at most 24 hours, which is the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub until: Option<Value>,
    /// The client ids whose tokens are recorded; all when left out. A webhook delivery has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applications: Option<Vec<String>>,
    /// The ids of the users whose tokens and events are recorded; all when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub users: Option<Vec<String>>,
    /// The outcomes that are recorded; all when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcomes: Option<Vec<RecordedOutcome>>,
    /// Whether the answers of other servers are kept, redacted and without credentials.
    #[serde(default)]
    pub keep_http: bool,
    /// Members that are kept as they are: of those that the settings of the plugin name (`[recording] keep`).
    #[serde(default)]
    pub keep: Vec<String>,
    /// After how many days it is deleted: 1 to 30, or 7 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 30)]
    pub expires_in_days: Option<i64>,
}

/// A recording.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "0m8k1znw2pd7f0ymx4ab1", "plugin": "plan", "state": "recording", "count": 50, "recorded": 12, "dropped": 0,
    "bytes": 14_210, "problem": null, "applications": null, "users": null, "outcomes": null, "keepHttp": false,
    "keep": ["context.user.customData.plan"], "until": 1_760_086_400_000_i64, "endedAt": null,
    "expiresAt": 1_760_604_800_000_i64, "createdBy": "b5n8q1w4z7k0x3c6t9r2m", "createdAt": 1_760_000_000_000_i64
}))]
pub struct RecordingView {
    pub id: String,
    /// The name of the plugin.
    pub plugin: String,
    /// Whether it goes on, or why it ended.
    pub state: RecordingState,
    /// How many calls are wanted.
    pub count: i64,
    /// How many samples it has, from all nodes.
    pub recorded: i64,
    /// Calls that were to be recorded and were not: the queue or the disk was full, or the user is deleted.
    pub dropped: i64,
    /// Of all its samples, as they are stored.
    pub bytes: i64,
    /// What went wrong last.
    pub problem: Option<String>,
    /// The client ids; null means all.
    pub applications: Option<Vec<String>>,
    /// The users' ids; null means all.
    pub users: Option<Vec<String>>,
    /// The outcomes; null means all.
    pub outcomes: Option<Vec<RecordedOutcome>>,
    /// Whether the answers of other servers are kept.
    pub keep_http: bool,
    /// The members that are kept as they are.
    pub keep: Vec<String>,
    /// When it ends by itself, Unix milliseconds.
    pub until: i64,
    /// When it ended, Unix milliseconds.
    pub ended_at: Option<i64>,
    /// When it is deleted, Unix milliseconds.
    pub expires_at: i64,
    /// The principal that started it.
    pub created_by: String,
    /// Unix milliseconds.
    pub created_at: i64,
}
