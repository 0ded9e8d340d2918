//! The pages of an interaction, as applications ask for them (`first_screen`) and as browsers are sent to them.

use serde::{Deserialize, Serialize};

/// A page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Screen {
    /// Signing in.
    #[default]
    SignIn,
    /// Registering.
    Register,
    /// Choosing a new password in place of a forgotten one.
    ResetPassword,
    /// Going straight to another server.
    Direct,
    /// Going on by a link that came by email.
    OneTimeToken,
    /// Choosing one of several accounts.
    SwitchAccount,
    /// Letting an application have what it asks for.
    Consent,
    /// Letting a device have what it asks for.
    Device,
}

impl Screen {
    /// The page that `first_screen`, or the older `interaction_mode`, asks for; what is unknown asks for nothing.
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
