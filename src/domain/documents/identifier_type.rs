//! The types of identifiers.

use super::sign_in_experience::methods::Channel;
use crate::spelling::spelled;
use serde::{Deserialize, Serialize};

spelled! {
/// What people are known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = SignInIdentifier)]
pub enum IdentifierType {
    /// A user name.
    Username = "username",
    /// An email address.
    Email = "email",
    /// A phone number.
    Phone = "phone",
}
}

impl IdentifierType {
    /// The channel over which a code reaches it.
    #[must_use]
    pub fn channel(self) -> Option<Channel> {
        match self {
            Self::Username => None,
            Self::Email => Some(Channel::Email),
            Self::Phone => Some(Channel::Phone),
        }
    }
}
