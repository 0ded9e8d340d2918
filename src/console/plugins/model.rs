//! Plugins, their versions and sources, as the API returns them.

use crate::plugins::home;
use serde::Deserialize;
use serde_json::Value;

/// A plugin.
#[expect(clippy::struct_excessive_bools, reason = "they are the members of the API")]
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Plugin {
    pub name: String,
    pub kind: Option<String>,
    /// `folder` (a file of the plugin folder) or `store` (uploaded).
    pub source: String,
    pub language: Option<String>,
    pub state: String,
    pub last_error: Option<String>,
    pub refuses_tokens: bool,
    pub holds_deliveries: bool,
    pub order: i64,
    pub on_error: String,
    pub enabled: bool,
    pub digest: Option<String>,
    pub size: Option<u64>,
    pub world: Option<String>,
    pub imports: Vec<String>,
    pub secrets: Vec<String>,
    pub shadows_file: bool,
    pub statistics: Statistics,
    pub deployment: Option<Deployment>,
    /// `ETag` of the API object, for `If-Match`.
    #[serde(skip)]
    pub etag: String,
}

/// Call statistics of the node that answered.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Statistics {
    pub calls: u64,
    pub denied: u64,
    pub failed: u64,
    pub mean_ms: f64,
    pub max_ms: f64,
    #[serde(rename = "p50Us")]
    pub p50_us: Option<u64>,
    #[serde(rename = "p99Us")]
    pub p99_us: Option<u64>,
}

/// What is stored for an uploaded plugin.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Deployment {
    pub active_version: Option<String>,
    pub latest_version: Option<String>,
    pub http: HttpAccess,
}

/// The plugin's HTTP access.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct HttpAccess {
    pub declared: Option<Value>,
    pub granted: Option<Value>,
}

impl Plugin {
    /// Whether it is a file of the plugin folder, which the console cannot change.
    pub(super) fn is_file(&self) -> bool {
        self.source == "folder"
    }

    /// Whether it is a WebAssembly component without source text.
    pub(super) fn is_component(&self) -> bool {
        self.language.as_deref() == Some("wasm")
    }

    pub(super) fn href(&self) -> String {
        home(&self.name)
    }

    /// The label of the plugin kind.
    pub(super) fn kind_title(&self) -> &'static str {
        kind_title(self.kind.as_deref().unwrap_or_default())
    }

    /// The label of the state, and the CSS class of its badge.
    pub(super) fn state_badge(&self) -> (&str, &'static str) {
        match self.state.as_str() {
            "active" if self.last_error.is_some() => ("older version serves", "warn"),
            "active" => ("active", "good"),
            "failed" => ("failed", "bad"),
            "disabled" => ("disabled", ""),
            other => (other, ""),
        }
    }

    /// Whether it needs attention.
    pub(super) fn needs_attention(&self) -> bool {
        self.last_error.is_some() || self.state == "failed" || self.refuses_tokens || self.holds_deliveries
    }

    /// The active version of an uploaded plugin.
    pub(super) fn active_version(&self) -> Option<&str> {
        self.deployment.as_ref()?.active_version.as_deref()
    }

    /// Median duration of a call (p50); the mean if it is unknown.
    pub(super) fn typical(&self) -> String {
        match (self.statistics.p50_us, self.statistics.calls) {
            (Some(median), _) => duration(median),
            (None, 0) => String::new(),
            (None, _) => format!("{:.1} ms", self.statistics.mean_ms),
        }
    }

    /// Duration of the slowest calls (p99); the maximum if it is unknown.
    pub(super) fn slow(&self) -> String {
        match (self.statistics.p99_us, self.statistics.calls) {
            (Some(slow), _) => duration(slow),
            (None, 0) => String::new(),
            (None, _) => format!("{:.1} ms", self.statistics.max_ms),
        }
    }
}

/// The label of a plugin kind.
pub(super) fn kind_title(kind: &str) -> &'static str {
    match kind {
        "claims" => "Claims",
        "webhook-transform" => "Webhook transform",
        "message" => "Messages",
        _ => "",
    }
}

/// Formats a duration given in microseconds.
pub(super) fn duration(microseconds: u64) -> String {
    let (whole, tenths) = (microseconds / 1000, microseconds % 1000 / 100);
    match whole {
        0 => format!("{microseconds} µs"),
        1..10 => format!("{whole}.{tenths} ms"),
        _ => format!("{whole} ms"),
    }
}

/// A version of an uploaded plugin.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Version {
    pub id: String,
    pub active: bool,
    pub created_at: i64,
    pub created_by: String,
    pub digest: String,
    pub language: String,
    pub size: u64,
    pub http: Option<Value>,
    pub source: Option<String>,
    pub cases: Option<String>,
    pub exports: Vec<String>,
    pub imports: Vec<String>,
    pub instructions: Option<Instructions>,
}

/// Instructions executed by the golden cases of a version.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Instructions {
    pub total: u64,
}

/// The texts for the editor.
#[expect(clippy::struct_field_names, reason = "they are the members of the API")]
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Source {
    pub name: String,
    pub origin: String,
    pub language: String,
    pub source: Option<String>,
    pub settings: Option<String>,
    pub cases: Option<String>,
    pub version: Option<String>,
    pub files: Files,
}

/// File names of a plugin in the folder.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Files {
    pub source: Option<String>,
    pub settings: Option<String>,
    pub cases: Option<String>,
}

/// An example or template to start a plugin from.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Example {
    pub name: String,
    pub variant: String,
    pub title: String,
    pub description: String,
    pub kind: String,
    pub language: String,
    pub source: String,
    pub settings: String,
    pub cases: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short() {
        assert_eq!(duration(812), "812 µs");
        assert_eq!(duration(1_250), "1.2 ms");
        assert_eq!(duration(48_999), "48 ms");
    }
}
