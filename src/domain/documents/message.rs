//! Messages to users: their channels and types.

use crate::spelling::spelled;
use serde::{Deserialize, Serialize};

spelled! {
/// The channel of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MessageChannel {
    /// Email.
    Email = "Email",
    /// Text message (SMS).
    Sms = "Sms",
}
}

spelled! {
/// What a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
pub enum TemplateType {
    /// Signing in.
    SignIn = "SignIn",
    /// Creating an account.
    Register = "Register",
    /// Replacing a forgotten password.
    ForgotPassword = "ForgotPassword",
    /// Joining an organization.
    OrganizationInvitation = "OrganizationInvitation",
    /// Being invited to administer: a notice, whose link the inviter passes on.
    AdministratorInvitation = "AdministratorInvitation",
    /// What has no template of its own.
    Generic = "Generic",
    /// Proving who one is before something sensitive.
    UserPermissionValidation = "UserPermissionValidation",
    /// Adding an address to an account.
    BindNewIdentifier = "BindNewIdentifier",
    /// A second factor at sign-in.
    MfaVerification = "MfaVerification",
    /// Setting up a second factor.
    BindMfa = "BindMfa",
}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for kind in TemplateType::ALL {
            assert_eq!(TemplateType::parse(kind.as_str()), Some(kind));
        }
        for channel in MessageChannel::ALL {
            assert_eq!(MessageChannel::parse(channel.as_str()), Some(channel));
        }
    }
}
