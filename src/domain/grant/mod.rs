//! The rules of the token endpoint's grants: what a client may use, what a token is for, how long it lives and when it
//! can be used again; without where the facts come from.

pub mod refresh_token;
pub mod sign_in;
pub mod token_exchange;
