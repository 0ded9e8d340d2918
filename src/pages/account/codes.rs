//! New backup codes of one's own account, shown once.

use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "account_codes.html")]
pub struct AccountCodesPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// The codes.
    pub codes: &'a [String],
}

impl AccountCodesPage<'_> {
    #[expect(clippy::misnamed_getters, reason = "the title of another page is beside it")]
    fn title(&self) -> &str {
        &self.frame.t.second_factor.backup_codes_title
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Own)
    }
}
