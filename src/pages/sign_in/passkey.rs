//! Passkeys: verifying one as a second factor, `POST /second-factor/passkey`, and creating one, `POST /passkey`, each
//! with `verification_id` and the `payload` of the browser; or with `decision=skip`.

use super::second_factor::{path_of, text_of};
use super::{set_up_ways, trust};
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;
use claimsmith_domain::documents::mfa::FactorType;

/// The page.
#[derive(Debug, Template)]
#[template(path = "passkey.html")]
pub struct PasskeyPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// Whether a passkey is created, rather than verified.
    pub is_new: bool,
    /// The other factors that are accepted.
    pub others: &'a [FactorType],
    /// Whether it can be skipped.
    pub is_skippable: bool,
}

impl PasskeyPage<'_> {
    fn title(&self) -> &str {
        if self.is_new { &self.frame.t.passkey.title } else { &self.frame.t.second_factor.title }
    }

    fn description(&self) -> &str {
        let texts = &self.frame.t.passkey;
        if self.is_new { &texts.description } else { &texts.prove }
    }

    fn button(&self) -> &str {
        let texts = &self.frame.t.passkey;
        if self.is_new { &texts.submit } else { &texts.prove_submit }
    }

    fn path(&self) -> &'static str {
        if self.is_new { paths::SET_UP_PASSKEY } else { paths::PASSKEY }
    }

    fn options(&self) -> &'static str {
        if self.is_new {
            "/api/experience/verification/web-authn/registration"
        } else {
            "/api/experience/verification/web-authn/authentication"
        }
    }

    /// The pages of the alternatives, each with the text of its link.
    fn ways(&self) -> Vec<(String, &str)> {
        if self.is_new {
            return set_up_ways::ways(self.frame, self.others);
        }
        let way = |kind: &FactorType| (self.frame.step(path_of(*kind)), text_of(self.frame, *kind));
        self.others.iter().map(way).collect()
    }

    /// The label of the checkbox that trusts the browser, if that is possible.
    fn trust(&self) -> Option<String> {
        if self.is_new { None } else { trust::text(self.frame) }
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for PasskeyPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        Vec::new()
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
