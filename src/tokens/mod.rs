//! From a grant to a signed token, and from a shown token back to who stands behind it.
//!
//! [`Directory`] says what may be granted, [`Issuer`] is the one pipeline (plugins, claims, signature, write),
//! [`access::check`] reads tokens. Signing keys live in [`keys`].

pub mod access;
pub mod context;
pub mod keys;
pub mod operator;

mod algorithm;
mod batch;
mod commit;
mod directory;
mod error;
mod issue;
mod opening;
mod user_facts;

pub use algorithm::{Algorithm, KeyError};
pub use commit::Committer;
pub use directory::{Client, Directory, Snapshot};
pub use error::Error;
pub use issue::{Decision, Issued, Issuer, Refusal, Subject, UserSubject, audit_key, hash};
pub use opening::{Opening, Openings};
pub use user_facts::UserFacts;

/// The grant of machine-to-machine applications (RFC 6749 section 4.4).
pub const CLIENT_CREDENTIALS: &str = "client_credentials";
/// The token-exchange grant (RFC 8693).
pub const TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
/// A token that an operator made at the terminal; no grant of the token endpoint.
pub const OPERATOR: &str = "urn:claimsmith:grant-type:operator";
/// The name of the secret that an application begins with.
pub const DEFAULT_SECRET: &str = "Default secret";
/// The token type of access tokens (RFC 8693 section 3).
pub const ACCESS_TOKEN_TYPE: &str = "urn:ietf:params:oauth:token-type:access_token";
