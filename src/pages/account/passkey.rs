//! Making a passkey for one's own account: `POST /account/passkey` with `verification_id` and the `payload` of the
//! browser.

use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "account_passkey.html")]
pub struct AccountPasskeyPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser and the account.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
}

impl AccountPasskeyPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.passkey.title
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Own)
    }
}

impl FormPage for AccountPasskeyPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        Vec::new()
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
