//! Another email address or phone number: `POST /account/email` or `/account/phone` with `identifier`, and then with
//! the `record` of the code that was sent there and the `code`.

use super::messages::field_error;
use super::proof::{ask, prove};
use super::visitor::{AccountPost, AccountVisitor, at};
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::tree::fill;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::identifier::Identifier;
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;
use claimsmith_identity::own_account::{codes, identifiers};
use claimsmith_web::extract::form::Form;
use claimsmith_web::redirect::see_other;

/// Maximum bytes of an email address or phone number.
const MAX_BYTES: usize = 256;
/// Maximum bytes of a code.
const MAX_CODE_BYTES: usize = 64;

/// The page.
#[derive(Debug, Template)]
#[template(path = "account_address.html")]
pub(crate) struct AccountAddressPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser and the account.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// Over what it is reached.
    pub(crate) channel: Channel,
    /// What was entered.
    pub(crate) identifier: &'a str,
    /// The record of the code that was sent there.
    pub(crate) record: Option<&'a str>,
}

impl AccountAddressPage<'_> {
    fn title(&self) -> &str {
        self.label()
    }

    fn description(&self) -> String {
        match self.record {
            Some(_) => fill(&self.frame.t.verification_code.description, &[("address", self.identifier)]),
            None => self.frame.t.account.new_address.clone(),
        }
    }

    fn action(&self) -> String {
        self.frame.path(paths::of_channel(self.channel))
    }

    fn label(&self) -> &str {
        self.frame.channels_label(&[self.channel])
    }

    fn autocomplete(&self) -> &'static str {
        match self.channel {
            Channel::Email => "email",
            Channel::Phone => "tel",
        }
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Own)
    }
}

impl FormPage for AccountAddressPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        if self.record.is_some() { vec![("code", true)] } else { vec![("identifier", self.identifier.is_empty())] }
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

pub(super) async fn show_email(person: AccountVisitor) -> Response {
    page(&person, Channel::Email, "", None, None)
}

pub(super) async fn show_phone(person: AccountVisitor) -> Response {
    page(&person, Channel::Phone, "", None, None)
}

pub(super) async fn submit_email(AccountPost(person, form): AccountPost) -> Response {
    submit(&person, &form, Channel::Email).await
}

pub(super) async fn submit_phone(AccountPost(person, form): AccountPost) -> Response {
    submit(&person, &form, Channel::Phone).await
}

async fn submit(person: &AccountVisitor, form: &Form, channel: Channel) -> Response {
    let path = paths::of_channel(channel);
    if let Err(asked) = prove(person, form, path).await {
        return asked;
    }
    // Checked before anything is sent, and before a code is used.
    match identifiers::check_settable(&person.owner, channel).await {
        Ok(()) => {}
        Err(OwnAccountRefusal::ProofRequired) => return ask(person, form, path, None),
        Err(refusal) => return person.fail(&refusal),
    }
    let text = |name: &str| form.all(name).next().unwrap_or_default().trim();
    let (entered, record, code) = (text("identifier"), text("record"), text("code"));
    let errors = &person.frame.t.errors;
    if entered.is_empty() || entered.len() > MAX_BYTES {
        let error = FieldError::at("identifier", errors.required.as_str());
        return page(person, channel, entered, None, Some(error));
    }
    let given = Identifier { kind: channel.identifier(), value: entered.to_owned() };
    if record.is_empty() || text("decision") == "send" {
        return send(person, channel, given).await;
    }
    if code.is_empty() || code.len() > MAX_CODE_BYTES {
        let error = FieldError::at("code", errors.required.as_str());
        return page(person, channel, entered, Some(record), Some(error));
    }
    match codes::verify(&person.owner, &given, record, code).await {
        Ok(()) => match identifiers::set(&person.owner, &given, record).await {
            Ok(()) => see_other(&format!("{}?saved=true", at(&person.owner.app, paths::ACCOUNT))),
            Err(refusal) => refused(person, channel, entered, None, &refusal),
        },
        Err(OwnAccountRefusal::UnknownRecord) => page(person, channel, entered, None, None),
        Err(refusal) => refused(person, channel, entered, Some(record), &refusal),
    }
}

/// Sends a code to the entered email address or phone number.
async fn send(person: &AccountVisitor, channel: Channel, given: Identifier) -> Response {
    let entered = given.value.clone();
    if codes::address_of(&person.user, channel).is_some_and(|own| own.is_same(&given)) {
        let errors = &person.frame.t.errors;
        let text = if channel == Channel::Phone { &errors.phone_taken } else { &errors.email_taken };
        let error = FieldError::at("identifier", text.as_str());
        return page(person, channel, &entered, None, Some(error));
    }
    match codes::send(&person.owner, given, None).await {
        Ok(record) => page(person, channel, &entered, Some(&record.id), None),
        Err(refusal) => refused(person, channel, &entered, None, &refusal),
    }
}

fn refused(
    person: &AccountVisitor,
    channel: Channel,
    entered: &str,
    record: Option<&str>,
    refusal: &OwnAccountRefusal,
) -> Response {
    match field_error(&person.frame, refusal) {
        Some(error) => page(person, channel, entered, record, Some(error)),
        None => person.fail(refusal),
    }
}

fn page(
    person: &AccountVisitor,
    channel: Channel,
    identifier: &str,
    record: Option<&str>,
    error: Option<FieldError<'_>>,
) -> Response {
    if !person.settings.fields.edits(identifiers::field_of(channel)) {
        return person.fail(&OwnAccountRefusal::FieldReadOnly);
    }
    let (frame, csrf) = (&person.frame, &person.csrf);
    AccountAddressPage { frame, csrf, error, channel, identifier, record }.answer()
}
