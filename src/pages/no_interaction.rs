//! The page for a browser without such an interaction.

use crate::error_page::{ErrorKind, ErrorPage};
use crate::frame::Frame;
use crate::paths;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_services::app::App;
use claimsmith_storage as storage;
use claimsmith_storage::sign_in::settings::ACCOUNT_CENTER;

/// 400: the page, with a way on for its visitor.
pub async fn no_interaction(app: &App, frame: &Frame, code: &str, request_id: Option<&str>) -> Response {
    let has_account_page = async { ACCOUNT_CENTER.find(&mut app.db.read().await?).await };
    let has_account_page: storage::Result<_> = has_account_page.await;
    let account = frame.path(paths::ACCOUNT);
    let onward = has_account_page
        .is_ok_and(|center| center.page_enabled)
        .then_some((account.as_str(), frame.t.signed_out.sign_in_again.as_str()));
    let code = Some(code);
    ErrorPage { kind: ErrorKind::Expired, code, request_id, onward, ..ErrorPage::new(frame) }
        .answer(StatusCode::BAD_REQUEST)
}
