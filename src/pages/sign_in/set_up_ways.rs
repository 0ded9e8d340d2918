//! The second factors that the user can set up now, and their pages, with the texts of their links on other pages.

use super::visitor::Visitor;
use crate::frame::Frame;
use crate::paths;
use axum::response::Response;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_identity::interaction::factors::{self, bind};
use claimsmith_identity::interaction::passkeys::register;
use claimsmith_identity::interaction::refusal::InteractionRefusal;

/// The path of the page where a factor is set up.
#[must_use]
pub(crate) fn set_up_path(kind: FactorType) -> &'static str {
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

/// The factors that the user is asked to set up.
pub(super) struct ToSetUp {
    /// The possible factors, at least one.
    pub possible: Vec<FactorType>,
    /// Whether the user may postpone them.
    pub is_skippable: bool,
}

impl ToSetUp {
    /// All except this one.
    pub(super) fn others(&self, kind: FactorType) -> Vec<FactorType> {
        self.possible.iter().copied().filter(|other| *other != kind).collect()
    }
}

/// The factors that the user is asked to set up; otherwise the page that comes next.
pub(super) async fn to_set_up(visitor: &Visitor) -> Result<ToSetUp, Response> {
    let (available, is_skippable) = match factors::check(&visitor.current).await {
        Err(InteractionRefusal::FactorSuggested(available)) => (available, true),
        Err(InteractionRefusal::FurtherFactorSuggested(mut available, had)) => {
            available.retain(|kind| had.iter().all(|(other, _)| other != kind));
            (available, true)
        }
        Err(InteractionRefusal::FactorMissing(available, skippable)) => (available, skippable),
        Err(refusal) => return Err(visitor.next(&refusal)),
        Ok(()) => return Err(visitor.fail(&InteractionRefusal::WrongEvent)),
    };
    let possible: Vec<FactorType> =
        available.iter().copied().filter(|kind| is_possible(&visitor.frame, *kind)).collect();
    if possible.is_empty() {
        return Err(visitor.fail(&InteractionRefusal::FactorMissing(available, is_skippable)));
    }
    Ok(ToSetUp { possible, is_skippable })
}

/// Skips what the user is asked to set up.
pub(super) async fn skip_asked(visitor: &mut Visitor) -> Result<(), InteractionRefusal> {
    match factors::check(&visitor.current).await {
        Err(InteractionRefusal::PasskeySuggested) => register::skip(&mut visitor.current).await,
        Err(InteractionRefusal::FurtherFactorSuggested(..)) => bind::skip_suggestion(&mut visitor.current).await,
        _ => bind::skip(&mut visitor.current).await,
    }
}

/// Whether browsers support it here, or its codes can be sent.
fn is_possible(frame: &Frame, kind: FactorType) -> bool {
    match (kind, kind.channel()) {
        (FactorType::WebAuthn, _) => frame.has_passkeys,
        (_, Some(channel)) => frame.reach.has(channel),
        _ => true,
    }
}
