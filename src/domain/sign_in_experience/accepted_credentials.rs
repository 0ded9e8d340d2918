//! The credentials that the sign-in settings accept, to find the users whom a change would leave without any.

use super::checks::SettingsContext;
use crate::documents::sign_in_experience::SignInExperience;
use crate::documents::sign_in_experience::methods::Channel;
use crate::id::SsoConnectorId;
use crate::identifier::IdentifierType;
use crate::interaction_event::InteractionEvent;

/// The credentials that users sign in with. Each list and flag is independent of the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AcceptedCredentials {
    /// The identifiers accepted with a password.
    pub passwords: Vec<IdentifierType>,
    /// The identifiers accepted by themselves: by a code that is sent to them, or by a password that is set with one.
    pub codes: Vec<IdentifierType>,
    /// The targets of social connectors.
    pub social_targets: Vec<String>,
    /// Whether passkeys are accepted.
    pub passkeys: bool,
    /// Whether accounts at enterprise connectors are accepted.
    pub companies: bool,
    /// The accounts at enterprise connectors that are not accepted nevertheless.
    pub closed_companies: Vec<ClosedCompany>,
}

/// Accounts at an enterprise connector that a change of the connector leaves without effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedCompany {
    /// The connector.
    pub connector_id: SsoConnectorId,
    /// Only the accounts of users with an email address of these domains; `None`: all accounts.
    pub domains: Option<Vec<String>>,
    /// Whether it only stops signing in administrators to the console.
    pub is_for_administrators: bool,
}

impl AcceptedCredentials {
    /// Those of these settings.
    #[must_use]
    pub fn of(settings: &SignInExperience, context: &SettingsContext) -> Self {
        if !InteractionEvent::SignIn.is_open(settings.sign_in_mode) {
            return Self::default();
        }
        let is_reset = |channel| match channel {
            Channel::Email => context.email && settings.resets_by(channel),
            Channel::Phone => context.phone && settings.resets_by(channel),
        };
        let all = [IdentifierType::Username, IdentifierType::Email, IdentifierType::Phone];
        let passwords: Vec<_> = all.into_iter().filter(|one| settings.sign_in.takes_password_of(*one)).collect();
        let by_code = |one: &IdentifierType| {
            let is_sent = settings.sign_in.takes_code_of(*one);
            is_sent || passwords.contains(one) && one.channel().is_some_and(is_reset)
        };
        let targets = context.social_targets.iter();
        Self {
            codes: all.into_iter().filter(by_code).collect(),
            passwords,
            social_targets: targets.filter(|target| settings.signs_in_at(target)).cloned().collect(),
            passkeys: settings.passkey_sign_in.enabled == Some(true),
            companies: settings.single_sign_on_enabled,
            closed_companies: Vec::new(),
        }
    }

    /// Whether everything that `before` accepts is accepted here, so that nobody loses anything.
    #[must_use]
    pub fn includes(&self, before: &Self) -> bool {
        before.passwords.iter().all(|one| self.passwords.contains(one))
            && before.codes.iter().all(|one| self.codes.contains(one))
            && before.social_targets.iter().all(|one| self.social_targets.contains(one))
            && (self.passkeys || !before.passkeys)
            && (self.companies || !before.companies)
            && self.closed_companies.iter().all(|one| before.closed_companies.contains(one))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::{Value, json};

    fn accepted(settings: Value, context: &SettingsContext) -> AcceptedCredentials {
        AcceptedCredentials::of(&serde_json::from_value(settings).unwrap(), context)
    }

    fn method(identifier: &str, password: bool, code: bool) -> Value {
        json!({
            "identifier": identifier, "password": password, "verificationCode": code, "isPasswordPrimary": password,
        })
    }

    #[test]
    fn the_defaults_accept_passwords_of_names_and_addresses() {
        use IdentifierType::{Email, Phone, Username};
        let context = SettingsContext { social_targets: vec!["github".to_owned()], ..SettingsContext::default() };
        let by_default = accepted(json!({}), &context);
        let expected = AcceptedCredentials { passwords: vec![Username, Email], ..AcceptedCredentials::default() };
        assert_eq!(by_default, expected);
        // Where mail is sent, a password can be reset, and so be set for the first time.
        let sends = SettingsContext { email: true, ..context.clone() };
        assert_eq!(accepted(json!({}), &sends).codes, [Email]);
        assert!(accepted(json!({ "forgotPasswordMethods": [] }), &sends).codes.is_empty());
        let factor = json!({ "mfa": { "factors": ["EmailVerificationCode"], "policy": "NoPrompt" } });
        assert!(accepted(factor, &sends).codes.is_empty(), "a second factor resets nothing");
        assert_eq!(accepted(json!({ "signInMode": "Register" }), &context), AcceptedCredentials::default());

        let all = json!({
            "signIn": { "methods": [method("phone", false, true)] }, "socialSignInConnectorTargets": ["github", "gone"],
            "passkeySignIn": { "enabled": true }, "singleSignOnEnabled": true,
        });
        let expected = AcceptedCredentials {
            passwords: Vec::new(),
            codes: vec![Phone],
            social_targets: vec!["github".to_owned()],
            passkeys: true,
            companies: true,
            closed_companies: Vec::new(),
        };
        assert_eq!(accepted(all, &context), expected);
    }

    #[test]
    fn what_is_accepted_no_longer_is_noticed() {
        let context = SettingsContext { social_targets: vec!["github".to_owned()], ..SettingsContext::default() };
        let wide = json!({
            "signIn": { "methods": [method("username", true, false), method("email", true, true)] },
            "socialSignInConnectorTargets": ["github"], "passkeySignIn": { "enabled": true },
            "singleSignOnEnabled": true,
        });
        let before = accepted(wide.clone(), &context);
        assert!(before.includes(&before));
        for (name, value) in [
            ("signIn", json!({ "methods": [method("email", true, true)] })),
            ("signIn", json!({ "methods": [method("username", true, false), method("email", true, false)] })),
            ("socialSignInConnectorTargets", json!([])),
            ("passkeySignIn", json!({ "enabled": false })),
            ("singleSignOnEnabled", json!(false)),
            ("signInMode", json!("Register")),
        ] {
            let mut narrow = wide.clone();
            narrow[name] = value;
            let after = accepted(narrow, &context);
            assert!(!after.includes(&before) && before.includes(&after), "{name}");
        }
        let closed = ClosedCompany { connector_id: "acme".into(), domains: None, is_for_administrators: true };
        let after = AcceptedCredentials { closed_companies: vec![closed], ..before.clone() };
        assert!(!after.includes(&before) && before.includes(&after));
    }
}
