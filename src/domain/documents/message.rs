//! Messages to users: their channels and types.

use serde::{Deserialize, Serialize};

/// The channel of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MessageChannel {
    /// Email.
    Email,
    /// Text message (SMS).
    Sms,
}

impl MessageChannel {
    /// Both channels.
    pub const ALL: [Self; 2] = [Self::Email, Self::Sms];

    /// The name in the database, which is also the type of its connectors.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Email => "Email",
            Self::Sms => "Sms",
        }
    }

    /// Parses the name of a channel.
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
    /// All types.
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

    /// Parses the name of a type.
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
