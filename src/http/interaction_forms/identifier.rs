//! Parses an entered identifier: an email address has an `@`, a phone number only digits.

use claimsmith_domain::interaction::{Identifier, IdentifierType};
use claimsmith_pages::form::FieldError;
use claimsmith_pages::frame::Frame;

/// The identifier.
pub(super) fn identifier(entered: &str) -> Identifier {
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

/// The error for an identifier that cannot receive a code.
pub(super) fn unreachable<'f>(frame: &Frame, kind: IdentifierType) -> FieldError<'f> {
    let texts = &frame.t.errors;
    let text = if kind == IdentifierType::Phone { &texts.phone_format } else { &texts.email_format };
    FieldError::at("identifier", text.clone())
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
