//! `/sign-in`: an identifier and a password.

use super::messages::field_error;
use super::visitor::{Posted, Visitor, finish, has_ticked};
use crate::domain::interaction::{Identifier, IdentifierType, InteractionEvent};
use crate::http::pages::form::FieldError;
use crate::http::pages::sign_in::SignInPage;
use crate::interaction::identify::identify;
use crate::interaction::refusal::Refusal;
use crate::interaction::start::start;
use crate::interaction::verify_password::verify_password;
use axum::response::Response;

/// The most bytes of an identifier and of a password.
const MAX_BYTES: usize = 256;

pub(super) async fn show(visitor: Visitor) -> Response {
    let hint = visitor.current.request.login_hint.clone().unwrap_or_default();
    page(&visitor, &hint, false, None)
}

pub(super) async fn submit(Posted(mut visitor, form): Posted) -> Response {
    let text = |name: &str| form.all(name).next().unwrap_or_default();
    let (entered, password) = (text("identifier").trim(), text("password"));
    let has_agreed = has_ticked(&form);
    for (field, value) in [("identifier", entered), ("password", password)] {
        if value.is_empty() {
            let error = FieldError::at(field, visitor.frame.t.errors.required.clone());
            return page(&visitor, entered, has_agreed, Some(error));
        }
    }
    if !visitor.has_agreed(&form, false) {
        let error = FieldError::at("agree", visitor.frame.t.errors.agreement_required.clone());
        return page(&visitor, entered, has_agreed, Some(error));
    }
    let steps = async {
        if entered.len() > MAX_BYTES || password.len() > MAX_BYTES {
            return Err(Refusal::InvalidCredentials);
        }
        let current = &mut visitor.current;
        start(current, InteractionEvent::SignIn).await?;
        let id = verify_password(current, identifier(entered), password).await?;
        identify(current, Some(&id)).await.map(drop)
    };
    match steps.await {
        Ok(()) => finish(visitor).await,
        Err(refusal) => match field_error(&visitor.frame, &refusal) {
            Some(error) => page(&visitor, entered, has_agreed, Some(error)),
            None => visitor.fail(&refusal),
        },
    }
}

fn page(visitor: &Visitor, identifier: &str, has_agreed: bool, error: Option<FieldError<'_>>) -> Response {
    SignInPage { frame: &visitor.frame, csrf: &visitor.csrf, error, identifier, has_agreed }.answer()
}

/// What somebody entered: an address has an `@`, a phone number digits alone.
fn identifier(entered: &str) -> Identifier {
    let is_phone = |text: &str| {
        let digits = text.strip_prefix('+').unwrap_or(text);
        let digits: String = digits.chars().filter(|letter| !" ()-./".contains(*letter)).collect();
        digits.len() >= 5 && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let kind = match entered {
        address if address.contains('@') => IdentifierType::Email,
        number if is_phone(number) => IdentifierType::Phone,
        _ => IdentifierType::Username,
    };
    Identifier { kind, value: entered.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_entered_says_what_it_is() {
        for (entered, kind) in [
            ("casey", IdentifierType::Username),
            ("casey@example.com", IdentifierType::Email),
            ("+44 20 7946 0958", IdentifierType::Phone),
            ("(020) 7946-0958", IdentifierType::Phone),
            ("1234", IdentifierType::Username),
            ("c3po_4711", IdentifierType::Username),
        ] {
            assert_eq!(identifier(entered).kind, kind, "{entered}");
        }
    }
}
