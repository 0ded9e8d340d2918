//! How the sign-in settings are shown.

use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_services::tokens::context::TENANT;
use serde::Serialize;

/// The settings of sign-in.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "default",
    "color": { "primaryColor": "#4f46e5", "isDarkModeEnabled": false, "darkPrimaryColor": "#818cf8" },
    "branding": { "logoUrl": "https://example.com/logo.svg" },
    "languageInfo": { "autoDetect": true, "fallbackLanguage": "en" },
    "termsOfUseUrl": "https://example.com/terms", "privacyPolicyUrl": null, "agreeToTermsPolicy": "Automatic",
    "supportEmail": null, "supportWebsiteUrl": null, "unknownSessionRedirectUrl": null,
    "signInMode": "SignInAndRegister",
    "signUp": { "identifiers": ["username"], "password": true, "verify": false },
    "signIn": { "methods": [
        { "identifier": "username", "password": true, "verificationCode": false, "isPasswordPrimary": true }
    ] },
    "socialSignIn": {}, "socialSignInConnectorTargets": [], "singleSignOnEnabled": false,
    "mfa": { "factors": [], "policy": "UserControlled" }, "adaptiveMfa": {}, "trustedDevice": {},
    "passkeySignIn": {},
    "passwordPolicy": { "length": { "min": 10 } }, "passwordExpiration": {},
    "usernamePolicy": {
        "caseSensitive": false, "minLength": 1, "maxLength": 128,
        "allowedChars": { "lowercase": true, "uppercase": true, "numbers": true, "underscore": true }
    },
    "forgotPasswordMethods": null, "verificationCodePolicy": {}, "sentinelPolicy": {}, "captchaPolicy": {},
    "emailBlocklistPolicy": {}, "signUpProfileFields": null, "customCss": null
}))]
pub(super) struct SignInExperienceView {
    /// Always `default`.
    tenant_id: &'static str,
    /// Always `default`.
    id: &'static str,
    #[serde(flatten)]
    settings: SignInExperience,
}

impl From<SignInExperience> for SignInExperienceView {
    fn from(settings: SignInExperience) -> Self {
        Self { tenant_id: TENANT, id: "default", settings }
    }
}
