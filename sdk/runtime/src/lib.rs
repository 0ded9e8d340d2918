//! The plugin host of Claimsmith: turns JavaScript, TypeScript and WebAssembly into plugins, and calls them under
//! limits. The server and the test harness of plugin authors both run this crate, so that a test that passes locally
//! behaves the same in production. Only this crate depends on wasmtime.
//!
//! Life of a plugin: [`Source`] → [`Host::load`] (compile, link, trial instantiation) → [`Plugin`] →
//! [`Plugin::get_custom_jwt_claims`], [`Plugin::transform`] or [`Plugin::compose`], by its [`Kind`]; a fresh instance for
//! every call.

mod bindings;
mod cache;
mod call;
mod claims_answer;
mod claims_export;
mod clocks;
mod compiled_code_cache;
mod componentize;
mod concurrency_limiter;
mod delivery_headers;
mod delivery_path;
mod disk_cache;
mod engine;
mod epoch_ticker;
mod error;
mod exports;
mod files;
mod finding;
mod foreign_file;
mod guest;
mod guest_threads;
mod host;
mod host_state;
mod http;
mod invocation;
#[cfg(feature = "javascript")]
mod javascript;
mod limits;
mod linker;
mod loader;
mod log_buffer;
mod manifest;
mod memory_limiter;
mod message;
mod message_answer;
mod plugin;
mod plugin_cache;
mod private_folder;
mod profile;
mod rehearsal;
mod request;
mod scratch_directory;
mod secret_headers;
mod source;
mod transform;
mod transform_answer;
mod trap;
mod wakeups;
mod wasm;
mod wit;
mod work_directory;

pub use claimsmith_json as json;

pub use cache::{CacheCounts, Owner as CacheOwner, PluginCache};
pub use call::{Call, Level, LogLine};
pub use componentize::componentize;
pub use concurrency_limiter::QUEUE_TIMEOUT;
pub use delivery_path::below;
pub use disk_cache::is_disk_full;
pub use error::{CallError, LoadError, StartError};
pub use files::{
    FilesError, FoundSignature, MAX_SIGNATURE_BYTES, PluginFiles, ReadError, SIGNATURE_ENDINGS, check_plugin_name,
    read_file, read_signature,
};
pub use finding::{Finding, in_one_line};
pub use host::{CacheUse, Host, check_cache};
pub use host_state::HostOptions;
pub use http::{HttpAccess, HttpBudget, HttpCounts, HttpFailure, HttpFuture, HttpRequest, HttpResponse, HttpSender};
pub use limits::Limits;
pub use manifest::{
    BreakerSettings, CacheCapability, Capabilities, HeaderTemplate, HostPattern, HttpCapability, LimitSettings,
    MAX_LIMITS, Manifest, ManifestError, OnError, OnOpen, RecordingSettings, SecretError, SecretSource, Secrets,
    TokenKind,
};
pub use message::{MessageRequest, OutgoingMessage};
pub use plugin::Plugin;
pub use profile::{Profile, ProfileError, names_functions};
pub use rehearsal::Conditions;
pub use request::{ClaimsRequest, Context, Grant};
pub use secret_headers::{FilledHeader, SecretHeaders};
pub use source::{Kind, Language, Source};
pub use transform::{TransformRequest, Transformed};
pub use wit::{WIT, contract, contract_version};
pub use work_directory::{MAX_COMPILED_BYTES, WorkDirectory};

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
