//! `/console/users/export`: exports users as a file, passed through from the API.

use super::list::path;
use crate::answer::show;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::section::Section;
use askama::Template;
use axum::http::{Method, header};
use axum::response::Response;

/// Headers of the API response that are passed on.
const HANDED_ON: &[header::HeaderName] = &[header::CONTENT_TYPE, header::CONTENT_DISPOSITION];

#[derive(Template)]
#[template(path = "users/export.html")]
struct ExportPage {
    frame: Frame,
    query: String,
    is_suspended: Option<bool>,
}

impl ExportPage {
    /// The download link for a format, with the list's filter.
    fn file(&self, format: &str) -> String {
        format!("/console/users/export/file?{}", self.frame.caller.query_with(&[("format", format)]))
    }
}

pub(super) async fn show_choices(caller: Caller) -> Result<Response, Failure> {
    let query = caller.query("q").unwrap_or_default().to_owned();
    let is_suspended = caller.query("suspended").and_then(|suspended| suspended.parse().ok());
    show(&caller, &ExportPage { frame: Frame::new(&caller, Section::Users), query, is_suspended })
}

pub(super) async fn download(caller: Caller) -> Result<Response, Failure> {
    let format = if caller.query("format") == Some("csv") { "csv" } else { "jsonl" };
    let path = path(&caller, &format!("/api/users/export?format={format}"));
    let answer = caller.send(Method::GET, &path, None, &[]).await?;
    let (parts, body) = answer.into_parts();
    let mut response = Response::new(body);
    for name in HANDED_ON {
        if let Some(value) = parts.headers.get(name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    response.headers_mut().insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-store"));
    Ok(response)
}
