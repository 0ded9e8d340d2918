//! The page of the demo application: an invitation, or the tokens of the signed-in user. It is for developers of
//! applications, and in English only.

use super::form::{FieldError, FormPage};
use super::frame::Frame;
use super::headers::Forms;
use super::page;
use askama::Template;
use axum::response::Response;
use serde_json::{Map, Value};

/// The claims that the server itself puts into an access token; all other claims come from plugins.
const OWN_CLAIMS: [&str; 12] =
    ["iss", "sub", "aud", "exp", "iat", "nbf", "jti", "client_id", "scope", "organization_id", "auth_time", "sid"];

/// The page.
#[derive(Debug, Template)]
#[template(path = "demo.html")]
pub struct DemoPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the forms to the browser.
    pub csrf: &'a str,
    /// What did not work.
    pub error: Option<FieldError<'a>>,
    /// Who is signed in.
    pub person: Option<PersonView>,
    /// The reason that was entered.
    pub reason: &'a str,
    /// The ticket number that was entered.
    pub ticket: &'a str,
}

/// A signed-in user.
#[derive(Debug)]
pub struct PersonView {
    /// What they are called.
    pub name: String,
    /// The claims of their ID token.
    pub id_token: Vec<ClaimView>,
    /// Those of their access token for the demo's API.
    pub access_token: Vec<ClaimView>,
    /// The response of the userinfo endpoint, if it was requested.
    pub user_info: Option<Vec<ClaimView>>,
    /// The claims of the access token with which they act as the customer, when they do.
    pub acted: Option<Vec<ClaimView>>,
    /// Whether they may act as the customer.
    pub may_act: bool,
    /// Entries of the audit log that name them.
    pub entries: Vec<TraceView>,
    /// Webhooks that name them.
    pub deliveries: Vec<TraceView>,
}

/// A claim.
#[derive(Debug)]
pub struct ClaimView {
    /// Its name.
    pub name: String,
    /// Its value: a text, or JSON.
    pub value: String,
    /// Why it is highlighted; empty if it is not.
    pub mark: &'static str,
}

/// Something that happened.
#[derive(Debug)]
pub struct TraceView {
    /// When, in ISO 8601.
    pub time: String,
    /// What.
    pub name: String,
    /// All that is known of it, as JSON.
    pub details: String,
}

impl ClaimView {
    /// Claims in their order.
    #[must_use]
    pub fn list(claims: &Map<String, Value>) -> Vec<Self> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        claims.iter().map(|(name, value)| Self { name: name.clone(), value: text(value), mark: "" }).collect()
    }

    /// The claims of an access token: those of plugins and the actor are highlighted.
    #[must_use]
    pub fn of_access_token(claims: &Map<String, Value>) -> Vec<Self> {
        let mut list = Self::list(claims);
        for claim in &mut list {
            claim.mark = match claim.name.as_str() {
                "act" => "who acts",
                name if OWN_CLAIMS.contains(&name) => "",
                _ => "from a plugin",
            };
        }
        list
    }
}

impl FormPage for DemoPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("reason", self.reason.is_empty()), ("ticket", self.ticket.is_empty())]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }

    /// Only a field with an error: the page is long, and would begin in its middle.
    fn has_focus(&self, field: &str) -> bool {
        self.error().is_some_and(|error| error.field == field)
    }
}

impl DemoPage<'_> {
    fn title(&self) -> &'static str {
        if self.person.is_some() { "Your tokens" } else { "Demo application" }
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Own)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    #[test]
    fn claims_of_plugins_stand_out() {
        let claims = json!({ "sub": "casey", "act": { "sub": "erin" }, "ticket_id": "T-1", "roles": ["customer"] });
        let list = ClaimView::of_access_token(claims.as_object().unwrap());
        let shown: Vec<_> = list.iter().map(|claim| (&*claim.name, &*claim.value, claim.mark)).collect();
        let expected = [
            ("sub", "casey", ""),
            ("act", r#"{"sub":"erin"}"#, "who acts"),
            ("ticket_id", "T-1", "from a plugin"),
            ("roles", r#"["customer"]"#, "from a plugin"),
        ];
        assert_eq!(shown, expected);
    }
}
