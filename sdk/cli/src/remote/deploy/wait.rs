//! `--wait`: returns when all running nodes of the server serve a plugin as it was changed last.

use super::Remote;
use crate::terminal::{print_error, printable};
use serde_json::Value;
use std::time::{Duration, Instant};

/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(200);

#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct WaitArgs {
    /// Return when all running nodes of the server serve it
    #[arg(long)]
    pub(crate) wait: bool,
    /// Seconds after which --wait gives up
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "wait")]
    pub(crate) wait_seconds: u32,
}

/// What is known of the nodes.
#[derive(Debug, PartialEq, Eq)]
enum Progress {
    /// All of this many serve it.
    Done(u64),
    /// These do not, or not yet.
    Missing { serving: u64, all: u64, names: Vec<String> },
    /// The server does not say it.
    Unknown,
}

/// Waits, if that is asked for.
pub(crate) async fn until_served(remote: &Remote, name: &str, args: WaitArgs) -> anyhow::Result<()> {
    if !args.wait {
        return Ok(());
    }
    let end = Instant::now() + Duration::from_secs(args.wait_seconds.into());
    loop {
        let plugin = remote.get(&[name]).await?.json()?;
        let progress = Progress::of(&plugin);
        match &progress {
            Progress::Done(all) => {
                print_error(&format!("{name}: served by all nodes ({all})"));
                return Ok(());
            }
            Progress::Unknown => {
                anyhow::bail!("{name}: this server does not say which of its nodes serve a plugin")
            }
            Progress::Missing { serving, all, names } if Instant::now() >= end => {
                let error = plugin.get("lastError").and_then(Value::as_str).map(printable);
                let reason = error.map(|error| format!("; the node that answers says: {error}")).unwrap_or_default();
                anyhow::bail!(
                    "{name}: after {} s, {serving} of {all} nodes serve it; missing: {}{reason}",
                    args.wait_seconds,
                    printable(&names.join(", "))
                )
            }
            Progress::Missing { .. } => tokio::time::sleep(PAUSE).await,
        }
    }
}

impl Progress {
    fn of(plugin: &Value) -> Self {
        let Some(nodes) = plugin.pointer("/deployment/nodes").filter(|nodes| nodes.is_object()) else {
            return Self::Unknown;
        };
        let number = |name: &str| nodes.get(name).and_then(Value::as_u64).unwrap_or_default();
        let (serving, all) = (number("serving"), number("all"));
        if serving >= all && all > 0 {
            return Self::Done(all);
        }
        let names = nodes.get("missing").and_then(Value::as_array).into_iter().flatten();
        Self::Missing { serving, all, names: names.filter_map(Value::as_str).map(str::to_owned).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;
    use serde_json::json;

    #[test]
    fn it_is_done_when_every_node_serves_it() {
        let of = |nodes| Progress::of(&json!({ "deployment": { "nodes": nodes } }));
        assert_eq!(of(json!({ "serving": 2, "all": 2, "missing": [] })), Progress::Done(2));
        let missing = Progress::Missing { serving: 1, all: 2, names: vec!["b".to_owned()] };
        assert_eq!(of(json!({ "serving": 1, "all": 2, "missing": ["b"] })), missing);
        assert_eq!(of(json!(null)), Progress::Unknown, "an older server");
        assert_eq!(Progress::of(&json!({ "deployment": null })), Progress::Unknown, "a plugin of the folder");
    }
}
