//! An error response of the Management API (`docs/decisions/management-api-errors.md`).

use crate::field_names::{field_of_code, field_of_path};
use axum::http::StatusCode;
use claimsmith_json::STORED;
use serde::Deserialize;
use serde_json::Value;

/// How a problem of the request body begins, before the path of the member.
const KEY_PATH: &str = "Error in key path \"";

/// The error code of a change that locks users out.
const LOCKED_OUT: &str = "sign_in_experiences.users_locked_out";

/// The error code of operations that need a recent sign-in.
const FRESH_SIGN_IN: &str = "console.fresh_sign_in_required";

/// The error that the API returned.
#[derive(Clone, Debug)]
pub(crate) struct ApiRefusal {
    /// The HTTP status.
    pub status: StatusCode,
    /// Stable, machine-readable code.
    pub code: String,
    /// Human-readable message.
    pub message: String,
    /// Machine-readable details of the code.
    pub data: Value,
    /// The problems of the request body, one per line.
    pub details: String,
}

#[derive(Deserialize)]
#[serde(default)]
struct Body {
    code: String,
    message: String,
    data: Value,
    details: Value,
}

impl Default for Body {
    fn default() -> Self {
        let message = "The server could not do this. Its log says why.".to_owned();
        Self { code: "server_error".to_owned(), message, data: Value::Null, details: Value::Null }
    }
}

impl ApiRefusal {
    /// Parses the body of an error response.
    pub(crate) fn read(status: StatusCode, body: &[u8]) -> Self {
        let body: Body = claimsmith_json::read(body, STORED).unwrap_or_default();
        let lines = |lines: &Value| {
            lines.as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
        };
        let details = match &body.details {
            Value::String(text) => text.clone(),
            Value::Null => lines(&body.data["issues"]),
            details => lines(details),
        };
        Self { status, code: body.code, message: body.message, data: body.data, details }
    }

    /// Whether it concerns the user's input, so that the form is shown again.
    pub(crate) fn is_about_input(&self) -> bool {
        matches!(
            self.status,
            StatusCode::BAD_REQUEST
                | StatusCode::CONFLICT
                | StatusCode::PAYLOAD_TOO_LARGE
                | StatusCode::UNPROCESSABLE_ENTITY
                // Sending messages: too many to this recipient, or no connector to send them.
                | StatusCode::TOO_MANY_REQUESTS
                | StatusCode::NOT_IMPLEMENTED
        )
    }

    /// The problems by field: those whose key path, or code, belongs to a field that the form has.
    pub(crate) fn problems_of_fields(&self, has: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let text = if self.details.is_empty() { &self.message } else { &self.details };
        let located = text.lines().filter_map(|line| {
            let (path, problem) = match line.split_once(KEY_PATH) {
                Some((_, rest)) => rest.split_once("\": ")?,
                // Issues of configurations: `path: problem`, or what the whole lacks.
                None => line.split_once(": ").filter(|(path, _)| !path.contains(' ')).unwrap_or(("", line)),
            };
            // The path leads to the object that lacks the member.
            match problem.strip_prefix("missing field `").and_then(|rest| rest.split_once('`')) {
                Some((member, _)) => {
                    let field = field_of_path(&format!("{path}.{member}"), &has)?;
                    Some((field, "Fill in this field.".to_owned()))
                }
                None => Some((field_of_path(path, &has)?, sentence(problem))),
            }
        });
        let located: Vec<_> = located.collect();
        if !located.is_empty() {
            return located;
        }
        field_of_code(&self.code, &has).map(|field| (field, self.text())).into_iter().collect()
    }

    /// Whether a retry may succeed shortly.
    pub(crate) fn is_temporary(&self) -> bool {
        matches!(self.status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS)
    }

    /// Whether the object has changed since it was read (`If-Match`).
    pub(crate) fn is_outdated(&self) -> bool {
        self.status == StatusCode::PRECONDITION_FAILED
    }

    /// Whether the change was refused since it locks users out.
    pub(crate) fn is_lockout(&self) -> bool {
        self.code == LOCKED_OUT
    }

    /// Whether the operator must sign in again first.
    pub(crate) fn needs_sign_in(&self) -> bool {
        self.code == FRESH_SIGN_IN
    }

    /// The message, followed by the problems of the body.
    pub(crate) fn text(&self) -> String {
        if self.details.is_empty() || self.message.contains(&self.details) {
            self.message.clone()
        } else {
            format!("{} {}", self.message, self.details)
        }
    }
}

/// A problem as a sentence: with a capital letter and a full stop.
fn sentence(problem: &str) -> String {
    let mut letters = problem.trim().chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let end = if problem.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_belongs_to_the_field_of_its_path() {
        let refusal = |code: &str, message: &str, details: &str| ApiRefusal {
            status: StatusCode::BAD_REQUEST,
            code: code.to_owned(),
            message: message.to_owned(),
            data: Value::Null,
            details: details.to_owned(),
        };
        let path = "Error in key path \"oidcClientMetadata.redirectUris[1]\": has no scheme";
        for (refused, fields, expected) in [
            (refusal("a", "Bad.", path), vec!["redirectUris"], vec![("redirectUris", "Has no scheme.")]),
            (refusal("a", path, ""), vec!["redirectUris"], vec![("redirectUris", "Has no scheme.")]),
            (refusal("a", "Bad.", path), vec!["name"], vec![]),
            (
                refusal("a", "Error in key path \"config\": missing field `host` at line 1", ""),
                vec!["host"],
                vec![("host", "Fill in this field.")],
            ),
            (
                refusal("a", "It does not fit.", "missing field `clientId`"),
                vec!["clientId"],
                vec![("clientId", "Fill in this field.")],
            ),
            (refusal("a", "It does not fit.", "host: no name"), vec!["host"], vec![("host", "No name.")]),
            (
                refusal("user.username_already_in_use", "Taken.", ""),
                vec!["name", "username"],
                vec![("username", "Taken.")],
            ),
            (refusal("user.username_already_in_use", "Taken.", ""), vec!["name"], vec![]),
        ] {
            let found = refused.problems_of_fields(|name| fields.contains(&name));
            let found: Vec<_> = found.iter().map(|(field, text)| (field.as_str(), text.as_str())).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn it_is_said_what_a_configuration_lacks() {
        for (body, text) in [
            (
                r#"{"message":"It does not fit.","data":{"issues":["host: is missing","port: is missing"]}}"#,
                "It does not fit. host: is missing\nport: is missing",
            ),
            (
                r#"{"message":"Not so: name: too long","details":"name: too long","data":{"issues":["name: too long"]}}"#,
                "Not so: name: too long",
            ),
            (r#"{"message":"No.","data":[1]}"#, "No."),
        ] {
            assert_eq!(ApiRefusal::read(StatusCode::BAD_REQUEST, body.as_bytes()).text(), text);
        }
    }
}
