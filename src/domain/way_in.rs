//! Whether somebody can still sign in with what they have.

use super::sign_in_experience::methods::{SignIn, SignInIdentifier};

/// What somebody has to sign in with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent")]
pub struct Held {
    /// A user name.
    pub username: bool,
    /// An email address.
    pub email: bool,
    /// A phone number.
    pub phone: bool,
    /// A password.
    pub password: bool,
    /// An account elsewhere.
    pub identity: bool,
}

impl Held {
    /// Whether the settings let somebody in with it: by a password or a code of an identifier, or by an account elsewhere.
    #[must_use]
    pub fn opens(self, sign_in: &SignIn) -> bool {
        let has = |identifier| match identifier {
            SignInIdentifier::Username => self.username,
            SignInIdentifier::Email => self.email,
            SignInIdentifier::Phone => self.phone,
        };
        let mut methods = sign_in.methods.iter();
        self.identity
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
        let sign_in: SignIn = serde_json::from_value(methods).unwrap();
        let nothing = Held::default();
        for (held, opens) in [
            (nothing, false),
            (Held { password: true, ..nothing }, false),
            (Held { username: true, ..nothing }, false),
            (Held { username: true, password: true, ..nothing }, true),
            (Held { email: true, ..nothing }, true),
            (Held { phone: true, password: true, ..nothing }, false),
            (Held { identity: true, ..nothing }, true),
        ] {
            assert_eq!(held.opens(&sign_in), opens, "{held:?}");
        }
    }
}
