//! The password once more, before something is changed that matters: the form goes on to what was asked for, with all that
//! was entered there. Whoever has no password signs in again.

use crate::http::pages::form::{FieldError, Form};
use crate::http::pages::frame::Frame;
use crate::http::pages::headers::Forms;
use crate::http::pages::{page, paths};
use askama::Template;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "account_proof.html")]
pub struct AccountProofPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser and the account.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// Where the form goes on.
    pub path: &'a str,
    /// What was entered.
    pub entered: Vec<(&'a str, &'a str)>,
    /// Whether there is a password.
    pub has_password: bool,
}

impl AccountProofPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.second_factor.title
    }

    fn description(&self) -> &str {
        let texts = &self.frame.t.account;
        if self.has_password { &texts.prove_description } else { &texts.prove_by_sign_in }
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Own)
    }
}

impl Form for AccountProofPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        if self.has_password { vec![("current_password", true)] } else { Vec::new() }
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
