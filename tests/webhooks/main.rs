//! Webhooks: what is committed is told, signed, again and again until it is heard, in the order and at the pace that a
//! receiver wants, and nothing is lost on the way.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod deliveries;
mod fixtures;
mod limits;
mod receivers;
mod replay;
mod retries;
mod story;
mod trial;
