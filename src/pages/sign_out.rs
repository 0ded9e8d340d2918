//! Signing out: the confirmation (`confirm=true`), and the page afterwards.

use super::frame::Frame;
use super::headers::Forms;
use super::page;
use super::texts::tree;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// Asks the user to confirm signing out.
#[derive(Debug, Template)]
#[template(path = "sign_out.html")]
pub struct SignOutPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// Where the form is sent to.
    pub action: &'a str,
    /// Who is signed in.
    pub name: &'a str,
}

/// Says that the user is signed out.
#[derive(Debug, Template)]
#[template(path = "signed_out.html")]
pub struct SignedOutPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Where to sign in again.
    pub sign_in_again: Option<&'a str>,
}

impl SignOutPage<'_> {
    fn title(&self) -> &str {
        let texts = &self.frame.t.signed_out;
        &texts.confirm_title
    }

    fn description(&self) -> String {
        tree::fill(&self.frame.t.signed_out.confirm_description, &[("name", self.name)])
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Onward)
    }
}

impl SignedOutPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.signed_out.title
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Own)
    }
}
