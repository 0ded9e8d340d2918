//! Webhooks: what is committed is told, signed, again and again until it is heard, in the order and at the pace that a
//! receiver wants, and nothing is lost on the way.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod clocks;
mod deliveries;
mod faults;
mod fixtures;
mod limits;
mod poisoned;
mod receivers;
mod replay;
mod retries;
mod several;
mod story;
mod tls;
mod transform_failures;
mod transforms;
mod trial;

/// The server as a process of its own.
const BINARY: &str = env!("CARGO_BIN_EXE_claimsmith");
