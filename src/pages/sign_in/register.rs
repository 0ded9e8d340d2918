//! Creating an account: `POST /register` with `username` and `password`, or with `identifier` and `decision=code`, and
//! `agree` if agreement is by a checkbox.

use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::tree::Piece;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "register.html")]
pub struct RegisterPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// What was entered as a user name.
    pub username: &'a str,
    /// What was entered as an address or a number.
    pub identifier: &'a str,
    /// Whether an email address or phone number is requested instead of a username.
    pub is_code: bool,
    /// Whether the terms were agreed to.
    pub has_agreed: bool,
}

impl RegisterPage<'_> {
    fn title(&self) -> String {
        self.frame.titled(&self.frame.t.register.title_for_application, &self.frame.t.register.title)
    }

    fn by_name(&self) -> bool {
        !self.is_code
    }

    fn asks_to_agree(&self) -> bool {
        self.frame.asks_to_agree(true)
    }

    fn agreement(&self) -> Vec<Piece<'_>> {
        self.frame.agreement(self.asks_to_agree())
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for RegisterPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        let mut fields = if self.is_code {
            vec![("identifier", self.identifier.is_empty())]
        } else {
            vec![("username", self.username.is_empty()), ("password", true)]
        };
        if self.asks_to_agree() {
            fields.push(("agree", !self.has_agreed));
        }
        fields
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
