//! Signing in with one's company: `POST /single-sign-on` with `email`.

use super::form::{FieldError, Form};
use super::frame::Frame;
use super::headers::Forms;
use super::{page, paths};
use askama::Template;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "enterprise.html")]
pub struct EnterprisePage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// What was entered.
    pub email: &'a str,
}

impl EnterprisePage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.enterprise.title
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl Form for EnterprisePage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("email", self.email.is_empty())]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
