//! Backup codes, shown once: `POST /second-factor/backup-codes` with `verification_id` confirms that the user saved
//! them.

use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "backup_codes.html")]
pub struct BackupCodesPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// The id of the verification that the codes belong to.
    pub verification_id: &'a str,
    /// The codes.
    pub codes: &'a [String],
}

impl BackupCodesPage<'_> {
    #[expect(clippy::misnamed_getters, reason = "the title of another page is beside it")]
    fn title(&self) -> &str {
        &self.frame.t.second_factor.backup_codes_title
    }

    fn description(&self) -> &str {
        &self.frame.t.second_factor.backup_codes_description
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Onward)
    }
}
