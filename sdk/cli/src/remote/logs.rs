//! `claimsmith plugin logs`: prints a plugin's log, and with `--follow` new lines as they are written. The stream is
//! opened before past lines are read, so that no line is missed; a broken connection is resumed at the last line.

use super::{READ, Remote, ServerRefusal, view};
use crate::terminal::{print_error, try_print_line};
use futures_util::StreamExt;
use reqwest::{Body, Method, RequestBuilder, StatusCode, header};
use serde_json::Value;
use serde_json::value::RawValue;
use sse_stream::{Sse, SseStream};
use std::collections::HashSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The most lines that one page of the API holds.
const PAGE_LINES: usize = 100;
/// How long to wait before a broken connection is opened again.
const RECONNECT_DELAY: Duration = Duration::from_secs(1);

#[derive(clap::Args)]
pub(crate) struct LogsArgs {
    /// The plugin's name.
    name: String,
    /// Keep printing new lines as they are written
    #[arg(long, short)]
    follow: bool,
    /// Lines of this level and of more severe ones
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// Lines that are not older than this, such as 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    since: Option<Duration>,
    /// Only lines of this request
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
    /// Lines that the shadow of a rollout wrote, in place of the plugin's own
    #[arg(long)]
    shadow: bool,
    /// The most lines of the past
    #[arg(long, value_name = "NUMBER", default_value_t = PAGE_LINES)]
    limit: usize,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Level {
    Debug,
    Info,
    Warn,
    Error,
}

impl LogsArgs {
    /// New lines only, after the few past lines that the server sends first.
    pub(crate) fn following(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            follow: true,
            level: None,
            since: None,
            request_id: None,
            shadow: false,
            limit: 0,
        }
    }
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

pub(crate) async fn run(mut remote: Remote, args: &LogsArgs) -> anyhow::Result<()> {
    if !args.follow {
        return print_past(&remote, &past(&remote, args).await?);
    }
    let mut seen = SeenLines::default();
    let mut stream = open(&remote, args, None).await?;
    for line in past(&remote, args).await?.iter().rev() {
        let value = serde_json::from_str(line.get())?;
        seen.ids.insert(view::text(&value, "/id"));
        print(&remote, &value, line.get())?;
    }
    loop {
        if let Err(error) = follow(&remote, &mut stream, &mut seen).await? {
            print_error(&format!("claimsmith: the log stream was interrupted, connecting again: {error}"));
        }
        stream = reopen(&mut remote, args, &seen).await?;
    }
}

/// Lines that were printed already.
#[derive(Default)]
struct SeenLines {
    /// Lines of the past, which the stream may bring again.
    ids: HashSet<String>,
    last: Option<String>,
}

/// Prints the stream until it ends; the outer error is this command's, the inner one the connection's.
async fn follow(
    remote: &Remote,
    stream: &mut SseStream<Body>,
    seen: &mut SeenLines,
) -> anyhow::Result<Result<(), sse_stream::Error>> {
    while let Some(event) = stream.next().await {
        let Sse { event, data, id, .. } = match event {
            Ok(event) => event,
            Err(error) => return Ok(Err(error)),
        };
        let is_line = event.is_none_or(|name| matches!(name.as_str(), "log" | ""));
        let Some(data) = data.filter(|_| is_line) else { continue };
        let is_new = id.as_ref().is_none_or(|id| !seen.ids.contains(id));
        seen.last = id.filter(|id| !id.is_empty()).or_else(|| seen.last.take());
        if is_new {
            // A line that cannot be read is shown as it came.
            let value = serde_json::from_str(&data).unwrap_or_else(|_| Value::from(data.as_str()));
            print(remote, &value, &data)?;
        }
    }
    Ok(Ok(()))
}

async fn open(remote: &Remote, args: &LogsArgs, last: Option<&str>) -> anyhow::Result<SseStream<Body>> {
    let mut request = filtered(remote, args)?.header(header::ACCEPT, "text/event-stream");
    if let Some(last) = last {
        request = request.header("last-event-id", last);
    }
    Ok(SseStream::new(remote.open(READ, request).await?.into()))
}

/// Opens the stream again, and retries until it succeeds. A refusal ends the command, unless the token has expired or
/// the server is busy.
async fn reopen(remote: &mut Remote, args: &LogsArgs, seen: &SeenLines) -> anyhow::Result<SseStream<Body>> {
    let mut renewed = false;
    loop {
        tokio::time::sleep(RECONNECT_DELAY).await;
        let error = match open(remote, args, seen.last.as_deref()).await {
            Ok(stream) => return Ok(stream),
            Err(error) => error,
        };
        match error.downcast_ref::<ServerRefusal>().map(|refusal| refusal.status) {
            // Not reached: it may be starting again.
            None => {}
            Some(status) if status.is_server_error() => {}
            Some(StatusCode::UNAUTHORIZED) if !renewed => {
                renewed = true;
                if !remote.renew().await? {
                    return Err(error);
                }
            }
            Some(_) => return Err(error),
        }
    }
}

/// The newest past lines within the filters, newest first, as the server wrote them.
async fn past(remote: &Remote, args: &LogsArgs) -> anyhow::Result<Vec<Box<RawValue>>> {
    let mut lines: Vec<Box<RawValue>> = Vec::new();
    // Computed once, so that all pages have the same time window.
    let from = args.since.map(|since| {
        let now = now().duration_since(UNIX_EPOCH).unwrap_or_default();
        now.saturating_sub(since).as_millis().to_string()
    });
    let size = args.limit.clamp(1, PAGE_LINES);
    for page in 1.. {
        if lines.len() >= args.limit {
            break;
        }
        let mut request = filtered(remote, args)?.query(&[("page", page), ("page_size", size)]);
        if let Some(from) = &from {
            request = request.query(&[("from", from)]);
        }
        let answer = remote.ask(READ, request).await?;
        let found: Vec<Box<RawValue>> = serde_json::from_str(&answer.text)?;
        let is_last = found.len() < size;
        lines.extend(found);
        if is_last {
            break;
        }
    }
    lines.truncate(args.limit);
    Ok(lines)
}

#[expect(clippy::disallowed_methods, reason = "a command runs once, at the time of its machine")]
fn now() -> SystemTime {
    SystemTime::now()
}

fn filtered(remote: &Remote, args: &LogsArgs) -> anyhow::Result<RequestBuilder> {
    let mut request = remote.request(Method::GET, &[&args.name, "logs"])?;
    if let Some(level) = args.level {
        request = request.query(&[("level", level.name())]);
    }
    if let Some(id) = &args.request_id {
        request = request.query(&[("requestId", id)]);
    }
    if args.shadow {
        request = request.query(&[("shadow", "true")]);
    }
    Ok(request)
}

fn print_past(remote: &Remote, lines: &[Box<RawValue>]) -> anyhow::Result<()> {
    if remote.json {
        return Ok(try_print_line(&serde_json::to_string(lines)?)?);
    }
    for line in lines.iter().rev() {
        print(remote, &serde_json::from_str(line.get())?, line.get())?;
    }
    Ok(())
}

fn print(remote: &Remote, value: &Value, json: &str) -> anyhow::Result<()> {
    Ok(if remote.json { try_print_line(json) } else { try_print_line(&shown(value)) }?)
}

/// One line of the log as text.
fn shown(line: &Value) -> String {
    let (time, level) = (view::time(line, "/createdAt"), view::text(line, "/level"));
    let request = match line.get("requestId").and_then(Value::as_str) {
        Some(_) => format!("  request {}", view::text(line, "/requestId")),
        None => String::new(),
    };
    format!("{time}  {level:<5}  {}{request}", view::text(line, "/message"))
}

#[cfg(test)]
mod tests {
    use super::shown;
    use serde_json::json;

    #[test]
    fn a_line_shows_when_how_what_and_for_which_request() {
        let line = json!({ "createdAt": 0, "level": "info", "message": "a\nb", "requestId": "r1" });
        assert_eq!(shown(&line), "1970-01-01T00:00:00.000Z  info   a\\nb  request r1");
        let line = json!({ "createdAt": 0, "level": "error", "message": "x", "requestId": null });
        assert_eq!(shown(&line), "1970-01-01T00:00:00.000Z  error  x");
    }
}
