//! The password prompt before a sensitive change: the form goes on to the requested change, with everything that was
//! entered there. A user without a password enters a code that is sent to them, with `proof_send` and then
//! `proof_record`, `proof_channel` and `proof_code`; or signs in again. And the result of every form: the page with a
//! success message, with an error, or with this prompt.

use super::messages::field_error;
use super::overview;
use super::visitor::{AccountVisitor, at};
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::tree::fill;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::identifier::Identifier;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::own_account::codes::{self, address_of};
use claimsmith_identity::own_account::proof::prove_password;
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;
use claimsmith_web::extract::form::Form;
use claimsmith_web::redirect::see_other;

/// The field of the current password.
const PASSWORD: &str = "current_password";
/// The field of a code that replaces the password.
const CODE: &str = "proof_code";
/// Fields that are not carried on: those of the request for proof itself, and passwords.
const NOT_ENTERED: [&str; 7] = ["csrf", PASSWORD, "new_password", "proof_send", "proof_record", "proof_channel", CODE];
/// Maximum bytes of a password.
const MAX_PASSWORD_BYTES: usize = 4096;
/// Maximum bytes of a code.
const MAX_CODE_BYTES: usize = 64;

/// The page.
#[derive(Debug, Template)]
#[template(path = "account_proof.html")]
pub(crate) struct AccountProofPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser and the account.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// Where the form goes on.
    pub(crate) path: &'a str,
    /// What was entered.
    pub(crate) entered: Vec<(&'a str, &'a str)>,
    /// Whether there is a password.
    pub(crate) has_password: bool,
    /// Where codes can be sent instead, mostly masked.
    pub(crate) codes: Vec<(Channel, String)>,
    /// A code that was sent.
    pub(crate) sent: Option<SentView<'a>>,
}

/// A code that was sent.
#[derive(Clone, Debug)]
pub(crate) struct SentView<'a> {
    /// The record that it proves.
    pub(crate) record: &'a str,
    /// The channel.
    pub(crate) channel: Channel,
    /// The recipient, mostly masked.
    pub(crate) address: &'a str,
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
    pub(crate) fn answer(&self) -> Response {
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

/// Verifies the password or the code, if the form has one. The error is the page that asks for proof (again); its form
/// is posted to `path`.
pub(super) async fn prove(person: &AccountVisitor, form: &Form, path: &str) -> Result<(), Response> {
    let text = |name: &str| form.all(name).next();
    if let Some(channel) = channel_of(text("proof_send")) {
        return Err(send_code(person, form, path, channel).await);
    }
    if let Some(channel) = channel_of(text("proof_channel")) {
        let (record, code) = (text("proof_record").unwrap_or_default(), text(CODE).unwrap_or_default());
        return prove_code(person, form, path, (channel, record, code.trim())).await;
    }
    let Some(password) = text(PASSWORD) else { return Ok(()) };
    match verify(person, password).await {
        Ok(()) => Ok(()),
        Err(refusal) => match field_error(&person.frame, &refusal) {
            Some(error) => Err(ask(person, form, path, Some(error))),
            None => Err(person.fail(&refusal)),
        },
    }
}

/// Verifies the password.
pub(super) async fn verify(person: &AccountVisitor, password: &str) -> Result<(), OwnAccountRefusal> {
    if password.len() > MAX_PASSWORD_BYTES {
        return Err(InteractionRefusal::InvalidCredentials.into());
    }
    prove_password(&person.owner, password).await.map(drop)
}

/// Sends a code to the owner, and asks for it.
async fn send_code(person: &AccountVisitor, form: &Form, path: &str, channel: Channel) -> Response {
    let Some(own) = address_of(&person.user, channel) else { return ask(person, form, path, None) };
    match codes::send(&person.owner, own, None).await {
        Ok(record) => ask_code(person, form, path, (channel, &record.id), None),
        Err(refusal) => match field_error(&person.frame, &refusal) {
            Some(error) => ask(person, form, path, Some(error)),
            None => person.fail(&refusal),
        },
    }
}

async fn prove_code(
    person: &AccountVisitor,
    form: &Form,
    path: &str,
    (channel, record, code): (Channel, &str, &str),
) -> Result<(), Response> {
    let Some(own) = address_of(&person.user, channel) else { return Err(ask(person, form, path, None)) };
    if code.is_empty() || code.len() > MAX_CODE_BYTES {
        let error = FieldError::at(CODE, person.frame.t.errors.required.as_str());
        return Err(ask_code(person, form, path, (channel, record), Some(error)));
    }
    match codes::verify(&person.owner, &own, record, code).await {
        Ok(()) => Ok(()),
        Err(OwnAccountRefusal::UnknownRecord) => Err(ask(person, form, path, None)),
        Err(refusal) => Err(match field_error(&person.frame, &refusal) {
            Some(error) => {
                let field = if error.field == "code" { CODE } else { "" };
                let error = FieldError { field, ..error };
                ask_code(person, form, path, (channel, record), Some(error))
            }
            None => person.fail(&refusal),
        }),
    }
}

fn channel_of(name: Option<&str>) -> Option<Channel> {
    match name? {
        "email" => Some(Channel::Email),
        "phone" => Some(Channel::Phone),
        _ => None,
    }
}

/// Shows the outcome of a form that is posted to `path`.
pub(super) async fn settle(
    person: &AccountVisitor,
    form: &Form,
    path: &str,
    outcome: Result<(), OwnAccountRefusal>,
) -> Response {
    match outcome {
        Ok(()) => see_other(&format!("{}?saved=true", at(&person.owner.app, paths::ACCOUNT))),
        Err(refusal) => refused(person, form, path, refusal).await,
    }
}

/// Shows a refusal of a form that is posted to `path`.
pub(super) async fn refused(person: &AccountVisitor, form: &Form, path: &str, refusal: OwnAccountRefusal) -> Response {
    match refusal {
        OwnAccountRefusal::ProofRequired => ask(person, form, path, None),
        OwnAccountRefusal::SignInRequired => ask_to_sign_in(person, path),
        // Only a new sign-in helps.
        OwnAccountRefusal::Ended => see_other(&at(&person.owner.app, paths::ACCOUNT)),
        refusal => match field_error(&person.frame, &refusal) {
            Some(error) => overview::page(person, Some(form), Some(error), false).await,
            None => person.fail(&refusal),
        },
    }
}

/// Asks for the password, or where to send a code; the form carries the entered values on.
pub(super) fn ask(person: &AccountVisitor, form: &Form, path: &str, error: Option<FieldError<'_>>) -> Response {
    question(person, form, path, None, error)
}

/// Asks for a new sign-in, since a password or a code does not suffice.
fn ask_to_sign_in(person: &AccountVisitor, path: &str) -> Response {
    AccountProofPage {
        frame: &person.frame,
        csrf: &person.csrf,
        error: None,
        path,
        entered: Vec::new(),
        has_password: false,
        codes: Vec::new(),
        sent: None,
    }
    .answer()
}

/// Asks for the code that was sent.
fn ask_code(
    person: &AccountVisitor,
    form: &Form,
    path: &str,
    (channel, record): (Channel, &str),
    error: Option<FieldError<'_>>,
) -> Response {
    let address = address_of(&person.user, channel).map(|own| own.masked()).unwrap_or_default();
    question(person, form, path, Some(SentView { record, channel, address: &address }), error)
}

fn question(
    person: &AccountVisitor,
    form: &Form,
    path: &str,
    sent: Option<SentView<'_>>,
    error: Option<FieldError<'_>>,
) -> Response {
    AccountProofPage {
        frame: &person.frame,
        csrf: &person.csrf,
        error,
        path,
        entered: form.pairs().filter(|(name, _)| !NOT_ENTERED.contains(name)).collect(),
        has_password: person.user.password_digest.is_some(),
        codes: ways(person),
        sent,
    }
    .answer()
}

/// The channels for codes to an owner without a password.
fn ways(person: &AccountVisitor) -> Vec<(Channel, String)> {
    if person.user.password_digest.is_some() {
        return Vec::new();
    }
    let reached = [Channel::Email, Channel::Phone].into_iter().filter(|channel| person.frame.reach.has(*channel));
    let masked = |channel| address_of(&person.user, channel).as_ref().map(Identifier::masked);
    reached.filter_map(|channel| Some((channel, masked(channel)?))).collect()
}
