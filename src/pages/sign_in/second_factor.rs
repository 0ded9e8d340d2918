//! Verifying a second factor: `POST` with `code` to the path of the factor; with `decision=send` to one whose codes are
//! sent.

use super::trust;
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::tree::fill;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;
use claimsmith_domain::documents::mfa::FactorType;

/// The page.
#[derive(Debug, Template)]
#[template(path = "second_factor.html")]
pub struct SecondFactorPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// What was wrong.
    pub error: Option<FieldError<'a>>,
    /// Which factor is asked for.
    pub kind: FactorType,
    /// The user's other factors.
    pub others: &'a [FactorType],
    /// Where a code goes, mostly masked; empty for factors that the user has at hand.
    pub address: &'a str,
    /// Whether a code was sent.
    pub is_sent: bool,
}

impl SecondFactorPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.second_factor.title
    }

    fn description(&self) -> String {
        let texts = &self.frame.t.second_factor;
        match self.kind {
            FactorType::Totp => texts.totp.clone(),
            FactorType::BackupCode => texts.backup_code.clone(),
            _ if self.is_sent => fill(&self.frame.t.verification_code.description, &[("address", self.address)]),
            _ => fill(&texts.send_description, &[("address", self.address)]),
        }
    }

    /// Whether a code is to be sent first.
    fn is_to_be_sent(&self) -> bool {
        self.kind.channel().is_some() && !self.is_sent
    }

    fn is_backup_code(&self) -> bool {
        self.kind == FactorType::BackupCode
    }

    fn action(&self) -> String {
        self.frame.path(path_of(self.kind))
    }

    /// The other factors: the page of each, with the text of its link.
    fn ways(&self) -> Vec<(String, &str)> {
        let way = |kind: &FactorType| (self.frame.step(path_of(*kind)), text_of(self.frame, *kind));
        self.others.iter().map(way).collect()
    }

    /// The label of the checkbox that trusts the browser, if that is possible.
    fn trust(&self) -> Option<String> {
        trust::text(self.frame)
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

/// The text of the link to the page of a factor.
pub(super) fn text_of(frame: &Frame, kind: FactorType) -> &str {
    let texts = &frame.t.second_factor;
    match kind {
        FactorType::WebAuthn => &frame.t.passkey.use_it,
        FactorType::Totp => &texts.use_totp,
        FactorType::BackupCode => &texts.use_backup_code,
        FactorType::EmailVerificationCode => &texts.use_email,
        FactorType::PhoneVerificationCode => &texts.use_phone,
    }
}

/// The path of the page of a factor.
#[must_use]
pub fn path_of(kind: FactorType) -> &'static str {
    match kind {
        FactorType::WebAuthn => paths::PASSKEY,
        FactorType::Totp => paths::SECOND_FACTOR,
        FactorType::BackupCode => paths::BACKUP_CODE,
        FactorType::EmailVerificationCode => paths::EMAIL_FACTOR,
        FactorType::PhoneVerificationCode => paths::PHONE_FACTOR,
    }
}

impl FormPage for SecondFactorPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        if self.is_to_be_sent() { Vec::new() } else { vec![("code", true)] }
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}
