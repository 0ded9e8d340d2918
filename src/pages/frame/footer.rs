//! The foot of a page: terms of use, privacy policy, support.

use super::Frame;

/// A text that is not empty.
fn filled<T>(text: Option<T>) -> Option<String>
where
    String: From<T>,
{
    text.map(String::from).filter(|text| !text.is_empty())
}

impl Frame {
    /// Where the terms of use are.
    pub(crate) fn terms(&self) -> Option<String> {
        filled(self.settings.terms_of_use_url.clone())
    }

    /// Where the privacy policy is.
    pub(crate) fn privacy(&self) -> Option<String> {
        filled(self.settings.privacy_policy_url.clone())
    }

    /// Where there is help: a page, or an address to write to.
    pub(crate) fn support(&self) -> Option<String> {
        let page = filled(self.settings.support_website_url.clone());
        let address = filled(self.settings.support_email.clone());
        page.or_else(|| address.map(|address| format!("mailto:{address}")))
    }

    /// Whether the footer has any content.
    pub(crate) fn has_footer(&self) -> bool {
        self.terms().or_else(|| self.privacy()).or_else(|| self.support()).is_some()
    }
}
