//! Hostile requests, plugins and receivers against a real server: each file of this folder is sent, each receiver of
//! hooks is told something, and afterwards the server responds, another application gets a token, stored rows can be
//! read, memory has not grown, and a restart finds all data.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod clients;
mod corpus;
mod credentials;
mod latency;
mod logouts;
mod plugins;
mod receiver;
mod receiver_http2;
mod receivers;
mod report;
mod request;
mod requests;
mod world;

/// The command under test.
const BINARY: &str = env!("CARGO_BIN_EXE_claimsmith");
