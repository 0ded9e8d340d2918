//! The captcha on pages with a form: a puzzle that the browser solves, or a notice that it cannot be answered here.

use super::frame::Frame;
use claimsmith_identity::interaction::captcha::PageCaptcha;

impl Frame {
    /// Whether the browser solves a puzzle before a form is sent.
    pub(super) fn has_puzzle(&self) -> bool {
        self.captcha == Some(PageCaptcha::Puzzle)
    }

    /// Whether the captcha is a third-party widget, whose scripts no page loads.
    pub(super) fn has_foreign_captcha(&self) -> bool {
        self.captcha == Some(PageCaptcha::ProviderWidget)
    }
}
