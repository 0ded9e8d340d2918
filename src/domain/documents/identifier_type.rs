//! The types of identifiers.

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
