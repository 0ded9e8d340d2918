//! The page that asks the operator to confirm their identity, in the place of the page that needs it.

use super::PATH;
use crate::answer::{see_other, show_as};
use crate::base_path;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::pending_form::{ConfirmationProblem, ConfirmationQuestion, PendingForm};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::Json;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use claimsmith_json::STORED;
use serde_json::{Value, json};

/// Maximum bytes of the path to return to.
const MAX_PATH_BYTES: usize = 1024;
/// Seconds after which a busy server may be asked again.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

#[derive(Template)]
#[template(path = "confirmation/ask.html")]
struct ConfirmationPage<'a> {
    frame: Frame,
    /// The path and query of the form.
    action: &'a str,
    /// Where a repeated sign-in leads to in this tab; empty if it needs another tab, because the page has a form.
    onward: String,
    question: &'a ConfirmationQuestion,
    problem: &'a str,
}

#[derive(Template)]
#[template(path = "confirmation/confirmed.html")]
struct ConfirmedPage {
    frame: Frame,
}

/// Asks for the confirmation of a request: of its form, or before its page is opened.
pub(super) async fn ask(caller: &Caller) -> Response {
    let form = match caller.form() {
        Some(form) if *caller.method() == Method::POST => {
            PendingForm { path: caller.here().to_owned(), fields: form.fields().to_vec() }
        }
        _ => before(caller.here()),
    };
    show_form(caller, form, None).await
}

/// The form that leads to a page once the operator has confirmed.
fn before(page: &str) -> PendingForm {
    PendingForm { path: format!("{PATH}?return={}", segment(page)), fields: Vec::new() }
}

pub(super) async fn show(caller: Caller) -> Response {
    show_form(&caller, before(&return_of(&caller)), None).await
}

/// The operator has confirmed, or signed in recently.
pub(super) async fn go_on(Posted { caller, .. }: Posted) -> Response {
    see_other(&return_of(&caller))
}

pub(super) async fn show_confirmed(caller: Caller) -> Result<Response, Failure> {
    show_as(&caller, StatusCode::OK, &ConfirmedPage { frame: Frame::new(&caller, Section::None) })
}

/// Shows the page for a form, or its facts to a script.
pub(super) async fn show_form(caller: &Caller, form: PendingForm, problem: Option<ConfirmationProblem>) -> Response {
    let action = form.path.clone();
    let question = match caller.console().api.ask_confirmation(caller.operator(), form).await {
        Ok(question) => question,
        Err(response) => return response,
    };
    let (status, text) = match problem {
        Some(problem) => (problem.status, problem.text),
        None => (StatusCode::FORBIDDEN, String::new()),
    };
    let mut response = if wants_json(caller) {
        let action = format!("{}{action}", base_path::of(&caller.console().base_url));
        (status, Json(as_json(&action, &question, &text))).into_response()
    } else {
        let onward = action.strip_prefix(PATH).and_then(|rest| rest.strip_prefix("?return=")).unwrap_or_default();
        let (frame, onward) = (Frame::new(caller, Section::None), onward.to_owned());
        let page = ConfirmationPage { frame, action: &action, onward, question: &question, problem: &text };
        show_as(caller, status, &page).into_response()
    };
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
    }
    response
}

/// The same for a script: `form` is sent to `action` as `confirm.form`, before the other fields.
fn as_json(action: &str, question: &ConfirmationQuestion, problem: &str) -> Value {
    let passkey: Option<Value> =
        question.passkey.as_deref().and_then(|options| claimsmith_json::read(options, STORED).ok());
    json!({
        "code": "console.fresh_sign_in_required",
        "message": if problem.is_empty() { "Confirm your identity to continue." } else { problem },
        "action": action,
        "form": question.sealed,
        "password": question.password,
        "verificationCode": question.code,
        "passkey": passkey,
    })
}

fn wants_json(caller: &Caller) -> bool {
    let accept = caller.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|kinds| kinds.starts_with("application/json"))
}

/// The page of the console to return to; the first page for anything else.
fn return_of(caller: &Caller) -> String {
    let wanted = caller.query("return").unwrap_or_default();
    if is_own(wanted) { wanted.to_owned() } else { Section::None.path().to_owned() }
}

/// Whether a text is the path of a page of the console, with or without a query.
fn is_own(path: &str) -> bool {
    let is_plain = path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\' && byte != b'#');
    let rest = path.strip_prefix(Section::None.path());
    is_plain
        && path.len() <= MAX_PATH_BYTES
        && !path.contains("/../")
        && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_console_are_returned_to() {
        for path in ["/console", "/console/users/export?format=csv", "/console?q=%2F%2Fevil.test"] {
            assert!(is_own(path), "{path}");
        }
        let long = format!("/console/{}", "x".repeat(MAX_PATH_BYTES));
        for path in
            ["", "/", "/consoles", "//evil.test/console", "https://evil.test", "/console/../x", "/console/a\\b", &long]
        {
            assert!(!is_own(path), "{path}");
        }
    }
}
