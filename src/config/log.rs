//! `[log]`: log level and log format.

use serde::{Deserialize, Deserializer, Serialize};
use tracing_subscriber::EnvFilter;

/// Logging.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LogConfig {
    /// The format of log lines.
    pub format: LogFormat,
    /// Levels by target, in the syntax of `tracing_subscriber::EnvFilter`; always parses.
    #[serde(deserialize_with = "filter")]
    pub filter: String,
}

impl Default for LogConfig {
    fn default() -> Self {
        Self { format: LogFormat::Text, filter: "info".to_owned() }
    }
}

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Human-readable text.
    Text,
    /// One JSON object per line.
    Json,
}

fn filter<'de, D: Deserializer<'de>>(input: D) -> Result<String, D::Error> {
    let text = String::deserialize(input)?;
    EnvFilter::builder().parse(&text).map_err(serde::de::Error::custom)?;
    Ok(text)
}
