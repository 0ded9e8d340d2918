//! Failures of a request, each shown as a page: a refusal by the API, a missing page, an outdated form.

use crate::caller::Caller;
use crate::frame::Frame;
use crate::refusal::ApiRefusal;
use crate::section::Section;
use askama::Template;
use axum::http::{Method, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use std::error::Error;

/// Why a request ends without its page.
pub(crate) struct Failure {
    caller: Caller,
    reason: Box<FailureReason>,
}

enum FailureReason {
    /// The API refused the call.
    Refused(ApiRefusal),
    /// A status and a one-sentence message.
    Page(StatusCode, String),
    /// The form's CSRF token is not of this session.
    OutdatedForm,
}

impl Failure {
    /// The API refused the call.
    pub(crate) fn refused(caller: &Caller, refusal: ApiRefusal) -> Self {
        Self { caller: caller.clone(), reason: Box::new(FailureReason::Refused(refusal)) }
    }

    /// An unexpected error; logs the details and shows a generic message.
    pub(crate) fn broken(caller: &Caller, error: &(dyn Error + 'static)) -> Self {
        tracing::error!(error, path = caller.path(), "a page of the console could not be made");
        Self::page(
            caller,
            StatusCode::INTERNAL_SERVER_ERROR,
            "The page could not be made. The log of the server says why.",
        )
    }

    /// A status and a one-sentence message.
    pub(crate) fn page(caller: &Caller, status: StatusCode, message: impl Into<String>) -> Self {
        Self { caller: caller.clone(), reason: Box::new(FailureReason::Page(status, message.into())) }
    }

    /// 404: there is no such page.
    pub(crate) fn missing(caller: &Caller) -> Self {
        Self::page(caller, StatusCode::NOT_FOUND, "There is no such page.")
    }

    /// The form's CSRF token is not of this session.
    pub(crate) fn outdated_form(caller: &Caller) -> Self {
        Self { caller: caller.clone(), reason: Box::new(FailureReason::OutdatedForm) }
    }

    /// The refusal, if it concerns the user's input, so that the form is shown again.
    pub(crate) fn about_input(self) -> Result<ApiRefusal, Self> {
        match *self.reason {
            FailureReason::Refused(refusal) if refusal.is_about_input() => Ok(at_fields(&self.caller, refusal)),
            reason => Err(Self { caller: self.caller, reason: Box::new(reason) }),
        }
    }

    /// The refusal, if the object has changed since it was read (`If-Match`).
    pub(crate) fn outdated(self) -> Result<ApiRefusal, Self> {
        match *self.reason {
            FailureReason::Refused(refusal) if refusal.is_outdated() => Ok(refusal),
            reason => Err(Self { caller: self.caller, reason: Box::new(reason) }),
        }
    }

    /// The refusal, if it fits into a part of the page: invalid input, or a busy server.
    pub(crate) fn into_part(self) -> Result<ApiRefusal, Self> {
        match *self.reason {
            FailureReason::Refused(refusal) if refusal.is_about_input() || refusal.is_temporary() => {
                Ok(at_fields(&self.caller, refusal))
            }
            reason => Err(Self { caller: self.caller, reason: Box::new(reason) }),
        }
    }

    /// Whether the object does not exist.
    pub(crate) fn is_missing(&self) -> bool {
        self.status() == StatusCode::NOT_FOUND
    }

    /// Whether the operator lacks the permission, regardless of how recently they signed in.
    pub(crate) fn is_forbidden(&self) -> bool {
        self.status() == StatusCode::FORBIDDEN && !self.needs_sign_in()
    }

    fn needs_sign_in(&self) -> bool {
        matches!(&*self.reason, FailureReason::Refused(refusal) if refusal.needs_sign_in())
    }

    fn status(&self) -> StatusCode {
        match &*self.reason {
            FailureReason::Refused(refusal) => refusal.status,
            FailureReason::Page(status, _) => *status,
            FailureReason::OutdatedForm => StatusCode::FORBIDDEN,
        }
    }

    fn explain(&self) -> (&'static str, String) {
        match &*self.reason {
            FailureReason::Refused(refusal) if refusal.status == StatusCode::FORBIDDEN => {
                ("Not for your role", format!("{} Your role: {}.", refusal.text(), self.caller.operator().titles()))
            }
            FailureReason::Refused(refusal) if refusal.status == StatusCode::NOT_FOUND => ("Not found", refusal.text()),
            FailureReason::Refused(refusal) if refusal.is_outdated() => (
                "Changed by somebody else",
                "It was changed since this page was opened, so nothing was done. Go back, and look at it again."
                    .to_owned(),
            ),
            FailureReason::Refused(refusal) => ("This did not work", refusal.text()),
            FailureReason::Page(StatusCode::NOT_FOUND, message) => ("Not found", message.clone()),
            FailureReason::Page(StatusCode::FORBIDDEN, message) => ("Not for your role", message.clone()),
            FailureReason::Page(_, message) => ("This did not work", message.clone()),
            FailureReason::OutdatedForm => (
                "An old form",
                "This form was opened before you signed in. Nothing was changed; send it again.".to_owned(),
            ),
        }
    }
}

/// Records the problems at the fields of the submitted form, where the page shows them.
fn at_fields(caller: &Caller, refusal: ApiRefusal) -> ApiRefusal {
    caller.refused_form().refuse_by(&refusal);
    refusal
}

/// Marks a response: its request needs a recent sign-in. The layer around all screens asks the operator for it.
#[derive(Clone)]
pub(crate) struct NeedsConfirmation(pub(crate) Caller);

/// The page that shows a form from another session, to be sent again.
#[derive(Template)]
#[template(path = "confirmation/outdated.html")]
struct OutdatedPage {
    frame: Frame,
    /// The submitted fields.
    fields: Vec<(String, String)>,
}

/// The error page.
#[derive(Template)]
#[template(path = "failure.html")]
struct FailurePage {
    frame: Frame,
    title: &'static str,
    message: String,
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = self.status();
        if self.needs_sign_in() {
            let mut response = status.into_response();
            response.extensions_mut().insert(NeedsConfirmation(self.caller));
            return response;
        }
        let form = self.caller.form().filter(|_| *self.caller.method() == Method::POST);
        let frame = Frame::new(&self.caller, Section::None);
        let rendered = if let (FailureReason::OutdatedForm, Some(form)) = (&*self.reason, form) {
            OutdatedPage { frame, fields: form.fields().to_vec() }.render()
        } else {
            let (title, message) = self.explain();
            FailurePage { frame, title, message }.render()
        };
        match rendered {
            Ok(html) => (status, Html(html)).into_response(),
            Err(error) => {
                tracing::error!(error = &error as &dyn Error, "a page of the console could not be made");
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }
}

/// The fallback for unknown paths.
pub(crate) async fn unknown_page(caller: Caller) -> Failure {
    Failure::missing(&caller)
}
