//! Verification of users: sent codes and links, and records of completed verifications.

pub mod one_time_tokens;
pub mod verification_codes;
pub mod verification_records;
