//! Responses for paths that do not exist (404): a page for browsers, JSON for other clients.

use super::family::Family;
use axum::extract::{OriginalUri, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::Response;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_pages::failure::PageError;
use claimsmith_pages::frame::{Frame, PageContext};
use claimsmith_pages::not_found::NotFoundPage;
use claimsmith_services::app::App;
use claimsmith_web::accepted::wants_page;

/// Answers every request without a route.
pub(super) async fn show(
    State(app): State<App>,
    method: Method,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    let mut response = if wants_page(&headers) {
        let mut tx = app.db.read().await?;
        let frame = Frame::load(&app, &mut tx, &PageContext::by(&headers)).await?;
        NotFoundPage { frame: &frame }.answer()
    } else {
        let message = format!("There is no {method} on {}.", uri.path());
        Family::of(uri.path(), &headers).refuse(ApiCode::RequestUnknownRoute, &message)
    };
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}
