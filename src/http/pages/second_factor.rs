//! Proving a second factor: `POST /second-factor` or `POST /second-factor/backup-code` with `code`.

use super::form::{FieldError, Form};
use super::frame::Frame;
use super::headers::Forms;
use super::{page, paths};
use askama::Template;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "second_factor.html")]
pub struct SecondFactorPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// Whether a backup code is asked for, and not a one-time password.
    pub is_backup_code: bool,
    /// Whether the user has the other one.
    pub has_other: bool,
}

impl SecondFactorPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.second_factor.title
    }

    fn description(&self) -> &str {
        let texts = &self.frame.t.second_factor;
        if self.is_backup_code { &texts.backup_code } else { &texts.totp }
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl Form for SecondFactorPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("code", true)]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
