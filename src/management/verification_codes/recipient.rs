//! The recipient of a code: an email address or a phone number, and the requester.

use claimsmith_domain::documents::text::Text;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_services::verification_codes::Requester;
use claimsmith_web::error::ApiError;

/// The email address or phone number of a body, which must have exactly one of them.
pub(super) fn identifier(email: Option<Text<1, 128>>, phone: Option<Text<1, 128>>) -> Result<Identifier, ApiError> {
    let identifier = match (email, phone) {
        (Some(email), None) => Identifier { kind: IdentifierType::Email, value: email.into() },
        (None, Some(phone)) => Identifier { kind: IdentifierType::Phone, value: phone.into() },
        _ => return Err(ApiError::invalid_input("body", "expected either \"email\" or \"phone\"")),
    };
    let path = identifier.kind.as_str();
    let refused = || {
        ApiError::invalid_input(
            "body",
            format!("Error in key path \"{path}\": it is not a valid recipient of messages"),
        )
    };
    identifier.stored().ok_or_else(refused)
}

/// The requester: the Management API, for this email address or phone number.
pub(super) fn requester(identifier: &Identifier) -> Requester {
    Requester::new(&["management", identifier.kind.as_str(), &identifier.key()])
}
