//! The fallback if a page cannot be rendered: the failure is logged, and the visitor gets a plain page that needs no
//! database.

use super::error_page::{ErrorKind, ErrorPage};
use super::frame::Frame;
use super::texts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::language;
use claimsmith_web::error::{Failure, RETRY_AFTER_SECONDS, log_failure};

/// The failure of a handler of pages; it is in the log.
#[derive(Debug)]
pub struct PageError(Failure);

claimsmith_identity::from_failures!(
    PageError,
    |error| Self(log_failure(&error)),
    axum::Error,
    axum::http::Error,
    axum::http::header::InvalidHeaderValue,
    crate::frame::FrameError,
    askama::Error
);

impl PageError {
    /// For a failure that is not in the log yet; it is written there.
    #[must_use]
    pub fn failed(error: &(dyn std::error::Error + 'static)) -> Self {
        Self(log_failure(error))
    }

    /// Of a failure that is in the log already.
    #[must_use]
    pub const fn logged(failure: Failure) -> Self {
        Self(failure)
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        match self.0 {
            Failure::Internal => plain(StatusCode::INTERNAL_SERVER_ERROR, texts::ENGLISH, None, None),
            Failure::Overload => overloaded(texts::ENGLISH, ApiCode::ServerOverloaded),
        }
    }
}

/// 503: a retry may succeed in a moment.
pub fn overloaded(language: &str, code: ApiCode) -> Response {
    let mut response = plain(StatusCode::SERVICE_UNAVAILABLE, language, Some(code.text()), None);
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER_SECONDS));
    response
}

/// An error page without details, made without the database. `details` are in English.
#[must_use]
pub fn plain(status: StatusCode, language: &str, code: Option<&str>, details: Option<&str>) -> Response {
    let Some(frame) = Frame::plain(language) else { return status.into_response() };
    ErrorPage { kind: ErrorKind::Unexpected, code, details, ..ErrorPage::new(&frame) }.answer(status)
}

/// The language of such a page: the first of the server's own that the browser accepts, or English.
pub fn language_of(headers: &HeaderMap) -> &'static str {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let known = |tag: &str| {
        let general = tag.split('-').next().unwrap_or_default();
        texts::languages().find(|known| known.eq_ignore_ascii_case(general))
    };
    language::accepted(accepted).into_iter().find_map(known).unwrap_or(texts::ENGLISH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_page_speaks_a_language_of_the_browser() {
        for (accepted, language) in [
            ("de-AT, en;q=0.5", "de"),
            ("nl, FR;q=0.3", "fr"),
            ("zh-Hant-TW", "zh"),
            ("en;q=0.1, ja;q=0.9", "ja"),
            ("nl", "en"),
            ("", "en"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(accepted));
            assert_eq!(language_of(&headers), language, "{accepted}");
            let page = plain(StatusCode::SERVICE_UNAVAILABLE, language, Some("request.timeout"), None);
            assert_eq!(page.status(), 503);
            assert_eq!(page.headers()[header::CONTENT_LANGUAGE], language);
        }
    }
}
