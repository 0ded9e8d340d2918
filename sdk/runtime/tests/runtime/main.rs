//! The plugin host on the real engine: what works, each limit obeyed and violated, each kind of error.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod cache;
mod http;
mod isolation;
mod javascript;
mod limits;
mod loading;
mod message;
mod metered;
mod neighbours;
mod rehearsal;
mod secret_headers;
mod support;
mod transform;
mod typescript;
mod wasm;
