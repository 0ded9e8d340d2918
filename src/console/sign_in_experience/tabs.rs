//! The tabs of the sign-in experience settings, each with its fields.

use crate::fields::{Field, FieldKind, Options};

const IDENTIFIERS: Options = &[("username", "User name"), ("email", "E-mail address"), ("phone", "Phone number")];
const FACTORS: Options = &[
    ("Totp", "Authenticator app"),
    ("WebAuthn", "Passkey"),
    ("EmailVerificationCode", "Code by e-mail"),
    ("PhoneVerificationCode", "Code by text message"),
    ("BackupCode", "Backup codes"),
];
const POLICIES: Options = &[
    ("UserControlled", "People decide"),
    ("NoPrompt", "Nobody is asked to set one up"),
    ("PromptOnlyAtSignIn", "Asked at sign-in"),
    ("PromptAtSignInAndSignUp", "Asked at sign-in and registration"),
    ("PromptAtSignInAndSignUpMandatory", "Required at sign-in and registration"),
    ("PromptOnlyAtSignInMandatory", "Required at sign-in"),
    ("Mandatory", "Everybody needs one"),
];
const MODES: Options =
    &[("SignInAndRegister", "Sign in and register"), ("SignIn", "Sign in only"), ("Register", "Register only")];
const TERMS: Options = &[
    ("Automatic", "Implied consent"),
    ("ManualRegistrationOnly", "A box at registration"),
    ("Manual", "A box at registration and sign-in"),
];

/// A tab.
#[derive(Clone, Copy)]
pub(super) struct Tab {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// The API path that reads and changes its settings.
    pub(super) operation: &'static str,
    fields: &'static [(&'static str, &'static str, FieldKind)],
}

/// The API path of the settings of sign-in.
pub(super) const SETTINGS: &str = "/api/sign-in-exp";

pub(super) const TABS: &[Tab] = &[
    Tab {
        name: "methods",
        title: "Sign-in and registration",
        operation: SETTINGS,
        fields: &[
            ("signInMode", "What people may do", FieldKind::One(MODES)),
            ("signIn.methods", "Ways to sign in", FieldKind::Json),
            ("signUp.identifiers", "Asked for at registration", FieldKind::Many(IDENTIFIERS)),
            ("signUp.password", "Registration sets a password", FieldKind::Switch),
            ("signUp.verify", "Addresses and numbers are verified by a code", FieldKind::Switch),
            ("socialSignInConnectorTargets", "Social connectors on the page, in their order", FieldKind::Lines),
            ("singleSignOnEnabled", "Enterprise sign-in", FieldKind::Switch),
        ],
    },
    Tab {
        name: "security",
        title: "Security",
        operation: SETTINGS,
        fields: &[
            ("mfa.factors", "Second factors", FieldKind::Many(FACTORS)),
            ("mfa.policy", "Who needs one", FieldKind::One(POLICIES)),
            ("adaptiveMfa.enabled", "Adaptive MFA: second factors at unusual sign-ins only", FieldKind::Switch),
            ("passwordPolicy.length.min", "Shortest password", FieldKind::Number),
            ("passwordPolicy.length.max", "Longest password", FieldKind::Number),
            ("passwordPolicy.characterTypes.min", "Minimum character classes", FieldKind::Number),
            ("passwordPolicy.rejects.pwned", "Refuse common and breached passwords", FieldKind::Switch),
            ("passwordPolicy.rejects.repetitionAndSequence", "Refuse repetitions and sequences", FieldKind::Switch),
            ("passwordPolicy.rejects.userInfo", "Refuse the person's own data", FieldKind::Switch),
            ("passwordPolicy.rejects.words", "Refuse further words", FieldKind::Lines),
            ("passwordExpiration.enabled", "Passwords expire", FieldKind::Switch),
            ("passwordExpiration.validPeriodDays", "Days until a password expires", FieldKind::Number),
            ("sentinelPolicy.maxAttempts", "Failed attempts before lockout", FieldKind::Number),
            ("sentinelPolicy.lockoutDuration", "Lockout duration (minutes)", FieldKind::Number),
        ],
    },
    Tab {
        name: "branding",
        title: "Branding",
        operation: SETTINGS,
        fields: &[
            ("color.primaryColor", "Colour", FieldKind::Colour),
            ("color.isDarkModeEnabled", "Dark mode", FieldKind::Switch),
            ("color.darkPrimaryColor", "Colour of dark pages", FieldKind::Colour),
            ("branding.logoUrl", "Logo (URL)", FieldKind::Text),
            ("branding.darkLogoUrl", "Logo of dark pages (URL)", FieldKind::Text),
            ("branding.favicon", "Favicon (URL)", FieldKind::Text),
            ("customCss", "Custom CSS", FieldKind::Area),
            ("termsOfUseUrl", "Terms of use (URL)", FieldKind::Text),
            ("privacyPolicyUrl", "Privacy policy (URL)", FieldKind::Text),
            ("agreeToTermsPolicy", "How people agree", FieldKind::One(TERMS)),
            ("supportEmail", "Address of support", FieldKind::Text),
            ("supportWebsiteUrl", "Site of support (URL)", FieldKind::Text),
        ],
    },
    Tab {
        name: "protection",
        title: "Captcha and addresses",
        operation: SETTINGS,
        fields: &[
            ("captchaPolicy.enabled", "Captcha", FieldKind::Switch),
            ("emailBlocklistPolicy.blockDisposableAddresses", "Refuse throw-away addresses", FieldKind::Switch),
            ("emailBlocklistPolicy.blockSubaddressing", "Refuse addresses with a +", FieldKind::Switch),
            ("emailBlocklistPolicy.customBlocklist", "Refused addresses and domains", FieldKind::Lines),
            ("emailBlocklistPolicy.customAllowlist", "Allowed addresses (all others are refused)", FieldKind::Lines),
        ],
    },
    Tab {
        name: "languages",
        title: "Languages",
        operation: SETTINGS,
        fields: &[
            ("languageInfo.autoDetect", "The browser's language", FieldKind::Switch),
            ("languageInfo.fallbackLanguage", "Otherwise", FieldKind::Text),
        ],
    },
    Tab {
        name: "account",
        title: "Account center",
        operation: "/api/account-center",
        fields: &[
            ("enabled", "The account API", FieldKind::Switch),
            ("fields", "What people may see and change: Edit, ReadOnly or Off", FieldKind::Json),
            ("deleteAccountUrl", "Page to delete the account (URL)", FieldKind::Text),
            ("webauthnRelatedOrigins", "Further origins of passkeys", FieldKind::Lines),
        ],
    },
];

const FIRST: &Tab = &TABS[0];

impl Tab {
    /// The tab with this name, or the first one.
    pub(super) fn find(name: &str) -> &'static Self {
        TABS.iter().find(|tab| tab.name == name).unwrap_or(FIRST)
    }

    /// The path of its page.
    pub(super) fn page(&self) -> String {
        format!("/console/sign-in-experience/{}", self.name)
    }

    pub(super) fn fields(&self) -> Vec<Field> {
        self.fields.iter().map(|(key, label, kind)| Field::new(key, label, *kind)).collect()
    }
}
