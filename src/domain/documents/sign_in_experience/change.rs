//! A change of the sign-in settings.

use super::factors::{AdaptiveMfa, Mfa, PasskeySignIn, TrustedDevicePolicy};
use super::links::{Address, Link};
use super::methods::{AgreeToTermsPolicy, SignIn, SignInMode, SignUp, SocialSignIn};
use super::protection::{
    CaptchaPolicy, EmailBlocklistPolicy, ForgotPasswordMethod, PasswordExpiration, SentinelPolicy,
    VerificationCodePolicy,
};
use super::username_policy::UsernamePolicy;
use super::{CustomCss, ForgotPasswordMethods, LanguageInfo, ProfileField, ProfileFields};
use crate::documents::bounded_vec::BoundedVec;
use crate::documents::organization::{Branding, Color};
use crate::documents::password_policy::PasswordPolicy;
use crate::documents::patch::{self, Merged, Patch};
use crate::documents::text::Text;
use claimsmith_json::{present, present_object};
use serde::Deserialize;

/// What is to change; what is left out stays, also of the objects, where null takes a member away. Lists are replaced as a
/// whole.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::option_option, reason = "left out, null and a value are three things")]
#[schema(example = json!({
    "signInMode": "SignIn", "color": { "primaryColor": "#0055aa" }, "termsOfUseUrl": "https://example.com/terms",
    "passwordPolicy": { "length": { "min": 10 } }
}))]
pub struct SignInExperienceChange {
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Color, required = false)]
    pub(crate) color: Option<Color>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Branding, required = false)]
    pub(crate) branding: Option<Branding>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = LanguageInfo, required = false)]
    pub(crate) language_info: Option<LanguageInfo>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub(crate) terms_of_use_url: Option<Option<Link>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub(crate) privacy_policy_url: Option<Option<Link>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = AgreeToTermsPolicy, required = false)]
    pub(crate) agree_to_terms_policy: Option<AgreeToTermsPolicy>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 128)]
    pub(crate) support_email: Option<Option<Address>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub(crate) support_website_url: Option<Option<Link>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub(crate) unknown_session_redirect_url: Option<Option<Link>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = SignInMode, required = false)]
    pub(crate) sign_in_mode: Option<SignInMode>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = SignUp, required = false)]
    pub(crate) sign_up: Option<SignUp>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = SignIn, required = false)]
    pub(crate) sign_in: Option<SignIn>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = SocialSignIn, required = false)]
    pub(crate) social_sign_in: Option<SocialSignIn>,
    /// Those that do not exist are left out.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 64)]
    pub(crate) social_sign_in_connector_targets: Option<BoundedVec<Text<1, 128>, 64>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    pub(crate) single_sign_on_enabled: Option<bool>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Mfa, required = false)]
    pub(crate) mfa: Option<Mfa>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = AdaptiveMfa, required = false)]
    pub(crate) adaptive_mfa: Option<AdaptiveMfa>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = TrustedDevicePolicy, required = false)]
    pub(crate) trusted_device: Option<TrustedDevicePolicy>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = PasskeySignIn, required = false)]
    pub(crate) passkey_sign_in: Option<PasskeySignIn>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = PasswordPolicy, required = false)]
    pub(crate) password_policy: Option<PasswordPolicy>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = PasswordExpiration, required = false)]
    pub(crate) password_expiration: Option<PasswordExpiration>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = UsernamePolicy, required = false)]
    pub(crate) username_policy: Option<UsernamePolicy>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<ForgotPasswordMethod>>, max_items = 4)]
    pub(crate) forgot_password_methods: Option<Option<ForgotPasswordMethods>>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = VerificationCodePolicy, required = false)]
    pub(crate) verification_code_policy: Option<VerificationCodePolicy>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = SentinelPolicy, required = false)]
    pub(crate) sentinel_policy: Option<SentinelPolicy>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = CaptchaPolicy, required = false)]
    pub(crate) captcha_policy: Option<CaptchaPolicy>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = EmailBlocklistPolicy, required = false)]
    pub(crate) email_blocklist_policy: Option<EmailBlocklistPolicy>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<ProfileField>>, max_items = 64)]
    pub(crate) sign_up_profile_fields: Option<Option<ProfileFields>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 65536)]
    pub(crate) custom_css: Option<Option<CustomCss>>,
}

impl Patch for SignInExperienceChange {
    const MERGED: &'static Merged = &patch::SIGN_IN_EXPERIENCE;
}
