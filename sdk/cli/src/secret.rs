//! A credential that is not shown by accident: it prints as `***`, and its memory is zeroed when it is dropped.

use std::fmt;
use zeroize::Zeroizing;

/// It has no `Display` and no comparison; its only way out is [`SecretString::expose`].
#[derive(Clone)]
pub(crate) struct SecretString(Zeroizing<String>);

impl SecretString {
    /// Wraps `value`.
    pub(crate) fn new(value: String) -> Self {
        Self(Zeroizing::new(value))
    }

    /// The value itself, for the one place that uses it.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretString {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("***")
    }
}
