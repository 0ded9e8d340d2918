//! The purpose of an interaction: sign-in, registration or password reset.

use crate::documents::sign_in_experience::methods::SignInMode;
use crate::spelling::spelled;
use serde::{Deserialize, Serialize};

spelled! {
/// The purpose of an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum InteractionEvent {
    /// Sign-in.
    SignIn = "SignIn",
    /// Registration.
    Register = "Register",
    /// Reset of a forgotten password.
    ForgotPassword = "ForgotPassword",
}
}

impl InteractionEvent {
    /// Whether the sign-in mode allows it.
    #[must_use]
    pub fn is_open(self, mode: SignInMode) -> bool {
        match self {
            Self::Register => mode != SignInMode::SignIn,
            Self::SignIn | Self::ForgotPassword => mode != SignInMode::Register,
        }
    }
}
