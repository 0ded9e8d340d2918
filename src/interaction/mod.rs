//! Sign-in, registration, consent and devices, step by step. Pages and the Interaction API call the same functions.

pub(crate) mod accounts;
mod application;
pub(crate) mod asked;
mod attempts;
pub(crate) mod code;
pub(crate) mod consent;
pub(crate) mod current;
pub(crate) mod device;
pub(crate) mod factors;
pub(crate) mod identify;
pub(crate) mod known_browser;
pub(crate) mod new_password_identity;
pub(crate) mod profile;
pub(crate) mod refusal;
pub(crate) mod session;
pub(crate) mod start;
mod step;
pub(crate) mod submit;
mod user_check;
pub(crate) mod verify_password;
