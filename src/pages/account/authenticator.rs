//! Authenticator app and backup codes of one's own account: `POST /account/authenticator` with `secret` and `code`. The
//! page shows the secret until a one-time password proves that it was saved; backup codes are shown once.

use super::messages::field_error;
use super::proof::{prove, refused, settle};
use super::visitor::{AccountPost, AccountVisitor};
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_domain::documents::account_center::Field;
use claimsmith_identity::accounts::mfa;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::own_account::factors::{self, FactorPlacement};
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;

/// Maximum bytes of a code.
const MAX_BYTES: usize = 64;

/// The page.
#[derive(Debug, Template)]
#[template(path = "account_authenticator.html")]
pub(crate) struct AccountAuthenticatorPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser and the account.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// The secret, in base 32.
    pub(crate) secret: &'a str,
    /// A picture of it, as a data URI.
    pub(crate) qr_code: &'a str,
}

impl AccountAuthenticatorPage<'_> {
    #[expect(clippy::misnamed_getters, reason = "the title of another page is beside it")]
    fn title(&self) -> &str {
        &self.frame.t.second_factor.set_up_title
    }

    /// The secret in groups of four, for typing.
    fn grouped_secret(&self) -> String {
        let letters: Vec<char> = self.secret.chars().collect();
        letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Own)
    }
}

impl FormPage for AccountAuthenticatorPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("code", true)]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

/// The page.
#[derive(Debug, Template)]
#[template(path = "account_codes.html")]
pub(crate) struct AccountCodesPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// The codes.
    pub(crate) codes: &'a [String],
}

impl AccountCodesPage<'_> {
    #[expect(clippy::misnamed_getters, reason = "the title of another page is beside it")]
    fn title(&self) -> &str {
        &self.frame.t.second_factor.backup_codes_title
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Own)
    }
}

/// Shows a new secret.
pub(super) async fn show(person: AccountVisitor) -> Response {
    if !person.settings.fields.edits(Field::Mfa) {
        return person.fail(&OwnAccountRefusal::FieldReadOnly);
    }
    match factors::new_secret() {
        Ok(secret) => page(&person, &secret, None),
        Err(refusal) => person.fail(&refusal),
    }
}

/// Sets the authenticator up.
pub(super) async fn set_up(AccountPost(person, form): AccountPost) -> Response {
    let text = |name: &str| form.all(name).next().unwrap_or_default().trim();
    let (secret, code) = (text("secret"), text("code"));
    if !mfa::is_totp_secret(secret) {
        return show(person).await;
    }
    if code.is_empty() || code.len() > MAX_BYTES {
        let error = FieldError::at("code", person.frame.t.errors.required.as_str());
        return page(&person, secret, Some(error));
    }
    if let Err(asked) = prove(&person, &form, paths::ACCOUNT_AUTHENTICATOR).await {
        return asked;
    }
    let outcome = factors::add_totp(&person.owner, secret.to_owned(), Some(code), FactorPlacement::Instead).await;
    match outcome {
        Err(refusal @ OwnAccountRefusal::Common(InteractionRefusal::InvalidTotp)) => {
            page(&person, secret, field_error(&person.frame, &refusal))
        }
        other => settle(&person, &form, paths::ACCOUNT_AUTHENTICATOR, other).await,
    }
}

/// Shows new backup codes, which replace the old ones.
pub(super) async fn new_codes(AccountPost(person, form): AccountPost) -> Response {
    if let Err(asked) = prove(&person, &form, paths::ACCOUNT_BACKUP_CODES).await {
        return asked;
    }
    match factors::add_backup_codes(&person.owner, None, FactorPlacement::Instead).await {
        Ok(codes) => AccountCodesPage { frame: &person.frame, codes: &codes }.answer(),
        Err(refusal) => refused(&person, &form, paths::ACCOUNT_BACKUP_CODES, refusal).await,
    }
}

fn page(person: &AccountVisitor, secret: &str, error: Option<FieldError<'_>>) -> Response {
    let service = person.owner.app.config.server.base_url.to_string();
    match mfa::qr_code_of(&service, &person.user, secret) {
        Ok(qr_code) => {
            let (frame, csrf) = (&person.frame, &person.csrf);
            AccountAuthenticatorPage { frame, csrf, error, secret, qr_code: &qr_code }.answer()
        }
        Err(error) => person.fail(&OwnAccountRefusal::from(error)),
    }
}
