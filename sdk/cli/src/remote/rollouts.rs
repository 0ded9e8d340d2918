//! `claimsmith plugin rollout`: begins, shows, changes and ends the rollout of a version.

use super::rollout_samples::SamplesArgs;
use super::{READ, RECORDINGS, Remote, SuccessResponse, Usage, WRITE, view};
use crate::terminal::print_line;
use reqwest::Method;
use serde_json::{Map, Value, json};

#[derive(clap::Subcommand)]
pub(crate) enum RolloutCommand {
    /// Begin a rollout of a version that is not active.
    Start(StartArgs),
    /// Show the rollout of a plugin with its results.
    Show {
        /// The plugin's name.
        name: String,
    },
    /// Show calls whose answers differ, and add them to golden cases.
    Samples(SamplesArgs),
    /// Change the share, the lists, the mode, the rules or the end of a rollout.
    Set(SetArgs),
    /// Pause a rollout: the active version answers everybody.
    Pause {
        /// The plugin's name.
        name: String,
    },
    /// Resume a paused rollout.
    Resume {
        /// The plugin's name.
        name: String,
    },
    /// Activate the version of a rollout.
    Promote {
        /// The plugin's name.
        name: String,
    },
    /// End a rollout: the active version answers everybody.
    Abort {
        /// The plugin's name.
        name: String,
    },
}

#[derive(clap::Args)]
pub(crate) struct StartArgs {
    /// The plugin's name.
    name: String,
    /// The version to try
    #[arg(long = "plugin-version", value_name = "VERSION")]
    version: String,
    /// `shadow`: called beside the active version, without effect; `canary`: answers for its share
    #[arg(long, value_parser = ["shadow", "canary"])]
    mode: String,
    /// Percent of users
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100))]
    share: u8,
    #[command(flatten)]
    more: MoreArgs,
}

#[derive(clap::Args)]
pub(crate) struct SetArgs {
    /// The plugin's name.
    name: String,
    /// `shadow` or `canary`; a change begins to count anew
    #[arg(long, value_parser = ["shadow", "canary"])]
    mode: Option<String>,
    /// Percent of users; raising it never moves anybody back
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100))]
    share: Option<u8>,
    #[command(flatten)]
    more: MoreArgs,
    /// Remove the rules
    #[arg(long, conflicts_with = "rules")]
    no_rules: bool,
}

/// What beginning and changing have in common.
#[derive(clap::Args)]
struct MoreArgs {
    /// A client id that is chosen whatever the share; can be repeated
    #[arg(long = "application", value_name = "ID")]
    applications: Vec<String>,
    /// An organization that is chosen whatever the share; can be repeated
    #[arg(long = "organization", value_name = "ID")]
    organizations: Vec<String>,
    /// A user who is chosen whatever the share; can be repeated
    #[arg(long = "user", value_name = "ID")]
    users: Vec<String>,
    /// Rules as JSON: `{"promoteAfter":{"runs":1000,"minutes":60},"abortOver":{"failed":1}}`
    #[arg(long, value_name = "JSON")]
    rules: Option<String>,
    /// When it is paused if nothing has ended it, Unix milliseconds [default of start: in 7 days]
    #[arg(long, value_name = "TIME")]
    expires: Option<i64>,
}

/// What a command asks of the server.
pub(crate) struct RolloutRequest {
    /// The scope that it needs.
    scope: &'static str,
    method: Method,
    parts: Vec<String>,
    body: Option<Value>,
}

impl MoreArgs {
    fn add_to(&self, body: &mut Map<String, Value>) -> Result<(), Usage> {
        for (member, ids) in
            [("applications", &self.applications), ("organizations", &self.organizations), ("users", &self.users)]
        {
            if !ids.is_empty() {
                body.insert(member.to_owned(), json!(ids));
            }
        }
        if let Some(text) = &self.rules {
            let rules: Value =
                serde_json::from_str(text).map_err(|error| Usage::new(format!("--rules is not JSON: {error}")))?;
            body.insert("rules".to_owned(), rules);
        }
        if let Some(expires) = self.expires {
            body.insert("expires".to_owned(), json!(expires));
        }
        Ok(())
    }
}

impl RolloutRequest {
    fn new(method: Method, name: &str, below: Option<&str>, body: Option<Value>) -> Self {
        let parts = [name, "rollout"].into_iter().chain(below).map(str::to_owned).collect();
        let scope = match (&method, below) {
            (&Method::GET, Some(_)) => RECORDINGS,
            (&Method::GET, None) => READ,
            _ => WRITE,
        };
        Self { scope, method, parts, body }
    }

    /// The request of a command. What is wrong with it is said before anything is sent.
    pub(crate) fn read(command: &RolloutCommand) -> Result<Self, Usage> {
        let mut body = Map::new();
        Ok(match command {
            RolloutCommand::Start(start) => {
                body.insert("version".to_owned(), json!(start.version));
                body.insert("mode".to_owned(), json!(start.mode));
                body.insert("share".to_owned(), json!(start.share));
                start.more.add_to(&mut body)?;
                Self::new(Method::POST, &start.name, None, Some(Value::Object(body)))
            }
            RolloutCommand::Set(set) => {
                if let Some(mode) = &set.mode {
                    body.insert("mode".to_owned(), json!(mode));
                }
                if let Some(share) = set.share {
                    body.insert("share".to_owned(), json!(share));
                }
                if set.no_rules {
                    body.insert("rules".to_owned(), Value::Null);
                }
                set.more.add_to(&mut body)?;
                if body.is_empty() {
                    return Err(Usage::new("nothing is to change: name --share, --mode, a list, --rules or --expires"));
                }
                Self::new(Method::PATCH, &set.name, None, Some(Value::Object(body)))
            }
            RolloutCommand::Pause { name } => Self::new(Method::PATCH, name, None, Some(json!({ "paused": true }))),
            RolloutCommand::Resume { name } => Self::new(Method::PATCH, name, None, Some(json!({ "paused": false }))),
            RolloutCommand::Promote { name } => Self::new(Method::POST, name, Some("promote"), None),
            RolloutCommand::Abort { name } => Self::new(Method::POST, name, Some("abort"), None),
            RolloutCommand::Show { name } => Self::new(Method::GET, name, None, None),
            RolloutCommand::Samples(samples) => Self::new(Method::GET, &samples.name, Some("samples"), None),
        })
    }

    /// Sends it.
    pub(crate) async fn send(self, remote: &Remote) -> anyhow::Result<SuccessResponse> {
        let parts: Vec<&str> = self.parts.iter().map(String::as_str).collect();
        let request = remote.request(self.method, &parts)?;
        let request = match &self.body {
            Some(body) => request.json(body),
            None => request,
        };
        remote.ask(self.scope, request).await
    }
}

/// Sends a request, and shows the rollout.
pub(crate) async fn run(remote: &Remote, request: RolloutRequest) -> anyhow::Result<()> {
    show(remote, &request.send(remote).await?)
}

fn show(remote: &Remote, answer: &SuccessResponse) -> anyhow::Result<()> {
    if remote.json {
        print_line(&answer.text);
        return Ok(());
    }
    let rollout = answer.json()?;
    let text = |pointer| view::text(&rollout, pointer);
    print_line(&view::pairs(&[
        ("plugin", text("/plugin")),
        ("version", text("/version")),
        ("active version", text("/activeVersion")),
        ("mode", text("/mode")),
        ("state", text("/state")),
        ("reason", text("/reason")),
        ("share", format!("{} %", text("/share"))),
        ("rules in force", text("/rulesInForce")),
        ("breaker open", text("/breakerOpen")),
        ("started", view::time(&rollout, "/startedAt")),
        ("expires", view::time(&rollout, "/expires")),
        ("golden cases", cost(&rollout)),
        ("slower", format!("{} of {}", text("/results/slower"), text("/results/baseline/runs"))),
        ("dropped", text("/results/dropped")),
        ("HTTP refused", text("/results/httpRefused")),
    ]));
    let side = |name: &str| {
        let text = |member: &str| view::text(&rollout, &format!("/results/{name}/{member}"));
        vec![
            name.to_owned(),
            text("runs"),
            text("denied"),
            text("failed"),
            text("spared"),
            text("p50Us"),
            text("p99Us"),
        ]
    };
    let sides: Vec<_> = ["active", "candidate", "baseline"].into_iter().map(side).collect();
    print_line("");
    print_line(&view::table(&["CALLS OF", "RUNS", "DENIED", "FAILED", "SPARED", "P50 US", "P99 US"], &sides));
    let class = |class: &Value| {
        let text = |pointer| view::text(class, pointer);
        vec![text("/class"), text("/count"), format!("{} %", text("/share"))]
    };
    let of = |pointer: &str| rollout.pointer(pointer).cloned().unwrap_or_default();
    let classes: Vec<_> = view::items(&of("/results/classes")).iter().map(class).collect();
    if !classes.is_empty() {
        print_line("");
        print_line(&view::table(&["ANSWERS", "COUNT", "SHARE"], &classes));
    }
    let claim = |claim: &Value| {
        let text = |pointer| view::text(claim, pointer);
        vec![text("/name"), text("/added"), text("/removed"), text("/changed"), text("/noise")]
    };
    let claims: Vec<_> = view::items(&of("/results/claims")).iter().map(claim).collect();
    if !claims.is_empty() {
        print_line("");
        print_line(&view::table(&["CLAIM", "ADDED", "REMOVED", "CHANGED", "NOISE"], &claims));
    }
    Ok(())
}

/// What the golden cases cost that both versions have.
fn cost(rollout: &Value) -> String {
    if rollout.pointer("/cost/cases").is_none() {
        return "none that both versions have".to_owned();
    }
    let text = |member: &str| view::text(rollout, &format!("/cost/{member}"));
    format!("{} instructions; version {}: {}", text("candidate"), view::text(rollout, "/activeVersion"), text("active"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    #[derive(clap::Parser)]
    struct Line {
        #[command(subcommand)]
        command: RolloutCommand,
    }

    fn request(line: &str) -> Option<RolloutRequest> {
        let line = Line::try_parse_from(["rollout"].into_iter().chain(line.split(' '))).ok()?;
        RolloutRequest::read(&line.command).ok()
    }

    #[test]
    fn a_command_is_one_request() {
        let start = request("start plan --plugin-version 3 --mode canary --share 5 --user ada --user bob --rules {}");
        let start = start.map(|request| (request.method, request.parts.join("/"), request.body));
        let body = json!({ "version": "3", "mode": "canary", "share": 5, "users": ["ada", "bob"], "rules": {} });
        assert_eq!(start, Some((Method::POST, "plan/rollout".to_owned(), Some(body))));
        for (line, path, body) in [
            ("set plan --share 25", "plan/rollout", Some(json!({ "share": 25 }))),
            ("set plan --no-rules", "plan/rollout", Some(json!({ "rules": null }))),
            ("pause plan", "plan/rollout", Some(json!({ "paused": true }))),
            ("resume plan", "plan/rollout", Some(json!({ "paused": false }))),
            ("promote plan", "plan/rollout/promote", None),
            ("abort plan", "plan/rollout/abort", None),
            ("show plan", "plan/rollout", None),
            ("samples plan --as-cases 5 --expect candidate", "plan/rollout/samples", None),
        ] {
            let found = request(line).map(|request| (request.parts.join("/"), request.body));
            assert_eq!(found, Some((path.to_owned(), body)), "{line}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused_before_anything_is_sent() {
        for line in [
            "start plan --plugin-version 3 --mode canary --share 101",
            "start plan --plugin-version 3 --mode both --share 1",
            "start plan --mode canary --share 1",
            "start plan --plugin-version 3 --mode canary --share 1 --rules no",
            "set plan",
            "set plan --rules {} --no-rules",
            "samples plan --expect candidate",
            "samples plan --as-cases 5 --expect both",
        ] {
            assert!(request(line).is_none(), "{line}");
        }
    }
}
