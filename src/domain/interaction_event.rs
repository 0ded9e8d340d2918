//! What somebody sets out to do when an application sends them: to sign in, to register, to choose a new password.

use crate::documents::sign_in_experience::methods::SignInMode;
use serde::{Deserialize, Serialize};

/// What somebody is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum InteractionEvent {
    /// To sign in.
    SignIn,
    /// To register.
    Register,
    /// To choose a new password.
    ForgotPassword,
}

impl InteractionEvent {
    /// Its name in keys and payloads.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SignIn => "SignIn",
            Self::Register => "Register",
            Self::ForgotPassword => "ForgotPassword",
        }
    }

    /// Whether people may do that here.
    #[must_use]
    pub fn is_open(self, mode: SignInMode) -> bool {
        match self {
            Self::Register => mode != SignInMode::SignIn,
            Self::SignIn | Self::ForgotPassword => mode != SignInMode::Register,
        }
    }
}
