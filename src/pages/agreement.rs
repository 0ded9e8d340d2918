//! The terms on pages: a sentence, or a checkbox.

use super::frame::Frame;
use super::texts::tree::{self, Piece};
use claimsmith_domain::documents::sign_in_experience::methods::AgreeToTermsPolicy;

impl Frame {
    /// The sentence about the terms, in parts: with a checkbox if `is_ticked`.
    pub(super) fn agreement(&self, is_ticked: bool) -> Vec<Piece<'_>> {
        let texts = if is_ticked { &self.t.register.agree } else { &self.t.register.implied };
        match (self.terms(), self.privacy()) {
            (Some(_), Some(_)) => tree::pieces(&texts.both),
            (Some(_), None) => tree::pieces(&texts.terms),
            (None, Some(_)) => tree::pieces(&texts.privacy),
            (None, None) => Vec::new(),
        }
    }

    /// Whether agreement is by a checkbox: at registration, or also at sign-in.
    #[must_use]
    pub fn asks_to_agree(&self, is_registration: bool) -> bool {
        let is_asked = match self.settings.agree_to_terms_policy {
            AgreeToTermsPolicy::Automatic => false,
            AgreeToTermsPolicy::ManualRegistrationOnly => is_registration,
            AgreeToTermsPolicy::Manual => true,
        };
        is_asked && (self.terms().is_some() || self.privacy().is_some())
    }
}
