//! The confirmation before an account is deleted: `POST /account/delete` with `decision=delete`.

use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "account_delete.html")]
pub struct AccountDeletePage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser and the account.
    pub csrf: &'a str,
}

impl AccountDeletePage<'_> {
    fn title(&self) -> &str {
        let texts = &self.frame.t.account;
        &texts.delete_title
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Own)
    }
}
