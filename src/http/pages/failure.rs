//! A page that could not be made: the failure is logged, and people see a plain page that needs no database.

use super::error_page::{ErrorPage, Kind};
use super::frame::Frame;
use crate::http::error::log_failure;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// The failure of a handler of pages; it is in the log.
#[derive(Debug)]
pub struct PageError(());

impl<E: std::error::Error> From<E> for PageError {
    fn from(error: E) -> Self {
        log_failure(&error);
        Self(())
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let Some(frame) = Frame::plain() else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
        ErrorPage { kind: Kind::Unexpected, ..ErrorPage::new(&frame) }.answer(StatusCode::INTERNAL_SERVER_ERROR)
    }
}
