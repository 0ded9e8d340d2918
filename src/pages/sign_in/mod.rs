//! The pages of an interaction: signing in, registering, second factors, consent.

pub mod backup_codes;
pub mod choose_account;
pub mod consent;
pub mod credentials;
pub mod device;
pub mod enterprise;
pub mod invitation;
pub mod one_time_token;
pub mod passkey;
pub mod profile;
pub mod register;
pub mod reset_password;
pub mod second_factor;
pub mod set_up_code;
pub mod set_up_factor;
pub mod set_up_ways;
pub mod trust;
pub mod verification_code;
