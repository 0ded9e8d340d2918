//! Operating the server: first start, shutdown, crash, log and metrics.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod bootstrap;
mod breached_passwords;
mod commands;
mod concurrent_changes;
mod connections;
mod crash;
mod crash_sign_in;
mod default_plugins;
mod demo_data;
mod doctor;
mod faults;
mod hot_swap;
mod in_flight;
mod log;
mod metrics;
mod nested_json;
mod nodes;
mod plugin_breakers;
mod plugin_rollouts;
mod population_runs;
mod readiness;
mod recover;
mod refusal_sampling;
mod released;
mod retention;
mod shutdown;
mod sign_in;
mod start_up;
mod upgrade;
mod upload_memory;

use claimsmith_test_support::{Home, Process};

/// The command under test.
const BINARY: &str = env!("CARGO_BIN_EXE_claimsmith");

/// A user's token from `claimsmith tokens mint`.
async fn mint(home: &Home, user_id: &str, client_id: &str) -> String {
    let arguments = ["tokens", "mint", "--user", user_id, "--client", client_id];
    let minted = Process::run(BINARY, home, &[], &arguments).await;
    assert!(minted.status.success(), "{}", String::from_utf8_lossy(&minted.stderr));
    String::from_utf8(minted.stdout).unwrap().trim().to_owned()
}
