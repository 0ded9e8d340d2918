//! Messages of refusals, in the language of the page, with the field that they belong to.

use crate::form::FieldError;
use crate::frame::Frame;
use crate::sign_in::messages;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;

/// The error at its field; `None` for a refusal that is not a mistake of the user.
pub(super) fn field_error<'f>(frame: &'f Frame, refusal: &OwnAccountRefusal) -> Option<FieldError<'f>> {
    let (texts, own) = (&frame.t.errors, &frame.t.account);
    Some(match refusal {
        OwnAccountRefusal::Common(InteractionRefusal::InvalidCredentials) => {
            FieldError::at("current_password", texts.wrong_password.as_str())
        }
        OwnAccountRefusal::Common(InteractionRefusal::Password(_)) => {
            let OwnAccountRefusal::Common(common) = refusal else { return None };
            let error = messages::field_error(frame, common)?;
            FieldError { field: "new_password", ..error }
        }
        OwnAccountRefusal::Common(InteractionRefusal::MethodDisabled) => FieldError::of_form(own.not_allowed.as_str()),
        OwnAccountRefusal::Common(InteractionRefusal::IdentityTaken) => {
            FieldError::of_form(own.already_linked.as_str())
        }
        OwnAccountRefusal::Common(common) => messages::field_error(frame, common)?,
        OwnAccountRefusal::SamePassword => FieldError::at("new_password", texts.password.same.as_str()),
        OwnAccountRefusal::UnknownRecord => FieldError::of_form(texts.expired_code.as_str()),
        OwnAccountRefusal::LastSignInMethod => FieldError::of_form(own.last_way_in.as_str()),
        OwnAccountRefusal::LastAdministrator => FieldError::of_form(own.last_administrator.as_str()),
        OwnAccountRefusal::FieldOff | OwnAccountRefusal::FieldReadOnly | OwnAccountRefusal::DeletionOff => {
            FieldError::of_form(own.not_allowed.as_str())
        }
        OwnAccountRefusal::UnknownIdentity
        | OwnAccountRefusal::UnknownFactor
        | OwnAccountRefusal::UnknownDevice
        | OwnAccountRefusal::UnknownSession
        | OwnAccountRefusal::UnknownGrant
        | OwnAccountRefusal::UnknownImpersonation => FieldError::of_form(own.gone.as_str()),
        _ => return None,
    })
}
