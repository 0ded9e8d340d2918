//! What pages say of the terms: a sentence, or a box to tick.

use super::frame::Frame;
use super::texts::tree::{self, Piece};
use claimsmith_domain::documents::sign_in_experience::methods::AgreeToTermsPolicy;

impl Frame {
    /// The sentence about the terms, in parts: with a box to tick when `is_ticked`.
    pub(super) fn agreement(&self, is_ticked: bool) -> Vec<Piece<'_>> {
        let texts = if is_ticked { &self.t.register.agree } else { &self.t.register.implied };
        match (self.terms(), self.privacy()) {
            (Some(_), Some(_)) => tree::pieces(&texts.both),
            (Some(_), None) => tree::pieces(&texts.terms),
            (None, Some(_)) => tree::pieces(&texts.privacy),
            (None, None) => Vec::new(),
        }
    }

    /// Whether people agree by ticking a box: when they register, or also when they sign in.
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
