//! The purpose of an interaction: sign-in, registration or password reset.

use crate::documents::sign_in_experience::methods::SignInMode;
use serde::{Deserialize, Serialize};

/// The purpose of an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum InteractionEvent {
    /// Sign-in.
    SignIn,
    /// Registration.
    Register,
    /// Reset of a forgotten password.
    ForgotPassword,
}

impl InteractionEvent {
    /// The name in keys and payloads.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SignIn => "SignIn",
            Self::Register => "Register",
            Self::ForgotPassword => "ForgotPassword",
        }
    }

    /// Whether the sign-in mode allows it.
    #[must_use]
    pub fn is_open(self, mode: SignInMode) -> bool {
        match self {
            Self::Register => mode != SignInMode::SignIn,
            Self::SignIn | Self::ForgotPassword => mode != SignInMode::Register,
        }
    }
}
