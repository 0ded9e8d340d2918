//! Entering a code that was sent: `POST /verification-code` with `code`, or with `decision=resend`; and, if it is
//! correct and no account has the address, with `decision=register`. Users who return from another server get the same
//! page.

use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::tree::{Piece, fill};
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "verification_code.html")]
pub struct VerificationCodePage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// Where the code was sent.
    pub address: &'a str,
    /// Whether another one was sent just now.
    pub is_resent: bool,
    /// The path of the page where another address is entered.
    pub back: &'a str,
}

impl VerificationCodePage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.verification_code.title
    }

    fn description(&self) -> String {
        fill(&self.frame.t.verification_code.description, &[("address", self.address)])
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for VerificationCodePage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("code", true)]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

/// The page for a user who proved an address, or an account elsewhere, that no account has.
#[derive(Debug, Template)]
#[template(path = "no_account.html")]
pub struct NoAccountPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// Where the form goes.
    pub action: &'a str,
    /// The address.
    pub address: &'a str,
    /// Whether the terms were agreed to.
    pub has_agreed: bool,
}

impl NoAccountPage<'_> {
    #[expect(clippy::misnamed_getters, reason = "the title of another page is beside it")]
    fn title(&self) -> &str {
        &self.frame.t.verification_code.no_account_title
    }

    fn description(&self) -> String {
        fill(&self.frame.t.verification_code.no_account_description, &[("address", self.address)])
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
        let status = if self.error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        page::answer(self, self.frame, status, Forms::Onward)
    }
}

impl FormPage for NoAccountPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        if self.asks_to_agree() { vec![("agree", true)] } else { Vec::new() }
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
