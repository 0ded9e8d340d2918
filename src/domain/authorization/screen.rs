//! The pages of an interaction, which applications request (`first_screen`) and browsers are redirected to.

use serde::{Deserialize, Serialize};

/// A page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Screen {
    /// Sign-in.
    #[default]
    SignIn,
    /// Registration.
    Register,
    /// Reset of a forgotten password.
    ResetPassword,
    /// Direct redirect to an identity provider.
    Direct,
    /// Sign-in by an emailed link.
    OneTimeToken,
    /// Choice of an account.
    SwitchAccount,
    /// Consent to an application's request.
    Consent,
    /// Consent to a device's request.
    Device,
}

impl Screen {
    /// The page that `first_screen`, or the older `interaction_mode`, requests; unknown values are ignored.
    #[must_use]
    pub fn wanted(first_screen: Option<&str>, interaction_mode: Option<&str>) -> Option<Self> {
        match (first_screen, interaction_mode) {
            (Some("register" | "identifier:register"), _) | (None, Some("signUp")) => Some(Self::Register),
            (Some("reset_password"), _) => Some(Self::ResetPassword),
            (Some("sign_in" | "signIn" | "identifier:sign_in"), _) | (None, Some("signIn")) => Some(Self::SignIn),
            _ => None,
        }
    }

    /// Its path.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::SignIn => "/sign-in",
            Self::Register => "/register",
            Self::Direct => "/direct",
            Self::OneTimeToken => "/one-time-token",
            Self::ResetPassword => "/reset-password",
            Self::SwitchAccount => "/switch-account",
            Self::Consent => "/consent",
            Self::Device => "/device/confirm",
        }
    }
}
