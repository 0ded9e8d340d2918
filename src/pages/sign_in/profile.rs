//! Completing a profile: `POST /profile` with `username`, `password` or both, as they are missing, or with the
//! `identifier` to which a code is sent.

use crate::custom_fields::InputView;
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;

/// The page.
#[derive(Debug, Template)]
#[template(path = "profile.html")]
pub struct ProfilePage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// What was entered, when a user name is missing.
    pub username: Option<&'a str>,
    /// Whether a password is missing.
    pub asks_password: bool,
    /// What was entered, when an address or a number is missing and nothing else.
    pub identifier: Option<&'a str>,
    /// The channels that it may use.
    pub channels: &'a [Channel],
    /// Custom profile fields, if nothing else is missing.
    pub inputs: Vec<InputView>,
}

impl ProfilePage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.profile.title
    }

    fn description(&self) -> String {
        self.frame.titled(&self.frame.t.profile.description_for_application, &self.frame.t.profile.description)
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for ProfilePage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        let username = self.username.map(|name| ("username", name.is_empty()));
        let identifier = self.identifier.map(|address| ("identifier", address.is_empty()));
        username.into_iter().chain(self.asks_password.then_some(("password", true))).chain(identifier).collect()
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
