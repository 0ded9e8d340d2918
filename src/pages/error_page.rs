//! The error page, for failures that do not belong to a form.

use super::frame::Frame;
use super::headers::Forms;
use super::page;
use super::texts::tree;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// What the user can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Try again.
    Unexpected,
    /// Start again at the application: the page has expired.
    Expired,
    /// Contact the support of the application: it sent an invalid request.
    Invalid,
    /// Nothing: the account is suspended.
    Suspended,
}

/// The page.
#[derive(Debug, Template)]
#[template(path = "error.html")]
pub struct ErrorPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// What the user can do about it.
    pub kind: ErrorKind,
    /// The code of the error, such as `invalid_redirect_uri`.
    pub code: Option<&'a str>,
    /// Details for the developers of the application; in English.
    pub details: Option<&'a str>,
    /// The id of the request.
    pub request_id: Option<&'a str>,
    /// The link to continue, with its text: back to the application, or to another account.
    pub onward: Option<(&'a str, &'a str)>,
}

impl<'a> ErrorPage<'a> {
    /// A page without details of the error.
    #[must_use]
    pub fn new(frame: &'a Frame) -> Self {
        Self { frame, kind: ErrorKind::Unexpected, code: None, details: None, request_id: None, onward: None }
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self, status: StatusCode) -> Response {
        page::answer(self, self.frame, status, Forms::Own)
    }

    fn title(&self) -> &str {
        let texts = &self.frame.t;
        match self.kind {
            ErrorKind::Unexpected => &texts.error_page.title,
            ErrorKind::Expired => &texts.error_page.expired_title,
            ErrorKind::Invalid => &texts.error_page.invalid_title,
            ErrorKind::Suspended => &texts.suspended.title,
        }
    }

    fn description(&self) -> &str {
        let texts = &self.frame.t;
        match self.kind {
            ErrorKind::Unexpected => &texts.error_page.description,
            ErrorKind::Expired => &texts.error_page.expired_description,
            ErrorKind::Invalid => &texts.error_page.invalid_description,
            ErrorKind::Suspended => &texts.suspended.description,
        }
    }

    fn code_text(&self, code: &str) -> String {
        tree::fill(&self.frame.t.error_page.code, &[("code", code)])
    }

    fn reference_text(&self, id: &str) -> String {
        tree::fill(&self.frame.t.error_page.reference, &[("id", id)])
    }
}
