//! Where a code goes: an email address or a phone number, and who asked for it.

use claimsmith_domain::documents::text::Text;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_services::verification_codes::Asker;
use claimsmith_web::error::ApiError;

/// The address or the number of a body, of which there must be one.
pub(super) fn identifier(email: Option<Text<1, 128>>, phone: Option<Text<1, 128>>) -> Result<Identifier, ApiError> {
    let identifier = match (email, phone) {
        (Some(email), None) => Identifier { kind: IdentifierType::Email, value: email.into() },
        (None, Some(phone)) => Identifier { kind: IdentifierType::Phone, value: phone.into() },
        _ => return Err(ApiError::invalid_input("body", "expected either \"email\" or \"phone\"")),
    };
    let path = identifier.kind.name();
    let refused = || {
        ApiError::invalid_input(
            "body",
            format!("Error in key path \"{path}\": it is not a valid recipient of messages"),
        )
    };
    identifier.stored().ok_or_else(refused)
}

/// Whoever manages the server, about this address or number.
pub(super) fn asker(identifier: &Identifier) -> Asker {
    Asker::new(&["management", identifier.kind.name(), &identifier.key()])
}
