//! Choosing one of several accounts that are signed in: `POST /switch-account` with `account`, which is the id of a
//! session, or `another`.

use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The value of `account` for one that is not signed in yet.
pub const ANOTHER: &str = "another";

/// The page.
#[derive(Debug, Template)]
#[template(path = "choose_account.html")]
pub struct ChooseAccountPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// The accounts.
    pub accounts: Vec<AccountView<'a>>,
}

/// An account that is signed in.
#[derive(Clone, Copy, Debug)]
pub struct AccountView<'a> {
    /// The id of its session.
    pub session_id: &'a str,
    /// The name of its user.
    pub name: &'a str,
    /// The address of their picture.
    pub avatar: Option<&'a str>,
    /// Their identifier, if it differs from the name.
    pub detail: Option<&'a str>,
}

impl ChooseAccountPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.choose_account.title
    }

    fn description(&self) -> String {
        self.frame.titled(&self.frame.t.choose_account.description, "")
    }

    fn portrait(&self, account: &AccountView<'_>) -> Option<String> {
        page::picture(self.frame, account.avatar)
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Onward)
    }
}
