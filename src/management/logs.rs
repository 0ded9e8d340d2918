//! `/api/logs`: the audit log.

use crate::describe::routes;
use crate::hooks;
use crate::parameters::PageParameters;
use crate::refusals::AccessRefused;
use crate::views::IntoView;
use axum::Json;
use axum::response::Response;
use claimsmith_api::logs::LogView;
use claimsmith_domain::management::LogsRead;
use claimsmith_services::app::App;
use claimsmith_storage::audit::{self, Filter};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::{Filters, check_window};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(self::list_logs)).routes(routes!(self::show_log))
}

/// Which entries are looked for.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct LogsQuery {
    /// Of this user.
    user_id: Option<String>,
    /// Of this application.
    application_id: Option<String>,
    /// With exactly this key, such as `ExchangeTokenBy.TokenExchange`; or, with `*` at the end, whose key begins so,
    /// such as `Management.User.*`.
    log_key: Option<String>,
    /// Done by this user.
    actor_id: Option<String>,
    /// Of this user, or done by them.
    person_id: Option<String>,
    /// Of this ticket: the `ticketId` in the context of a subject token, and of what came of it.
    ticket_id: Option<String>,
    /// From this client address; needs `start_time`.
    ip: Option<String>,
    /// `Success` or `Error`.
    #[param(value_type = Option<String>)]
    result: Option<LogResult>,
    /// From this time on, Unix milliseconds.
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

/// The outcome of an action.
#[derive(Clone, Copy, Deserialize)]
enum LogResult {
    Success,
    Error,
}

impl LogResult {
    fn as_str(self) -> &'static str {
        match self {
            Self::Success => "Success",
            Self::Error => "Error",
        }
    }
}

/// Lists what was done, newest first; deliveries of webhooks have a list of their own.
#[utoipa::path(
    get, path = "/api/logs", tag = "Logs",
    params(LogsQuery, PageParameters),
    responses(
        (status = 200, description = "The page", body = Vec<LogView>, headers(
            ("Total-Number" = i64, description = "How many there are in all"),
            ("Total-Number-Is-Capped" = String, description = "`true` when there are more than were counted"),
            ("Link" = String, description = "URLs of the first, previous, next and last page"),
        )),
        (status = 400, description = "No such page, or the query is not what the operation takes", body = ApiErrorBody),
        AccessRefused,
    ),
)]
async fn list_logs(
    management: Management<LogsRead>,
    Filters(query): Filters<LogsQuery>,
    page: Page,
) -> Result<Response, ApiError> {
    check_window(query.start_time, query.end_time)?;
    if query.ip.is_some() && query.start_time.is_none() {
        return Err(ApiError::invalid_input("query", "Error in key path \"ip\": expected start_time beside it"));
    }
    let (key_prefix, key) = match query.log_key {
        Some(key) => match key.strip_suffix('*') {
            Some(prefix) => (Some(prefix.to_owned()), None),
            None => (None, Some(key)),
        },
        None => (None, None),
    };
    let wanted = Filter {
        key,
        key_prefix,
        actor_id: query.actor_id.map(Into::into),
        person_id: query.person_id.map(Into::into),
        ticket_id: query.ticket_id,
        ip: query.ip,
        result: query.result.map(|result| result.as_str().to_owned()),
        user_id: query.user_id.map(Into::into),
        application_id: query.application_id.map(Into::into),
        from: query.start_time,
        to: query.end_time,
    };
    let mut tx = management.read().await?;
    let most = if query.enable_cap { Page::COUNT_LIMIT } else { i64::MAX };
    let total = audit::count(&mut tx, &wanted, most).await.map_err(ApiError::from_search)?;
    let logs = audit::list(&mut tx, &wanted, page.slice()).await.map_err(ApiError::from_search)?;
    let logs = logs.into_iter().map(IntoView::into_view).collect();
    if query.enable_cap { page.answer_capped(total, logs) } else { page.answer(total, logs) }
}

/// Shows an entry, of whatever key.
#[utoipa::path(
    get, path = "/api/logs/{id}", tag = "Logs",
    params(("id" = String, Path, description = "The entry")),
    responses(
        (status = 200, description = "The entry", body = LogView),
        AccessRefused,
        (status = 404, description = "No such entry", body = ApiErrorBody),
    ),
)]
async fn show_log(management: Management<LogsRead>, Id(id): Id) -> Result<Json<LogView>, ApiError> {
    let mut tx = management.read().await?;
    let entry = match audit::find(&mut tx, &id).await? {
        Some(log) => Some(log.into_view()),
        None => hooks::delivery_log(&mut tx, &id).await?,
    };
    entry.map(Json).ok_or_else(|| ApiError::not_found("log", &id))
}
