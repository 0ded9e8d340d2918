//! How people show who they are: codes and links that were sent to them, and records of what they have proved.

pub mod one_time_tokens;
pub mod verification_codes;
pub mod verification_records;
