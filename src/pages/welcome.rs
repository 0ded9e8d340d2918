//! `GET /`: what this server is, and where its parts are.

use super::failure::PageError;
use super::frame::{Frame, PageContext};
use super::headers::Forms;
use super::{page, paths};
use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use claimsmith_services::app::App;
use claimsmith_storage::settings;
use claimsmith_storage::sign_in::settings::ACCOUNT_CENTER;

/// The page.
#[derive(Debug, Template)]
#[template(path = "welcome.html")]
pub struct WelcomePage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// The URL of the server.
    pub base_url: &'a str,
    /// Whether the demo application is here.
    pub has_demo: bool,
    /// Whether users have a page of their own account.
    pub has_account_page: bool,
    /// Whether its plugins are ready.
    pub is_ready: bool,
}

impl WelcomePage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.front.title
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Own)
    }
}

/// Shows it.
pub(super) async fn show_welcome(State(app): State<App>, headers: HeaderMap) -> Result<Response, PageError> {
    let mut tx = app.db.read().await?;
    let frame = Frame::load(&app, &mut tx, &PageContext::by(&headers)).await?;
    let base_url = app.config.server.base_url.as_str();
    let has_demo = settings::demo(&mut tx).await?.is_some();
    let has_account_page = ACCOUNT_CENTER.find(&mut tx).await?.page_enabled;
    let is_ready = app.plugins.ready();
    Ok(WelcomePage { frame: &frame, base_url, has_demo, has_account_page, is_ready }.answer())
}
