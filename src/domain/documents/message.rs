//! Messages to people: how they go, and what they are for.

use serde::{Deserialize, Serialize};

/// How a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MessageChannel {
    /// By e-mail.
    Email,
    /// By text message.
    Sms,
}

impl MessageChannel {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Email, Self::Sms];

    /// The name in the database, which is also the type of its connectors.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Email => "Email",
            Self::Sms => "Sms",
        }
    }

    /// The channel of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.as_str() == name)
    }
}

/// What a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
pub enum TemplateType {
    /// Signing in.
    SignIn,
    /// Creating an account.
    Register,
    /// Replacing a forgotten password.
    ForgotPassword,
    /// Joining an organization.
    OrganizationInvitation,
    /// What has no template of its own.
    Generic,
    /// Proving who one is before something sensitive.
    UserPermissionValidation,
    /// Adding an address to an account.
    BindNewIdentifier,
    /// A second factor at sign-in.
    MfaVerification,
    /// Setting up a second factor.
    BindMfa,
}

impl TemplateType {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::SignIn,
        Self::Register,
        Self::ForgotPassword,
        Self::OrganizationInvitation,
        Self::Generic,
        Self::UserPermissionValidation,
        Self::BindNewIdentifier,
        Self::MfaVerification,
        Self::BindMfa,
    ];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SignIn => "SignIn",
            Self::Register => "Register",
            Self::ForgotPassword => "ForgotPassword",
            Self::OrganizationInvitation => "OrganizationInvitation",
            Self::Generic => "Generic",
            Self::UserPermissionValidation => "UserPermissionValidation",
            Self::BindNewIdentifier => "BindNewIdentifier",
            Self::MfaVerification => "MfaVerification",
            Self::BindMfa => "BindMfa",
        }
    }

    /// The type of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
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
