//! `[sessions]`: lifetimes of sessions, and limits of sign-in.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::units::seconds;

/// Sessions and interactions.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SessionsConfig {
    /// Absolute lifetime of a session.
    #[serde(with = "seconds")]
    pub ttl: Duration,
    /// Time after which an unused session ends.
    #[serde(with = "seconds")]
    pub idle_ttl: Duration,
    /// Time that a user has to sign in.
    #[serde(with = "seconds")]
    pub interaction_ttl: Duration,
    /// Maximum failed sign-ins per minute, in total; above it, only known browsers and addresses without failures may
    /// try.
    pub max_failed_sign_ins_per_minute: i64,
    /// Maximum text messages per hour, in total: each costs money.
    pub max_texts_per_hour: i64,
}

impl Default for SessionsConfig {
    fn default() -> Self {
        Self {
            ttl: Duration::from_hours(14 * 24),
            idle_ttl: Duration::from_hours(3 * 24),
            interaction_ttl: Duration::from_hours(1),
            max_failed_sign_ins_per_minute: 1000,
            max_texts_per_hour: 1000,
        }
    }
}
