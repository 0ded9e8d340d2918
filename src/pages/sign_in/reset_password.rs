//! Forgotten passwords: `POST /reset-password` with `identifier`, and, after a correct code, `POST /reset-password/new`
//! with `password`.

use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;

/// The page that asks whose password it is.
#[derive(Debug, Template)]
#[template(path = "reset_password.html")]
pub struct ResetPasswordPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// What was entered, or what the application said (`login_hint`).
    pub identifier: &'a str,
}

impl ResetPasswordPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.forgot_password.title
    }

    fn description(&self) -> &str {
        &self.frame.t.forgot_password.description
    }

    fn label(&self) -> &str {
        self.frame.channels_label(&self.frame.resets())
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for ResetPasswordPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("identifier", self.identifier.is_empty())]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

/// The page that asks for the new one.
#[derive(Debug, Template)]
#[template(path = "new_password.html")]
pub struct NewPasswordPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// The identifier, for password managers.
    pub identifier: &'a str,
}

impl NewPasswordPage<'_> {
    #[expect(clippy::misnamed_getters, reason = "the title of another page is beside it")]
    fn title(&self) -> &str {
        &self.frame.t.forgot_password.new_title
    }

    #[expect(clippy::misnamed_getters, reason = "the description of another page is beside it")]
    fn description(&self) -> &str {
        &self.frame.t.forgot_password.new_description
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for NewPasswordPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("password", true)]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
