//! Addresses where nothing is: a page for browsers, JSON for everybody else.

use super::failure::PageError;
use super::frame::{Asked, Frame};
use super::headers::Forms;
use super::page;
use crate::app::App;
use crate::http::family::Family;
use askama::Template;
use axum::extract::{OriginalUri, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
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

/// Answers every request that no route has.
pub(super) async fn show_not_found(
    State(app): State<App>,
    method: Method,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    let mut response = if wants_page(&headers) {
        let mut tx = app.db.read().await?;
        let frame = Frame::load(&app, &mut tx, &Asked::by(&headers)).await?;
        NotFoundPage { frame: &frame }.answer()
    } else {
        let message = format!("There is no {method} on {}.", uri.path());
        Family::of(uri.path()).refuse(StatusCode::NOT_FOUND, "request.unknown_route", &message)
    };
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

/// Whether the client names HTML among what it accepts, as browsers do.
pub(crate) fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|range| {
        let (kind, parameters) = range.split_once(';').unwrap_or((range, ""));
        let is_refused = parameters.split(';').any(|parameter| matches!(parameter.trim(), "q=0" | "q=0.0" | "q=0.00"));
        kind.trim().eq_ignore_ascii_case("text/html") && !is_refused
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn browsers_name_html() {
        for (accepted, wants) in [
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
            ("application/json, TEXT/HTML;q=0.1", true),
            ("*/*", false),
            ("application/json", false),
            ("text/html; q=0, */*", false),
            ("text/htmlx", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, HeaderValue::from_str(accepted).unwrap());
            assert_eq!(wants_page(&headers), wants, "{accepted}");
        }
        assert!(!wants_page(&HeaderMap::new()));
    }
}
