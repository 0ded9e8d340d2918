//! `[breaker]`: when a plugin that keeps failing is no longer called, and what answers meanwhile.

use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::time::Duration;

/// The settings of a circuit breaker; absent ones have defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BreakerSettings {
    /// Whether there is one. Default true.
    pub enabled: bool,
    /// Failures within the window that open it. Default 20.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failures: Option<u32>,
    /// Seconds of the window. Default 60.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<u32>,
    /// What answers while it is open. Default: `on_error` holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_open: Option<OnOpen>,
}

/// What answers while a breaker is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnOpen {
    /// Nothing: `on_error` holds at once.
    #[serde(rename = "on_error")]
    OnError,
    /// The version before the active one, if it passes the golden cases of the active one.
    #[serde(rename = "previous version")]
    PreviousVersion,
}

const DEFAULT_FAILURES: u32 = 20;
const DEFAULT_WINDOW_SECONDS: u32 = 60;
/// Counts are kept in the database for the window.
const FAILURES: RangeInclusive<u32> = 1..=10_000;
const WINDOW_SECONDS: RangeInclusive<u32> = 1..=3600;

impl Default for BreakerSettings {
    fn default() -> Self {
        Self { enabled: true, failures: None, window: None, on_open: None }
    }
}

impl BreakerSettings {
    /// Failures within the window that open it.
    #[must_use]
    pub fn failures(&self) -> u32 {
        self.failures.unwrap_or(DEFAULT_FAILURES)
    }

    /// The window.
    #[must_use]
    pub fn window(&self) -> Duration {
        Duration::from_secs(self.window.unwrap_or(DEFAULT_WINDOW_SECONDS).into())
    }

    /// Whether the version before the active one answers while it is open.
    #[must_use]
    pub fn wants_previous_version(&self) -> bool {
        self.enabled && self.on_open == Some(OnOpen::PreviousVersion)
    }

    /// Whether nothing is set.
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn check(&self) -> Result<(), (String, String)> {
        for (key, value, range) in [("failures", self.failures, FAILURES), ("window", self.window, WINDOW_SECONDS)] {
            if value.is_some_and(|value| !range.contains(&value)) {
                let message = format!("between {} and {} are accepted", range.start(), range.end());
                return Err((format!("breaker.{key}"), message));
            }
        }
        Ok(())
    }
}
