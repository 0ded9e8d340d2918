//! Exports the filtered entries as a file, read page by page while the response is sent.

use super::entry::EntryFacts;
use super::filter::Filter;
use crate::caller::Caller;
use crate::csv::cell;
use crate::failure::Failure;
use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use claimsmith_api::logs::LogView;
use futures_util::stream;
use std::io;

/// Entries per API call, the API's maximum.
const PAGE: u64 = 100;
/// Maximum number of pages in a file, which is what the list counts.
const MAX_PAGES: u64 = 100;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Csv,
    Jsonl,
}

/// The state of a running export.
struct ExportReader {
    caller: Caller,
    /// The path of the list, up to the newest entry of the first page: newer entries would shift the pages.
    path: String,
    format: Format,
    /// The next page; none after the last one.
    page: Option<u64>,
    /// Entries that were read but not sent yet.
    ready: Option<Vec<LogView>>,
}

pub(super) async fn export(caller: Caller) -> Result<Response, Failure> {
    let format = if caller.query("format") == Some("csv") { Format::Csv } else { Format::Jsonl };
    let filter = Filter::read(&caller);
    let path = filter.path(&caller).await;
    // The first page is read before the response starts, so that a refusal is shown as a page instead of a broken file.
    let first = read(&caller, &path, 1).await?;
    let until = first.first().filter(|_| !path.contains("end_time=")).map(|entry| entry.created_at);
    let path = until.map_or(path.clone(), |until| format!("{path}&end_time={until}"));
    let page = (first.len() as u64 == PAGE).then_some(2);
    let reader = ExportReader { caller, path, format, page, ready: Some(first) };
    let lines = stream::try_unfold(reader, advance);
    let head = stream::iter((format == Format::Csv).then(|| Ok(Bytes::from_static(HEAD.as_bytes()))));
    let body = Body::from_stream(futures_util::StreamExt::chain(head, lines));
    let (kind, name) = match format {
        Format::Csv => ("text/csv; charset=utf-8", "attachment; filename=\"audit-log.csv\""),
        Format::Jsonl => ("application/jsonl; charset=utf-8", "attachment; filename=\"audit-log.jsonl\""),
    };
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)], body).into_response())
}

async fn read(caller: &Caller, path: &str, page: u64) -> Result<Vec<LogView>, Failure> {
    caller.get(&format!("{path}&page={page}&page_size={PAGE}")).await
}

async fn advance(mut reader: ExportReader) -> Result<Option<(Bytes, ExportReader)>, io::Error> {
    let entries = match (reader.ready.take(), reader.page) {
        (Some(entries), _) => entries,
        (None, Some(page)) => {
            // An error aborts the connection, so that a truncated file is not mistaken for a complete one.
            let read = read(&reader.caller, &reader.path, page).await;
            let entries = read.map_err(|_| io::Error::other("the audit log could not be read on"))?;
            reader.page = (entries.len() as u64 == PAGE && page < MAX_PAGES).then_some(page + 1);
            entries
        }
        (None, None) => return Ok(None),
    };
    let lines: String = entries.iter().map(|entry| reader.format.line(entry)).collect();
    Ok(Some((lines.into(), reader)))
}

/// The CSV header.
const HEAD: &str = "id,createdAt,key,result,error,actorId,userId,applicationId,organizationId,ip,requestId,payload\r\n";

impl Format {
    fn line(self, entry: &LogView) -> String {
        let LogView { id, key, payload, created_at, .. } = entry;
        if self == Self::Jsonl {
            return format!(
                "{}\n",
                serde_json::json!({ "id": id, "key": key, "createdAt": created_at, "payload": payload })
            );
        }
        let (time, error, payload) = (crate::time::iso(*created_at), entry.error(), payload.to_string());
        let cells = [
            id,
            &time,
            key,
            entry.text("result"),
            &error,
            entry.actor_id(),
            entry.text("userId"),
            entry.text("applicationId"),
            entry.text("organizationId"),
            entry.text("ip"),
            entry.text("requestId"),
            &payload,
        ];
        format!("{}\r\n", cells.map(cell).join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn an_entry_is_a_line_of_its_columns() {
        let entry = LogView::new("e", "K", json!({ "userId": "u" }), 0);
        let line = Format::Csv.line(&entry);
        assert_eq!(line.matches("\",\"").count(), HEAD.matches(',').count());
        let line: Value = serde_json::from_str(&Format::Jsonl.line(&entry)).unwrap_or_default();
        assert_eq!(line, json!({ "id": "e", "key": "K", "createdAt": 0, "payload": { "userId": "u" } }));
    }
}
