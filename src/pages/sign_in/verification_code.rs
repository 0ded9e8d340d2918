//! Entering a code that was sent: `POST /verification-code` with `code`, or with `decision=resend`; and, if it is
//! correct and no account has the address, with `decision=register`. Users who return from another server get the same
//! page.

use super::messages::field_error;
use super::visitor::{InteractionPost, Visitor, finish};
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::tree::{Piece, fill};
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_domain::interaction::InteractionEvent;
use claimsmith_domain::sent_code::SentCode;
use claimsmith_domain::verification_code::CodeRefusal;
use claimsmith_identity::interaction::identify::identify;
use claimsmith_identity::interaction::profile::add_verified;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::interaction::start::switch;
use claimsmith_identity::interaction::verification_codes::send::send;
use claimsmith_identity::interaction::verification_codes::verify::verify;

/// Maximum bytes of a code.
const MAX_BYTES: usize = 64;

/// The page.
#[derive(Debug, Template)]
#[template(path = "verification_code.html")]
pub(crate) struct VerificationCodePage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// Where the code was sent.
    pub(crate) address: &'a str,
    /// Whether another one was sent just now.
    pub(crate) is_resent: bool,
    /// The path of the page where another address is entered.
    pub(crate) back: &'a str,
}

impl VerificationCodePage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.verification_code.title
    }

    fn description(&self) -> String {
        fill(&self.frame.t.verification_code.description, &[("address", self.address)])
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for VerificationCodePage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("code", true)]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

/// The page for a user who proved an address, or an account elsewhere, that no account has.
#[derive(Debug, Template)]
#[template(path = "no_account.html")]
pub(crate) struct NoAccountPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// Where the form goes.
    pub(crate) action: &'a str,
    /// The address.
    pub(crate) address: &'a str,
    /// Whether the terms were agreed to.
    pub(crate) has_agreed: bool,
}

impl NoAccountPage<'_> {
    #[expect(clippy::misnamed_getters, reason = "the title of another page is beside it")]
    fn title(&self) -> &str {
        &self.frame.t.verification_code.no_account_title
    }

    fn description(&self) -> String {
        fill(&self.frame.t.verification_code.no_account_description, &[("address", self.address)])
    }

    fn asks_to_agree(&self) -> bool {
        self.frame.asks_to_agree(true)
    }

    fn agreement(&self) -> Vec<Piece<'_>> {
        self.frame.agreement(self.asks_to_agree())
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        let status = if self.error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        page::answer(self, self.frame, status, Forms::Onward)
    }
}

impl FormPage for NoAccountPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        if self.asks_to_agree() { vec![("agree", true)] } else { Vec::new() }
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

pub(super) async fn show(visitor: Visitor) -> Response {
    match latest(&visitor) {
        Some((_, sent)) if sent.verified => visitor.at(back(&visitor)),
        Some((_, sent)) => page(&visitor, &sent, None, false),
        None => visitor.at(back(&visitor)),
    }
}

pub(super) async fn submit(InteractionPost(mut visitor, form): InteractionPost) -> Response {
    let text = |name: &str| form.all(name).next().unwrap_or_default();
    let Some((id, sent)) = latest(&visitor) else { return visitor.at(back(&visitor)) };
    match text("decision") {
        "resend" if !sent.verified => return resend(visitor, sent).await,
        "register" if sent.verified => {
            if !visitor.has_agreed(&form, true) {
                let error = FieldError::at("agree", visitor.frame.t.errors.agreement_required.clone());
                return no_account(&visitor, &sent, Some(error));
            }
            return register(visitor, &id, &sent).await;
        }
        _ => {}
    }
    let code = text("code").trim();
    if code.is_empty() {
        let error = FieldError::at("code", visitor.frame.t.errors.required.clone());
        return page(&visitor, &sent, Some(error), false);
    }
    let verified = match code.len() {
        length if length > MAX_BYTES => Err(InteractionRefusal::Code(CodeRefusal::Mismatch)),
        _ => verify(&mut visitor.current, &sent.identifier, &id, code).await,
    };
    match verified {
        Ok(id) => go_on(visitor, &id, &sent).await,
        Err(refusal) => match field_error(&visitor.frame, &refusal) {
            Some(error) => {
                let error =
                    FieldError::at(if error.field.is_empty() { "" } else { "code" }, error.message.into_owned());
                page(&visitor, &sent, Some(error), false)
            }
            None => visitor.fail(&refusal),
        },
    }
}

/// The latest code that was sent, with the id of its verification.
fn latest(visitor: &Visitor) -> Option<(String, SentCode)> {
    let verifications = visitor.current.progress.verifications.iter().rev();
    let mut sent = verifications.filter_map(|kept| Some((kept.id.clone(), kept.method.identifying_code()?.clone())));
    sent.next()
}

async fn resend(mut visitor: Visitor, sent: SentCode) -> Response {
    let steps = async {
        let event = visitor.current.event()?;
        send(&mut visitor.current, sent.identifier.clone(), event).await
    };
    match steps.await {
        Ok(_) => page(&visitor, &sent, None, true),
        Err(refusal) => match field_error(&visitor.frame, &refusal) {
            Some(error) => page(&visitor, &sent, Some(FieldError::of_form(error.message.into_owned())), false),
            None => visitor.fail(&refusal),
        },
    }
}

/// Continues with the proved email address or phone number.
async fn go_on(mut visitor: Visitor, id: &str, sent: &SentCode) -> Response {
    let current = &mut visitor.current;
    let is_known = current.progress.user_id.is_some();
    let event = match current.event() {
        Ok(event) => event,
        Err(refusal) => return visitor.fail(&refusal),
    };
    let outcome = match event {
        InteractionEvent::ForgotPassword => match identify(current, Some(id)).await {
            Ok(_) => return visitor.at(paths::NEW_PASSWORD),
            Err(refusal) => Err(refusal),
        },
        _ if is_known => add_verified(current, sent.identifier.kind, id).await,
        InteractionEvent::SignIn => match identify(current, Some(id)).await {
            Err(InteractionRefusal::UnknownIdentifier(_)) if may_register(&visitor, sent) => {
                return no_account(&visitor, sent, None);
            }
            other => other.map(drop),
        },
        InteractionEvent::Register => match identify(current, Some(id)).await {
            // The user has an account with this address, which they have just proved.
            Err(InteractionRefusal::EmailTaken | InteractionRefusal::PhoneTaken) if may_sign_in(&visitor, sent) => {
                sign_in_instead(&mut visitor, id).await
            }
            other => other.map(drop),
        },
    };
    settle(visitor, sent, outcome).await
}

async fn settle(visitor: Visitor, sent: &SentCode, outcome: Result<(), InteractionRefusal>) -> Response {
    match outcome {
        Ok(()) => finish(visitor).await,
        Err(refusal) => match field_error(&visitor.frame, &refusal) {
            Some(error) => page(&visitor, sent, Some(FieldError::of_form(error.message.into_owned())), false),
            None => visitor.next(&refusal),
        },
    }
}

async fn sign_in_instead(visitor: &mut Visitor, id: &str) -> Result<(), InteractionRefusal> {
    switch(&mut visitor.current, InteractionEvent::SignIn).await?;
    identify(&mut visitor.current, Some(id)).await.map(drop)
}

/// Registers a new user with the proved email address or phone number.
async fn register(mut visitor: Visitor, id: &str, sent: &SentCode) -> Response {
    let steps = async {
        switch(&mut visitor.current, InteractionEvent::Register).await?;
        identify(&mut visitor.current, Some(id)).await.map(drop)
    };
    let outcome = steps.await;
    settle(visitor, sent, outcome).await
}

fn may_sign_in(visitor: &Visitor, sent: &SentCode) -> bool {
    visitor.frame.settings.sign_in.takes_code_of(sent.identifier.kind)
}

fn may_register(visitor: &Visitor, sent: &SentCode) -> bool {
    visitor.frame.may_register() && visitor.frame.settings.sign_up.asks_for(sent.identifier.kind)
}

/// The path of the page where another address can be entered.
fn back(visitor: &Visitor) -> &'static str {
    match visitor.current.progress.event {
        Some(InteractionEvent::ForgotPassword) => paths::RESET_PASSWORD,
        _ if visitor.current.progress.user_id.is_some() => paths::PROFILE,
        Some(InteractionEvent::Register) if !visitor.current.progress.profile.is_empty() => paths::PROFILE,
        Some(InteractionEvent::Register) => paths::REGISTER,
        _ => paths::SIGN_IN,
    }
}

fn page(visitor: &Visitor, sent: &SentCode, error: Option<FieldError<'_>>, is_resent: bool) -> Response {
    VerificationCodePage {
        frame: &visitor.frame,
        csrf: &visitor.csrf,
        error,
        address: &sent.identifier.value,
        is_resent,
        back: back(visitor),
    }
    .answer()
}

fn no_account(visitor: &Visitor, sent: &SentCode, error: Option<FieldError<'_>>) -> Response {
    let (frame, csrf, address) = (&visitor.frame, &visitor.csrf, &sent.identifier.value);
    NoAccountPage { frame, csrf, error, action: paths::VERIFICATION_CODE, address, has_agreed: false }.answer()
}
