//! `/console`: what works, and what to do next.

use crate::Console;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::{Frame, show};
use crate::section::Section;
use askama::Template;
use axum::Router;
use axum::response::Response;
use axum::routing::get;

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new().route("/console", get(show_overview))
}

#[derive(Template)]
#[template(path = "overview/overview.html")]
struct OverviewPage {
    frame: Frame,
}

async fn show_overview(caller: Caller) -> Result<Response, Failure> {
    let frame = Frame::new(&caller, Section::Overview);
    show(&caller, &OverviewPage { frame })
}
