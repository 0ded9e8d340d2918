//! `claimsmith plugin population-run`: runs a version over all users of a server, shows what differs, and downloads the
//! differences.

use super::lines::{self, PRIVATE, check_id};
use super::{RECORDINGS, Remote, SuccessResponse, Usage, view};
use crate::terminal::{print_error, print_line};
use anyhow::{Context as _, ensure};
use claimsmith_runtime::check_plugin_name;
use reqwest::Method;
use serde_json::{Map, Value, json};
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often `--wait` asks how far it is.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The most bytes of a page.
const MAX_PAGE_BYTES: usize = 64 << 20;

#[derive(clap::Subcommand)]
pub(crate) enum PopulationRunCommand {
    /// Start a run. The server goes on with it by itself, also after a restart.
    Start(StartArgs),
    /// Show a run with its progress, and what differs so far.
    Show(RunArgs),
    /// End a run; what it found so far stays.
    Cancel(RunArgs),
    /// Download the differences that a run found.
    Pull(PullArgs),
}

#[derive(clap::Args)]
pub(crate) struct StartArgs {
    /// The plugin's name.
    name: String,
    /// The version to try
    #[arg(long = "plugin-version", value_name = "VERSION")]
    version: String,
    /// What it is compared with
    #[arg(long, value_parser = ["active", "nothing"], default_value = "active")]
    against: String,
    /// The client id of the application whose tokens the users would get
    #[arg(long, value_name = "ID")]
    application: String,
    /// Only so many users, evenly spread [default: all]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(i64).range(1..))]
    sample: Option<i64>,
    /// The grant type [default: the usual one of the application]
    #[arg(long, value_name = "GRANT")]
    grant_type: Option<String>,
    /// Try the ID token, in place of the access token
    #[arg(long)]
    id_token: bool,
    /// The resource indicator of the token
    #[arg(long, value_name = "URL")]
    token_resource: Option<String>,
    /// The scopes of the token, separated by spaces
    #[arg(long, value_name = "SCOPES")]
    token_scope: Option<String>,
    /// Send HTTP requests, so many per second, in place of refusing them: needs plugins:grant
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=100))]
    http_per_second: Option<u32>,
    /// Wait until it has ended
    #[arg(long)]
    wait: bool,
}

#[derive(clap::Args)]
pub(crate) struct RunArgs {
    /// The plugin's name.
    name: String,
    /// The run's id [default: the newest one]
    id: Option<String>,
}

#[derive(clap::Args)]
pub(crate) struct PullArgs {
    #[command(flatten)]
    run: RunArgs,
    /// The folder to write to
    #[arg(long, value_name = "DIR", default_value = ".")]
    to: PathBuf,
}

impl StartArgs {
    /// The request; what is not named is the server's default.
    fn body(&self) -> Value {
        let mut body = Map::from_iter([
            ("version".to_owned(), json!(self.version)),
            ("against".to_owned(), json!(self.against)),
            ("application".to_owned(), json!(self.application)),
        ]);
        let texts = [("grantType", &self.grant_type), ("resource", &self.token_resource), ("scope", &self.token_scope)];
        for (name, text) in texts {
            if let Some(text) = text {
                body.insert(name.to_owned(), json!(text));
            }
        }
        if let Some(sample) = self.sample {
            body.insert("sample".to_owned(), json!(sample));
        }
        if self.id_token {
            body.insert("tokenKind".to_owned(), json!("id-token"));
        }
        if let Some(per_second) = self.http_per_second {
            body.insert("http".to_owned(), json!({ "perSecond": per_second }));
        }
        Value::Object(body)
    }
}

/// Starts, shows, cancels or downloads a run.
pub(crate) async fn run(remote: &Remote, command: &PopulationRunCommand) -> anyhow::Result<()> {
    match command {
        PopulationRunCommand::Start(args) => start(remote, args).await,
        PopulationRunCommand::Show(args) => {
            let id = id_of(remote, args).await?;
            print(remote, &one(remote, &args.name, &id).await?)
        }
        PopulationRunCommand::Cancel(args) => {
            let id = id_of(remote, args).await?;
            let request = remote.request(Method::POST, &[&args.name, "population-runs", &id, "cancel"])?;
            print(remote, &remote.ask(RECORDINGS, request).await?)
        }
        PopulationRunCommand::Pull(args) => pull(remote, args).await,
    }
}

async fn start(remote: &Remote, args: &StartArgs) -> anyhow::Result<()> {
    let name = args.name.as_str();
    let request = remote.request(Method::POST, &[name, "population-runs"])?.json(&args.body());
    let mut answer = remote.ask(RECORDINGS, request).await?;
    let mut run = answer.json()?;
    let id = run.get("id").and_then(Value::as_str).context("the answer names no run")?.to_owned();
    if args.wait {
        print_error(&format!("{name}: run {id} is under way …"));
        while run.get("state").and_then(Value::as_str) == Some("running") {
            tokio::time::sleep(POLL_INTERVAL).await;
            answer = one(remote, name, &id).await?;
            run = answer.json()?;
        }
    }
    print(remote, &answer)?;
    if !remote.json && !args.wait {
        print_error(&format!("To see how far it is: claimsmith plugin population-run show {name} {id}"));
    }
    Ok(())
}

/// The run that was named, or the one that was started last.
async fn id_of(remote: &Remote, RunArgs { name, id }: &RunArgs) -> anyhow::Result<String> {
    if let Some(id) = id {
        return Ok(id.clone());
    }
    let runs = remote.get(&[name, "population-runs"]).await?.json()?;
    let started = |run: &&Value| run.get("createdAt").and_then(Value::as_i64);
    let newest = view::items(&runs).iter().max_by_key(started);
    let id = newest.and_then(|run| run.get("id")).and_then(Value::as_str);
    id.map(str::to_owned)
        .with_context(|| format!("{name} was not run over all users: claimsmith plugin population-run start {name}"))
}

/// One run.
async fn one(remote: &Remote, name: &str, id: &str) -> anyhow::Result<SuccessResponse> {
    remote.get(&[name, "population-runs", id]).await
}

async fn pull(remote: &Remote, args: &PullArgs) -> anyhow::Result<()> {
    let name = args.run.name.as_str();
    check_plugin_name(name).map_err(|error| Usage::new(error.to_string()))?;
    let id = id_of(remote, &args.run).await?;
    check_id(&id, "run")?;
    fs::create_dir_all(&args.to).with_context(|| format!("{} cannot be made", args.to.display()))?;
    let path = args.to.join(format!("{name}-{id}.differences.ndjson"));
    let part = args.to.join(format!(".{name}-{id}.differences.ndjson.part"));
    let count = match download(remote, (name, &id), &part).await {
        Ok(count) => count,
        Err(error) => {
            let _ = fs::remove_file(&part);
            return Err(error);
        }
    };
    fs::rename(&part, &path).with_context(|| format!("{} cannot be written", path.display()))?;
    print_line(&if remote.json {
        json!({ "file": path.display().to_string(), "id": id, "differences": count }).to_string()
    } else {
        format!("{}: {count} differences", path.display())
    });
    Ok(())
}

/// Writes all differences to a file, and returns how many there are.
async fn download(remote: &Remote, (name, id): (&str, &str), part: &Path) -> anyhow::Result<usize> {
    let written = || format!("{} cannot be written", part.display());
    let mut file = fresh(part).with_context(written)?;
    let (mut count, mut last) = (0, 0);
    loop {
        let (page, is_last) = page(remote, name, id, last).await?;
        let before = count;
        for line in page.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            last = number(line, last).with_context(|| format!("difference {} of the server", count + 1))?;
            file.write_all(&[line, b"\n"].concat()).with_context(written)?;
            count += 1;
        }
        if is_last || count == before {
            file.sync_all().with_context(written)?;
            return Ok(count);
        }
    }
}

/// A file that was not there before: neither a link, nor one that others may read already.
fn fresh(path: &Path) -> std::io::Result<File> {
    if let Err(error) = fs::remove_file(path)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return Err(error);
    }
    OpenOptions::new().write(true).create_new(true).mode(PRIVATE).open(path)
}

/// The differences after a number, as many as the server gives at once, and whether these are the last ones.
async fn page(remote: &Remote, name: &str, id: &str, after: u64) -> anyhow::Result<(Vec<u8>, bool)> {
    let request = remote.request(Method::GET, &[name, "population-runs", id, "differences"])?;
    let request = request.query(&[("after", after), ("page_size", 100)]);
    lines::page(remote, request, MAX_PAGE_BYTES, "the connection broke before the answer was complete").await
}

/// The number of a difference, which is more than the one before: a server that repeats itself would never end.
fn number(line: &[u8], before: u64) -> anyhow::Result<u64> {
    let difference: Value = serde_json::from_slice(line).context("it is not JSON")?;
    let number = difference.get("number").and_then(Value::as_u64).context("it has no number")?;
    ensure!(number > before, "its number {number} does not follow {before}");
    Ok(number)
}

fn print(remote: &Remote, answer: &SuccessResponse) -> anyhow::Result<()> {
    print_line(&if remote.json { answer.text.clone() } else { shown(&answer.json()?) });
    Ok(())
}

/// The run in words, with its table.
fn shown(run: &Value) -> String {
    let text = |pointer| view::text(run, pointer);
    let against = if run.get("against").is_some_and(Value::is_string) {
        format!("version {}", text("/against"))
    } else {
        "no plugin".to_owned()
    };
    let mut lines = vec![
        ("id", text("/id")),
        ("state", text("/state")),
        ("version", format!("{}, compared with {against}", text("/version"))),
        ("application", text("/application")),
        ("users", format!("{} of {} compared", text("/compared"), text("/users"))),
        ("without token", text("/skipped")),
        ("HTTP requests", format!("{} sent, {} refused", text("/httpSent"), text("/httpRefused"))),
        ("differences", format!("{} kept, {} not", text("/differences"), text("/dropped"))),
        ("started", view::time(run, "/createdAt")),
        ("by", text("/createdBy")),
        ("ended", view::time(run, "/endedAt")),
        ("expires", view::time(run, "/expiresAt")),
    ];
    if run.get("problem").is_some_and(Value::is_string) {
        lines.push(("problem", text("/problem")));
    }
    let rows = |pointer: &str, members: &[&str]| -> Vec<Vec<String>> {
        let found = run.pointer(pointer).map(view::items).unwrap_or_default();
        found.iter().map(|row| members.iter().map(|member| view::text(row, member)).collect()).collect()
    };
    let mut parts = vec![view::pairs(&lines)];
    let answers = rows("/results/classes", &["/class", "/count", "/share"]);
    if !answers.is_empty() {
        parts.push(view::table(&["ANSWERS", "COUNT", "PERCENT"], &answers));
    }
    let claims = rows("/results/claims", &["/name", "/added", "/removed", "/changed", "/noise"]);
    if !claims.is_empty() {
        parts.push(view::table(&["CLAIM", "ADDED", "REMOVED", "CHANGED", "NOISE"], &claims));
    }
    parts.join("\n\n")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::{fresh, fs, json, number, shown};
    use std::io::Write as _;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_link_is_replaced_and_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (part, other) = (folder.path().join("part"), folder.path().join("other"));
        fs::write(&other, "something else").unwrap();
        std::os::unix::fs::symlink(&other, &part).unwrap();
        fresh(&part).unwrap().write_all(b"differences").unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "something else");
        assert_eq!(fs::metadata(&part).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_run_is_shown_with_its_table() {
        let run = json!({
            "id": "r1", "state": "complete", "version": "4", "against": "3", "application": "web", "users": 100,
            "compared": 90, "skipped": 10, "httpSent": 0, "httpRefused": 7, "differences": 5, "dropped": 0,
            "createdAt": 1, "createdBy": "ada", "endedAt": 2, "expiresAt": 3, "problem": null,
            "results": {
                "classes": [{ "class": "equal", "count": 85, "share": 94.4 }],
                "claims": [{ "name": "plan", "added": 0, "removed": 0, "changed": 5, "noise": 0 }],
            },
        });
        let text = shown(&run);
        for part in ["compared with version 3", "90 of 100 compared", "7 refused", "ANSWERS", "equal", "plan"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let alone = json!({ "id": "r1", "state": "running", "version": "4", "against": null, "results": null });
        let text = shown(&alone);
        assert!(text.contains("no plugin") && !text.contains("ANSWERS"), "{text}");
    }

    #[test]
    fn what_a_server_repeats_or_makes_up_is_refused() {
        assert_eq!(number(b"{\"number\":3}", 2).unwrap(), 3);
        assert_eq!(number(b"{\"number\":2}", 2).unwrap_err().to_string(), "its number 2 does not follow 2");
        assert_eq!(number(b"{}", 0).unwrap_err().to_string(), "it has no number");
    }
}
