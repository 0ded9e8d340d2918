//! The pages that set up second factors, with the texts of their links on the page of another one.

use crate::frame::Frame;
use crate::paths;
use claimsmith_domain::documents::mfa::FactorType;

/// The path of the page where a factor is set up.
#[must_use]
pub fn set_up_path(kind: FactorType) -> &'static str {
    match kind {
        FactorType::WebAuthn => paths::SET_UP_PASSKEY,
        FactorType::Totp => paths::SET_UP_FACTOR,
        FactorType::EmailVerificationCode => paths::SET_UP_EMAIL,
        FactorType::PhoneVerificationCode => paths::SET_UP_PHONE,
        FactorType::BackupCode => paths::NEW_BACKUP_CODES,
    }
}

/// The pages of other factors, each with the text of its link.
pub(super) fn ways<'f>(frame: &'f Frame, others: &[FactorType]) -> Vec<(String, &'f str)> {
    let texts = &frame.t;
    let text = |kind: FactorType| match kind {
        FactorType::WebAuthn => texts.passkey.use_instead.as_str(),
        FactorType::Totp => texts.passkey.use_app.as_str(),
        FactorType::EmailVerificationCode => texts.second_factor.email_instead.as_str(),
        FactorType::PhoneVerificationCode => texts.second_factor.phone_instead.as_str(),
        FactorType::BackupCode => texts.second_factor.use_backup_code.as_str(),
    };
    others.iter().map(|kind| (frame.step(set_up_path(*kind)), text(*kind))).collect()
}
