//! Codes by email and text message: how long they live, how often somebody may mistype one, and why one is refused.

use super::identifier::IdentifierType;
use crate::documents::sign_in_experience::protection::VerificationCodePolicy;

/// Digits of a code.
pub const CODE_LENGTH: usize = 6;
/// Seconds that a code lives where nobody said how many.
const DEFAULT_LIFETIME_SECONDS: u32 = 600;
/// How often something may be typed where nobody said how often.
const DEFAULT_ATTEMPTS: u32 = 10;

/// Why a code is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeRefusal {
    /// None waits: none was sent, it was used, or another one replaced it.
    NotFound,
    /// It was sent to another address or number.
    OtherRecipient(IdentifierType),
    /// It is too old.
    Expired,
    /// Too much was typed.
    TooManyAttempts,
    /// It is another one.
    Mismatch,
}

impl CodeRefusal {
    /// The word of it in error codes.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::NotFound => "verification_code.not_found",
            Self::OtherRecipient(IdentifierType::Phone) => "verification_code.phone_mismatch",
            Self::OtherRecipient(_) => "verification_code.email_mismatch",
            Self::Expired => "verification_code.expired",
            Self::TooManyAttempts => "verification_code.exceed_max_try",
            Self::Mismatch => "verification_code.code_mismatch",
        }
    }

    /// For people who write clients.
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
    /// How long a code lives, in milliseconds.
    #[must_use]
    pub fn lifetime_ms(&self) -> i64 {
        i64::from(self.expiration_duration.map_or(DEFAULT_LIFETIME_SECONDS, u32::from)) * 1000
    }

    /// How often something may be typed.
    #[must_use]
    pub fn max_attempts(&self) -> i64 {
        i64::from(self.max_retry_attempts.map_or(DEFAULT_ATTEMPTS, u32::from))
    }
}

/// What somebody typed, without the spaces that people and mail programs put between digits.
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
