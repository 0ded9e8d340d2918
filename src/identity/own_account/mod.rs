//! What people do to their own account. The Account API and the page `/account` call the same functions, with a proof of
//! whose account it is; the rules of users are in [`crate::accounts`].

pub(crate) mod avatar;
pub(crate) mod codes;
pub(crate) mod company;
pub(crate) mod deletion;
pub(crate) mod export;
pub(crate) mod factors;
pub(crate) mod grants;
mod guesses;
pub(crate) mod identifiers;
pub(crate) mod impersonations;
pub(crate) mod linking;
pub(crate) mod owner;
pub(crate) mod passkeys;
pub(crate) mod password;
pub(crate) mod profile;
pub(crate) mod profile_fields;
pub(crate) mod proof;
mod records;
pub(crate) mod refusal;
pub(crate) mod sessions;
pub(crate) mod settings;
pub(crate) mod trusted_devices;
