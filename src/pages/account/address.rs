//! Another email address or phone number: `POST /account/email` or `/account/phone` with `identifier`, and then with
//! the `record` of the code that was sent there and the `code`.

use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::tree::fill;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;

/// The page.
#[derive(Debug, Template)]
#[template(path = "account_address.html")]
pub struct AccountAddressPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser and the account.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// Over what it is reached.
    pub channel: Channel,
    /// What was entered.
    pub identifier: &'a str,
    /// The record of the code that was sent there.
    pub record: Option<&'a str>,
}

impl AccountAddressPage<'_> {
    fn title(&self) -> &str {
        self.label()
    }

    fn description(&self) -> String {
        match self.record {
            Some(_) => fill(&self.frame.t.verification_code.description, &[("address", self.identifier)]),
            None => self.frame.t.account.new_address.clone(),
        }
    }

    fn action(&self) -> String {
        self.frame.path(path_of(self.channel))
    }

    fn label(&self) -> &str {
        self.frame.channels_label(&[self.channel])
    }

    fn autocomplete(&self) -> &'static str {
        match self.channel {
            Channel::Email => "email",
            Channel::Phone => "tel",
        }
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Own)
    }
}

/// The path of the page.
#[must_use]
pub fn path_of(channel: Channel) -> &'static str {
    match channel {
        Channel::Email => paths::ACCOUNT_EMAIL,
        Channel::Phone => paths::ACCOUNT_PHONE,
    }
}

impl FormPage for AccountAddressPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        if self.record.is_some() { vec![("code", true)] } else { vec![("identifier", self.identifier.is_empty())] }
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
