//! `/console/search`: one search field for objects by name or id, pages of the console, and create commands. The
//! command palette gets JSON, other clients a page.

mod results;

use crate::answer::show;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::section::Section;
use crate::{Console, base_path};
use askama::Template;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use results::{SearchResult, commands, pages, stored};

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new().route("/console/search", get(search))
}

#[derive(Template)]
#[template(path = "search/search.html")]
struct SearchPage {
    frame: Frame,
    search: String,
    found: Vec<SearchResult>,
}

async fn search(caller: Caller) -> Result<Response, Failure> {
    let search = caller.query("q").unwrap_or_default().trim().to_owned();
    let mut found = if search.is_empty() { Vec::new() } else { stored(&caller, &search).await };
    found.extend(pages(|section| section.is_open_to(&caller), &search));
    found.extend(commands(&caller, &search));
    let accept = caller.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    if accept.is_some_and(|kinds| kinds.starts_with("application/json")) {
        let base = base_path::of(&caller.console().base_url);
        for result in &mut found {
            result.path.insert_str(0, &base);
        }
        return Ok(([(header::VARY, "accept")], Json(found)).into_response());
    }
    show(&caller, &SearchPage { frame: Frame::new(&caller, Section::None), search, found })
}
