//! Checks whether a user can still sign in, with the user's credentials and the sign-in settings.

use crate::documents::sign_in_experience::SignInExperience;
use crate::identifier::IdentifierType;

/// The credentials and identifiers of a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent")]
pub struct SignInMeans {
    /// A username.
    pub username: bool,
    /// An email address.
    pub email: bool,
    /// A phone number.
    pub phone: bool,
    /// A password.
    pub password: bool,
    /// An account at a social connector that is enabled for sign-in.
    pub identity: bool,
    /// A passkey.
    pub passkey: bool,
    /// An account at an enterprise connector.
    pub company: bool,
}

impl SignInMeans {
    /// Whether the user has an identifier.
    #[must_use]
    pub fn is_named(self) -> bool {
        self.username || self.email || self.phone
    }

    /// Whether the settings allow a sign-in: with a password or a code for an identifier, a federated account, or a
    /// passkey.
    #[must_use]
    pub fn opens(self, settings: &SignInExperience) -> bool {
        let has = |identifier| match identifier {
            IdentifierType::Username => self.username,
            IdentifierType::Email => self.email,
            IdentifierType::Phone => self.phone,
        };
        let mut methods = settings.sign_in.methods.iter();
        self.identity
            || self.passkey && settings.passkey_sign_in.enabled == Some(true)
            || self.company && settings.single_sign_on_enabled
            || methods.any(|method| {
                let is_taken = method.password && self.password || method.verification_code;
                has(method.identifier) && is_taken
            })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    #[test]
    fn an_identifier_needs_what_the_settings_take_with_it() {
        let methods = json!({ "methods": [
            { "identifier": "username", "password": true, "verificationCode": false, "isPasswordPrimary": true },
            { "identifier": "email", "password": false, "verificationCode": true, "isPasswordPrimary": false },
        ] });
        let closed =
            SignInExperience { sign_in: serde_json::from_value(methods).unwrap(), ..SignInExperience::default() };
        let mut settings = closed.clone();
        settings.passkey_sign_in.enabled = Some(true);
        settings.single_sign_on_enabled = true;
        let nothing = SignInMeans::default();
        for (held, opens) in [
            (nothing, false),
            (SignInMeans { password: true, ..nothing }, false),
            (SignInMeans { username: true, ..nothing }, false),
            (SignInMeans { username: true, password: true, ..nothing }, true),
            (SignInMeans { email: true, ..nothing }, true),
            (SignInMeans { phone: true, password: true, ..nothing }, false),
            (SignInMeans { identity: true, ..nothing }, true),
            (SignInMeans { passkey: true, ..nothing }, true),
            (SignInMeans { company: true, ..nothing }, true),
        ] {
            assert_eq!(held.opens(&settings), opens, "{held:?}");
        }
        for held in [SignInMeans { passkey: true, ..nothing }, SignInMeans { company: true, ..nothing }] {
            assert!(!held.opens(&closed), "{held:?}");
        }
    }
}
