//! How administrators sign in to the built-in applications, regardless of the sign-in settings: with a password or a
//! passkey, then with a second factor that they enrolled themselves (`docs/decisions/people-who-administer.md`).

use crate::documents::bounded_vec::BoundedVec;
use crate::documents::mfa::FactorType;
use crate::documents::sign_in_experience::SignInExperience;
use crate::documents::sign_in_experience::factors::{Mfa, MfaFactor, MfaPolicy, PasskeySignIn};
use crate::documents::sign_in_experience::methods::{SignIn, SignInMethod, SignInMode, SignUp};
use crate::identifier::IdentifierType;
use claimsmith_json::Listed;

/// The second factors accepted for administrators. None depends on a connector.
const FACTORS: [MfaFactor; 3] = [MfaFactor::Totp, MfaFactor::WebAuthn, MfaFactor::BackupCode];

/// The sign-in settings of the built-in applications. Only these of the operator's settings (`stored`) apply: colours,
/// pictures, languages, links, the rules of usernames and passwords, and the lockout. Any other setting can neither
/// admit nor lock out an administrator. `has_company`: an enterprise connector signs in administrators.
#[must_use]
pub fn settings(stored: SignInExperience, has_company: bool) -> SignInExperience {
    let by_password = |identifier| {
        Listed(SignInMethod { identifier, password: true, verification_code: false, is_password_primary: true })
    };
    let identifiers = [IdentifierType::Username, IdentifierType::Email, IdentifierType::Phone];
    SignInExperience {
        color: stored.color,
        branding: stored.branding,
        language_info: stored.language_info,
        terms_of_use_url: stored.terms_of_use_url,
        privacy_policy_url: stored.privacy_policy_url,
        support_email: stored.support_email,
        support_website_url: stored.support_website_url,
        username_policy: stored.username_policy,
        password_policy: stored.password_policy,
        sentinel_policy: stored.sentinel_policy,
        sign_in_mode: SignInMode::SignIn,
        sign_up: SignUp {
            identifiers: BoundedVec::default(),
            password: false,
            verify: false,
            secondary_identifiers: None,
        },
        sign_in: SignIn { methods: identifiers.map(by_password).into_iter().collect() },
        single_sign_on_enabled: has_company,
        mfa: Mfa {
            factors: FACTORS.into_iter().collect(),
            policy: MfaPolicy::NoPrompt,
            organization_required_mfa_policy: None,
        },
        passkey_sign_in: PasskeySignIn {
            enabled: Some(true),
            show_passkey_button: Some(true),
            allow_autofill: Some(true),
        },
        forgot_password_methods: Some(BoundedVec::default()),
        sign_up_profile_fields: Some(BoundedVec::default()),
        ..SignInExperience::default()
    }
}

/// The second factors accepted for an administrator who has these, where the settings enable `enabled`: settings never
/// disable a factor that the administrator has, and codes sent by a connector do not count.
#[must_use]
pub fn factors(enabled: &[MfaFactor], had: &[FactorType]) -> BoundedVec<MfaFactor, 8> {
    let is_had = |factor: MfaFactor| had.iter().any(|kind| kind.setting() == factor);
    FACTORS.into_iter().filter(|factor| enabled.contains(factor) || is_had(*factor)).collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use crate::documents::sign_in_experience::methods::Channel;
    use serde_json::{Value, json};

    /// The settings of a careless operator, or of an attacker who wants to lock administrators out.
    fn hostile() -> SignInExperience {
        let by_code = |identifier: &str| {
            json!({
                "identifier": identifier, "password": false, "verificationCode": true, "isPasswordPrimary": false,
            })
        };
        serde_json::from_value(json!({
            "signInMode": "Register",
            "signUp": { "identifiers": ["phone"], "password": true, "verify": true },
            "signIn": { "methods": [by_code("email"), by_code("phone")] },
            "socialSignIn": { "automaticAccountLinking": true },
            "socialSignInConnectorTargets": ["github"],
            "singleSignOnEnabled": true,
            "mfa": { "factors": ["EmailVerificationCode"], "policy": "Mandatory",
                "organizationRequiredMfaPolicy": "Mandatory" },
            "adaptiveMfa": { "enabled": true },
            "trustedDevice": { "enabled": true, "durationDays": 365 },
            "passkeySignIn": { "enabled": false },
            "captchaPolicy": { "enabled": true },
            "emailBlocklistPolicy": { "customBlocklist": ["example.com"] },
            "customCss": "* { display: none !important }",
            "agreeToTermsPolicy": "Manual",
            "sentinelPolicy": { "maxAttempts": 7 },
            "color": { "primaryColor": "#112233", "isDarkModeEnabled": false, "darkPrimaryColor": "#445566" },
        }))
        .unwrap()
    }

    #[test]
    fn no_setting_lets_anybody_in_or_locks_anybody_out() {
        for (stored, has_company) in [(SignInExperience::default(), false), (hostile(), false), (hostile(), true)] {
            let settings = settings(stored.clone(), has_company);
            for identifier in [IdentifierType::Username, IdentifierType::Email, IdentifierType::Phone] {
                assert!(settings.sign_in.takes_password_of(identifier));
                assert!(!settings.sign_in.takes_code_of(identifier));
                assert!(!settings.sign_up.asks_for(identifier));
            }
            for channel in [Channel::Email, Channel::Phone] {
                assert!(!settings.resets_by(channel));
            }
            assert_eq!(*settings.mfa.factors, FACTORS);
            assert_eq!(settings.single_sign_on_enabled, has_company);
            assert_eq!((settings.trusted_device.days(), settings.captcha_policy.enabled), (None, None));
            assert!(!settings.signs_in_at("github") && settings.custom_css.is_none());
            // These settings apply nevertheless.
            assert_eq!((settings.sentinel_policy, settings.color), (stored.sentinel_policy, stored.color));
        }
    }

    /// Every setting is either copied, or fixed whatever is stored. Each new setting needs a decision here.
    #[test]
    fn each_setting_is_copied_or_fixed() {
        const COPIED: [&str; 10] = [
            "branding",
            "color",
            "languageInfo",
            "passwordPolicy",
            "privacyPolicyUrl",
            "sentinelPolicy",
            "supportEmail",
            "supportWebsiteUrl",
            "termsOfUseUrl",
            "usernamePolicy",
        ];
        let shown = |stored: SignInExperience| serde_json::to_value(settings(stored, false)).unwrap();
        let (plain, changed) = (shown(SignInExperience::default()), shown(hostile()));
        let stored: Value = serde_json::to_value(hostile()).unwrap();
        for (name, value) in plain.as_object().unwrap() {
            if COPIED.contains(&name.as_str()) {
                assert_eq!(changed[name], stored[name], "{name}");
            } else {
                assert_eq!(changed[name], *value, "{name}");
            }
        }
    }

    #[test]
    fn a_factor_that_somebody_has_counts_and_codes_never_do() {
        let codes = [MfaFactor::EmailVerificationCode, MfaFactor::PhoneVerificationCode];
        let had = [FactorType::Totp, FactorType::EmailVerificationCode, FactorType::BackupCode];
        assert_eq!(*factors(&codes, &had), [MfaFactor::Totp, MfaFactor::BackupCode]);
        assert_eq!(*factors(&[MfaFactor::WebAuthn; 8], &had), FACTORS);
        assert_eq!(*factors(&codes, &[]), []);
    }
}
