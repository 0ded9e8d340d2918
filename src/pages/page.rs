//! Renders the template of a page into a response.

use super::frame::Frame;
use super::headers::{self, Forms};
use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use claimsmith_domain::avatar::{FOLDER, id_of};
use claimsmith_web::error::log_failure;

/// Renders a page with the headers of all pages.
pub(super) fn answer(page: &impl Template, frame: &Frame, status: StatusCode, forms: Forms) -> Response {
    let mut response = match page.render() {
        Ok(html) => (status, Html(html)).into_response(),
        Err(error) => {
            log_failure(&error);
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
    };
    let headers = response.headers_mut();
    headers::set(headers, &frame.look, forms);
    if let Ok(language) = HeaderValue::try_from(frame.language.as_str()) {
        headers.insert(header::CONTENT_LANGUAGE, language);
    }
    response
}

/// The path of a picture that was uploaded here. Pages show no pictures of other servers, which would learn who views
/// what.
pub(super) fn picture(frame: &Frame, address: Option<&str>) -> Option<String> {
    address.and_then(id_of).map(|id| frame.path(&format!("{FOLDER}{id}")))
}

/// The first letter of a name, in place of a missing picture.
pub(super) fn initial(name: &str) -> String {
    name.chars()
        .find(|letter| letter.is_alphanumeric())
        .map(|letter| letter.to_uppercase().collect())
        .unwrap_or_default()
}
