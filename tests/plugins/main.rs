//! Plugins of a running server, over the real runtime and real files.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod claims;
mod cli;
mod command;
mod compile;
mod compile_faults;
mod default_set;
mod http;
mod logs;
mod messages;
mod parity;
mod reload;
mod schema;
mod secret_headers;
mod settings;
mod start;
mod support;
mod transforms;
mod watching;
