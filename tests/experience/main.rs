//! The Interaction API over HTTP: signing in and registering, step by step.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod browser;
mod events;
mod factors;
mod lockout;
mod modes;
mod origins;
mod profile;
mod register;
mod retention;
mod session;
mod sessions_end;
mod sign_in;
mod uniform;
