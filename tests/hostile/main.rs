//! Hostile requests and plugins against a real server: each file of this folder is sent, and afterwards the server
//! responds, another application gets a token, stored rows can be read, memory has not grown, and a restart finds all
//! data.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod clients;
mod corpus;
mod latency;
mod plugins;
mod report;
mod request;
mod requests;
mod world;

/// The command under test.
const BINARY: &str = env!("CARGO_BIN_EXE_claimsmith");
