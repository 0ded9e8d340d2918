//! Second factors by risk (adaptive MFA): the rules that make a sign-in unusual for its user.

use crate::clock::iso8601;
use crate::spelling::spelled;
use serde::{Deserialize, Serialize};

const DAY_MS: i64 = 24 * 3_600_000;
/// A place where a user has not been for this long is new again, in days.
pub const WINDOW_DAYS: i64 = 180;
/// The same in milliseconds.
pub const WINDOW_MS: i64 = WINDOW_DAYS * DAY_MS;
/// Inactivity from which on a sign-in is unusual, in days.
pub const INACTIVITY_DAYS: i64 = 30;
/// Maximum places of each kind that are remembered of a user.
pub const MAX_PLACES: i64 = 20;

spelled! {
/// A kind of place that a user signs in from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlaceKind {
    /// The network of a provider.
    Network = "network",
    /// A country or region.
    Country = "country",
}
}

/// What is known of a sign-in.
#[derive(Clone, Debug)]
pub struct SignInFacts {
    /// Unix milliseconds.
    pub now: i64,
    /// When the user last signed in, Unix milliseconds.
    pub last_sign_in_at: Option<i64>,
    /// Whether the user has signed in in this browser before.
    pub is_known_browser: bool,
    /// Whether the user has signed in from networks before, and none of them is this one.
    pub is_new_network: bool,
    /// The country, if the user has signed in from countries before, and none of them is this one.
    pub new_country: Option<String>,
}

/// A rule that a sign-in meets, as webhooks and the audit log show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "rule", content = "details", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum TriggeredRule {
    /// The user has not signed in in this browser before.
    NewDevice {
        /// How long a browser is known after a sign-in, in days.
        window_days: i64,
    },
    /// The user has not signed in from this network before.
    NewAddress {
        /// How long a network is known after a sign-in, in days.
        window_days: i64,
    },
    /// The user has not signed in from this country before.
    NewRegionOrCountry {
        /// The country.
        current_region_or_country: String,
        /// How long a country is known after a sign-in, in days.
        window_days: i64,
    },
    /// The user has not signed in for long.
    LongInactivity {
        /// When they last did, ISO 8601.
        last_sign_in_at: String,
        /// Days since then.
        inactivity_days: i64,
        /// Days from which on the rule is met.
        threshold_days: i64,
    },
}

/// The rules that a sign-in meets; none if it is usual.
#[must_use]
pub fn triggered(facts: &SignInFacts) -> Vec<TriggeredRule> {
    let mut rules = Vec::new();
    if !facts.is_known_browser {
        rules.push(TriggeredRule::NewDevice { window_days: WINDOW_DAYS });
    }
    if facts.is_new_network {
        rules.push(TriggeredRule::NewAddress { window_days: WINDOW_DAYS });
    }
    if let Some(country) = &facts.new_country {
        rules.push(TriggeredRule::NewRegionOrCountry {
            current_region_or_country: country.clone(),
            window_days: WINDOW_DAYS,
        });
    }
    if let Some(last) = facts.last_sign_in_at {
        let inactivity_days = (facts.now - last) / DAY_MS;
        if facts.now - last > INACTIVITY_DAYS * DAY_MS {
            rules.push(TriggeredRule::LongInactivity {
                last_sign_in_at: iso8601(last),
                inactivity_days,
                threshold_days: INACTIVITY_DAYS,
            });
        }
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_rule_is_met_by_its_fact_alone() -> Result<(), serde_json::Error> {
        let usual = SignInFacts {
            now: 100 * DAY_MS,
            last_sign_in_at: Some(70 * DAY_MS),
            is_known_browser: true,
            is_new_network: false,
            new_country: None,
        };
        assert_eq!(triggered(&usual), []);
        assert_eq!(triggered(&SignInFacts { last_sign_in_at: None, ..usual.clone() }), []);
        let window = json!({ "windowDays": 180 });
        for (facts, expected) in [
            (
                SignInFacts { is_known_browser: false, ..usual.clone() },
                json!({ "rule": "new_device", "details": window }),
            ),
            (
                SignInFacts { is_new_network: true, ..usual.clone() },
                json!({ "rule": "new_address", "details": window }),
            ),
            (
                SignInFacts { new_country: Some("NZ".to_owned()), ..usual.clone() },
                json!({ "rule": "new_region_or_country",
                    "details": { "currentRegionOrCountry": "NZ", "windowDays": 180 } }),
            ),
            (
                SignInFacts { last_sign_in_at: Some(70 * DAY_MS - 1), ..usual },
                json!({ "rule": "long_inactivity", "details": {
                    "lastSignInAt": "1970-03-11T23:59:59.999Z", "inactivityDays": 30, "thresholdDays": 30
                } }),
            ),
        ] {
            assert_eq!(serde_json::to_value(triggered(&facts))?, json!([expected]));
        }
        Ok(())
    }
}
