//! The placeholder for secrets in responses.

/// Replaces a secret in responses.
pub const HIDDEN: &str = "********";
