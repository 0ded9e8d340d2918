//! Verifying a second factor: `POST` with `code` to the path of the factor; with `decision=send` to one whose codes are
//! sent.

use super::messages::field_error;
use super::trust::{self, finish_trusting};
use super::visitor::{InteractionPost, Visitor};
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::tree::fill;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_identity::interaction::factors::{self, backup_codes, codes, totp};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_web::extract::form::Form;

/// Maximum bytes of a code.
const MAX_BYTES: usize = 64;

/// The page.
#[derive(Debug, Template)]
#[template(path = "second_factor.html")]
pub(crate) struct SecondFactorPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// Which factor is asked for.
    pub(crate) kind: FactorType,
    /// The user's other factors.
    pub(crate) others: &'a [FactorType],
    /// Where a code goes, mostly masked; empty for factors that the user has at hand.
    pub(crate) address: &'a str,
    /// Whether a code was sent.
    pub(crate) is_sent: bool,
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
    pub(crate) fn answer(&self) -> Response {
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
pub(crate) fn path_of(kind: FactorType) -> &'static str {
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

pub(super) async fn show(visitor: Visitor) -> Response {
    page(&visitor, FactorType::Totp, None).await
}

pub(super) async fn show_backup_code(visitor: Visitor) -> Response {
    page(&visitor, FactorType::BackupCode, None).await
}

pub(super) async fn show_email(visitor: Visitor) -> Response {
    page(&visitor, FactorType::EmailVerificationCode, None).await
}

pub(super) async fn show_phone(visitor: Visitor) -> Response {
    page(&visitor, FactorType::PhoneVerificationCode, None).await
}

pub(super) async fn submit(InteractionPost(visitor, form): InteractionPost) -> Response {
    prove(visitor, FactorType::Totp, &form).await
}

pub(super) async fn submit_backup_code(InteractionPost(visitor, form): InteractionPost) -> Response {
    prove(visitor, FactorType::BackupCode, &form).await
}

pub(super) async fn submit_email(InteractionPost(visitor, form): InteractionPost) -> Response {
    send_or_prove(visitor, Channel::Email, &form).await
}

pub(super) async fn submit_phone(InteractionPost(visitor, form): InteractionPost) -> Response {
    send_or_prove(visitor, Channel::Phone, &form).await
}

async fn send_or_prove(mut visitor: Visitor, channel: Channel, form: &Form) -> Response {
    let kind = FactorType::over(channel);
    if form.all("decision").next() != Some("send") {
        return prove(visitor, kind, form).await;
    }
    match codes::send(&mut visitor.current, channel).await {
        Ok(_) => page(&visitor, kind, None).await,
        Err(refusal) => match field_error(&visitor.frame, &refusal) {
            Some(error) => page(&visitor, kind, Some(error)).await,
            None => visitor.fail(&refusal),
        },
    }
}

async fn prove(mut visitor: Visitor, kind: FactorType, form: &Form) -> Response {
    let code = form.all("code").next().unwrap_or_default().trim();
    if code.is_empty() {
        let error = FieldError::at("code", visitor.frame.t.errors.required.clone());
        return page(&visitor, kind, Some(error)).await;
    }
    let sent = sent(&visitor, kind);
    let current = &mut visitor.current;
    let proved = match (kind, kind.channel()) {
        _ if code.len() > MAX_BYTES => Err(InteractionRefusal::InvalidTotp),
        (FactorType::Totp, _) => totp::verify(current, code).await,
        (_, Some(channel)) => codes::verify(current, channel, &sent.unwrap_or_default(), code).await,
        // Passkeys have their own form.
        (FactorType::WebAuthn, _) => Err(InteractionRefusal::NoPasskeyAsked),
        _ => backup_codes::verify(current, code).await,
    };
    match proved {
        Ok(_) => finish_trusting(visitor, form).await,
        // No code was sent, or a newer one.
        Err(InteractionRefusal::UnknownVerification) => visitor.at(path_of(kind)),
        Err(refusal) => match field_error(&visitor.frame, &refusal) {
            Some(error) => page(&visitor, kind, Some(error)).await,
            None => visitor.fail(&refusal),
        },
    }
}

/// The verification of a code that was sent and not entered yet.
fn sent(visitor: &Visitor, kind: FactorType) -> Option<String> {
    let channel = kind.channel()?;
    let mut kept = visitor.current.progress.verifications.iter();
    let is_wanted = |sent: &claimsmith_domain::sent_code::SentCode| {
        sent.identifier.kind == channel.identifier()
            && sent.user_id == visitor.current.progress.user_id
            && !sent.verified
    };
    let found = kept.find(|kept| kept.method.holder().is_some() && kept.method.sent_code().is_some_and(is_wanted));
    found.map(|kept| kept.id.clone())
}

/// The page, if a second factor is required; otherwise the one that comes next.
async fn page(visitor: &Visitor, kind: FactorType, error: Option<FieldError<'_>>) -> Response {
    match factors::check(&visitor.current).await {
        Err(InteractionRefusal::FactorRequired(available, masked)) => {
            // A user without this factor gets another one.
            if let Some(first) = available.first().filter(|_| !available.contains(&kind) && error.is_none()) {
                return visitor.at(path_of(*first));
            }
            let others: Vec<FactorType> = available.into_iter().filter(|other| *other != kind).collect();
            let address = masked.iter().find(|(of, _)| *of == kind).map_or("", |(_, text)| text);
            SecondFactorPage {
                frame: &visitor.frame,
                csrf: &visitor.csrf,
                error,
                kind,
                others: &others,
                address,
                is_sent: sent(visitor, kind).is_some(),
            }
            .answer()
        }
        Err(refusal) => visitor.next(&refusal),
        // No second factor is required.
        Ok(()) => visitor.fail(&InteractionRefusal::WrongEvent),
    }
}
