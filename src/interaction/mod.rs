//! Sign-in, registration and consent, step by step. Pages and the Interaction API call the same functions.

pub(crate) mod asked;
pub(crate) mod code;
pub(crate) mod session;
