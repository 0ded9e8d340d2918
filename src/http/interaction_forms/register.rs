//! `/register`: a user name and a password of somebody new.

use super::messages::field_error;
use super::visitor::{Posted, Visitor, finish, has_ticked};
use crate::domain::interaction::InteractionEvent;
use crate::http::pages::form::FieldError;
use crate::http::pages::paths;
use crate::http::pages::register::RegisterPage;
use crate::interaction::identify::identify;
use crate::interaction::new_password_identity::new_password_identity;
use crate::interaction::refusal::Refusal;
use crate::interaction::start::start;
use axum::response::Response;

/// The most bytes of a user name and of a password.
const MAX_BYTES: usize = 4096;

pub(super) async fn show(visitor: Visitor) -> Response {
    if !visitor.frame.may_register() {
        return visitor.at(paths::SIGN_IN);
    }
    page(&visitor, "", false, None)
}

pub(super) async fn submit(Posted(mut visitor, form): Posted) -> Response {
    let text = |name: &str| form.all(name).next().unwrap_or_default();
    let (username, password) = (text("username").trim(), text("password"));
    let has_agreed = has_ticked(&form);
    for (field, value) in [("username", username), ("password", password)] {
        if value.is_empty() || value.len() > MAX_BYTES {
            let error = FieldError::at(field, visitor.frame.t.errors.required.clone());
            return page(&visitor, username, has_agreed, Some(error));
        }
    }
    if !visitor.has_agreed(&form, true) {
        let error = FieldError::at("agree", visitor.frame.t.errors.agreement_required.clone());
        return page(&visitor, username, has_agreed, Some(error));
    }
    let steps = async {
        let current = &mut visitor.current;
        start(current, InteractionEvent::Register).await?;
        let id = new_password_identity(current, username.to_owned(), password).await?;
        identify(current, Some(&id)).await.map(drop)
    };
    match steps.await {
        Ok(()) => finish(visitor).await,
        // What was entered is kept, and the rest is asked for.
        Err(Refusal::MissingProfile(_)) => visitor.at(paths::PROFILE),
        Err(Refusal::Closed) => {
            let error = FieldError::of_form(visitor.frame.t.errors.registration_closed.clone());
            page(&visitor, username, has_agreed, Some(error))
        }
        Err(refusal) => match field_error(&visitor.frame, &refusal) {
            Some(error) => page(&visitor, username, has_agreed, Some(error)),
            None => visitor.fail(&refusal),
        },
    }
}

fn page(visitor: &Visitor, username: &str, has_agreed: bool, error: Option<FieldError<'_>>) -> Response {
    RegisterPage { frame: &visitor.frame, csrf: &visitor.csrf, error, username, has_agreed }.answer()
}
