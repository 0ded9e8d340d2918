//! The page of a running import: streamed while the API responds, so that it shows progress without scripts. Memory use
//! does not depend on the size of the file.

use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::section::Section;
use askama::Template;
use axum::body::{Body, BodyDataStream};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use claimsmith_api::users::import::{ImportCounts, ImportLine, ImportStop};
use claimsmith_json::INCOMING;
use futures_util::{StreamExt, stream};
use std::convert::Infallible;

/// Placeholder in the template for the results.
const MARK: &str = "<!-- answers -->";
/// Maximum number of failed lines shown; further ones are only counted, to limit the browser's memory.
const MAX_SHOWN: u64 = 300;
/// Maximum size of a response line in bytes; messages quote only little of the imported line.
const MAX_LINE_BYTES: usize = 64 * 1024;
/// Beyond this number of users, only every tenth progress line is shown, to limit the size of the page.
const MAX_LINES_WITH_FULL_PROGRESS: u64 = 200_000;

#[derive(Template)]
#[template(path = "users/importing.html")]
struct ImportingPage {
    frame: Frame,
    name: String,
    is_check: bool,
}

#[derive(Template)]
#[template(path = "users/import_line.html")]
struct LinePiece<'a> {
    line: u64,
    code: &'a str,
    message: &'a str,
}

#[derive(Template)]
#[template(path = "users/import_progress.html")]
struct ProgressPiece {
    numbers: ImportCounts,
    is_check: bool,
}

#[derive(Template)]
#[template(path = "users/import_end.html")]
struct EndPiece<'a> {
    numbers: ImportCounts,
    hidden: u64,
    /// Why the import stopped early; empty if it completed.
    stopped: &'a str,
    is_check: bool,
}

/// Converts response lines to HTML.
struct ImportWriter {
    rest: Vec<u8>,
    is_too_long: bool,
    shown: u64,
    hidden: u64,
    /// The end of the page, until it has been written.
    tail: Option<String>,
    has_ended: bool,
    is_check: bool,
    last: ImportCounts,
}

/// Streams the page while the API responds.
pub(super) fn show(caller: &Caller, answer: Response, name: String, is_check: bool) -> Result<Response, Failure> {
    let frame = Frame::new(caller, Section::Users);
    let page = ImportingPage { frame, name, is_check };
    let page = page.render().map_err(|error| Failure::broken(caller, &error))?;
    let (head, tail) = page.split_once(MARK).unwrap_or((&page, ""));
    let writer = ImportWriter::new(is_check, tail.to_owned());
    let head = stream::iter([Bytes::from(head.to_owned())]);
    let pieces = stream::unfold((answer.into_body().into_data_stream(), writer), next_piece).fuse();
    let body = Body::from_stream(head.chain(pieces).map(Ok::<_, Infallible>));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        // Asks proxies not to buffer the response.
        (header::HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    Ok((headers, body).into_response())
}

async fn next_piece(
    (mut answer, mut writer): (BodyDataStream, ImportWriter),
) -> Option<(Bytes, (BodyDataStream, ImportWriter))> {
    loop {
        let piece = match answer.next().await {
            Some(Ok(bytes)) => writer.take(&bytes),
            // The end of the response, or a broken connection.
            Some(Err(_)) | None => writer.finish()?,
        };
        if !piece.is_empty() {
            return Some((Bytes::from(piece), (answer, writer)));
        }
    }
}

impl ImportWriter {
    fn new(is_check: bool, tail: String) -> Self {
        Self {
            rest: Vec::new(),
            is_too_long: false,
            shown: 0,
            hidden: 0,
            tail: Some(tail),
            has_ended: false,
            is_check,
            last: ImportCounts::default(),
        }
    }

    /// The HTML of all lines that are complete.
    fn take(&mut self, bytes: &[u8]) -> String {
        let mut page = String::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            if self.rest.len() + part.len() > MAX_LINE_BYTES {
                self.is_too_long = true;
                self.rest.clear();
            }
            if !self.is_too_long {
                self.rest.extend_from_slice(part);
            }
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.rest);
                if !std::mem::take(&mut self.is_too_long) {
                    page.push_str(&self.line(&line));
                }
            }
        }
        page
    }

    fn line(&mut self, line: &[u8]) -> String {
        let Ok(line) = claimsmith_json::read::<ImportLine>(line, INCOMING) else { return String::new() };
        let refused = match line {
            ImportLine::Progress(numbers) => {
                self.last = numbers;
                let is_shown = numbers.lines < MAX_LINES_WITH_FULL_PROGRESS || numbers.lines.is_multiple_of(10_000);
                let piece = ProgressPiece { numbers, is_check: self.is_check };
                return if is_shown { render(&piece) } else { String::new() };
            }
            ImportLine::Done(end) => return self.end(end.counts, ""),
            ImportLine::Stopped(ImportStop { message, end, .. }) => return self.end(end.counts, &message),
            ImportLine::Refused(refused) => refused,
        };
        if self.shown == MAX_SHOWN {
            self.hidden += 1;
            return String::new();
        }
        self.shown += 1;
        render(&LinePiece { line: refused.line, code: &refused.code, message: &refused.message })
    }

    fn end(&mut self, numbers: ImportCounts, stopped: &str) -> String {
        self.has_ended = true;
        render(&EndPiece { numbers, hidden: self.hidden, stopped, is_check: self.is_check })
    }

    /// The end of the page; none if it was already written.
    fn finish(&mut self) -> Option<String> {
        let tail = self.tail.take()?;
        let cut = "The connection was cut before the end. What is counted here was done; later lines may be, too.";
        let end = if self.has_ended { String::new() } else { self.end(self.last, cut) };
        Some(end + &tail)
    }
}

/// Renders a fragment; its template cannot fail.
fn render(piece: &impl Template) -> String {
    piece.render().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_shown_as_they_come_however_they_are_cut() {
        let mut writer = ImportWriter::new(false, "</main>".to_owned());
        let first = writer.take(b"{\"line\":3,\"code\":\"a.b\",\"mess");
        assert_eq!(first, "");
        let page = writer.take(b"age\":\"<in use>\"}\n{\"progress\":{\"lines\":1000,\"created\":999,\"failed\":1}}\n");
        assert!(page.contains("&#60;in use&#62;"), "{page}");
        assert!(page.contains("999"), "{page}");
        let page = writer.take(b"{\"done\":{\"lines\":1001,\"created\":1000,\"failed\":1,\"dryRun\":false}}\n");
        assert!(page.contains("1000"), "{page}");
        assert_eq!(writer.finish().as_deref(), Some("</main>"));
        assert_eq!(writer.finish(), None);
    }

    #[test]
    fn a_million_errors_are_counted_and_not_kept() {
        let mut writer = ImportWriter::new(true, String::new());
        let mut page = String::new();
        for line in 1..=MAX_SHOWN + 5 {
            page += &writer.take(format!("{{\"line\":{line},\"code\":\"a\",\"message\":\"b\"}}\n").as_bytes());
        }
        assert_eq!(page.matches("<li").count() as u64, MAX_SHOWN);
        let end = writer.take(b"{\"done\":{\"lines\":305,\"created\":0,\"failed\":305,\"dryRun\":true}}\n");
        assert!(end.contains("5 more"), "{end}");
    }

    #[test]
    fn an_answer_that_breaks_off_says_so() {
        let mut writer = ImportWriter::new(false, "tail".to_owned());
        drop(writer.take(b"{\"progress\":{\"lines\":1000,\"created\":1000,\"failed\":0}}\n"));
        let end = writer.finish().unwrap_or_default();
        assert!(end.contains("cut before the end") && end.contains("1000") && end.ends_with("tail"), "{end}");
    }

    #[test]
    fn a_line_without_end_takes_no_memory() {
        let mut writer = ImportWriter::new(false, String::new());
        for _ in 0..100 {
            assert_eq!(writer.take(&[b'x'; 10_000]), "");
        }
        assert!(writer.rest.capacity() <= 2 * MAX_LINE_BYTES);
        assert!(writer.take(b"\n{\"line\":1,\"code\":\"a\",\"message\":\"b\"}\n").contains("<li"));
    }
}
