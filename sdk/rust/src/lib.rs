//! Plugins for Claimsmith in Rust.
//!
//! ```ignore
//! use claimsmith_plugin::{Claims, ClaimsPlugin, ClaimsRequest, Failure, claims_plugin};
//!
//! struct Plugin;
//!
//! impl ClaimsPlugin for Plugin {
//!     fn get_custom_jwt_claims(request: ClaimsRequest) -> Result<Claims, Failure> {
//!         let user = request.context.user.ok_or_else(|| Failure::Denied("Nobody is signed in.".to_owned()))?;
//!         Ok([("hello".to_owned(), user.username.into())].into_iter().collect())
//!     }
//! }
//!
//! claims_plugin!(Plugin);
//! ```
//!
//! Build for `wasm32-unknown-unknown`: the result imports only the interfaces of the plugin contract. The crate is
//! `no_std`; a plugin that is `no_std`, too, must define its allocator and its panic handler.

#![no_std]

#[doc(hidden)]
pub extern crate alloc;

use alloc::string::{String, ToString as _};

#[cfg(feature = "claims")]
pub mod cache;
#[cfg(feature = "claims")]
pub mod claims;
#[cfg(feature = "message")]
pub mod message;
pub mod shapes;
#[cfg(feature = "webhook-transform")]
pub mod transform;

#[cfg(feature = "claims")]
pub use claims::{ClaimsPlugin, http};
#[cfg(feature = "message")]
pub use message::MessagePlugin;
pub use serde_json::{self, Value, json};
pub use shapes::*;
#[cfg(feature = "webhook-transform")]
pub use transform::{Outcome, TransformPlugin};

#[cfg(feature = "claims")]
pub use claims::{log, random};
#[cfg(all(feature = "message", not(feature = "claims"), not(feature = "webhook-transform")))]
pub use message::{log, random};
#[cfg(all(feature = "webhook-transform", not(feature = "claims")))]
pub use transform::{log, random};

/// What a claims plugin answers: each member becomes a claim, except for reserved names.
pub type Claims = serde_json::Map<String, Value>;

/// Why there is no answer.
#[derive(Debug)]
pub enum Failure {
    /// The token must not be issued; the text is shown to the application. Of a message plugin: the message is not to be
    /// sent, now or later. Of a transform, a failure like the other.
    Denied(String),
    /// The plugin could not do its work; the text goes to its log.
    Failed(String),
}

/// So that `?` works on errors.
impl<E: core::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Failed(error.to_string())
    }
}
