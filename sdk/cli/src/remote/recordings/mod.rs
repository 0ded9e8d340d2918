//! `claimsmith plugin record` and `recordings`: a server keeps the next calls of a plugin, redacted, and they are
//! listed, downloaded, stopped and deleted.

mod pull;

use super::{RECORDINGS, Remote, SuccessResponse, Usage, view};
use crate::terminal::{print_error, print_line};
use anyhow::Context as _;
use pull::PullArgs;
use reqwest::Method;
use serde_json::{Map, Value, json};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The most calls of one recording.
const MAX_COUNT: i64 = 1000;

/// The most days that a recording is kept.
const MAX_DAYS: i64 = 30;

/// How long a recording may wait for its calls.
const MAX_WAIT: Duration = Duration::from_hours(24);

/// How often `--wait` asks how far it is.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

#[derive(clap::Args)]
pub(crate) struct RecordArgs {
    /// The plugin's name.
    name: String,
    /// How many calls, at most 1000
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 50,
        value_parser = clap::value_parser!(u32).range(1..=MAX_COUNT),
    )]
    count: u32,
    /// When to end, even if there were fewer: at most 24h from now
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = humantime::parse_duration)]
    until: Duration,
    /// Only calls for tokens of this application
    #[arg(long = "application", value_name = "ID")]
    applications: Vec<String>,
    /// Only calls about this user
    #[arg(long = "user", value_name = "ID")]
    users: Vec<String>,
    /// Only calls that end like this
    #[arg(long = "outcome", value_name = "OUTCOME")]
    outcomes: Vec<Outcome>,
    /// Keep what other servers answered, redacted and without credentials
    #[arg(long)]
    keep_http: bool,
    /// Keep this member as it is, such as context.user.customData.plan: the plugin's settings must name it, too
    #[arg(long = "keep", value_name = "MEMBER")]
    members: Vec<String>,
    /// Days until it is deleted, at most 30 [default: 7]
    #[arg(long = "days", value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=MAX_DAYS))]
    days: Option<u32>,
    /// Wait until it has ended
    #[arg(long)]
    wait: bool,
}

/// How a call ends.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Outcome {
    Ok,
    Denied,
    Failed,
}

#[derive(clap::Subcommand)]
pub(crate) enum RecordingsCommand {
    /// List the recordings of a plugin, newest first.
    List {
        /// The plugin's name.
        name: String,
    },
    /// Show one recording.
    Show {
        /// The plugin's name.
        name: String,
        /// The recording's id.
        id: String,
    },
    /// Download the samples of a recording, for `claimsmith plugin replay`.
    Pull(PullArgs),
    /// End a recording now; what it has stays.
    Stop {
        /// The plugin's name.
        name: String,
        /// The recording's id.
        id: String,
    },
    /// Delete a recording with all its samples.
    Delete {
        /// The plugin's name.
        name: String,
        /// The recording's id.
        id: String,
    },
}

impl RecordArgs {
    /// The request; what is not named is the server's default.
    fn body(&self, now: SystemTime) -> Result<Value, Usage> {
        if self.until.is_zero() || self.until > MAX_WAIT {
            return Err(Usage::new("--until is at most 24h, and more than nothing"));
        }
        let end = now.checked_add(self.until).and_then(|end| end.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        let end = u64::try_from(end.as_millis()).unwrap_or(u64::MAX);
        let mut body = Map::from_iter([("count".to_owned(), json!(self.count)), ("until".to_owned(), json!(end))]);
        let outcomes: Vec<String> = self.outcomes.iter().map(|outcome| outcome.name().to_owned()).collect();
        let lists = [
            ("applications", &self.applications),
            ("users", &self.users),
            ("outcomes", &outcomes),
            ("keep", &self.members),
        ];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            body.insert(name.to_owned(), json!(list));
        }
        if self.keep_http {
            body.insert("keepHttp".to_owned(), json!(true));
        }
        if let Some(days) = self.days {
            body.insert("expiresInDays".to_owned(), json!(days));
        }
        Ok(Value::Object(body))
    }
}

impl Outcome {
    fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Denied => "denied",
            Self::Failed => "failed",
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a command runs once, at the time of its machine")]
fn now() -> SystemTime {
    SystemTime::now()
}

/// Starts a recording.
pub(crate) async fn record(remote: &Remote, args: &RecordArgs) -> anyhow::Result<()> {
    let name = args.name.as_str();
    let request = remote.request(Method::POST, &[name, "recordings"])?.json(&args.body(now())?);
    let mut answer = remote.ask(RECORDINGS, request).await?;
    let mut recording = answer.json()?;
    let id = recording.get("id").and_then(Value::as_str).context("the answer names no recording")?.to_owned();
    if args.wait {
        print_error(&format!("{name}: recording {id} waits for {} calls …", args.count));
        while !is_over(&recording) {
            tokio::time::sleep(POLL_INTERVAL).await;
            answer = one(remote, name, &id).await?;
            recording = answer.json()?;
        }
    }
    if remote.json {
        print_line(&answer.text);
        return Ok(());
    }
    print_line(&shown(&recording));
    print_error(&format!("To download it: claimsmith plugin recordings pull {name} {id}"));
    Ok(())
}

/// Lists, shows, downloads, stops or deletes recordings.
pub(crate) async fn run(remote: &Remote, command: &RecordingsCommand) -> anyhow::Result<()> {
    match command {
        RecordingsCommand::List { name } => list(remote, name).await,
        RecordingsCommand::Show { name, id } => print(remote, &one(remote, name, id).await?),
        RecordingsCommand::Pull(args) => pull::run(remote, args).await,
        RecordingsCommand::Stop { name, id } => {
            let request = remote.request(Method::POST, &[name, "recordings", id, "stop"])?;
            print(remote, &remote.ask(RECORDINGS, request).await?)
        }
        RecordingsCommand::Delete { name, id } => {
            remote.ask(RECORDINGS, remote.request(Method::DELETE, &[name, "recordings", id])?).await?;
            if !remote.json {
                print_line(&format!("recording {id} of {name} was deleted"));
            }
            Ok(())
        }
    }
}

async fn list(remote: &Remote, name: &str) -> anyhow::Result<()> {
    let answer = remote.get(&[name, "recordings"]).await?;
    if remote.json {
        print_line(&answer.text);
        return Ok(());
    }
    let recordings = answer.json()?;
    let rows: Vec<_> = view::items(&recordings).iter().map(row).collect();
    print_line(&view::table(&["ID", "STATE", "SAMPLES", "DROPPED", "STARTED", "EXPIRES", "BY"], &rows));
    Ok(())
}

fn row(recording: &Value) -> Vec<String> {
    let text = |pointer| view::text(recording, pointer);
    vec![
        text("/id"),
        text("/state"),
        text("/recorded"),
        text("/dropped"),
        view::time(recording, "/createdAt"),
        view::time(recording, "/expiresAt"),
        text("/createdBy"),
    ]
}

/// One recording.
async fn one(remote: &Remote, name: &str, id: &str) -> anyhow::Result<SuccessResponse> {
    remote.get(&[name, "recordings", id]).await
}

fn print(remote: &Remote, answer: &SuccessResponse) -> anyhow::Result<()> {
    print_line(&if remote.json { answer.text.clone() } else { shown(&answer.json()?) });
    Ok(())
}

fn is_over(recording: &Value) -> bool {
    recording.get("state").and_then(Value::as_str) != Some("recording")
}

fn shown(recording: &Value) -> String {
    let text = |pointer| view::text(recording, pointer);
    let mut lines = vec![
        ("id", text("/id")),
        ("state", text("/state")),
        ("samples", format!("{} of {}", text("/recorded"), text("/count"))),
        ("dropped", text("/dropped")),
        ("until", view::time(recording, "/until")),
    ];
    let filters = [
        ("applications", "/applications"),
        ("users", "/users"),
        ("outcomes", "/outcomes"),
        ("keep", "/keep"),
        ("keep HTTP", "/keepHttp"),
        ("problem", "/problem"),
    ];
    lines.extend(filters.map(|(name, pointer)| (name, text(pointer))).into_iter().filter(|(_, value)| value != "-"));
    lines.extend([
        ("started", view::time(recording, "/createdAt")),
        ("by", text("/createdBy")),
        ("ended", view::time(recording, "/endedAt")),
        ("expires", view::time(recording, "/expiresAt")),
    ]);
    view::pairs(&lines)
}

#[cfg(test)]
mod tests;
