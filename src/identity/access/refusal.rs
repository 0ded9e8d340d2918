//! The reasons that an operation of the Management API is refused to its caller.

use crate::accounts::AccountRefusal;
use claimsmith_domain::api_code::ApiCode;

/// The reason that a caller is refused.
#[derive(Debug)]
pub enum AccessRefusal {
    /// The caller lacks a right, or the object is protected: the error code, and the message for developers of clients.
    Denied(ApiCode, &'static str),
    /// A rule of users.
    Account(AccountRefusal),
    /// The server failed.
    Failed(Box<dyn std::error::Error + Send + Sync>),
}

impl AccessRefusal {
    /// The caller lacks a right.
    pub(super) fn forbidden(message: &'static str) -> Self {
        Self::Denied(ApiCode::AuthForbidden, message)
    }
}

crate::from_failures!(AccessRefusal, |error| Self::Failed(Box::new(error)));

impl From<AccountRefusal> for AccessRefusal {
    fn from(refusal: AccountRefusal) -> Self {
        Self::Account(refusal)
    }
}
