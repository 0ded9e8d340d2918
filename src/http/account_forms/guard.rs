//! The end of every form: the page again with what is new, with what is wrong, or the question for the password. The answer
//! to that question goes on with what was asked for.

use super::messages::field_error;
use super::overview;
use super::person::{Person, at};
use crate::http::extract::form::Form;
use crate::http::pages::account::proof::AccountProofPage;
use crate::http::pages::form::FieldError;
use crate::http::pages::paths;
use crate::http::redirect::see_other;
use crate::interaction::refusal::Refusal as Common;
use crate::own_account::proof::prove_password;
use crate::own_account::refusal::Refusal;
use axum::response::Response;

/// The field of the password that the person has.
const PASSWORD: &str = "current_password";
/// What is not sent on: passwords are typed again.
const NOT_ENTERED: [&str; 3] = ["csrf", PASSWORD, "new_password"];
/// The most bytes of a password.
const MAX_BYTES: usize = 4096;

/// Proves the password, if the form has it. The error is the page that asks again; the form goes to `path`.
pub(super) async fn prove(person: &Person, form: &Form, path: &str) -> Result<(), Response> {
    let Some(password) = form.all(PASSWORD).next() else { return Ok(()) };
    match verify(person, password).await {
        Ok(()) => Ok(()),
        Err(refusal) => match field_error(&person.frame, &refusal) {
            Some(error) => Err(ask(person, form, path, Some(error))),
            None => Err(person.fail(&refusal)),
        },
    }
}

/// Proves a password.
pub(super) async fn verify(person: &Person, password: &str) -> Result<(), Refusal> {
    if password.len() > MAX_BYTES {
        return Err(Common::InvalidCredentials.into());
    }
    prove_password(&person.owner, password).await.map(drop)
}

/// Shows what came of a form that goes to `path`.
pub(super) async fn settle(person: &Person, form: &Form, path: &str, outcome: Result<(), Refusal>) -> Response {
    match outcome {
        Ok(()) => see_other(&format!("{}?saved=true", at(&person.owner.app, paths::ACCOUNT))),
        Err(refusal) => refused(person, form, path, refusal).await,
    }
}

/// Shows a refusal of a form that goes to `path`.
pub(super) async fn refused(person: &Person, form: &Form, path: &str, refusal: Refusal) -> Response {
    match refusal {
        Refusal::ProofRequired => ask(person, form, path, None),
        // Signing in again is all that helps.
        Refusal::Ended => see_other(&at(&person.owner.app, paths::ACCOUNT)),
        refusal => match field_error(&person.frame, &refusal) {
            Some(error) => overview::page(person, Some(form), Some(error), false).await,
            None => person.fail(&refusal),
        },
    }
}

/// Asks for the password; the form goes on with what was entered.
fn ask(person: &Person, form: &Form, path: &str, error: Option<FieldError<'_>>) -> Response {
    AccountProofPage {
        frame: &person.frame,
        csrf: &person.csrf,
        error,
        path,
        entered: form.pairs().filter(|(name, _)| !NOT_ENTERED.contains(name)).collect(),
        has_password: person.user.password_digest.is_some(),
    }
    .answer()
}
