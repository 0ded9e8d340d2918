//! `/console/plugins/{name}/log`: the log of a plugin, by page or live.

use crate::answer::show;
use crate::caller::Caller;
use crate::event_stream;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::list::List;
use crate::plugins::model::Plugin;
use crate::plugins::{api, page, read};
use crate::section::Section;
use askama::Template;
use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use bytes::Bytes;
use claimsmith_api::plugins::LineView;
use futures_util::StreamExt;
use std::convert::Infallible;

/// Maximum size of an incomplete event, in bytes; log lines are far shorter.
const MAX_EVENT_BYTES: usize = 256 * 1024;

/// What screens say of a log line.
trait LineFacts {
    /// The CSS class of its level.
    fn class(&self) -> &'static str;
}

impl LineFacts for LineView {
    fn class(&self) -> &'static str {
        match self.level.as_str() {
            "error" => "bad",
            "warn" => "warn",
            _ => "",
        }
    }
}

#[derive(Template)]
#[template(path = "plugins/log.html")]
struct LogPage {
    frame: Frame,
    plugin: Plugin,
    lines: List<LineView>,
    level: String,
    request: String,
    /// Whether the lines are those of the shadow of a rollout.
    is_shadow: bool,
}

impl LogPage {
    fn live(&self) -> String {
        let shadow = if self.is_shadow { "?shadow=true" } else { "" };
        page(&self.plugin.name, &format!("log/live{shadow}"))
    }
}

/// The query parameters that the paged and the live log share.
fn filters(caller: &Caller) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, wanted) in [("level", "level"), ("requestId", "request"), ("shadow", "shadow")] {
        let wanted = caller.query(wanted);
        if let Some(wanted) = wanted {
            query.append_pair(name, wanted);
        }
    }
    query.finish()
}

pub(super) async fn show_log(caller: Caller, Path(name): Path<String>) -> Result<Response, Failure> {
    let plugin = read(&caller, &name).await?;
    let path = format!("{}/logs?{}", api(&name), filters(&caller));
    let lines = caller.list(path.trim_end_matches('?'), caller.paging()).await?;
    let query = |name: &str| caller.query(name).unwrap_or_default().to_owned();
    let (level, request, is_shadow) = (query("level"), query("request"), caller.query("shadow") == Some("true"));
    let frame = Frame::new(&caller, Section::Plugins);
    show(&caller, &LogPage { frame, plugin, lines, level, request, is_shadow })
}

/// The live log. The API ends the stream after half an hour; browsers reconnect with the last event id.
pub(super) async fn follow_log(caller: Caller, Path(name): Path<String>) -> Result<Response, Failure> {
    let path = format!("{}/logs?{}", api(&name), filters(&caller));
    let last = caller.headers().get("last-event-id").and_then(|id| id.to_str().ok());
    let mut headers = vec![("accept", "text/event-stream")];
    headers.extend(last.map(|last| ("last-event-id", last)));
    let answer = caller.send(Method::GET, path.trim_end_matches('?'), None, &headers).await?;
    let mut rest = Vec::new();
    let lines = answer.into_body().into_data_stream().map(move |chunk| {
        rest.extend_from_slice(&chunk.unwrap_or_default());
        Ok::<_, Infallible>(Bytes::from(events(&mut rest)))
    });
    let mut response = Response::new(Body::from_stream(lines));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Converts complete events to lines of text. An incomplete event stays in the buffer.
fn events(rest: &mut Vec<u8>) -> String {
    let mut told = String::new();
    while let Some(end) = rest.windows(2).position(|pair| pair == b"\n\n") {
        let event: Vec<u8> = rest.drain(..end + 2).collect();
        let event = String::from_utf8_lossy(&event);
        let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        match field("data:").and_then(|data| claimsmith_json::read::<LineView>(data, claimsmith_json::INCOMING).ok()) {
            Some(line) => {
                let time = crate::time::iso(line.created_at);
                let request = line.request_id.map(|request| format!("  request {request}")).unwrap_or_default();
                // A message may contain several lines; they stay within one event.
                let text = format!("{time}  {:5}  {}{request}", line.level, line.message);
                told.push_str(&event_stream::event(field("id:").unwrap_or_default(), &text));
            }
            // Keeps the connection open.
            None => told.push_str(event_stream::NOTHING),
        }
    }
    if rest.len() > MAX_EVENT_BYTES {
        rest.clear();
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_told_when_they_are_whole() {
        let line = r#"{"id":"7","createdAt":1795257406000,"level":"warn","message":"a\nb","requestId":"r1"}"#;
        let mut rest = format!(":\n\nid: 7\nevent: log\ndata: {line}\n\nid: 8\n").into_bytes();
        let told = events(&mut rest);
        assert_eq!(told, ":\n\nid: 7\ndata: 2026-11-21T10:36:46Z  warn   a\ndata: b  request r1\n\n");
        assert_eq!(rest, b"id: 8\n");
        // A CR ends a line for a browser, but not for every parser.
        let forged = r#"{"id":"8","createdAt":0,"level":"info","message":"a\r\rid: 9\rdata: forged\r\r"}"#;
        let mut rest = format!("id: 8\nevent: log\ndata: {forged}\n\n").into_bytes();
        let told = events(&mut rest);
        assert!(!told.contains('\r') && told.matches("\n\n").count() == 1, "{told:?}");
        assert!(told.ends_with("\ndata: id: 9\ndata: data: forged\ndata: \ndata: \n\n"), "{told:?}");
    }
}
