//! `GET /api/plugins/{name}/logs`: the log of a plugin, in pages or as a stream (server-sent events). It has the lines
//! of all nodes, since they are in the database.

use crate::refusals::{AccessRefused, NotThere};
use crate::views::IntoView;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use claimsmith_api::plugins::LineView;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::management::{ByDevelopers, PluginsRead};
use claimsmith_services::app::App;
use claimsmith_services::deployments::Tail;
use claimsmith_services::plugins::SHADOW_LOG_SUFFIX;
use claimsmith_services::stream_limit::StreamPermit;
use claimsmith_storage as storage;
use claimsmith_storage::plugins;
use claimsmith_storage::plugins::logs::{Filter, StoredLogLine};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use futures_util::stream::{self, Stream};
use serde::Deserialize;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

/// Maximum lines per poll.
const LINES_PER_POLL: usize = 500;
/// Lines at the start of a stream whose client does not resume one.
const LINES_BEFORE_STREAM: i64 = 20;
/// Maximum time until the caller's rights are checked again.
const RIGHTS_INTERVAL: Duration = Duration::from_secs(2);
/// Maximum duration of a stream: then the caller has to authenticate again, and resumes by the events' ids.
const MAX_STREAM_DURATION: Duration = Duration::from_mins(30);

/// Which lines are looked for.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct LogQuery {
    /// The lowest level that is shown: `debug`, `info`, `warn` or `error`.
    #[param(value_type = Option<String>)]
    level: Option<LowestLevel>,
    /// From this time on, Unix milliseconds.
    from: Option<i64>,
    /// Before this time, Unix milliseconds.
    to: Option<i64>,
    /// Of this request alone.
    request_id: Option<String>,
    /// Whether to show what the shadow of a rollout wrote instead. Default false.
    shadow: Option<bool>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LowestLevel {
    Debug,
    Info,
    Warn,
    Error,
}

impl IntoView<LineView> for StoredLogLine {
    fn into_view(self) -> LineView {
        LineView {
            id: self.id.to_string(),
            created_at: self.created_at,
            level: self.level,
            message: self.message,
            request_id: self.request_id,
            digest: self.digest,
        }
    }
}

/// Lists what a plugin wrote, newest first.
///
/// With `Accept: text/event-stream`, sends it as it is written, after `Last-Event-ID` or after the newest 20 lines.
#[utoipa::path(
    get, path = "/api/plugins/{name}/logs", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), LogQuery),
    responses(
        (status = 200, description = "The lines", body = Vec<LineView>),
        AccessRefused, NotThere,
        (status = 400, description = "The query is not what the operation takes", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_plugin_logs(
    management: Management<ByDevelopers<PluginsRead>>,
    Id(name): Id,
    Filters(query): Filters<LogQuery>,
    page: Page,
    parts: Parts,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    let is_known = management.app.plugins.list().iter().any(|status| *status.name == *name);
    if !is_known && plugins::find(&mut tx, &name).await?.is_none() {
        return Err(ApiError::not_found("plugin", &name));
    }
    let name = if query.shadow == Some(true) { format!("{name}{SHADOW_LOG_SUFFIX}") } else { name };
    let mut wanted = Filter {
        level: query.level.map_or(0, |level| level as i64),
        from: query.from,
        to: query.to,
        request_id: query.request_id,
        after: 0,
    };
    if !accepts_events(&parts.headers) {
        let total = plugins::logs::count(&mut tx, &name, &wanted).await?;
        let lines = plugins::logs::list(&mut tx, &name, &wanted, page.slice()).await?;
        return page.answer(total, lines.into_iter().map(StoredLogLine::into_view).collect());
    }
    let last = parts.headers.get("last-event-id").and_then(|value| value.to_str().ok()).and_then(|id| id.parse().ok());
    let mut waiting = VecDeque::new();
    if let Some(last) = last {
        wanted.after = last;
    } else {
        let past =
            plugins::logs::list(&mut tx, &name, &wanted, storage::Slice { limit: LINES_BEFORE_STREAM, offset: 0 })
                .await?;
        wanted.after = past.first().map_or(0, |line| line.id);
        waiting.extend(past.into_iter().rev());
    }
    drop(tx);
    let permit = management.app.streams.open(management.stream_key()).ok_or_else(too_many_streams)?;
    let tail = management.app.log_tail.follow();
    let app = management.app.clone();
    let follower = LogStream { app, parts, plugin: name, wanted, waiting, tail, _permit: permit };
    Ok(Sse::new(events(follower)).keep_alive(KeepAlive::default()).into_response())
}

fn accepts_events(headers: &HeaderMap) -> bool {
    let accepts = |value: &axum::http::HeaderValue| value.to_str().is_ok_and(|text| text.contains("text/event-stream"));
    headers.get_all(header::ACCEPT).iter().any(accepts)
}

fn too_many_streams() -> ApiError {
    let message = "Too many streams are open. Close one, and try again.";
    ApiError::new(ApiCode::RequestTooManyStreams, message)
}

/// An open stream.
struct LogStream {
    app: App,
    /// The request, to authorize the caller again.
    parts: Parts,
    plugin: String,
    wanted: Filter,
    waiting: VecDeque<StoredLogLine>,
    tail: Tail,
    _permit: StreamPermit,
}

impl LogStream {
    /// Whether the caller may still read the log: their token or session is valid, and has the right.
    async fn is_allowed(&mut self) -> bool {
        Management::<PluginsRead>::from_request_parts(&mut self.parts, &self.app).await.is_ok()
    }

    /// The next line, once there is one; `None` if the caller may no longer read it, or the database failed.
    async fn next(&mut self) -> Option<StoredLogLine> {
        loop {
            if let Some(line) = self.waiting.pop_front() {
                return Some(line);
            }
            if !self.is_allowed().await {
                return None;
            }
            match self.look().await {
                Ok(lines) if lines.is_empty() => {
                    tokio::time::timeout(RIGHTS_INTERVAL, self.tail.changed()).await.ok();
                }
                Ok(lines) => self.waiting.extend(lines),
                Err(error) => {
                    tracing::warn!(%error, "a plugin log stream was aborted");
                    return None;
                }
            }
        }
    }

    /// New lines: those of the shared reader, unless the stream needs older ones.
    async fn look(&mut self) -> storage::Result<Vec<StoredLogLine>> {
        let recent = self.tail.recent();
        let (lines, is_all) = if let Some(lines) = recent.lines(&self.plugin, &self.wanted) {
            (lines, true)
        } else {
            let mut tx = self.app.db.read().await?;
            let lines = plugins::logs::follow(&mut tx, &self.plugin, &self.wanted, LINES_PER_POLL).await?;
            let is_all = lines.len() < LINES_PER_POLL;
            (lines, is_all)
        };
        // Lines that the filter excluded need not be read again.
        let seen = if is_all { recent.last() } else { 0 };
        let last = lines.last().map_or(0, |line| line.id);
        self.wanted.after = self.wanted.after.max(last).max(seen);
        Ok(lines)
    }
}

fn events(follower: LogStream) -> impl Stream<Item = Result<Event, Infallible>> {
    let end = tokio::time::Instant::now() + MAX_STREAM_DURATION;
    let stopping = follower.app.stopping.clone();
    stream::unfold(follower, move |mut follower| {
        let stopping = stopping.clone();
        async move {
            let next = tokio::time::timeout_at(end, follower.next());
            let line = stopping.run_until_cancelled(next).await?.ok()??;
            let id = line.id.to_string();
            let event = Event::default().id(id).event("log").json_data(line.into_view()).ok()?;
            Some((Ok(event), follower))
        }
    })
}
