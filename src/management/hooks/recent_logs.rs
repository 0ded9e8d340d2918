//! `GET /api/hooks/{id}/recent-logs`: the results of a hook's delivery attempts, as log entries.

use crate::parameters::PageParameters;
use crate::refusals::AccessRefused;
use axum::response::Response;
use claimsmith_api::logs::LogView;
use claimsmith_domain::id::HookId;
use claimsmith_domain::management::HooksRead;
use claimsmith_runtime::json;
use claimsmith_services::webhooks::delivery::PreparedDelivery;
use claimsmith_storage::hooks;
use claimsmith_storage::hooks::attempts::{Filter, LoggedAttempt};
use claimsmith_storage::{Slice, Tx};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::{Filters, check_window};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The prefix of an entry's key, before the event.
const PREFIX: &str = "TriggerHook.";
/// The default time window: a day, in milliseconds.
const DEFAULT_WINDOW_MS: i64 = 86_400_000;

/// Which entries are looked for.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct RecentQuery {
    /// With exactly this key, such as `TriggerHook.User.Created`.
    log_key: Option<String>,
    /// From this time on, Unix milliseconds; the last 24 hours when neither time is given.
    #[serde(rename = "start_time")]
    start_time: Option<i64>,
    /// Until this time, Unix milliseconds.
    #[serde(rename = "end_time")]
    end_time: Option<i64>,
    /// Whether at most 10,000 entries are counted.
    #[serde(default)]
    #[param(required = false)]
    enable_cap: bool,
}

/// Lists attempts to tell a hook, newest first.
#[utoipa::path(
    get, path = "/api/hooks/{id}/recent-logs", tag = "Hooks",
    params(("id" = String, Path, description = "The hook"), RecentQuery, PageParameters),
    responses(
        (status = 200, description = "The page", body = Vec<LogView>),
        (status = 400, description = "No such page, or no such time", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such hook", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_recent_logs(
    management: Management<HooksRead>,
    Id(id): Id<HookId>,
    Filters(query): Filters<RecentQuery>,
    page: Page,
) -> Result<Response, ApiError> {
    check_window(query.start_time, query.end_time)?;
    let mut tx = management.read().await?;
    if hooks::find(&mut tx, &id).await?.is_none() {
        return Err(ApiError::not_found("hook", &id));
    }
    let asked = query.start_time.is_some() || query.end_time.is_some();
    let wanted = Filter {
        hook_id: Some(id),
        id: None,
        // No attempt has a key without the prefix.
        kind: query.log_key.map(|key| key.strip_prefix(PREFIX).unwrap_or_default().to_owned()),
        from: if asked { query.start_time } else { Some(management.now() - DEFAULT_WINDOW_MS) },
        to: query.end_time,
    };
    let most = if query.enable_cap { Page::COUNT_LIMIT } else { i64::MAX };
    let total = hooks::attempts::count(&mut tx, &wanted, most).await?;
    let entries = hooks::attempts::list(&mut tx, &wanted, page.slice())
        .await?
        .into_iter()
        .map(entry)
        .collect::<Result<_, _>>()?;
    if query.enable_cap { page.answer_capped(total, entries) } else { page.answer(total, entries) }
}

/// The entry of the attempt with this id, for the audit log, which shows attempts too.
pub async fn delivery_log(tx: &mut Tx, id: &str) -> Result<Option<LogView>, ApiError> {
    let wanted = Filter { id: Some(id.to_owned()), ..Filter::default() };
    let found = hooks::attempts::list(tx, &wanted, Slice { limit: 1, offset: 0 }).await?;
    Ok(found.into_iter().next().map(entry).transpose()?)
}

fn entry(logged: LoggedAttempt) -> Result<LogView, serde_json::Error> {
    let LoggedAttempt { attempt, kind, payload, prepared } = logged;
    let key = format!("{PREFIX}{kind}");
    let body = PreparedDelivery::stored(prepared.as_deref(), payload, &attempt.hook_id)?.body;
    let mut entry = Map::new();
    entry.insert("key".to_owned(), json!(key));
    entry.insert("result".to_owned(), json!(if attempt.error.is_none() { "Success" } else { "Error" }));
    entry.insert("hookId".to_owned(), json!(attempt.hook_id));
    entry.insert("deliveryId".to_owned(), json!(attempt.delivery_id));
    entry.insert("attempt".to_owned(), json!(attempt.number));
    entry.insert("durationMs".to_owned(), json!(attempt.duration_ms));
    entry.insert("hookRequest".to_owned(), json!({ "body": parsed(&body) }));
    if let Some(status) = attempt.status {
        let body = parsed(attempt.response_body.as_deref().unwrap_or_default());
        entry.insert("response".to_owned(), json!({ "statusCode": status, "body": body }));
    }
    if let Some(error) = attempt.error {
        entry.insert("error".to_owned(), json!(error));
    }
    Ok(LogView::new(attempt.id, key, Value::Object(entry), attempt.started_at))
}

/// Parsed as JSON if possible within bounds (a receiver may answer anything), otherwise the text.
fn parsed(body: &str) -> Value {
    json::read(body, json::INCOMING).unwrap_or_else(|_| body.into())
}
