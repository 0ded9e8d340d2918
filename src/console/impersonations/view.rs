//! What screens say of an impersonation.

use crate::caller::segment;
use claimsmith_api::impersonations::ImpersonationView;
use serde_json::Value;

/// Members of the context that the console itself sets; the others are listed separately.
const OWN: [&str; 3] = ["reason", "ticketId", "supportEngineerId"];

/// What screens say of an impersonation.
pub(crate) trait ImpersonationFacts {
    /// The path of its page.
    fn path(&self) -> String;
    /// The actor: of the token, or as named in the context.
    fn who(&self) -> &str;
    /// A text member of the context.
    fn of_context(&self, name: &str) -> &str;
    /// The reason and ticket, if given.
    fn why(&self) -> String;
    /// The other members of the context.
    fn further(&self) -> Vec<(String, String)>;
    /// The state, and the CSS class of its badge.
    fn state(&self) -> (&'static str, &'static str);
}

impl ImpersonationFacts for ImpersonationView {
    fn path(&self) -> String {
        format!("/console/impersonations/{}", segment(&self.id))
    }

    fn who(&self) -> &str {
        self.actor_id.as_deref().unwrap_or_else(|| self.of_context("supportEngineerId"))
    }

    fn of_context(&self, name: &str) -> &str {
        self.context.as_ref().and_then(|context| context.get(name)?.as_str()).unwrap_or_default()
    }

    fn why(&self) -> String {
        let texts = ["reason", "ticketId"].into_iter().filter_map(|name| self.context.as_ref()?.get(name)?.as_str());
        texts.collect::<Vec<_>>().join(" · ")
    }

    fn further(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let all = self
            .context
            .iter()
            .filter_map(Value::as_object)
            .flatten()
            .filter(|(name, _)| !OWN.contains(&name.as_str()));
        all.map(|(name, value)| (name.clone(), text(value))).collect()
    }

    fn state(&self) -> (&'static str, &'static str) {
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
        let found = json!({
            "id": "j", "userId": "u", "applicationId": "a", "scope": "", "context": context, "isActive": false,
            "createdAt": 0, "expiresAt": 0
        });
        let Ok(mut found) = serde_json::from_value::<ImpersonationView>(found) else { unreachable!() };
        assert_eq!((found.who(), found.of_context("ticketId"), found.of_context("reason")), ("erin", "T-1", ""));
        assert_eq!(found.further(), [("shift".to_owned(), "2".to_owned())]);
        assert_eq!(found.state(), ("Over", ""));
        found.actor_id = Some("op".into());
        assert_eq!(found.who(), "op");
    }
}
