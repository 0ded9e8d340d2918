//! Webhooks: committed events are delivered, signed, with retries, in the configured order and rate, and none is lost.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod clocks;
mod deliveries;
mod faults;
mod fixtures;
mod hook_delivery;
mod limits;
mod outages;
mod poisoned;
mod receivers;
mod replay;
mod retries;
mod several;
mod tls;
mod transform_failures;
mod transforms;
mod trial;

/// The server as a process of its own.
const BINARY: &str = env!("CARGO_BIN_EXE_claimsmith");
