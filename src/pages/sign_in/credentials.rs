//! Signing in: `POST /sign-in` with `identifier` and `password`, or with `identifier` and `decision=code`.

use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::tree::Piece;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "sign_in.html")]
pub struct SignInPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// What was entered, or what the application said (`login_hint`).
    pub identifier: &'a str,
    /// Whether the terms were agreed to.
    pub has_agreed: bool,
    /// Whether a code is requested instead of a password.
    pub is_code: bool,
    /// Whether a forgotten password was replaced just now.
    pub has_new_password: bool,
}

impl SignInPage<'_> {
    fn title(&self) -> String {
        self.frame.titled(&self.frame.t.sign_in.title_for_application, &self.frame.t.sign_in.title)
    }

    fn asks_to_agree(&self) -> bool {
        self.frame.asks_to_agree(false)
    }

    /// How sign-in with a passkey is offered: by a button, or in the field of the identifier.
    fn passkey(&self) -> Option<&'static str> {
        let settings = &self.frame.settings.passkey_sign_in;
        let is_on = self.frame.has_passkeys && settings.enabled == Some(true);
        match (settings.show_passkey_button, settings.allow_autofill) {
            _ if !is_on => None,
            (_, Some(true)) => Some("offer"),
            (Some(true), _) => Some("button"),
            _ => None,
        }
    }

    fn agreement(&self) -> Vec<Piece<'_>> {
        if self.asks_to_agree() { self.frame.agreement(true) } else { Vec::new() }
    }

    fn label(&self) -> &str {
        self.frame.identifier_label(self.is_code)
    }

    /// Whether a forgotten password can be reset.
    fn may_reset(&self) -> bool {
        !self.is_code && !self.frame.resets().is_empty()
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for SignInPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        let mut fields = vec![("identifier", self.identifier.is_empty())];
        if !self.is_code {
            fields.push(("password", true));
        }
        if self.asks_to_agree() {
            fields.push(("agree", !self.has_agreed));
        }
        fields
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
