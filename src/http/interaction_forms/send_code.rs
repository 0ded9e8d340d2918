//! Sends a code to an entered identifier, and leads to the page where the code is entered.

use super::identifier::{identifier, unreachable};
use super::messages::field_error;
use super::visitor::Visitor;
use axum::response::Response;
use claimsmith_domain::interaction::{IdentifierType, InteractionEvent};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::interaction::start::start;
use claimsmith_identity::interaction::verification_codes::send::send;
use claimsmith_pages::form::FieldError;
use claimsmith_pages::paths;

/// Maximum bytes of an email address or phone number.
const MAX_BYTES: usize = 256;

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
            let other = if kind == IdentifierType::Email { IdentifierType::Phone } else { IdentifierType::Email };
            Err(unreachable(&visitor.frame, other))
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
