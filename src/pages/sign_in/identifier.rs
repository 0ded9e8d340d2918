//! Parses an entered identifier: an email address has an `@`, a phone number only digits. Sends a code to it, and leads
//! to the page where the code is entered.

use super::messages::field_error;
use super::visitor::Visitor;
use crate::form::FieldError;
use crate::frame::Frame;
use crate::paths;
use axum::response::Response;
use claimsmith_domain::documents::username::written_as;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::interaction::InteractionEvent;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::interaction::start::start;
use claimsmith_identity::interaction::verification_codes::send::send;

/// Maximum bytes of an email address or phone number.
const MAX_BYTES: usize = 256;

/// The identifier.
pub(super) fn identifier(entered: &str) -> Identifier {
    Identifier { kind: written_as(entered), value: entered.to_owned() }
}

/// The identifier that is entered with a password. If only usernames are taken with one, it is a username, which may be
/// written like an email address or a phone number.
pub(super) fn identifier_with_password(frame: &Frame, entered: &str) -> Identifier {
    let identifier = identifier(entered);
    let takes = |kind| frame.settings.sign_in.takes_password_of(kind);
    let is_name = !takes(identifier.kind) && takes(IdentifierType::Username);
    Identifier { kind: if is_name { IdentifierType::Username } else { identifier.kind }, ..identifier }
}

/// The error for an identifier that cannot receive a code.
pub(super) fn unreachable<'f>(frame: &Frame, kind: IdentifierType) -> FieldError<'f> {
    let texts = &frame.t.errors;
    let text = if kind == IdentifierType::Phone { &texts.phone_format } else { &texts.email_format };
    FieldError::at("identifier", text.clone())
}

/// Restarts the interaction as this event, with the captcha answer, and sends a code. Returns the redirect to the page
/// where it is entered; the error is for the field `identifier`, or the whole form.
pub(super) async fn send_code<'v>(
    visitor: &mut Visitor,
    entered: &str,
    event: InteractionEvent,
    answer: Option<&str>,
) -> Result<Response, FieldError<'v>> {
    send_during(visitor, entered, event, true, answer).await
}

/// The same without restarting, for a user who completes the interaction.
pub(super) async fn send_further<'v>(
    visitor: &mut Visitor,
    entered: &str,
    event: InteractionEvent,
) -> Result<Response, FieldError<'v>> {
    send_during(visitor, entered, event, false, None).await
}

async fn send_during<'v>(
    visitor: &mut Visitor,
    entered: &str,
    event: InteractionEvent,
    is_begin: bool,
    answer: Option<&str>,
) -> Result<Response, FieldError<'v>> {
    let wanted = identifier(entered);
    let kind = wanted.kind;
    if entered.len() > MAX_BYTES || kind == IdentifierType::Username {
        return Err(unreachable(&visitor.frame, kind));
    }
    let settings = &visitor.frame.settings;
    let is_used = settings.sign_in.takes_code_of(kind) || settings.sign_up.asks_for(kind);
    if is_begin && event == InteractionEvent::SignIn && !is_used {
        return Err(unreachable(&visitor.frame, other(kind)));
    }
    let steps = async {
        if is_begin {
            start(&mut visitor.current, event, answer).await?;
        }
        send(&mut visitor.current, wanted, event).await
    };
    match steps.await {
        Ok(_) => Ok(visitor.at(paths::VERIFICATION_CODE)),
        // Neither kind of identifier is accepted.
        Err(InteractionRefusal::MethodDisabled | InteractionRefusal::WayBackDisabled) => {
            Err(unreachable(&visitor.frame, other(kind)))
        }
        Err(refusal) => match field_error(&visitor.frame, &refusal) {
            Some(FieldError { field, message }) => {
                let field = if field == "identifier" { "identifier" } else { "" };
                Err(FieldError::at(field, message.into_owned()))
            }
            None => Ok(visitor.fail(&refusal)),
        },
    }
}

/// The other kind of identifier that receives codes.
fn other(kind: IdentifierType) -> IdentifierType {
    if kind == IdentifierType::Email { IdentifierType::Phone } else { IdentifierType::Email }
}
