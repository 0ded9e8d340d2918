//! Continuing with a link from an email: `POST /one-time-token`. Opening the link alone does nothing, so that link
//! scanners do not use it up.

use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::tree::fill;
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "one_time_token.html")]
pub struct OneTimeTokenPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// The email address that the link was made for.
    pub address: &'a str,
    /// Whether it is invalid.
    pub is_void: bool,
}

impl OneTimeTokenPage<'_> {
    fn title(&self) -> &str {
        let texts = &self.frame.t.one_time_link;
        if self.is_void { &texts.void_title } else { &texts.title }
    }

    fn description(&self) -> String {
        let texts = &self.frame.t.one_time_link;
        if self.is_void {
            texts.void_description.clone()
        } else {
            fill(&texts.description, &[("address", self.address)])
        }
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        let status = if self.is_void { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        page::answer(self, self.frame, status, Forms::Onward)
    }
}
