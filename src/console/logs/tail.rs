//! The entries as they come: a page that a script keeps growing, and without it can be loaded again.

use super::entry::Entry;
use super::filter::Filter;
use crate::answer::show;
use crate::api::StreamPermit;
use crate::caller::{Caller, segment};
use crate::event_stream;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::names::Names;
use crate::section::Section;
use askama::Template;
use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use std::collections::HashSet;
use std::convert::Infallible;
use std::time::Duration;

/// Entries that the page begins with.
const FIRST_ENTRIES: u64 = 25;
/// How long there is between two looks.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// How often it is looked: for five minutes. The browser asks anew then, with a session that is still good.
const MAX_POLLS: u32 = 150;
/// Every so many looks ask for the entries, though the newest one is the same: another may have come at the same time.
const LOOKS_AT_ALL: u32 = 5;
/// Entries of a look, as many as the API gives.
const PAGE: u64 = 100;

#[derive(Template)]
#[template(path = "logs/live.html")]
struct LivePage {
    frame: Frame,
    filter: Filter,
    names: Names,
    /// The oldest first.
    entries: Vec<Entry>,
}

impl LivePage {
    fn line(&self, entry: &Entry) -> String {
        line(entry, &self.names)
    }

    /// Where the entries after the last one come from.
    fn source(&self) -> String {
        let after = self.entries.last().map(|entry| format!("&after={}", segment(&entry.id))).unwrap_or_default();
        format!("/console/logs/events?{}{after}", self.filter.query())
    }
}

pub(super) async fn show_live(caller: Caller) -> Result<Response, Failure> {
    let filter = Filter::read(&caller);
    let path = filter.path(&caller).await;
    let mut entries: Vec<Entry> = caller.get(&format!("{path}&page=1&page_size={FIRST_ENTRIES}")).await?;
    entries.reverse();
    let names = names(&caller, &entries).await;
    show(&caller, &LivePage { frame: Frame::new(&caller, Section::Logs), filter, names, entries })
}

/// What is known of the entries that were sent.
struct SentEntries {
    caller: Caller,
    path: String,
    /// From this time on there may be others.
    since: Option<i64>,
    /// Those of the last look.
    sent: HashSet<String>,
    /// The newest entry of the log at the last look.
    newest: Option<String>,
    looks: u32,
    _permit: StreamPermit,
}

pub(super) async fn stream_events(caller: Caller) -> Result<Response, Failure> {
    let Some(permit) = caller.console().api.open_stream(caller.operator()) else {
        let message = "Too many live views are open. Close one, and try again.";
        return Err(Failure::page(&caller, StatusCode::TOO_MANY_REQUESTS, message));
    };
    let path = Filter::read(&caller).path(&caller).await;
    // A browser that connects again says what it had last.
    let last = caller.headers().get("last-event-id").and_then(|id| id.to_str().ok());
    let last = last.or(caller.query("after")).map(str::to_owned);
    let mut tail =
        SentEntries { caller, path, since: None, sent: HashSet::new(), newest: None, looks: 0, _permit: permit };
    match last {
        Some(id) => {
            let entry: Entry = tail.caller.get(&format!("/api/logs/{}", segment(&id))).await?;
            tail.since = Some(entry.created_at);
            tail.sent.insert(id);
        }
        // Everything from the newest one on.
        None => drop(tail.look().await?),
    }
    // Whoever compresses it asks once more after the end.
    let events = stream::unfold(tail, advance).fuse();
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, Body::from_stream(events)).into_response())
}

async fn advance(mut tail: SentEntries) -> Option<(Result<Bytes, Infallible>, SentEntries)> {
    if tail.looks == MAX_POLLS {
        return None;
    }
    if tail.looks > 0 {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    tail.looks += 1;
    // Who may not look any more, or meets a server that cannot answer, gets no more; the browser asks again.
    let newest = tail.caller.console().api.newest_entry(tail.caller.operator()).await;
    let is_same = newest.is_some() && newest == tail.newest && !tail.looks.is_multiple_of(LOOKS_AT_ALL);
    tail.newest = newest;
    let entries = if is_same { Vec::new() } else { tail.look().await.ok()? };
    let names = names(&tail.caller, &entries).await;
    let mut events: String = entries.iter().map(|entry| event(entry, &names)).collect();
    if events.is_empty() {
        // Keeps the connection, and finds out whether somebody still reads.
        event_stream::NOTHING.clone_into(&mut events);
    }
    Some((Ok(events.into()), tail))
}

impl SentEntries {
    /// The entries since the last look, the oldest first.
    async fn look(&mut self) -> Result<Vec<Entry>, Failure> {
        let since = self.since.map(|since| format!("&start_time={since}")).unwrap_or_default();
        let mut entries: Vec<Entry> = self.caller.get(&format!("{}{since}&page=1&page_size={PAGE}", self.path)).await?;
        entries.reverse();
        let seen = entries.iter().map(|entry| entry.id.clone()).collect();
        entries.retain(|entry| !self.sent.contains(&entry.id));
        if let Some(last) = entries.last() {
            self.since = Some(last.created_at);
            self.sent = seen;
        }
        Ok(entries)
    }
}

async fn names(caller: &Caller, entries: &[Entry]) -> Names {
    let users = entries.iter().flat_map(|entry| entry.ids().0);
    Names::load(caller, users, entries.iter().map(|entry| entry.ids().1)).await
}

/// An entry as a line of text.
fn line(entry: &Entry, names: &Names) -> String {
    let result = if entry.is_error() { format!(" — {}", entry.error()) } else { String::new() };
    let subject = match entry.subject_id() {
        "" => String::new(),
        user => format!(" → {}", names.of(user)),
    };
    let time = crate::time::iso(entry.created_at);
    let time = time.split_once('T').map_or("", |(_, time)| time.trim_end_matches('Z'));
    format!("{time} {} {}{subject}{result}", entry.key, entry.who(names)).replace(['\r', '\n'], " ")
}

fn event(entry: &Entry, names: &Names) -> String {
    event_stream::event(&entry.id, &line(entry, names))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_event_is_one_line_whatever_the_entry_holds() {
        let payload = json!({ "userId": "u\n\ndata: x", "byUserId": "op", "result": "Error", "error": "a\nb" });
        let entry = Entry { id: "e".into(), key: "K".into(), payload, created_at: 1_795_257_406_000 };
        assert_eq!(event(&entry, &Names::default()), "id: e\ndata: 10:36:46 K op → u  data: x — a b\n\n");
    }
}
