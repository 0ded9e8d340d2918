//! The configuration of a hook: the URL of its deliveries, and their headers.

use super::text::Text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where deliveries go.
#[derive(Clone, Serialize, Deserialize, utoipa::ToSchema)]
pub struct HookConfig {
    /// An http or https URL of one server, without spaces. Whether deliveries may go there depends on the outgoing
    /// addresses that the server allows, when they are sent.
    #[schema(value_type = String, max_length = 2048)]
    pub url: Text<0, 2048>,
    /// Headers of every delivery, at most 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub headers: Option<BTreeMap<String, String>>,
    /// How often a delivery is retried, at most; for about three days if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 3)]
    pub retries: Option<u8>,
}

/// One transform's part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransformRun {
    /// The plugin's name.
    pub plugin: String,
    /// `sha256:…` of its source, if it was loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// `ok`, or what went wrong.
    pub outcome: String,
    /// How long it took.
    pub duration_ms: u64,
}
