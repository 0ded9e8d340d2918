//! The console over HTTP: signing in, sessions, one-time links of the terminal, what is refused, the wizard, acting as
//! somebody, invitations, trouble, and signing in at the command line.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod bad_input;
mod callback;
mod command_line;
mod confirm;
mod confirm_attacks;
mod connectors;
mod forms;
mod headers;
mod impersonation;
mod impersonation_setup;
mod invitations;
mod links;
mod live_log;
mod operations;
mod population_runs;
mod replays;
mod requests;
mod rollout_rules;
mod rollout_samples;
mod sessions;
mod sign_in;
mod sign_in_settings;
mod step_up;
mod trials;
mod trouble;
mod wizard;

/// The cookie of a session over http.
const COOKIE: &str = "claimsmith-console";
/// The cookie of a sign-in that is under way.
const SIGN_IN_COOKIE: &str = "claimsmith-console-sign-in";
/// The path of the server's binary.
const BINARY: &str = env!("CARGO_BIN_EXE_claimsmith");
