//! What is to change of the settings of sign-in: each setting that is given replaces the one that there was.

use super::checks::{self, Surroundings, Violation};
use super::factors::{AdaptiveMfa, Mfa, PasskeySignIn};
use super::links::{Address, Link};
use super::methods::{AgreeToTermsPolicy, SignIn, SignInMode, SignUp, SocialSignIn};
use super::protection::{
    CaptchaPolicy, EmailBlocklistPolicy, ForgotPasswordMethod, PasswordExpiration, SentinelPolicy,
    VerificationCodePolicy,
};
use super::username_policy::UsernamePolicy;
use super::{
    CustomCss, ForgotPasswordMethods, LanguageInfo, ProfileField, ProfileFields, SignInExperience, default_color,
};
use crate::domain::few::Few;
use crate::domain::object::present_object;
use crate::domain::organization::{Branding, Color};
use crate::domain::password_policy::PasswordPolicy;
use crate::domain::present::present;
use crate::domain::text::Text;
use serde::Deserialize;

/// What is to change; what is left out stays. What is given replaces what there was as a whole.
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
    pub(super) color: Option<Color>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Branding, required = false)]
    pub(super) branding: Option<Branding>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = LanguageInfo, required = false)]
    pub(super) language_info: Option<LanguageInfo>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub(super) terms_of_use_url: Option<Option<Link>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub(super) privacy_policy_url: Option<Option<Link>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = AgreeToTermsPolicy, required = false)]
    pub(super) agree_to_terms_policy: Option<AgreeToTermsPolicy>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 128)]
    pub(super) support_email: Option<Option<Address>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub(super) support_website_url: Option<Option<Link>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub(super) unknown_session_redirect_url: Option<Option<Link>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = SignInMode, required = false)]
    pub(super) sign_in_mode: Option<SignInMode>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = SignUp, required = false)]
    pub(super) sign_up: Option<SignUp>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = SignIn, required = false)]
    pub(super) sign_in: Option<SignIn>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = SocialSignIn, required = false)]
    pub(super) social_sign_in: Option<SocialSignIn>,
    /// Those that do not exist are left out.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 64)]
    pub(super) social_sign_in_connector_targets: Option<Few<Text<1, 128>, 64>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    pub(super) single_sign_on_enabled: Option<bool>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Mfa, required = false)]
    pub(super) mfa: Option<Mfa>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = AdaptiveMfa, required = false)]
    pub(super) adaptive_mfa: Option<AdaptiveMfa>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = PasskeySignIn, required = false)]
    pub(super) passkey_sign_in: Option<PasskeySignIn>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = PasswordPolicy, required = false)]
    pub(super) password_policy: Option<PasswordPolicy>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = PasswordExpiration, required = false)]
    pub(super) password_expiration: Option<PasswordExpiration>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = UsernamePolicy, required = false)]
    pub(super) username_policy: Option<UsernamePolicy>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<ForgotPasswordMethod>>, max_items = 4)]
    pub(super) forgot_password_methods: Option<Option<ForgotPasswordMethods>>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = VerificationCodePolicy, required = false)]
    pub(super) verification_code_policy: Option<VerificationCodePolicy>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = SentinelPolicy, required = false)]
    pub(super) sentinel_policy: Option<SentinelPolicy>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = CaptchaPolicy, required = false)]
    pub(super) captcha_policy: Option<CaptchaPolicy>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = EmailBlocklistPolicy, required = false)]
    pub(super) email_blocklist_policy: Option<EmailBlocklistPolicy>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<ProfileField>>, max_items = 64)]
    pub(super) sign_up_profile_fields: Option<Option<ProfileFields>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 65536)]
    pub(super) custom_css: Option<Option<CustomCss>>,
}

impl SignInExperience {
    /// The settings after a change at `now`, or why there is none.
    pub fn changed(&self, change: SignInExperienceChange, around: &Surroundings, now: i64) -> Result<Self, Violation> {
        checks::check_change(self, &change, around)?;
        let mut new = self.clone();
        macro_rules! replace {
            ($($setting:ident)+) => { $(if let Some(value) = change.$setting { new.$setting = value; })+ };
        }
        if let Some(color) = change.color {
            new.color = color.over(&default_color());
        }
        if let Some(mut targets) = change.social_sign_in_connector_targets {
            targets.retain(|target| around.social_targets.iter().any(|known| known == target.as_str()));
            new.social_sign_in_connector_targets = targets;
        }
        if let Some(expiration) = &change.password_expiration {
            new.password_expiration = self.password_expiration.changed(expiration, now);
        }
        // Adaptive MFA is nothing without factors.
        if change.mfa.as_ref().is_some_and(|mfa| mfa.factors.is_empty()) && change.adaptive_mfa.is_none() {
            new.adaptive_mfa = AdaptiveMfa { enabled: Some(false) };
        }
        replace!(
            branding language_info terms_of_use_url privacy_policy_url agree_to_terms_policy support_email
            support_website_url unknown_session_redirect_url sign_in_mode sign_up sign_in social_sign_in
            single_sign_on_enabled mfa adaptive_mfa passkey_sign_in password_policy username_policy
            forgot_password_methods verification_code_policy sentinel_policy captcha_policy email_blocklist_policy
            sign_up_profile_fields custom_css
        );
        Ok(new)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::{Value, json};

    fn changed(from: &SignInExperience, change: Value) -> Value {
        let change = serde_json::from_value(change).unwrap();
        serde_json::to_value(from.changed(change, &Surroundings::default(), 7).unwrap()).unwrap()
    }

    #[test]
    fn what_is_given_replaces_and_all_else_stays() {
        let start = SignInExperience::default();
        let shown = serde_json::to_value(&start).unwrap();
        assert_eq!(changed(&start, json!({})), shown);
        for (change, expected) in [
            (json!({ "signInMode": "SignIn" }), json!({ "signInMode": "SignIn" })),
            (json!({ "supportEmail": "" }), json!({ "supportEmail": "" })),
            (json!({ "forgotPasswordMethods": [] }), json!({ "forgotPasswordMethods": [] })),
            (json!({ "unknown": 1 }), json!({})),
            (json!({ "socialSignInConnectorTargets": ["github"] }), json!({ "socialSignInConnectorTargets": [] })),
            (
                json!({ "color": { "primaryColor": "#000" } }),
                json!({ "color": {
                    "primaryColor": "#000", "isDarkModeEnabled": false, "darkPrimaryColor": "#818cf8"
                } }),
            ),
            (json!({ "passwordPolicy": {} }), json!({ "passwordPolicy": {} })),
        ] {
            let mut whole = shown.clone();
            whole.as_object_mut().unwrap().extend(expected.as_object().unwrap().clone());
            assert_eq!(changed(&start, change.clone()), whole, "{change}");
        }
    }

    #[test]
    fn without_factors_there_is_no_adaptive_mfa() {
        let factors = json!({ "factors": ["Totp"], "policy": "PromptOnlyAtSignInMandatory" });
        let with = changed(&SignInExperience::default(), json!({ "mfa": factors, "adaptiveMfa": { "enabled": true } }));
        assert_eq!(with["adaptiveMfa"], json!({ "enabled": true }));
        let with: SignInExperience = serde_json::from_value(with).unwrap();
        let without = changed(&with, json!({ "mfa": { "factors": [], "policy": "NoPrompt" } }));
        assert_eq!(without["adaptiveMfa"], json!({ "enabled": false }));
    }
}
