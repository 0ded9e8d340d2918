//! What people are told of a refusal, in the language of the page, and at which field.

use crate::http::interaction_forms::messages;
use crate::http::pages::form::FieldError;
use crate::http::pages::frame::Frame;
use crate::interaction::refusal::Refusal as Common;
use crate::own_account::refusal::Refusal;

/// The error at its field; none for what is no mistake of the person.
pub(super) fn field_error<'f>(frame: &'f Frame, refusal: &Refusal) -> Option<FieldError<'f>> {
    let (texts, own) = (&frame.t.errors, &frame.t.account);
    Some(match refusal {
        Refusal::Common(Common::InvalidCredentials) => {
            FieldError::at("current_password", texts.wrong_password.as_str())
        }
        Refusal::Common(Common::Password(_)) => {
            let Refusal::Common(common) = refusal else { return None };
            let error = messages::field_error(frame, common)?;
            FieldError { field: "new_password", ..error }
        }
        Refusal::Common(common) => messages::field_error(frame, common)?,
        Refusal::SamePassword => FieldError::at("new_password", texts.password.same.as_str()),
        Refusal::UnknownRecord => FieldError::of_form(texts.expired_code.as_str()),
        Refusal::LastWayIn => FieldError::of_form(own.last_way_in.as_str()),
        Refusal::LastAdministrator => FieldError::of_form(own.last_administrator.as_str()),
        Refusal::FieldOff | Refusal::FieldReadOnly | Refusal::DeletionOff => {
            FieldError::of_form(own.not_allowed.as_str())
        }
        Refusal::UnknownIdentity
        | Refusal::UnknownFactor
        | Refusal::UnknownDevice
        | Refusal::UnknownSession
        | Refusal::UnknownGrant
        | Refusal::UnknownImpersonation => FieldError::of_form(own.gone.as_str()),
        _ => return None,
    })
}
