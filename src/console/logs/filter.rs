//! The filter of the audit log: form fields, and the API parameters that they become.

use super::entry::EntryFacts;
use crate::caller::Caller;
use chrono::NaiveDateTime;
use claimsmith_api::logs::LogView;
use claimsmith_api::users::UserFields;
use form_urlencoded::Serializer;
use serde::Deserialize;
use serde_json::Value;

/// The formats of a `datetime-local` field; the page labels it as UTC.
const TIME_FORMATS: [&str; 2] = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"];
/// The fields besides the key, with their labels.
const FIELDS: [(&str, &str); 6] = [
    ("person", "User"),
    ("application", "Application"),
    ("ticket", "Ticket"),
    ("result", "Result"),
    ("from", "From"),
    ("to", "Until"),
];

/// The values of the filter form.
#[derive(Clone)]
pub(super) struct Filter {
    /// A key or its prefix.
    pub key: String,
    pub person: String,
    pub application: String,
    pub ticket: String,
    pub result: String,
    pub from: String,
    pub to: String,
}

#[derive(Deserialize)]
struct FoundUser {
    id: String,
}

impl Filter {
    /// Reads the filter from the query.
    pub(super) fn read(caller: &Caller) -> Self {
        let field = |name| caller.query(name).unwrap_or_default().to_owned();
        Self {
            key: field("q"),
            person: field("person"),
            application: field("application"),
            ticket: field("ticket"),
            result: field("result"),
            from: field("from"),
            to: field("to"),
        }
    }

    /// Whether no filter is set.
    pub(super) fn is_open(&self) -> bool {
        self.key.is_empty() && self.chips().is_empty()
    }

    /// The filled fields besides the key: name, label, value.
    pub(super) fn chips(&self) -> Vec<(&'static str, &'static str, &str)> {
        let values = [&self.person, &self.application, &self.ticket, &self.result, &self.from, &self.to];
        let filled = FIELDS.iter().zip(values).filter(|(_, value)| !value.is_empty());
        filled.map(|((name, title), value)| (*name, *title, value.as_str())).collect()
    }

    /// The query string of a console page with the same filter.
    pub(super) fn query(&self) -> String {
        let mut query = Serializer::new(String::new());
        query.extend_pairs((!self.key.is_empty()).then_some(("q", &self.key)));
        query.extend_pairs(self.chips().into_iter().map(|(name, _, value)| (name, value)));
        query.finish()
    }

    /// The path of the API's list with this filter.
    pub(super) async fn path(&self, caller: &Caller) -> String {
        self.with_ids(caller).await.path_since(None)
    }

    /// Resolves names to ids: users by username, email or phone number, applications by name.
    pub(super) async fn with_ids(&self, caller: &Caller) -> Self {
        let person =
            known_person(caller, &self.person).await.map_or_else(|| self.person.clone(), |person| person.id.into());
        Self { person, application: self.application_id(caller).await, ..self.clone() }
    }

    /// Whether an entry matches this filter, which must have been resolved to ids.
    pub(super) fn matches(&self, entry: &LogView) -> bool {
        let is = |wanted: &str, value: &str| wanted.is_empty() || wanted == value;
        // The log fills its columns by the same rules.
        let by = entry.payload.get("byUserId").and_then(Value::as_str);
        let actor = by.unwrap_or_else(|| entry.text("actorId"));
        let ticket = entry.payload.pointer("/context/ticketId").and_then(Value::as_str).unwrap_or_default();
        entry.key.starts_with(self.key.trim_end_matches('*'))
            && (is(&self.person, entry.text("userId")) || is(&self.person, actor))
            && is(&self.application, entry.text("applicationId"))
            && is(&self.ticket, ticket)
            && is(&self.result, entry.text("result"))
            && milliseconds(&self.from).is_none_or(|from| entry.created_at >= from)
            && milliseconds(&self.to).is_none_or(|to| entry.created_at <= to)
    }

    /// The API path of a filter resolved to ids, from a start time on, Unix milliseconds.
    pub(super) fn path_since(&self, since: Option<i64>) -> String {
        // Keys are searched by prefix, so that the list already has results while the user types.
        let key = if self.key.is_empty() { String::new() } else { format!("{}*", self.key.trim_end_matches('*')) };
        let (from, to) = (milliseconds(&self.from), milliseconds(&self.to));
        let from = from.max(since.map(|since| to.map_or(since, |to| since.min(to))));
        let pairs = [
            ("logKey", key),
            ("personId", self.person.clone()),
            ("applicationId", self.application.clone()),
            ("ticketId", self.ticket.clone()),
            ("result", self.result.clone()),
            ("start_time", from.map(|time| time.to_string()).unwrap_or_default()),
            ("end_time", to.map(|time| time.to_string()).unwrap_or_default()),
        ];
        let pairs = pairs.iter().filter(|(_, value)| !value.is_empty());
        // The count is capped at 10,000 entries, more than an operator pages through.
        format!("/api/logs?{}", Serializer::new("enableCap=true".to_owned()).extend_pairs(pairs).finish())
    }

    async fn application_id(&self, caller: &Caller) -> String {
        let text = &self.application;
        if text.is_empty() {
            return String::new();
        }
        let query =
            Serializer::new(String::new()).append_pair("search.id", text).append_pair("search.name", text).finish();
        let found: Vec<FoundUser> =
            caller.peek(&format!("/api/applications?{query}&mode=exact&page=1&page_size=1")).await.unwrap_or_default();
        found.into_iter().next().map_or_else(|| text.clone(), |found| found.id)
    }
}

/// The user with exactly this id, username, email or phone number.
pub(crate) async fn known_person(caller: &Caller, text: &str) -> Option<UserFields> {
    if text.is_empty() {
        return None;
    }
    let fields = ["id", "username", "primaryEmail", "primaryPhone"].map(|field| (format!("search.{field}"), text));
    let query = Serializer::new(String::new()).extend_pairs(fields).finish();
    let found: Option<Vec<UserFields>> =
        caller.peek(&format!("/api/users?{query}&mode=exact&page=1&page_size=1")).await;
    found?.into_iter().next()
}

/// Parses a time of the form, in UTC, to Unix milliseconds.
fn milliseconds(text: &str) -> Option<i64> {
    TIME_FORMATS
        .iter()
        .find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())
        .map(|time| time.and_utc().timestamp_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_becomes_parameters_of_the_api() {
        let mut filter = Filter {
            key: "Management.User.*".to_owned(),
            person: "u1".to_owned(),
            application: String::new(),
            ticket: "T-1".to_owned(),
            result: "Error".to_owned(),
            from: "2026-11-21T10:36".to_owned(),
            to: "soon".to_owned(),
        };
        let path = "/api/logs?enableCap=true&logKey=Management.User.*&personId=u1&ticketId=T-1&result=Error\
            &start_time=1795257360000";
        assert_eq!(filter.path_since(None), path);
        assert_eq!(filter.path_since(Some(1)), path, "the later time counts");
        assert!(filter.path_since(Some(1_795_257_360_001)).ends_with("&start_time=1795257360001"));
        assert_eq!(
            filter.query(),
            "q=Management.User.*&person=u1&ticket=T-1&result=Error&from=2026-11-21T10%3A36&to=soon"
        );
        filter.key = "Boot".to_owned();
        assert!(filter.path_since(None).contains("logKey=Boot*&"), "while one types");
    }
}
