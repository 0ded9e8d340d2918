//! The page for URLs that do not exist (404).

use super::frame::Frame;
use super::headers::Forms;
use super::page;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "not_found.html")]
pub struct NotFoundPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
}

impl NotFoundPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.not_found.title
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::NOT_FOUND, Forms::Own)
    }
}
