//! `claimsmith plugin` against a running server: the real binary on both sides.

mod applying;
mod connection;
mod convert;
mod convert_demands;
mod deploying;
mod desk;
mod following;
mod operating;
mod population;
mod registries;
mod registry_stub;
mod replaying;
mod saving;

use claimsmith_test_support::{Api, CommandOutput, Home};
use serde_json::{Map, Value};
use std::process::Stdio;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_claimsmith");

/// A command in the home of a server, where it finds the data folder; nothing of the test's own environment reaches it.
pub(crate) fn command(home: &Home, variables: &[(&str, &str)], arguments: &[&str]) -> Command {
    let data_dir = home.data_dir();
    let mut command = Command::new(BINARY);
    command.env_clear().env("CLAIMSMITH_DATA_DIR", data_dir).envs(variables.iter().copied());
    command.arg("plugin").args(arguments).current_dir(home.folder()).kill_on_drop(true);
    command
}

/// `claimsmith plugin ARGUMENTS`.
pub(crate) async fn plugin(home: &Home, arguments: &[&str]) -> CommandOutput {
    plugin_with(home, &[], arguments, "").await
}

/// The same with variables, and with something on standard input.
pub(crate) async fn plugin_with(
    home: &Home,
    variables: &[(&str, &str)],
    arguments: &[&str],
    input: &str,
) -> CommandOutput {
    let mut command = command(home, variables, arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that reads nothing may have closed it already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes()).await;
    child.wait_with_output().await.unwrap().into()
}

/// Puts a file into the home, not into its plugin folder.
pub(crate) fn write(home: &Home, name: &str, text: &str) {
    std::fs::write(home.folder().join(name), text).unwrap();
}

/// The claims of the token that an exchange gives.
pub(crate) async fn claims(api: &Api) -> Map<String, Value> {
    let answer = api.exchange(&api.customer_token().await).send().await.expect(200);
    let token = api.verify(&answer.text("access_token"), &api.demo().resource).await;
    token.claims.as_object().unwrap().clone()
}
