//! An impersonation as the API returns it.

use crate::caller::segment;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Members of the context that the console itself sets; the others are listed separately.
const OWN: [&str; 3] = ["reason", "ticketId", "supportEngineerId"];

/// A token with which an actor acts as a user.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Impersonation {
    pub id: String,
    pub user_id: String,
    pub actor_id: Option<String>,
    pub application_id: String,
    pub resource: Option<String>,
    pub organization_id: Option<String>,
    pub scope: String,
    context: Option<Map<String, Value>>,
    pub is_active: bool,
    pub created_at: i64,
    pub expires_at: i64,
    pub ended_at: Option<i64>,
}

impl Impersonation {
    /// The path of its page.
    pub(super) fn path(&self) -> String {
        format!("/console/impersonations/{}", segment(&self.id))
    }

    /// The actor: of the token, or as named in the context.
    pub(super) fn who(&self) -> &str {
        self.actor_id.as_deref().unwrap_or_else(|| self.of_context("supportEngineerId"))
    }

    /// A text member of the context.
    pub(super) fn of_context(&self, name: &str) -> &str {
        self.context.as_ref().and_then(|context| context.get(name)?.as_str()).unwrap_or_default()
    }

    /// The other members of the context.
    pub(super) fn further(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let all = self.context.iter().flatten().filter(|(name, _)| !OWN.contains(&name.as_str()));
        all.map(|(name, value)| (name.clone(), text(value))).collect()
    }

    /// The state, and the CSS class of its badge.
    pub(super) fn state(&self) -> (&'static str, &'static str) {
        match (self.is_active, self.ended_at) {
            (true, _) => ("Live", "warn"),
            (false, Some(_)) => ("Ended", ""),
            (false, None) => ("Over", ""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn who_acts_is_the_actor_before_whom_the_backend_named() {
        let context = json!({ "supportEngineerId": "erin", "ticketId": "T-1", "shift": 2 });
        let mut found: Impersonation = serde_json::from_value(json!({ "context": context })).unwrap_or_default();
        assert_eq!((found.who(), found.of_context("ticketId"), found.of_context("reason")), ("erin", "T-1", ""));
        assert_eq!(found.further(), [("shift".to_owned(), "2".to_owned())]);
        assert_eq!(found.state(), ("Over", ""));
        found.actor_id = Some("op".to_owned());
        assert_eq!(found.who(), "op");
    }
}
