//! The sign-in settings: branding of the pages, methods of sign-in and registration, and protection. One file per
//! topic.

pub mod application;
pub mod change;
pub mod factors;
pub mod links;
pub mod methods;
pub mod protection;
pub mod username_policy;

use super::bounded_vec::BoundedVec;
use super::language::LanguageTag;
use super::organization::{Branding, Color};
use super::password_policy::PasswordPolicy;
use super::text::Text;
use claimsmith_json::Listed;
use factors::{AdaptiveMfa, Mfa, PasskeySignIn, TrustedDevicePolicy};
use links::{Address, Link};
use methods::{AgreeToTermsPolicy, Channel, SignIn, SignInMode, SignUp, SocialSignIn};
use protection::{
    CaptchaPolicy, EmailBlocklistPolicy, ForgotPasswordMethod, PasswordExpiration, SentinelPolicy,
    VerificationCodePolicy,
};
use serde::{Deserialize, Serialize};
use username_policy::UsernamePolicy;

/// Default colour of pages.
const PRIMARY_COLOR: &str = "#4f46e5";
/// Default colour of dark pages.
const DARK_PRIMARY_COLOR: &str = "#818cf8";

/// A style sheet.
pub type CustomCss = Text<0, 65536>;
/// Password recovery methods, without duplicates.
pub type ForgotPasswordMethods = BoundedVec<ForgotPasswordMethod, 4>;
/// The profile fields of registration.
pub type ProfileFields = BoundedVec<Listed<ProfileField>, 64>;

/// The settings of sign-in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SignInExperience {
    /// The colours of the pages.
    pub color: Color,
    /// The pictures of the pages.
    pub branding: Branding,
    /// The languages of the pages.
    pub language_info: LanguageInfo,
    /// Where the terms of use are.
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub terms_of_use_url: Option<Link>,
    /// Where it says how data is kept private.
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub privacy_policy_url: Option<Link>,
    /// When people agree to them.
    pub agree_to_terms_policy: AgreeToTermsPolicy,
    /// Who helps.
    #[schema(value_type = Option<String>, max_length = 128)]
    pub support_email: Option<Address>,
    /// Where there is help.
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub support_website_url: Option<Link>,
    /// Where people are sent who come to the pages by themselves.
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub unknown_session_redirect_url: Option<Link>,
    /// Whether people may sign in, register, or both.
    pub sign_in_mode: SignInMode,
    /// How they register.
    pub sign_up: SignUp,
    /// How they sign in.
    pub sign_in: SignIn,
    /// How they sign in with accounts elsewhere.
    pub social_sign_in: SocialSignIn,
    /// With which accounts elsewhere, in the order of the page.
    #[schema(value_type = Vec<String>, max_items = 64)]
    pub social_sign_in_connector_targets: BoundedVec<Text<1, 128>, 64>,
    /// Whether the domain of an address leads to an enterprise's own sign-in.
    pub single_sign_on_enabled: bool,
    /// Second factors.
    pub mfa: Mfa,
    /// When they are asked for.
    pub adaptive_mfa: AdaptiveMfa,
    /// Devices on which they are not asked for again.
    pub trusted_device: TrustedDevicePolicy,
    /// Passkeys.
    pub passkey_sign_in: PasskeySignIn,
    /// What passwords may be.
    pub password_policy: PasswordPolicy,
    /// Whether passwords expire.
    pub password_expiration: PasswordExpiration,
    /// What user names may be.
    pub username_policy: UsernamePolicy,
    /// Ways to reset a forgotten password; null allows all that are available.
    #[schema(value_type = Option<Vec<ForgotPasswordMethod>>, max_items = 4)]
    pub forgot_password_methods: Option<ForgotPasswordMethods>,
    /// How long codes live.
    pub verification_code_policy: VerificationCodePolicy,
    /// When repeated failures lock an account.
    pub sentinel_policy: SentinelPolicy,
    /// Proving to be a person.
    pub captcha_policy: CaptchaPolicy,
    /// Email addresses that cannot be used to register.
    pub email_blocklist_policy: EmailBlocklistPolicy,
    /// What people are asked for when they register; null is whatever there is.
    #[schema(value_type = Option<Vec<ProfileField>>, max_items = 64)]
    pub sign_up_profile_fields: Option<ProfileFields>,
    /// The style sheet of the pages.
    #[schema(value_type = Option<String>, max_length = 65536)]
    pub custom_css: Option<CustomCss>,
}

/// The languages of pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LanguageInfo {
    /// Whether a browser's language is followed.
    pub auto_detect: bool,
    /// What is spoken where it is not.
    #[schema(value_type = String, max_length = 35)]
    pub fallback_language: LanguageTag,
}

/// A field of a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ProfileField {
    /// Its name.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    pub name: Text<1, 128>,
}

impl SignInExperience {
    /// Whether users can sign in with accounts of this connector target.
    #[must_use]
    pub fn signs_in_at(&self, target: &str) -> bool {
        self.social_sign_in_connector_targets.iter().any(|named| named.as_str() == target)
    }

    /// Whether codes over this channel are a second factor: whoever reads the user's messages has it.
    #[must_use]
    pub fn proves_factor(&self, channel: Channel) -> bool {
        self.mfa.factors.iter().any(|factor| factor.channel() == Some(channel))
    }

    /// Whether a code over this channel can reset a password, if one can be sent. Not if such codes are a second
    /// factor: access to the user's messages would provide both factors.
    #[must_use]
    pub fn resets_by(&self, channel: Channel) -> bool {
        let methods = self.forgot_password_methods.as_ref();
        !self.proves_factor(channel)
            && methods.is_none_or(|methods| methods.iter().any(|method| method.channel() == channel))
    }
}

impl Default for LanguageInfo {
    fn default() -> Self {
        Self { auto_detect: true, fallback_language: LanguageTag::english() }
    }
}

impl Default for SignInExperience {
    fn default() -> Self {
        Self {
            color: default_color(),
            branding: Branding::default(),
            language_info: LanguageInfo::default(),
            terms_of_use_url: None,
            privacy_policy_url: None,
            agree_to_terms_policy: AgreeToTermsPolicy::default(),
            support_email: None,
            support_website_url: None,
            unknown_session_redirect_url: None,
            sign_in_mode: SignInMode::default(),
            sign_up: SignUp::default(),
            sign_in: SignIn::default(),
            social_sign_in: SocialSignIn::default(),
            social_sign_in_connector_targets: BoundedVec::default(),
            single_sign_on_enabled: false,
            mfa: Mfa::default(),
            adaptive_mfa: AdaptiveMfa::default(),
            trusted_device: TrustedDevicePolicy::default(),
            passkey_sign_in: PasskeySignIn::default(),
            password_policy: PasswordPolicy::default(),
            password_expiration: PasswordExpiration::default(),
            username_policy: UsernamePolicy::default(),
            forgot_password_methods: None,
            verification_code_policy: VerificationCodePolicy::default(),
            sentinel_policy: SentinelPolicy::default(),
            captcha_policy: CaptchaPolicy::default(),
            email_blocklist_policy: EmailBlocklistPolicy::default(),
            sign_up_profile_fields: None,
            custom_css: None,
        }
    }
}

/// The default colours.
pub(crate) fn default_color() -> Color {
    Color {
        primary_color: Some(PRIMARY_COLOR.to_owned()),
        is_dark_mode_enabled: Some(false),
        dark_primary_color: Some(DARK_PRIMARY_COLOR.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn what_is_stored_is_read_again_and_what_is_missing_is_by_default() {
        assert_eq!(serde_json::from_str::<SignInExperience>("{}").unwrap(), SignInExperience::default());
        let mut changed = SignInExperience { sign_in_mode: SignInMode::SignIn, ..SignInExperience::default() };
        changed.custom_css = Some(CustomCss::try_from("body {}".to_owned()).unwrap());
        let text = serde_json::to_string(&changed).unwrap();
        assert_eq!(serde_json::from_str::<SignInExperience>(&text).unwrap(), changed);
    }

    #[test]
    fn what_is_a_second_factor_replaces_no_password() {
        for (factors, methods, by_email, by_phone) in [
            ("[]", "null", true, true),
            (r#"["Totp"]"#, r#"["EmailVerificationCode"]"#, true, false),
            (r#"["Totp", "EmailVerificationCode"]"#, "null", false, true),
            (r#"["PhoneVerificationCode"]"#, r#"["EmailVerificationCode", "PhoneVerificationCode"]"#, true, false),
        ] {
            let mfa = format!(r#"{{ "factors": {factors}, "policy": "NoPrompt" }}"#);
            let text = format!(r#"{{ "mfa": {mfa}, "forgotPasswordMethods": {methods} }}"#);
            let settings: SignInExperience = serde_json::from_str(&text).unwrap();
            let found = (settings.resets_by(Channel::Email), settings.resets_by(Channel::Phone));
            assert_eq!(found, (by_email, by_phone), "{text}");
        }
    }
}
