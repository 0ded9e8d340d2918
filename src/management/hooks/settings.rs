//! Rate limit and ordering of a hook, as request bodies have them.

use claimsmith_json::present;
use claimsmith_storage::hooks::Hook;
use claimsmith_web::error::ApiError;
use serde::Deserialize;

/// Default number of concurrent deliveries of a hook.
pub(super) const DEFAULT_CONCURRENCY: i64 = 10;
const MAX_CONCURRENCY: i64 = 100;
const MAX_DELIVERIES_PER_SECOND: i64 = 1000;

/// How fast and in which order; what is left out stays as it is.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct HookSettings {
    /// Whether deliveries wait until this is `false` again.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    paused: Option<bool>,
    /// Whether events about one user, role, scope or organization are told one after the other, in their order.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    ordered: Option<bool>,
    /// Deliveries at a time; 10 when not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = i64, required = false, minimum = 1, maximum = 100)]
    max_concurrency: Option<i64>,
    /// Deliveries a second; null for as many as there are.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<i64>, required = false, minimum = 1, maximum = 1000)]
    #[expect(clippy::option_option, reason = "left out and null are not the same")]
    rate_limit: Option<Option<i64>>,
}

impl HookSettings {
    /// Refuses numbers that are out of bounds.
    pub(super) fn check(&self) -> Result<(), ApiError> {
        bounded("maxConcurrency", self.max_concurrency, MAX_CONCURRENCY)?;
        bounded("rateLimit", self.rate_limit.flatten(), MAX_DELIVERIES_PER_SECOND)
    }

    /// Applies the settings to a hook.
    pub(super) fn apply(&self, hook: &mut Hook) {
        hook.paused = self.paused.unwrap_or(hook.paused);
        hook.ordered = self.ordered.unwrap_or(hook.ordered);
        hook.max_in_flight = self.max_concurrency.unwrap_or(hook.max_in_flight);
        hook.rate_limit = self.rate_limit.unwrap_or(hook.rate_limit);
    }
}

fn bounded(name: &str, value: Option<i64>, most: i64) -> Result<(), ApiError> {
    if value.is_some_and(|value| !(1..=most).contains(&value)) {
        let fault = format!("Error in key path \"{name}\": expected a whole number from 1 to {most}");
        return Err(ApiError::invalid_input("body", fault));
    }
    Ok(())
}
