//! The key of the mailbox of a demo server, for this process only: a code that the terminal shows in a link, and the
//! value of the cookie that a browser gets for it.

use crate::tokens;
use claimsmith_domain::random;
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;

/// Characters of the code: 190 bits.
const CODE_CHARS: usize = 32;

/// The key. If it is missing, because random numbers were unavailable, the mailbox cannot be opened.
#[derive(Debug)]
pub struct MailboxKey(Option<SecretString>);

impl MailboxKey {
    /// A new one.
    #[must_use]
    pub(crate) fn generate() -> Self {
        Self(random::secret(CODE_CHARS).ok().map(SecretString::from))
    }

    /// The code, for the terminal.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.0.as_ref().map(ExposeSecret::expose_secret)
    }

    /// Whether this is the code.
    #[must_use]
    pub fn has_code(&self, code: &str) -> bool {
        self.code().is_some_and(|known| bool::from(known.as_bytes().ct_eq(code.as_bytes())))
    }

    /// The value of the cookie for a browser that presented the code.
    #[must_use]
    pub fn exchange(&self, code: &str) -> Option<String> {
        self.cookie().filter(|_| self.has_code(code))
    }

    /// Whether a browser with this cookie has presented the code.
    #[must_use]
    pub fn is_opened_by(&self, cookie: &str) -> bool {
        self.cookie().is_some_and(|known| bool::from(known.as_bytes().ct_eq(cookie.as_bytes())))
    }

    fn cookie(&self) -> Option<String> {
        self.code().map(|code| tokens::hash(&format!("mailbox cookie:{code}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_the_code_gets_the_cookie_and_nobody_else() {
        let (key, other) = (MailboxKey::generate(), MailboxKey::generate());
        let code = key.code().unwrap_or_default();
        let cookie = key.exchange(code).unwrap_or_default();
        assert!(code.len() == CODE_CHARS && key.is_opened_by(&cookie) && !key.is_opened_by(code));
        assert!(!other.is_opened_by(&cookie) && other.exchange(code).is_none() && key.exchange("").is_none());
        let none = MailboxKey(None);
        assert!(!none.has_code("") && none.exchange("").is_none() && !none.is_opened_by(""));
        assert!(!format!("{key:?}").contains(code));
    }
}
