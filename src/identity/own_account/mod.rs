//! Self-service: what users can do with their own account. The Account API and the page `/account` call the same
//! functions, with an authenticated owner; the rules of users are in [`crate::accounts`].

pub mod avatar;
pub mod codes;
pub mod company;
pub mod confirmation;
pub mod deletion;
pub mod export;
pub mod factors;
pub mod grants;
mod guesses;
pub mod identifiers;
pub mod impersonations;
pub mod linking;
pub mod owner;
pub mod passkeys;
pub mod password;
pub mod profile;
pub mod profile_fields;
pub mod proof;
mod records;
pub mod refusal;
pub mod sessions;
pub mod settings;
pub mod trusted_devices;
