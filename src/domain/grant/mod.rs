//! Rules of the token endpoint's grants: what a client may use, and the audience, lifetime and reuse of tokens. They do
//! not load the facts that they decide on.

pub mod grant_type;
pub mod refresh_token;
pub mod sign_in;
pub mod token_exchange;
