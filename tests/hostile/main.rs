//! The corpus of attacks, against a real server: each request and each plugin of this folder is sent, and afterwards the
//! server is there, its neighbour gets a token, what is stored can be read, its memory is where it was, and a restart
//! finds everything.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod clients;
mod corpus;
mod plugins;
mod report;
mod request;
mod requests;
mod world;

/// The command under test.
const BINARY: &str = env!("CARGO_BIN_EXE_claimsmith");
