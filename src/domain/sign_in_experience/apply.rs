//! Applies a change to the sign-in settings: each given setting replaces the previous one.

use super::checks::{self, SettingsContext, Violation};
use crate::documents::sign_in_experience::change::SignInExperienceChange;
use crate::documents::sign_in_experience::factors::AdaptiveMfa;
use crate::documents::sign_in_experience::{SignInExperience, default_color};

impl SignInExperience {
    /// The settings after a change, or the reason that it is refused.
    pub fn changed(&self, change: SignInExperienceChange, context: &SettingsContext) -> Result<Self, Violation> {
        checks::check_change(self, &change, context)?;
        let mut new = self.clone();
        macro_rules! replace {
            ($($setting:ident)+) => { $(if let Some(value) = change.$setting { new.$setting = value; })+ };
        }
        if let Some(color) = change.color {
            new.color = color.over(&default_color());
        }
        if let Some(mut targets) = change.social_sign_in_connector_targets {
            targets.retain(|target| context.social_targets.iter().any(|known| known == target.as_str()));
            new.social_sign_in_connector_targets = targets;
        }
        // Without factors, there is nothing to ask for by risk.
        if change.mfa.as_ref().is_some_and(|mfa| mfa.factors.is_empty()) && change.adaptive_mfa.is_none() {
            new.adaptive_mfa = AdaptiveMfa { enabled: Some(false) };
        }
        replace!(
            branding language_info terms_of_use_url privacy_policy_url agree_to_terms_policy support_email
            support_website_url unknown_session_redirect_url sign_in_mode sign_up sign_in social_sign_in
            single_sign_on_enabled mfa adaptive_mfa trusted_device passkey_sign_in password_policy password_expiration
            username_policy
            forgot_password_methods verification_code_policy sentinel_policy captcha_policy email_blocklist_policy
            sign_up_profile_fields custom_css
        );
        checks::check_supported(self, &new)?;
        new.password_expiration = new.password_expiration.stored_after(&self.password_expiration, context.now);
        checks::check_expiration(self, &new, context)?;
        checks::check_adaptive(self, &new)?;
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
        serde_json::to_value(from.changed(change, &SettingsContext::default()).unwrap()).unwrap()
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
        let with: SignInExperience =
            serde_json::from_value(json!({ "mfa": factors, "adaptiveMfa": { "enabled": true } })).unwrap();
        assert_eq!(
            changed(&with, json!({ "adaptiveMfa": { "enabled": true } }))["adaptiveMfa"],
            json!({ "enabled": true })
        );
        let without = changed(&with, json!({ "mfa": { "factors": [], "policy": "NoPrompt" } }));
        assert_eq!(without["adaptiveMfa"], json!({ "enabled": false }));
    }
}
