//! Keeps a form that arrived after the session ended: a page keeps the entered values until the operator has signed in.
//! It then posts the form without a token, and the screens ask the operator to confirm it.
//!
//! The page contains the whole form, escaped, and is shown without authentication: only to a browser that had a
//! session.

use super::begin::is_own;
use super::{HOME, at, notices, session, to_sign_in};
use axum::body::to_bytes;
use axum::extract::Request;
use axum::response::Response;
use claimsmith_pages::console::ConsoleAgain;
use claimsmith_pages::failure::PageError;
use claimsmith_services::app::App;
use claimsmith_web::extract::form::is_form;

/// Maximum bytes of a form that is kept. Escaped, it may be five times as large.
const MAX_BYTES: usize = 256 * 1024;
/// Maximum number of its fields.
const MAX_FIELDS: usize = 2000;

/// The page for a form. `None`: it cannot be kept, because it has a file or the browser never had a session.
pub(super) async fn keep(app: &App, request: Request) -> Result<Option<Response>, PageError> {
    let to = request.uri().path_and_query().map_or(HOME, |path| path.as_str()).to_owned();
    if !is_own(&to) || !is_form(request.headers()) || !session::has_existed(app, request.headers()) {
        return Ok(None);
    }
    let Ok(body) = to_bytes(request.into_body(), MAX_BYTES).await else { return Ok(None) };
    // Of a confirmation, only the sealed form is kept: no page repeats a password.
    let is_kept = |name: &str| name != "csrf" && (!name.starts_with("confirm.") || name == "confirm.form");
    let fields = form_urlencoded::parse(&body).into_owned().filter(|(name, _)| is_kept(name));
    let fields: Vec<(String, String)> = fields.take(MAX_FIELDS + 1).collect();
    if fields.len() > MAX_FIELDS {
        return Ok(None);
    }
    let frame = notices::frame(app).await?;
    let page = ConsoleAgain { frame: &frame, sign_in: to_sign_in(app, HOME), action: at(app, &to), fields: &fields };
    Ok(Some(page.answer()))
}
