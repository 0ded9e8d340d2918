//! Setting up an authenticator for one's own account: `POST /account/authenticator` with `secret` and `code`.

use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "account_authenticator.html")]
pub struct AccountAuthenticatorPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser and the account.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// The secret, in base 32.
    pub secret: &'a str,
    /// A picture of it, as a data URI.
    pub qr_code: &'a str,
}

impl AccountAuthenticatorPage<'_> {
    #[expect(clippy::misnamed_getters, reason = "the title of another page is beside it")]
    fn title(&self) -> &str {
        &self.frame.t.second_factor.set_up_title
    }

    /// The secret in groups of four, for typing.
    fn grouped_secret(&self) -> String {
        let letters: Vec<char> = self.secret.chars().collect();
        letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Own)
    }
}

impl FormPage for AccountAuthenticatorPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("code", true)]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
