//! Responses to the browser: a page with its status, and redirects after a form.

use crate::caller::Caller;
use crate::failure::Failure;
use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

/// Responds with a page and status 200.
pub(crate) fn show(caller: &Caller, page: &impl Template) -> Result<Response, Failure> {
    show_as(caller, StatusCode::OK, page)
}

/// Responds with a page and the given status, such as 422 for a form with errors.
pub(crate) fn show_as(caller: &Caller, status: StatusCode, page: &impl Template) -> Result<Response, Failure> {
    let html = page.render().map_err(|error| Failure::broken(caller, &error))?;
    Ok((status, Html(html)).into_response())
}

/// Redirects to a page after a form; `word` selects the confirmation message (`Frame::done`).
pub(crate) fn done(path: &str, word: &str) -> Response {
    let joint = if path.contains('?') { '&' } else { '?' };
    // The query goes before the fragment.
    let (path, fragment) = path.split_once('#').map_or((path, String::new()), |(path, at)| (path, format!("#{at}")));
    see_other(&format!("{path}{joint}done={word}{fragment}"))
}

/// Redirects to a page after a form (303 See Other).
pub(crate) fn see_other(path: &str) -> Response {
    match HeaderValue::try_from(path) {
        Ok(location) => (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response(),
        Err(_) => StatusCode::SEE_OTHER.into_response(),
    }
}
