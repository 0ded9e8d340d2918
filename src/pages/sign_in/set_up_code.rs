//! Setting up codes by email or text message: `POST` to the path of the channel with `decision=send`, and the
//! `identifier` if the user has none yet; with `code`; or with `decision=skip`.

use super::set_up_ways::{self, set_up_path};
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::page;
use crate::texts::tree::fill;
use askama::Template;
use axum::response::Response;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;

/// The page.
#[derive(Debug, Template)]
#[template(path = "set_up_code.html")]
pub struct SetUpCodePage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// The channel of the codes.
    pub channel: Channel,
    /// What was entered, if the user has no such email address or phone number yet.
    pub identifier: Option<&'a str>,
    /// Where a code goes or was sent; empty while that is unknown.
    pub address: &'a str,
    /// Whether a code was sent.
    pub is_sent: bool,
    /// The other factors that could be set up.
    pub others: &'a [FactorType],
    /// Whether it can be skipped.
    pub is_skippable: bool,
}

impl SetUpCodePage<'_> {
    #[expect(clippy::misnamed_getters, reason = "the title of another page is beside it")]
    fn title(&self) -> &str {
        &self.frame.t.second_factor.set_up_title
    }

    fn description(&self) -> String {
        let texts = &self.frame.t.second_factor;
        let to = [("address", self.address)];
        if self.is_sent {
            return fill(&self.frame.t.verification_code.description, &to);
        }
        let why = if self.is_skippable { &texts.set_up_description } else { &texts.set_up_required };
        let how = if self.address.is_empty() { texts.set_up_code.clone() } else { fill(&texts.send_description, &to) };
        format!("{why} {how}")
    }

    fn action(&self) -> String {
        self.frame.path(set_up_path(FactorType::over(self.channel)))
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

    /// The other factors: the page that sets up each, with the text of its link.
    fn ways(&self) -> Vec<(String, &str)> {
        set_up_ways::ways(self.frame, self.others)
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for SetUpCodePage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        let code = self.is_sent.then_some(("code", true));
        let identifier = self.identifier.map(|entered| ("identifier", !self.is_sent && entered.is_empty()));
        code.into_iter().chain(identifier).collect()
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
