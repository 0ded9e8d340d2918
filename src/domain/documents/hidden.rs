//! The placeholder that stands for a secret in answers.

/// What stands for a secret in answers.
pub const HIDDEN: &str = "********";
