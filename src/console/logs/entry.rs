//! An entry of the audit log: actor, action, subject, and links to the objects it names.

use crate::caller::segment;
use crate::names::Names;
use claimsmith_api::logs::LogView;
use serde_json::Value;

/// Payload members that contain an id, with their label and the path of the object's pages.
const LINKS: &[(&str, &str, &str)] = &[
    ("byUserId", "By", "users"),
    ("actorId", "Who acted", "users"),
    ("userId", "User", "users"),
    ("applicationId", "Application", "applications"),
    ("createdApplicationId", "Application created", "applications"),
    ("changedApplicationId", "Application changed", "applications"),
    ("organizationId", "Organization", "organizations"),
    ("roleId", "Role", "roles"),
    ("resourceId", "API resource", "resources"),
    ("hookId", "Webhook", "webhooks/hooks"),
    ("connectorId", "Connector", "connectors"),
    ("plugin", "Plugin", "plugins"),
    ("pluginName", "Plugin", "plugins"),
];

/// A link to an object that the entry names.
pub(crate) struct EntryLink {
    pub title: &'static str,
    pub id: String,
    pub path: String,
}

/// What screens say of an entry.
pub(crate) trait EntryFacts {
    /// A string member of the payload.
    fn text(&self, name: &str) -> &str;
    /// The path of the entry's page.
    fn path(&self) -> String;
    /// Whether the action failed.
    fn is_error(&self) -> bool;
    /// The error message of a failed action, if any.
    fn error(&self) -> String;
    /// The id of the acting user, if any.
    fn actor_id(&self) -> &str;
    /// The display name of the actor.
    fn who<'n>(&'n self, names: &'n Names) -> &'n str;
    /// The id of the affected user, if it is not the actor.
    fn subject_id(&self) -> &str;
    /// The ids to look up names for: users, and the application.
    fn ids(&self) -> ([&str; 2], &str);
    /// Links to all objects that the entry names and that have a page.
    fn links(&self) -> Vec<EntryLink>;
    /// The ticket, if any.
    fn ticket(&self) -> &str;
    /// The payload as pretty-printed JSON.
    fn pretty(&self) -> String;
}

impl EntryFacts for LogView {
    fn text(&self, name: &str) -> &str {
        self.payload.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn path(&self) -> String {
        format!("/console/logs/{}", segment(&self.id))
    }

    fn is_error(&self) -> bool {
        self.text("result") == "Error"
    }

    fn error(&self) -> String {
        match self.payload.get("error") {
            Some(Value::String(text)) => text.clone(),
            Some(error) => ["message", "error_description", "code", "error"]
                .into_iter()
                .find_map(|name| error.get(name)?.as_str())
                .map_or_else(|| error.to_string(), str::to_owned),
            None => String::new(),
        }
    }

    fn actor_id(&self) -> &str {
        let own = if self.text("by") == "user" { self.text("userId") } else { "" };
        [self.text("byUserId"), self.text("actorId"), own].into_iter().find(|id| !id.is_empty()).unwrap_or_default()
    }

    fn who<'n>(&'n self, names: &'n Names) -> &'n str {
        match (self.actor_id(), self.text("applicationId")) {
            ("", _) if self.text("by") == "operator" => "The terminal",
            // Interaction events name no actor: the acting user is the one who signs in.
            ("", _) if self.key.starts_with("Interaction.") => names.of(self.text("userId")),
            ("", "") => "The server",
            ("", application) => names.of(application),
            (user, _) => names.of(user),
        }
    }

    fn subject_id(&self) -> &str {
        let user = self.text("userId");
        if user == self.actor_id() || self.key.starts_with("Interaction.") { "" } else { user }
    }

    fn ids(&self) -> ([&str; 2], &str) {
        ([self.actor_id(), self.text("userId")], self.text("applicationId"))
    }

    fn links(&self) -> Vec<EntryLink> {
        let found = LINKS.iter().map(|(member, title, folder)| (title, self.text(member), folder));
        let mut links: Vec<_> = found
            .filter(|(_, id, _)| !id.is_empty())
            .map(|(title, id, folder)| EntryLink {
                title,
                id: id.to_owned(),
                path: format!("/console/{folder}/{}", segment(id)),
            })
            .collect();
        if self.key == "ExchangeTokenBy.TokenExchange" && !self.text("jti").is_empty() {
            let (title, id) = ("Impersonation", self.text("jti").to_owned());
            links.push(EntryLink { title, path: format!("/console/impersonations/{}", segment(&id)), id });
        }
        links
    }

    fn ticket(&self) -> &str {
        let context = self.payload.get("context").or_else(|| self.payload.get("subjectTokenContext"));
        context.and_then(|context| context.get("ticketId")).and_then(Value::as_str).unwrap_or_default()
    }

    fn pretty(&self) -> String {
        serde_json::to_string_pretty(&self.payload).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry(key: &str, payload: Value) -> LogView {
        LogView::new("e", key, payload, 0)
    }

    #[test]
    fn who_did_it_is_told_from_whom_it_was_done_to() {
        let names = Names::default();
        for (key, payload, who, subject) in [
            ("Management.User.Delete", json!({ "byUserId": "op", "userId": "u" }), "op", "u"),
            ("Account.User.Update", json!({ "by": "user", "userId": "u", "applicationId": "a" }), "u", ""),
            ("Management.User.Create", json!({ "userId": "u", "applicationId": "a" }), "a", "u"),
            ("ExchangeTokenBy.TokenExchange", json!({ "userId": "u", "actorId": "op" }), "op", "u"),
            ("Interaction.SignIn.Submit", json!({ "userId": "u", "applicationId": "a" }), "u", ""),
            ("Management.User.SetPassword", json!({ "by": "operator", "userId": "u" }), "The terminal", "u"),
            ("Bootstrap", json!({}), "The server", ""),
        ] {
            let entry = entry(key, payload);
            assert_eq!((entry.who(&names), entry.subject_id()), (who, subject), "{key}");
        }
    }

    #[test]
    fn an_entry_leads_to_what_it_names() {
        let entry =
            entry("ExchangeTokenBy.TokenExchange", json!({ "userId": "a/b", "jti": "j", "error": { "code": "c" } }));
        let paths: Vec<_> = entry.links().into_iter().map(|link| link.path).collect();
        assert_eq!(paths, ["/console/users/a%2Fb", "/console/impersonations/j"]);
        assert_eq!(entry.error(), "c");
    }
}
