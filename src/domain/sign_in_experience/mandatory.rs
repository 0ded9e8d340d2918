//! Mandatory sign-up data, and what a user still lacks of it.

use crate::documents::bounded_vec::BoundedVec;
use crate::documents::sign_in_experience::methods::{SecondaryIdentifier, SignIn, SignUp};
use crate::identifier::IdentifierType;
use serde::Serialize;

/// Data that the user lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Missing {
    /// A username.
    Username,
    /// An email address.
    Email,
    /// A phone number.
    Phone,
    /// A password.
    Password,
    /// An email address or a phone number.
    EmailOrPhone,
    /// Custom profile fields.
    ExtraProfile,
}

/// Data that the user has.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing to have")]
pub struct Had {
    /// A username.
    pub username: bool,
    /// An email address.
    pub email: bool,
    /// A phone number.
    pub phone: bool,
    /// A password.
    pub password: bool,
}

impl Had {
    fn has(self, identifier: IdentifierType) -> bool {
        match identifier {
            IdentifierType::Username => self.username,
            IdentifierType::Email => self.email,
            IdentifierType::Phone => self.phone,
        }
    }
}

/// The mandatory data that the user lacks.
#[must_use]
pub fn missing(sign_up: &SignUp, had: Had) -> Vec<Missing> {
    let mut missing = Vec::new();
    if !sign_up.identifiers.is_empty() && !sign_up.identifiers.iter().any(|one| had.has(*one)) {
        missing.push(any_of(&sign_up.identifiers));
    }
    for secondary in sign_up.secondary_identifiers.iter().flat_map(|list| list.iter()) {
        let lacks = !secondary.identifier.identifiers().iter().any(|one| had.has(*one));
        let name = match secondary.identifier {
            SecondaryIdentifier::Username => Missing::Username,
            SecondaryIdentifier::Email => Missing::Email,
            SecondaryIdentifier::Phone => Missing::Phone,
            SecondaryIdentifier::EmailOrPhone => Missing::EmailOrPhone,
        };
        if lacks && !missing.contains(&name) {
            missing.push(name);
        }
    }
    if sign_up.password && !had.password {
        missing.push(Missing::Password);
    }
    missing
}

/// The same for an administrator, who has any name to sign in with: the sign-up identifiers are not demanded of one who
/// has a name that the settings accept, such as the email address that the account was set up with.
#[must_use]
pub fn missing_of_administrator(sign_up: &SignUp, sign_in: &SignIn, had: Had) -> Vec<Missing> {
    if sign_in.methods.iter().any(|method| had.has(method.identifier)) {
        missing(&SignUp { identifiers: BoundedVec::default(), ..sign_up.clone() }, had)
    } else {
        missing(sign_up, had)
    }
}

/// Prefers the username, which needs no verification.
fn any_of(identifiers: &[IdentifierType]) -> Missing {
    let takes = |one| identifiers.contains(&one);
    match (takes(IdentifierType::Username), takes(IdentifierType::Email), takes(IdentifierType::Phone)) {
        (true, _, _) => Missing::Username,
        (_, true, true) => Missing::EmailOrPhone,
        (_, true, _) => Missing::Email,
        _ => Missing::Phone,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_asked_for_and_not_there_is_missing() {
        use Missing::{Email, EmailOrPhone, Password, Phone, Username};
        let (nothing, name) = (Had::default(), Had { username: true, password: true, ..Had::default() });
        let address = Had { email: true, ..Had::default() };
        for (identifiers, password, secondary, had, lacks) in [
            (json!(["username"]), true, json!([]), nothing, vec![Username, Password]),
            (json!(["username"]), true, json!([]), name, vec![]),
            (json!(["email", "phone"]), false, json!([]), name, vec![EmailOrPhone]),
            (json!(["email", "phone"]), false, json!([]), address, vec![]),
            (json!(["email"]), false, json!([]), name, vec![Email]),
            (json!(["phone"]), false, json!([]), address, vec![Phone]),
            (json!(["username", "email"]), false, json!([]), nothing, vec![Username]),
            (json!(["username"]), false, json!([{ "identifier": "emailOrPhone" }]), name, vec![EmailOrPhone]),
            (json!(["username"]), false, json!([{ "identifier": "username" }]), nothing, vec![Username]),
            (json!([]), false, json!([]), nothing, vec![]),
        ] {
            let shown = format!("{identifiers} {password} {secondary}");
            let settings = json!({ "identifiers": identifiers, "password": password, "verify": false,
                "secondaryIdentifiers": secondary });
            let sign_up: SignUp = serde_json::from_value(settings).unwrap();
            assert_eq!(missing(&sign_up, had), lacks, "{shown}");
        }
    }

    #[test]
    fn an_accepted_name_suffices_for_an_administrator() {
        let sign_up: SignUp = serde_json::from_value(json!({
            "identifiers": ["username"], "password": true, "verify": false, "secondaryIdentifiers": [],
        }))
        .unwrap();
        let (by_default, address) = (SignIn::default(), Had { email: true, password: true, ..Had::default() });
        assert_eq!(missing_of_administrator(&sign_up, &by_default, address), []);
        let number = Had { email: false, phone: true, ..address };
        assert_eq!(missing_of_administrator(&sign_up, &by_default, number), [Missing::Username]);
        let without_password = Had { password: false, ..address };
        assert_eq!(missing_of_administrator(&sign_up, &by_default, without_password), [Missing::Password]);
    }
}
