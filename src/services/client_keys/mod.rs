//! Public keys of clients, and the assertions by which clients prove possession of the private ones (`private_key_jwt`:
//! RFC 7523, OpenID Connect Core section 9; `docs/decisions/client-authentication.md`).

mod algorithm;
mod assertion;
mod fetch;
mod key_set;
mod remote;

pub use algorithm::Algorithm;
pub use assertion::{Assertion, AssertionRefusal, TYPE};
pub use key_set::{KeySet, MAX_KEYS};
pub(crate) use remote::RemoteKeys;

/// The most bytes of a set, as it is registered or fetched.
pub const MAX_SET_BYTES: usize = 64 * 1024;
