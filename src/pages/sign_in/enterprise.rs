//! Enterprise single sign-on: `POST /single-sign-on` with `email`, and with the chosen `connector` if several apply.

use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
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

impl FormPage for EnterprisePage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("email", self.email.is_empty())]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

/// One of several connectors for an email address.
#[derive(Clone, Debug)]
pub struct ChoiceView {
    /// The connector.
    pub id: String,
    /// The name that is shown for it.
    pub name: String,
}

/// The page where the user chooses one of several.
#[derive(Debug, Template)]
#[template(path = "enterprise_choice.html")]
pub struct EnterpriseChoicePage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// What was entered.
    pub email: &'a str,
    /// The connectors, the oldest first.
    pub choices: Vec<ChoiceView>,
}

impl EnterpriseChoicePage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.enterprise.title
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Onward)
    }
}
