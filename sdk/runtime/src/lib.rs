//! The plugin host of Claimsmith: turns JavaScript, TypeScript and WebAssembly into plugins, and calls them
//! under limits. The server and the author's harness both run this crate, so that what passes at a desk
//! behaves the same in production. Only this crate names wasmtime.
//!
//! Life of a plugin: [`Source`] → [`Host::load`] (compile, link, trial instantiation) → [`Plugin`] →
//! [`Plugin::get_custom_jwt_claims`] or [`Plugin::transform`], by its [`Kind`]; a fresh instance for every call.

mod answer;
mod ask;
mod bindings;
mod cache;
mod call;
mod clocks;
mod componentize;
mod engine;
mod error;
mod files;
mod finding;
mod folder;
mod guest;
mod headers;
mod host;
mod http;
mod invoke;
#[cfg(feature = "javascript")]
mod javascript;
pub mod json;
mod kept;
mod limiter;
mod limits;
mod linker;
mod loader;
mod log;
mod manifest;
mod native;
mod outcome;
mod path;
mod plugin;
mod request;
mod scratch;
mod shared;
mod slots;
mod source;
mod threads;
mod ticker;
mod transform;
mod trap;
mod wasm;
mod wit;
mod workplace;

pub use call::{Call, Level, LogLine};
pub use componentize::componentize;
pub use error::{CallError, LoadError, StartError};
pub use files::{FilesError, PluginFiles, ReadError, check_plugin_name, read_file};
pub use finding::Finding;
pub use host::{CacheUse, Host};
pub use http::{HttpAccess, HttpBudget, HttpCounts, HttpFailure, HttpFuture, HttpRequest, HttpResponse, HttpSender};
pub use limits::Limits;
pub use manifest::{
    Capabilities, HostPattern, HttpCapability, LimitSettings, MAX_LIMITS, Manifest, ManifestError, OnError,
    SecretError, SecretSource, Secrets, TokenKind,
};
pub use path::below;
pub use plugin::Plugin;
pub use request::{ClaimsRequest, Context, Grant};
pub use shared::HostOptions;
pub use source::{Kind, Language, Source};
pub use transform::{TransformRequest, Transformed};
pub use wit::{WIT, contract};
pub use workplace::Workplace;

/// Claims that a plugin can neither set nor change; an attempt is dropped and named in [`Call::dropped`].
pub const RESERVED_CLAIMS: [&str; 21] = [
    "iss",
    "sub",
    "aud",
    "exp",
    "nbf",
    "iat",
    "jti",
    "client_id",
    "azp",
    "scope",
    "act",
    "may_act",
    "cnf",
    "typ",
    "auth_time",
    "nonce",
    "sid",
    "at_hash",
    "c_hash",
    "s_hash",
    "organization_id",
];
