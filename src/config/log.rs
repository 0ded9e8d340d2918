//! `[log]`: log level and log format.

use serde::{Deserialize, Deserializer, Serialize};
use tracing_subscriber::EnvFilter;

/// Logging.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LogConfig {
    /// How lines are written.
    pub format: LogFormat,
    /// Levels by target, in the syntax of `tracing_subscriber::EnvFilter`; it is known to parse.
    #[serde(deserialize_with = "filter")]
    pub filter: String,
}

impl Default for LogConfig {
    fn default() -> Self {
        Self { format: LogFormat::Text, filter: "info".to_owned() }
    }
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object per line.
    Json,
}

fn filter<'de, D: Deserializer<'de>>(input: D) -> Result<String, D::Error> {
    let text = String::deserialize(input)?;
    EnvFilter::builder().parse(&text).map_err(serde::de::Error::custom)?;
    Ok(text)
}
