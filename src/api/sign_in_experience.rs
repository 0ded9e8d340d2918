//! Bodies of `/api/sign-in-exp`.

use crate::tenant::Tenant;
use claimsmith_domain::documents::given::Given;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::text::Text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The settings of sign-in.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
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
        { "identifier": "username", "password": true, "verificationCode": false, "isPasswordPrimary": true },
        { "identifier": "email", "password": true, "verificationCode": false, "isPasswordPrimary": true }
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
pub struct SignInExperienceView {
    /// Always `default`.
    pub tenant_id: Tenant,
    /// Always `default`.
    pub id: String,
    #[serde(flatten)]
    pub settings: SignInExperience,
}

/// A password to check.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "password": "correct horse battery staple" }))]
pub struct CheckPassword {
    #[schema(value_type = String, max_length = 4096, write_only)]
    pub password: Text<0, 4096>,
    /// Whose it would be: what is known of them is looked for in it. Needs `users:read`, too.
    #[serde(default)]
    #[schema(value_type = String, required = false)]
    pub user_id: Given<Text<0, 128>>,
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "result": false,
    "issues": [
        { "code": "password_rejected.too_short", "interpolation": { "min": 8 } }, { "code": "password_rejected.pwned" }
    ]
}))]
pub struct CheckedPassword {
    /// Whether it would be accepted.
    pub result: bool,
    /// Why not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub issues: Vec<PasswordIssue>,
}

/// Why a password is refused.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PasswordIssue {
    /// `password_rejected.` and the reason.
    pub code: String,
    /// The numbers of its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false)]
    pub interpolation: Option<BTreeMap<String, usize>>,
}

/// User names that differ in case alone. There are none: they are unique whatever their case.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "totalConflicts": 0, "samples": [] }))]
pub struct CaseConflicts {
    /// Always 0.
    pub total_conflicts: u32,
    /// Always empty.
    pub samples: Vec<String>,
}
