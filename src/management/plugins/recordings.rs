//! `/api/plugins/{name}/recordings`: recordings of a plugin's calls, redacted before anything is written. Plugins of the
//! folder are recorded like those that were uploaded.

use crate::refusals::{AccessRefused, BodyRefused, NotThere};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use claimsmith_api::recordings::{RecordingView, StartRecording};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::plugin::RecordingState;
use claimsmith_domain::management::{PluginsRead, PluginsRecordings};
use claimsmith_runtime::Kind;
use claimsmith_services::plugins::{Origin, PluginStatus, RecordingOptions};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::Tx;
use claimsmith_storage::plugins::recordings::{self, Recording};
use claimsmith_storage::{Json as Document, plugins};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The most calls of one recording.
const MAX_CALLS: i64 = 1000;
/// The longest that a recording goes on, in milliseconds.
const MAX_TIME_MS: i64 = 24 * 3_600_000;
/// Days until a recording is deleted.
const DEFAULT_DAYS: i64 = 7;
const MAX_DAYS: i64 = 30;
const DAY_MS: i64 = 24 * 3_600_000;
/// The most recordings of a plugin.
const MAX_RECORDINGS: usize = 20;
/// The most ids of a list.
const MAX_IDS: usize = 100;
const MAX_ID_CHARS: usize = 128;
/// The most samples of one page, and the bytes after which it ends.
const MAX_PAGE_SIZE: i64 = 100;
const DEFAULT_PAGE_SIZE: i64 = 50;
const SAMPLES_PER_READ: i64 = 10;
const PAGE_BYTES: usize = 4 << 20;
/// One JSON object per line.
const LINES: &str = "application/x-ndjson";

/// Starts to record the next calls of a claims plugin or a webhook transform.
///
/// Texts become pseudonyms of the same form before anything is written. This node records when the answer comes, all
/// others within two seconds.
#[utoipa::path(
    post, path = "/api/plugins/{name}/recordings", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin")),
    request_body = StartRecording,
    responses(
        (status = 201, description = "It goes on", body = RecordingView),
        BodyRefused, AccessRefused, NotThere,
        (status = 422, description = "Calls of this plugin are not recorded, or it has too many recordings", body = ApiErrorBody),
    ),
)]
pub(super) async fn start_recording(
    management: Management<PluginsRecordings>,
    Id(name): Id,
    JsonBody(body): JsonBody<StartRecording>,
) -> Result<(StatusCode, Json<RecordingView>), ApiError> {
    let keepable = keepable(&management, &name).await?;
    let now = management.now();
    let is_transform = |one: &PluginStatus| *one.name == *name && one.kind == Some(Kind::WebhookTransform);
    let of_deliveries = management.app.plugins.list().iter().any(is_transform);
    let ends_at = check(&body, (&keepable, of_deliveries), now)?;
    let id = management.app.random.id_at(now)?;
    let StartRecording { count, applications, users, outcomes, keep_http, keep, expires_in_days, .. } = body;
    let options = RecordingOptions { applications, users, outcomes, keep_http, keep };
    let sealed_key = management.app.recordings.new_key(&id)??;
    let recording = Recording {
        id,
        plugin_name: name.clone(),
        options: Document(serde_json::to_value(&options)?),
        wanted: count,
        recorded: 0,
        dropped: 0,
        bytes: 0,
        problem: None,
        sealed_key: Some(sealed_key),
        ends_at,
        stopped_at: None,
        end_reason: None,
        expires_at: now + expires_in_days.unwrap_or(DEFAULT_DAYS) * DAY_MS,
        created_by: management.id().to_owned(),
        created_at: now,
    };
    let mut tx = begin_change(&management).await?;
    check_stays(&management, &mut tx, &name).await?;
    if recordings::list(&mut tx, &name).await?.len() >= MAX_RECORDINGS {
        let message = format!("A plugin has at most {MAX_RECORDINGS} recordings. Delete one first.");
        return Err(ApiError::new(ApiCode::PluginTooManyRecordings, message));
    }
    recordings::insert(&mut tx, &recording).await?;
    let details = json!({ "plugin": name, "recording": recording.id, "count": count, "options": options });
    tx.audit(AuditKey::ManagementPluginRecord, details).await?;
    tx.commit().await?;
    if let Err(error) = management.app.recordings.catch_up().await {
        tracing::warn!(%error, "a recording was started, but this node does not follow it yet; it will try again");
    }
    Ok((StatusCode::CREATED, Json(view(&management, recording))))
}

/// Lists the recordings of a plugin, newest first.
#[utoipa::path(
    get, path = "/api/plugins/{name}/recordings", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin")),
    responses(
        (status = 200, description = "The recordings", body = Vec<RecordingView>),
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn list_recordings(
    management: Management<PluginsRead>,
    Id(name): Id,
) -> Result<Json<Vec<RecordingView>>, ApiError> {
    let mut tx = management.read().await?;
    let found = recordings::list(&mut tx, &name).await?;
    if found.is_empty() {
        check_known(&management, &mut tx, &name).await?;
    }
    Ok(Json(found.into_iter().map(|recording| view(&management, recording)).collect()))
}

/// Shows a recording, without its samples.
#[utoipa::path(
    get, path = "/api/plugins/{name}/recordings/{id}", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), ("id" = String, Path, description = "The recording")),
    responses(
        (status = 200, description = "The recording", body = RecordingView),
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn show_recording(
    management: Management<PluginsRead>,
    IdPair(name, id): IdPair,
) -> Result<Json<RecordingView>, ApiError> {
    let recording = find(&mut management.read().await?, &name, &id).await?;
    Ok(Json(view(&management, recording)))
}

/// Which samples are looked for.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct SamplesQuery {
    /// Those after the sample with this number.
    #[serde(default)]
    #[param(value_type = Option<i64>)]
    after: i64,
    /// At most so many: 1 to 100, or 50 when left out.
    page_size: Option<i64>,
}

/// Reads samples of a recording: a JSON object per line, in the order in which they were written.
///
/// Every request for them is in the audit log. `Link` has the next page. `redactedAnswer` is what the active version
/// answers to the redacted `input`: a replay is compared with it.
#[utoipa::path(
    get, path = "/api/plugins/{name}/recordings/{id}/samples", tag = "Plugins",
    params(
        ("name" = String, Path, description = "The plugin"), ("id" = String, Path, description = "The recording"), SamplesQuery,
    ),
    responses(
        (
            status = 200, description = "The samples", body = String, content_type = "application/x-ndjson",
            headers(("Link" = String, description = "The URL of the next page, if there is one"))
        ),
        (status = 400, description = "The query is not what the operation takes", body = ApiErrorBody),
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn list_samples(
    management: Management<PluginsRecordings>,
    IdPair(name, id): IdPair,
    Filters(SamplesQuery { after, page_size }): Filters<SamplesQuery>,
) -> Result<Response, ApiError> {
    let size = page_size.unwrap_or(DEFAULT_PAGE_SIZE);
    if !(1..=MAX_PAGE_SIZE).contains(&size) || after < 0 {
        let details = format!("Error in the query: page_size is 1 to {MAX_PAGE_SIZE}, and after a sample's number");
        return Err(ApiError::invalid_input("query", details));
    }
    let mut tx = management.read().await?;
    find(&mut tx, &name, &id).await?;
    let (mut lines, mut last, mut count, mut is_over) = (String::new(), after, 0, false);
    while !is_over && count < size && lines.len() < PAGE_BYTES {
        let wanted = SAMPLES_PER_READ.min(size - count);
        let samples = recordings::samples(&mut tx, &id, last, wanted).await?;
        is_over = samples.len() < usize::try_from(wanted)?;
        for sample in &samples {
            // One that cannot be decrypted costs that one alone.
            match management.app.recordings.read(sample) {
                Ok(value) => lines.extend([value.to_string().as_str(), "\n"]),
                Err(error) => tracing::warn!(recording = id, sample = sample.number, %error, "a sample cannot be read"),
            }
            (last, count) = (sample.number, count + 1);
        }
    }
    is_over = is_over || recordings::samples(&mut tx, &id, last, 1).await?.is_empty();
    drop(tx);
    let mut tx = management.begin().await?;
    let details = json!({ "plugin": name, "recording": id, "after": after, "samples": count });
    tx.audit(AuditKey::ManagementPluginReadRecording, details).await?;
    tx.commit().await?;
    let mut response = ([(header::CONTENT_TYPE, LINES), (header::CACHE_CONTROL, "no-store")], lines).into_response();
    if !is_over {
        let base = &management.app.config.server.base_url;
        let next =
            format!("<{base}/api/plugins/{name}/recordings/{id}/samples?after={last}&page_size={size}>; rel=\"next\"");
        response.headers_mut().insert(header::LINK, HeaderValue::try_from(next)?);
    }
    Ok(response)
}

/// Ends a recording; its samples stay.
#[utoipa::path(
    post, path = "/api/plugins/{name}/recordings/{id}/stop", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), ("id" = String, Path, description = "The recording")),
    responses(
        (status = 200, description = "It has ended, now or before", body = RecordingView),
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn stop_recording(
    management: Management<PluginsRecordings>,
    IdPair(name, id): IdPair,
) -> Result<Json<RecordingView>, ApiError> {
    let mut tx = begin_change(&management).await?;
    find(&mut tx, &name, &id).await?;
    if recordings::stop(&mut tx, &name, &id, management.now()).await? {
        tx.audit(AuditKey::ManagementPluginStopRecording, json!({ "plugin": name, "recording": id })).await?;
    }
    let recording = find(&mut tx, &name, &id).await?;
    tx.commit().await?;
    follow(&management).await;
    Ok(Json(view(&management, recording)))
}

/// Deletes a recording with its samples.
#[utoipa::path(
    delete, path = "/api/plugins/{name}/recordings/{id}", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), ("id" = String, Path, description = "The recording")),
    responses(
        (status = 204, description = "It is gone"),
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn delete_recording(
    management: Management<PluginsRecordings>,
    IdPair(name, id): IdPair,
) -> Result<StatusCode, ApiError> {
    let mut tx = begin_change(&management).await?;
    if !recordings::delete(&mut tx, &name, &id).await? {
        return Err(ApiError::nothing_to_delete("recording", &id));
    }
    tx.audit(AuditKey::ManagementPluginDeleteRecording, json!({ "plugin": name, "recording": id })).await?;
    tx.commit().await?;
    follow(&management).await;
    Ok(StatusCode::NO_CONTENT)
}

/// Begins to change recordings: no plugin is deleted beside it, and all nodes follow as they follow changes of plugins.
async fn begin_change(management: &Caller) -> Result<UnitOfWork, ApiError> {
    let mut tx = management.begin().await?;
    plugins::begin_change(&mut tx).await?;
    Ok(tx)
}

/// 404 if the plugin was deleted meanwhile.
async fn check_stays(management: &Caller, tx: &mut Tx, name: &str) -> Result<(), ApiError> {
    let is_file = |status: &PluginStatus| *status.name == *name && status.source == Origin::Folder;
    if plugins::find(tx, name).await?.is_some() || management.app.plugins.list().iter().any(is_file) {
        return Ok(());
    }
    Err(ApiError::not_found("plugin", name))
}

/// This node records no more for a recording that has ended: its samples would be refused.
async fn follow(management: &Caller) {
    if let Err(error) = management.app.recordings.catch_up().await {
        tracing::warn!(%error, "a recording has ended, and this node has not noticed yet; it will try again");
    }
}

async fn find(tx: &mut Tx, name: &str, id: &str) -> Result<Recording, ApiError> {
    recordings::find(tx, name, id).await?.ok_or_else(|| ApiError::not_found("recording", id))
}

/// 404 if there is no such plugin.
async fn check_known(management: &Caller, tx: &mut Tx, name: &str) -> Result<(), ApiError> {
    let is_known = management.app.plugins.list().iter().any(|status| *status.name == *name);
    if is_known || plugins::find(tx, name).await?.is_some() {
        return Ok(());
    }
    Err(ApiError::not_found("plugin", name))
}

/// The members that the settings of the plugin let a recording keep.
async fn keepable(management: &Caller, name: &str) -> Result<Vec<String>, ApiError> {
    let refused = |reason: &str| {
        ApiError::new(ApiCode::PluginNotRecordable, format!("Calls of the plugin {name:?} are not recorded: {reason}."))
    };
    if let Some(recordable) = management.app.plugins.recordable(name) {
        return recordable.map_err(refused);
    }
    check_known(management, &mut management.read().await?, name).await?;
    Err(refused("no version of it is active"))
}

/// Refuses what cannot be recorded, and returns when the recording ends.
fn check(body: &StartRecording, (keepable, of_deliveries): (&[String], bool), now: i64) -> Result<i64, ApiError> {
    let refused = |field: &str, message: &str| {
        ApiError::invalid_input("body", format!("Error in key path \"{field}\": {message}"))
    };
    if !(1..=MAX_CALLS).contains(&body.count) {
        return Err(refused("count", &format!("1 to {MAX_CALLS} calls can be recorded")));
    }
    if !(1..=MAX_DAYS).contains(&body.expires_in_days.unwrap_or(DEFAULT_DAYS)) {
        return Err(refused("expiresInDays", &format!("a recording is kept for 1 to {MAX_DAYS} days")));
    }
    let never = [("applications", body.applications.is_some()), ("keepHttp", body.keep_http)];
    if let Some((field, _)) = never.into_iter().find(|(_, is_given)| of_deliveries && *is_given) {
        return Err(refused(field, "it is for claims plugins: a delivery has no application and sends no requests"));
    }
    for (field, ids) in [("applications", &body.applications), ("users", &body.users)] {
        let Some(ids) = ids else { continue };
        if ids.is_empty() || ids.len() > MAX_IDS {
            return Err(refused(field, &format!("1 to {MAX_IDS} ids; left out, it means all")));
        }
        if ids.iter().any(|id| id.is_empty() || id.chars().count() > MAX_ID_CHARS || id.contains('\0')) {
            return Err(refused(field, "this is not an id"));
        }
    }
    if body.outcomes.as_ref().is_some_and(Vec::is_empty) {
        return Err(refused("outcomes", "at least one outcome; left out, it means all"));
    }
    if let Some(path) = body.keep.iter().find(|path| !keepable.contains(path)) {
        let message = format!("{path:?} is not a member that the settings of the plugin name ([recording] keep)");
        return Err(refused("keep", &message));
    }
    let named: BTreeSet<&String> = body.keep.iter().collect();
    if named.len() < body.keep.len() {
        return Err(refused("keep", "a member is named twice"));
    }
    let ends_at = match &body.until {
        None => Some(now + MAX_TIME_MS),
        Some(Value::String(text)) => duration_ms(text).and_then(|time| now.checked_add(time)),
        Some(Value::Number(at)) => at.as_i64(),
        Some(_) => None,
    };
    let ends_at = ends_at.ok_or_else(|| refused("until", "Unix milliseconds, or a duration such as 30m"))?;
    if ends_at <= now || ends_at > now.saturating_add(MAX_TIME_MS) {
        return Err(refused("until", "a recording ends within 24 hours from now"));
    }
    Ok(ends_at)
}

/// Of a text such as `30m`.
fn duration_ms(text: &str) -> Option<i64> {
    i64::try_from(humantime::parse_duration(text.trim()).ok()?.as_millis()).ok()
}

fn view(management: &Caller, recording: Recording) -> RecordingView {
    let recording = management.app.recordings.with_local(recording);
    let state = match recording.end_reason.as_deref() {
        None if recording.ends_at > management.now() => RecordingState::Recording,
        None | Some("ended") => RecordingState::Ended,
        Some("complete") => RecordingState::Complete,
        Some("full") => RecordingState::Full,
        Some(_) => RecordingState::Stopped,
    };
    let is_over = state != RecordingState::Recording;
    let options: RecordingOptions = serde_json::from_value(recording.options.0).unwrap_or_default();
    RecordingView {
        id: recording.id,
        plugin: recording.plugin_name,
        state,
        count: recording.wanted,
        recorded: recording.recorded,
        dropped: recording.dropped,
        bytes: recording.bytes,
        problem: recording.problem,
        applications: options.applications,
        users: options.users,
        outcomes: options.outcomes,
        keep_http: options.keep_http,
        keep: options.keep,
        until: recording.ends_at,
        ended_at: recording.stopped_at.or(is_over.then_some(recording.ends_at)),
        expires_at: recording.expires_at,
        created_by: recording.created_by,
        created_at: recording.created_at,
    }
}
