//! The password prompt before a sensitive change: the form goes on to the requested change, with everything that was
//! entered there. A user without a password enters a code that is sent to them, with `proof_send` and then
//! `proof_record`, `proof_channel` and `proof_code`; or signs in again.

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
#[template(path = "account_proof.html")]
pub struct AccountProofPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser and the account.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// Where the form goes on.
    pub path: &'a str,
    /// What was entered.
    pub entered: Vec<(&'a str, &'a str)>,
    /// Whether there is a password.
    pub has_password: bool,
    /// Where codes can be sent instead, mostly masked.
    pub codes: Vec<(Channel, String)>,
    /// A code that was sent.
    pub sent: Option<SentView<'a>>,
}

/// A code that was sent.
#[derive(Clone, Debug)]
pub struct SentView<'a> {
    /// The record that it proves.
    pub record: &'a str,
    /// The channel.
    pub channel: Channel,
    /// The recipient, mostly masked.
    pub address: &'a str,
}

impl AccountProofPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.second_factor.title
    }

    fn description(&self) -> String {
        let texts = &self.frame.t.account;
        match &self.sent {
            Some(sent) => fill(&self.frame.t.verification_code.description, &[("address", sent.address)]),
            None if self.has_password => texts.prove_description.clone(),
            None if self.codes.is_empty() => texts.prove_by_sign_in.clone(),
            None => texts.prove_by_code.clone(),
        }
    }

    /// The text of the button that sends a code there.
    fn send_to(&self, address: &str) -> String {
        fill(&self.frame.t.account.send_to, &[("address", address)])
    }

    /// The page as a response. The requested change may lead to another server.
    #[must_use]
    pub fn answer(&self) -> Response {
        let forms = if self.path == paths::ACCOUNT_LINK { Forms::Onward } else { Forms::Own };
        page::answer(self, self.frame, self.status(), forms)
    }
}

impl FormPage for AccountProofPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        match &self.sent {
            Some(_) => vec![("proof_code", true)],
            None if self.has_password => vec![("current_password", true)],
            None => Vec::new(),
        }
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
