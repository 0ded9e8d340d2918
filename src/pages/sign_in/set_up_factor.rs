//! Setting up an authenticator: `POST /second-factor/set-up` with `code` and `verification_id`, or with
//! `decision=skip`.

use super::set_up_ways;
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;
use claimsmith_domain::documents::mfa::FactorType;

/// The page.
#[derive(Debug, Template)]
#[template(path = "set_up_factor.html")]
pub struct SetUpFactorPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// The verification of the secret.
    pub verification_id: &'a str,
    /// The secret, in base 32.
    pub secret: &'a str,
    /// A picture of it, as a data URI.
    pub qr_code: &'a str,
    /// The other factors that are accepted.
    pub others: &'a [FactorType],
    /// Whether it can be skipped.
    pub is_skippable: bool,
}

impl SetUpFactorPage<'_> {
    #[expect(clippy::misnamed_getters, reason = "the title of another page is beside it")]
    fn title(&self) -> &str {
        &self.frame.t.second_factor.set_up_title
    }

    fn description(&self) -> &str {
        let texts = &self.frame.t.second_factor;
        if self.is_skippable { &texts.set_up_description } else { &texts.set_up_required }
    }

    /// The secret in groups of four, for typing.
    fn grouped_secret(&self) -> String {
        let letters: Vec<char> = self.secret.chars().collect();
        letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
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

impl FormPage for SetUpFactorPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("code", true)]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
