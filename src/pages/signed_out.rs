//! `GET /signed-out`: after a sign-out without a page of the application to return to.

use super::failure::PageError;
use super::frame::{Frame, PageContext};
use super::sign_out::SignedOutPage;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use claimsmith_services::app::App;

/// Shows it.
pub(super) async fn show_signed_out(State(app): State<App>, headers: HeaderMap) -> Result<Response, PageError> {
    let mut tx = app.db.read().await?;
    let frame = Frame::load(&app, &mut tx, &PageContext::by(&headers)).await?;
    Ok(SignedOutPage { frame: &frame, sign_in_again: None }.answer())
}
