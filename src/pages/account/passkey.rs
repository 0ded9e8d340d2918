//! Making a passkey for one's own account: `POST /account/passkey` with `verification_id` and the `payload` of the
//! browser.

use super::messages::field_error;
use super::proof::{ask, prove, settle};
use super::visitor::{AccountPost, AccountVisitor};
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::Json;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::own_account::passkeys::{self, RegistrationChallenge};
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;
use claimsmith_runtime::json::{self, INCOMING};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::form::Form;
use claimsmith_web::same_origin;
use serde_json::{Map, Value};

/// The page.
#[derive(Debug, Template)]
#[template(path = "account_passkey.html")]
pub(crate) struct AccountPasskeyPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser and the account.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
}

impl AccountPasskeyPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.passkey.title
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Own)
    }
}

impl FormPage for AccountPasskeyPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        Vec::new()
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

/// Shows the button.
pub(super) async fn show(person: AccountVisitor) -> Response {
    page(&person, None)
}

/// The registration options; the script of the page fetches them.
pub(super) async fn options(headers: HeaderMap, person: AccountVisitor) -> Result<Response, ApiError> {
    same_origin::check(&person.owner.app, &headers)?;
    let RegistrationChallenge { record, options } = passkeys::ask(&person.owner).await?;
    let answer = serde_json::json!({ "verificationId": record.id, "registrationOptions": options });
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response())
}

/// Stores the created passkey.
pub(super) async fn set_up(AccountPost(person, form): AccountPost) -> Response {
    let path = paths::ACCOUNT_PASSKEY;
    if let Err(asked) = prove(&person, &form, path).await {
        return asked;
    }
    let steps = async {
        // Checked before the response is used.
        passkeys::check_addable(&person.owner).await?;
        let id = form.all("verification_id").next().unwrap_or_default();
        passkeys::verify(&person.owner, id, answer_of(&form)?).await?;
        passkeys::add(&person.owner, id, None).await
    };
    match steps.await {
        Ok(()) => settle(&person, &form, path, Ok(())).await,
        Err(OwnAccountRefusal::ProofRequired) => ask(&person, &form, path, None),
        Err(OwnAccountRefusal::UnknownRecord) => {
            page(&person, Some(FieldError::of_form(person.frame.t.passkey.failed.as_str())))
        }
        Err(refusal) => match field_error(&person.frame, &refusal) {
            Some(error) => page(&person, Some(error)),
            None => person.fail(&refusal),
        },
    }
}

/// The response of the browser.
fn answer_of(form: &Form) -> Result<Map<String, Value>, OwnAccountRefusal> {
    let payload = form.all("payload").next().unwrap_or_default();
    json::read(payload.as_bytes(), INCOMING).map_err(|_| InteractionRefusal::InvalidPasskey.into())
}

fn page(person: &AccountVisitor, error: Option<FieldError<'_>>) -> Response {
    AccountPasskeyPage { frame: &person.frame, csrf: &person.csrf, error }.answer()
}
