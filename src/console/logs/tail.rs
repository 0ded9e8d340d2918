//! The live view of the audit log: a script appends new entries; without scripts, the page can be reloaded.

use super::entry::EntryFacts;
use super::filter::Filter;
use super::position::Position;
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
use claimsmith_api::logs::LogView;
use futures_util::{StreamExt, stream};
use std::convert::Infallible;
use std::time::Duration;

/// Entries on the initial page.
const FIRST_ENTRIES: u64 = 25;
/// Delay between two polls.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// Polls per stream, which makes five minutes. The browser then reconnects, and its session is checked again.
const MAX_POLLS: u32 = 150;
/// Entries per API call, the API's maximum.
const PAGE: u64 = 100;

#[derive(Template)]
#[template(path = "logs/live.html")]
struct LivePage {
    frame: Frame,
    filter: Filter,
    names: Names,
    /// The oldest first.
    entries: Vec<LogView>,
}

impl LivePage {
    fn line(&self, entry: &LogView) -> String {
        line(entry, &self.names)
    }

    /// The URL of the event stream, from the last entry on.
    fn source(&self) -> String {
        let after = self.entries.last().map(|entry| format!("&after={}", segment(&entry.id))).unwrap_or_default();
        format!("/console/logs/events?{}{after}", self.filter.query())
    }
}

pub(super) async fn show_live(caller: Caller) -> Result<Response, Failure> {
    let filter = Filter::read(&caller);
    let path = filter.path(&caller).await;
    let mut entries: Vec<LogView> = caller.get(&format!("{path}&page=1&page_size={FIRST_ENTRIES}")).await?;
    entries.reverse();
    let names = names(&caller, &entries).await;
    show(&caller, &LivePage { frame: Frame::new(&caller, Section::Logs), filter, names, entries })
}

/// An open live view.
struct OpenView {
    caller: Caller,
    /// Resolved to ids.
    filter: Filter,
    position: Position,
    polls: u32,
    _permit: StreamPermit,
}

pub(super) async fn stream_events(caller: Caller) -> Result<Response, Failure> {
    let Some(permit) = caller.console().api.open_stream(caller.operator()) else {
        let message = "Too many live views are open. Close one, and try again.";
        return Err(Failure::page(&caller, StatusCode::TOO_MANY_REQUESTS, message));
    };
    let filter = Filter::read(&caller).with_ids(&caller).await;
    // A reconnecting browser sends the id of the last event it received.
    let last = caller.headers().get("last-event-id").and_then(|id| id.to_str().ok());
    let last = last.or(caller.query("after")).map(str::to_owned);
    let position = match last {
        Some(id) => Position::behind(&[caller.get(&format!("/api/logs/{}", segment(&id))).await?]),
        None => Position::behind(&caller.get::<Vec<_>>(&newest(&filter, None)).await?),
    };
    let view = OpenView { caller, filter, position, polls: 0, _permit: permit };
    // Fused, because a compressing layer may poll the stream again after its end.
    let events = stream::unfold(view, advance).fuse();
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, Body::from_stream(events)).into_response())
}

async fn advance(mut view: OpenView) -> Option<(Result<Bytes, Infallible>, OpenView)> {
    if view.polls == MAX_POLLS {
        return None;
    }
    if view.polls > 0 {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    view.polls += 1;
    // The stream ends if the operator lost access or the server cannot answer; the browser reconnects.
    let entries = view.poll().await.ok()?;
    let names = names(&view.caller, &entries).await;
    let mut events: String = entries.iter().map(|entry| event(entry, &names)).collect();
    if events.is_empty() {
        // Keeps the connection open, and detects a closed one.
        event_stream::NOTHING.clone_into(&mut events);
    }
    Some((Ok(events.into()), view))
}

impl OpenView {
    /// The entries since the last poll, oldest first. Uses the shared entries unless they do not reach back far enough.
    async fn poll(&mut self) -> Result<Vec<LogView>, Failure> {
        let recent = self.caller.console().api.recent_entries(self.caller.operator()).await;
        let since = self.position.newest;
        let own: Vec<LogView>;
        let entries = match &recent {
            Some(recent) if recent.has_all_since(since) => &recent.entries,
            _ => {
                own = self.caller.get(&newest(&self.filter, Some(since))).await?;
                &own
            }
        };
        let is_wanted = |entry: &&LogView| self.position.is_new(entry) && self.filter.matches(entry);
        let wanted = entries.iter().rev().filter(is_wanted).cloned().collect();
        self.position.advance(entries, recent.as_ref().map_or(since, |recent| recent.newest()));
        Ok(wanted)
    }
}

/// The path of the newest entries of a filter resolved to ids, from a start time on.
fn newest(filter: &Filter, since: Option<i64>) -> String {
    format!("{}&page=1&page_size={PAGE}", filter.path_since(since))
}

async fn names(caller: &Caller, entries: &[LogView]) -> Names {
    let users = entries.iter().flat_map(|entry| entry.ids().0);
    Names::load(caller, users, entries.iter().map(|entry| entry.ids().1)).await
}

/// An entry as one line of text.
fn line(entry: &LogView, names: &Names) -> String {
    let result = if entry.is_error() { format!(" — {}", entry.error()) } else { String::new() };
    let subject = match entry.subject_id() {
        "" => String::new(),
        user => format!(" → {}", names.of(user)),
    };
    let time = crate::time::iso(entry.created_at);
    let time = time.split_once('T').map_or("", |(_, time)| time.trim_end_matches('Z'));
    format!("{time} {} {}{subject}{result}", entry.key, entry.who(names)).replace(['\r', '\n'], " ")
}

fn event(entry: &LogView, names: &Names) -> String {
    event_stream::event(&entry.id, &line(entry, names))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_event_is_one_line_whatever_the_entry_holds() {
        let payload = json!({ "userId": "u\n\ndata: x", "byUserId": "op", "result": "Error", "error": "a\nb" });
        let entry = LogView::new("e", "K", payload, 1_795_257_406_000);
        assert_eq!(event(&entry, &Names::default()), "id: e\ndata: 10:36:46 K op → u  data: x — a b\n\n");
    }
}
