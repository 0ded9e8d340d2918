//! Verification codes by email and text message: lifetime, maximum attempts, and reasons for refusal.

use super::identifier::IdentifierType;
use crate::api_code::ApiCode;
use crate::documents::sign_in_experience::protection::VerificationCodePolicy;

/// Number of digits of a code.
pub const CODE_LENGTH: usize = 6;
/// Default lifetime of a code, in seconds.
const DEFAULT_LIFETIME_SECONDS: u32 = 600;
/// Default maximum number of attempts.
const DEFAULT_ATTEMPTS: u32 = 10;

/// The reason that a code is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeRefusal {
    /// No code is pending: none was sent, it was used, or it was replaced.
    NotFound,
    /// It was sent to another address or number.
    OtherRecipient(IdentifierType),
    /// It has expired.
    Expired,
    /// Too many attempts.
    TooManyAttempts,
    /// It is incorrect.
    Mismatch,
}

impl CodeRefusal {
    /// The error code.
    #[must_use]
    pub fn code(self) -> ApiCode {
        match self {
            Self::NotFound => ApiCode::VerificationCodeNotFound,
            Self::OtherRecipient(IdentifierType::Phone) => ApiCode::VerificationCodePhoneMismatch,
            Self::OtherRecipient(_) => ApiCode::VerificationCodeEmailMismatch,
            Self::Expired => ApiCode::VerificationCodeExpired,
            Self::TooManyAttempts => ApiCode::VerificationCodeExceedMaxTry,
            Self::Mismatch => ApiCode::VerificationCodeCodeMismatch,
        }
    }

    /// The error message, for developers of clients.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            Self::NotFound => "There is no such code: ask for one.",
            Self::OtherRecipient(IdentifierType::Phone) => "The code was sent to another number.",
            Self::OtherRecipient(_) => "The code was sent to another address.",
            Self::Expired => "The code has expired: ask for another one.",
            Self::TooManyAttempts => "Too many codes were tried: ask for another one.",
            Self::Mismatch => "The code is wrong.",
        }
    }
}

impl VerificationCodePolicy {
    /// Lifetime of a code, in milliseconds.
    #[must_use]
    pub fn lifetime_ms(&self) -> i64 {
        i64::from(self.expiration_duration.map_or(DEFAULT_LIFETIME_SECONDS, u32::from)) * 1000
    }

    /// Maximum number of attempts.
    #[must_use]
    pub fn max_attempts(&self) -> i64 {
        i64::from(self.max_retry_attempts.map_or(DEFAULT_ATTEMPTS, u32::from))
    }
}

/// The entered code without the spaces that users and mail programs put between digits.
#[must_use]
pub fn typed(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace() && *letter != '-').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_settings_do_not_say_is_by_default() -> Result<(), serde_json::Error> {
        let default = VerificationCodePolicy::default();
        assert_eq!((default.lifetime_ms(), default.max_attempts()), (600_000, 10));
        let policy = r#"{"expirationDuration": 60, "maxRetryAttempts": 3}"#;
        let policy: VerificationCodePolicy = serde_json::from_str(policy)?;
        assert_eq!((policy.lifetime_ms(), policy.max_attempts()), (60_000, 3));
        assert_eq!(typed(" 123 4-56\u{a0}"), "123456");
        Ok(())
    }
}
