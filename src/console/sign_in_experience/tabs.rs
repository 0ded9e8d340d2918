//! The pages of the settings, each with its fields.

use crate::fields::{Field, Kind, Options};

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
    ("Automatic", "Whoever goes on agrees"),
    ("ManualRegistrationOnly", "A box at registration"),
    ("Manual", "A box at registration and sign-in"),
];

/// A page.
#[derive(Clone, Copy)]
pub(super) struct Tab {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// The operation that reads and changes what it holds.
    pub(super) operation: &'static str,
    fields: &'static [(&'static str, &'static str, Kind)],
}

const SETTINGS: &str = "/api/sign-in-exp";

pub(super) const TABS: &[Tab] = &[
    Tab {
        name: "methods",
        title: "Sign-in and registration",
        operation: SETTINGS,
        fields: &[
            ("signInMode", "What people may do", Kind::One(MODES)),
            ("signIn.methods", "Ways to sign in", Kind::Json),
            ("signUp.identifiers", "Asked for at registration", Kind::Many(IDENTIFIERS)),
            ("signUp.password", "Registration sets a password", Kind::Switch),
            ("signUp.verify", "Addresses and numbers are verified by a code", Kind::Switch),
            ("socialSignInConnectorTargets", "Social connectors on the page, in their order", Kind::Lines),
            ("singleSignOnEnabled", "Enterprise sign-in", Kind::Switch),
        ],
    },
    Tab {
        name: "security",
        title: "Security",
        operation: SETTINGS,
        fields: &[
            ("mfa.factors", "Second factors", Kind::Many(FACTORS)),
            ("mfa.policy", "Who needs one", Kind::One(POLICIES)),
            ("passwordPolicy.length.min", "Shortest password", Kind::Number),
            ("passwordPolicy.length.max", "Longest password", Kind::Number),
            ("passwordPolicy.characterTypes.min", "Kinds of characters at least", Kind::Number),
            ("passwordPolicy.rejects.pwned", "Refuse common and breached passwords", Kind::Switch),
            ("passwordPolicy.rejects.repetitionAndSequence", "Refuse repetitions and sequences", Kind::Switch),
            ("passwordPolicy.rejects.userInfo", "Refuse the person's own data", Kind::Switch),
            ("passwordPolicy.rejects.words", "Refuse further words", Kind::Lines),
            ("sentinelPolicy.maxAttempts", "Wrong attempts before a lock", Kind::Number),
            ("sentinelPolicy.lockoutDuration", "Minutes of the lock", Kind::Number),
        ],
    },
    Tab {
        name: "branding",
        title: "Branding",
        operation: SETTINGS,
        fields: &[
            ("color.primaryColor", "Colour", Kind::Colour),
            ("color.isDarkModeEnabled", "Dark pages for whoever prefers them", Kind::Switch),
            ("color.darkPrimaryColor", "Colour of dark pages", Kind::Colour),
            ("branding.logoUrl", "Logo (URL)", Kind::Text),
            ("branding.darkLogoUrl", "Logo of dark pages (URL)", Kind::Text),
            ("branding.favicon", "Small picture of the browser's tab (URL)", Kind::Text),
            ("customCss", "Custom CSS", Kind::Area),
            ("termsOfUseUrl", "Terms of use (URL)", Kind::Text),
            ("privacyPolicyUrl", "Privacy policy (URL)", Kind::Text),
            ("agreeToTermsPolicy", "How people agree", Kind::One(TERMS)),
            ("supportEmail", "Address of support", Kind::Text),
            ("supportWebsiteUrl", "Site of support (URL)", Kind::Text),
        ],
    },
    Tab {
        name: "protection",
        title: "Captcha and addresses",
        operation: SETTINGS,
        fields: &[
            ("captchaPolicy.enabled", "Captcha", Kind::Switch),
            ("emailBlocklistPolicy.blockDisposableAddresses", "Refuse throw-away addresses", Kind::Switch),
            ("emailBlocklistPolicy.blockSubaddressing", "Refuse addresses with a +", Kind::Switch),
            ("emailBlocklistPolicy.customBlocklist", "Refused addresses and domains", Kind::Lines),
            ("emailBlocklistPolicy.customAllowlist", "Never refused", Kind::Lines),
        ],
    },
    Tab {
        name: "languages",
        title: "Languages",
        operation: SETTINGS,
        fields: &[
            ("languageInfo.autoDetect", "The browser's language", Kind::Switch),
            ("languageInfo.fallbackLanguage", "Otherwise", Kind::Text),
        ],
    },
    Tab {
        name: "account",
        title: "Account center",
        operation: "/api/account-center",
        fields: &[
            ("enabled", "The account API", Kind::Switch),
            ("fields", "What people may see and change: Edit, ReadOnly or Off", Kind::Json),
            ("deleteAccountUrl", "Page to delete the account (URL)", Kind::Text),
            ("webauthnRelatedOrigins", "Further origins of passkeys", Kind::Lines),
        ],
    },
];

const FIRST: &Tab = &TABS[0];

impl Tab {
    /// The one of a name, or the first.
    pub(super) fn find(name: &str) -> &'static Self {
        TABS.iter().find(|tab| tab.name == name).unwrap_or(FIRST)
    }

    /// Where it is.
    pub(super) fn page(&self) -> String {
        format!("/console/sign-in-experience/{}", self.name)
    }

    pub(super) fn fields(&self) -> Vec<Field> {
        self.fields.iter().map(|(key, label, kind)| Field::new(key, label, *kind)).collect()
    }
}
