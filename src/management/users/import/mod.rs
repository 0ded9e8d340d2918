//! `POST /api/users/import`: users of another system, one per line of the body, which is streamed. So is the response:
//! a line for each refused user, and progress in between.

mod csv;
mod members;
mod records;
mod run;

use crate::refusals::AccessRefused;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::management::UsersWrite;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::management::Management;
use csv::Columns;
use records::{Content, Csv, Lines, Records, Splitter};
use run::Import;
use serde::Deserialize;

/// The media type of the response.
const JSON_LINES: HeaderValue = HeaderValue::from_static("application/jsonl; charset=utf-8");

/// How an import is to be done.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct ImportQuery {
    /// Whether this was a dry run: everything is checked and no user is created.
    #[serde(default)]
    #[param(required = false)]
    dry_run: bool,
}

/// Creates a user for each line, by the rules of `POST /api/users`; one that is refused costs that line alone. So is a
/// line with a member that is not known: the message names the nearest one.
///
/// The answer is JSON lines, which come while the body is read: `{"line", "code", "message"}` for each that was
/// refused, `{"progress": {"lines", "created", "failed"}}` after every 1000, and at the end `{"done": {"lines",
/// "created", "failed", "dryRun"}}`, or `{"stopped": {…}}` when not all of it was read. A line has at most 256 KiB.
#[utoipa::path(
    post, path = "/api/users/import", tag = "Users",
    params(ImportQuery),
    request_body(
        description = "JSON lines, each as the body of `POST /api/users` with `isSuspended` beside it; or CSV, whose \
                       first line names the columns: `username`, `primaryEmail`, `primaryPhone`, `name`, `avatar`, \
                       `password`, `passwordDigest`, `passwordAlgorithm`, `isSuspended`, `customData` (JSON), \
                       `profile.givenName`, `profile.address.country` and so on. What the export writes beside these \
                       is ignored, and so is the apostrophe that it writes before what looks like a formula.",
        content((String = "application/jsonl"), (String = "application/x-ndjson"), (String = "text/csv")),
    ),
    responses(
        (status = 200, description = "What came of each line", body = String, content_type = "application/jsonl"),
        (status = 400, description = "The columns or the query cannot be read", body = ApiErrorBody),
        (status = 413, description = "A body of no type that is read, and too large to be read", body = ApiErrorBody),
        AccessRefused,
        (status = 415, description = "The body is of no type that is read", body = ApiErrorBody),
    ),
)]
pub(super) async fn import_users(
    management: Management<UsersWrite>,
    Filters(query): Filters<ImportQuery>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let declared = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let (records, columns) = match kind.as_str() {
        "application/jsonl" | "application/x-ndjson" => (Records::of(body, Splitter::Lines(Lines::default())), None),
        "text/csv" => {
            let mut records = Records::of(body, Splitter::Csv(Box::<Csv>::default()));
            let columns = Columns::read(header_of(&mut records).await)?;
            (records, Some(columns))
        }
        _ => {
            let message = "The users are application/jsonl, application/x-ndjson or text/csv.";
            return Err(ApiError::new(ApiCode::RequestUnsupportedMediaType, message));
        }
    };
    let import = Import::new(management, records, columns, query.dry_run);
    Ok(([(header::CONTENT_TYPE, JSON_LINES)], Body::from_stream(import.lines())).into_response())
}

/// The CSV header; empty if none can be read.
async fn header_of(records: &mut Records) -> Vec<Vec<u8>> {
    match records.next().await {
        Ok(Some(record)) => match record.content {
            Content::Fields(fields) => fields,
            Content::Text(_) | Content::TooLong => Vec::new(),
        },
        Ok(None) | Err(_) => Vec::new(),
    }
}
