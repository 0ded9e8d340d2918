//! `/api/plugins/{name}/population-runs`: a version of an uploaded plugin, run over all users in the background, and what
//! differs from the active one.

mod start;
mod view;

pub(super) use start::{__path_start_population_run, start_population_run};

use crate::refusals::{AccessRefused, NotThere};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use claimsmith_api::population_runs::{PopulationRunState, PopulationRunView};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::management::{PluginsRead, PluginsRecordings, UsersRead};
use claimsmith_identity::population_runs::KEPT_MS;
use claimsmith_json::{STORED, read};
use claimsmith_services::encryption::{EncryptionError, Purpose};
use claimsmith_services::plugins::population::class_of;
use claimsmith_storage::Tx;
use claimsmith_storage::plugins;
use claimsmith_storage::plugins::population_runs::{self as stored, PopulationRun, RunEnd, StoredDifference};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::management::{Caller, Management};
use serde::Deserialize;
use serde_json::{Value, json};
use view::view;

/// The most differences of one page, and the bytes after which it ends.
const MAX_PAGE_SIZE: i64 = 100;
const DEFAULT_PAGE_SIZE: i64 = 50;
const DIFFERENCES_PER_READ: i64 = 10;
const PAGE_BYTES: usize = 4 << 20;
/// One JSON object per line.
const LINES: &str = "application/x-ndjson";

/// Lists the runs of a plugin over all users, newest first.
#[utoipa::path(
    get, path = "/api/plugins/{name}/population-runs", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin")),
    responses(
        (status = 200, description = "The runs", body = Vec<PopulationRunView>),
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn list_population_runs(
    management: Management<PluginsRead>,
    Id(name): Id,
) -> Result<Json<Vec<PopulationRunView>>, ApiError> {
    let mut tx = management.read().await?;
    let found = stored::list(&mut tx, &name).await?;
    if found.is_empty() && plugins::find(&mut tx, &name).await?.is_none() {
        let is_known = management.app.plugins.list().iter().any(|status| *status.name == *name);
        if !is_known {
            return Err(ApiError::not_found("plugin", &name));
        }
    }
    Ok(Json(found.into_iter().map(|run| view(&management, run)).collect()))
}

/// Shows a run over all users, with its progress and what was found so far.
#[utoipa::path(
    get, path = "/api/plugins/{name}/population-runs/{id}", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), ("id" = String, Path, description = "The run")),
    responses(
        (status = 200, description = "The run", body = PopulationRunView),
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn show_population_run(
    management: Management<PluginsRead>,
    IdPair(name, id): IdPair,
) -> Result<Json<PopulationRunView>, ApiError> {
    let run = find(&mut management.read().await?, &name, &id).await?;
    Ok(Json(view(&management, run)))
}

/// Ends a run over all users; what it found so far stays.
#[utoipa::path(
    post, path = "/api/plugins/{name}/population-runs/{id}/cancel", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), ("id" = String, Path, description = "The run")),
    responses(
        (status = 200, description = "It has ended, now or before", body = PopulationRunView),
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn cancel_population_run(
    management: Management<PluginsRecordings>,
    IdPair(name, id): IdPair,
) -> Result<Json<PopulationRunView>, ApiError> {
    let now = management.now();
    let mut tx = management.begin().await?;
    find(&mut tx, &name, &id).await?;
    let state = PopulationRunState::Canceled.as_str();
    let end = RunEnd { state, problem: None, at: now, expires_at: now + KEPT_MS };
    if stored::end(&mut tx, &name, &id, end).await? {
        tx.audit(AuditKey::ManagementPluginCancelPopulationRun, json!({ "plugin": name, "run": id })).await?;
    }
    let run = find(&mut tx, &name, &id).await?;
    tx.commit().await?;
    Ok(Json(view(&management, run)))
}

/// Which differences are looked for.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct DifferencesQuery {
    /// Those after the difference with this number.
    #[serde(default)]
    #[param(value_type = Option<i64>)]
    after: i64,
    /// At most so many: 1 to 100, or 50 when left out.
    page_size: Option<i64>,
    /// Only those of this class: `different`, `deniedInstead`, `allowedInstead`, `failed` or `timedOut`. Of each, 20 are
    /// kept however many differences there are.
    class: Option<String>,
}

/// Reads differences that a run over all users found: a JSON object per line, in the order in which they were found.
///
/// Their texts are pseudonyms. Every request for them is in the audit log. `Link` has the next page. Needs `users:read`
/// as well.
#[utoipa::path(
    get, path = "/api/plugins/{name}/population-runs/{id}/differences", tag = "Plugins",
    params(
        ("name" = String, Path, description = "The plugin"), ("id" = String, Path, description = "The run"),
        DifferencesQuery,
    ),
    responses(
        (
            status = 200, description = "The differences", body = String, content_type = "application/x-ndjson",
            headers(("Link" = String, description = "The URL of the next page, if there is one"))
        ),
        (status = 400, description = "The query is not what the operation takes", body = ApiErrorBody),
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn list_population_differences(
    management: Management<PluginsRecordings>,
    IdPair(name, id): IdPair,
    Filters(DifferencesQuery { after, page_size, class }): Filters<DifferencesQuery>,
) -> Result<Response, ApiError> {
    demand_users(&management)?;
    let size = page_size.unwrap_or(DEFAULT_PAGE_SIZE);
    if !(1..=MAX_PAGE_SIZE).contains(&size) || after < 0 {
        let details = format!("Error in the query: page_size is 1 to {MAX_PAGE_SIZE}, and after a difference's number");
        return Err(ApiError::invalid_input("query", details));
    }
    if class.as_deref().is_some_and(|class| class_of(class).is_none()) {
        return Err(ApiError::invalid_input("query", "Error in key path \"class\": there is no such class"));
    }
    let class = class.as_deref();
    let mut tx = management.read().await?;
    find(&mut tx, &name, &id).await?;
    let (mut lines, mut last, mut count, mut is_over) = (String::new(), after, 0, false);
    while !is_over && count < size && lines.len() < PAGE_BYTES {
        let wanted = DIFFERENCES_PER_READ.min(size - count);
        let found = stored::differences(&mut tx, &id, class, last, wanted).await?;
        is_over = found.len() < usize::try_from(wanted)?;
        for difference in &found {
            // One that cannot be decrypted costs that one alone.
            match opened(&management, difference) {
                Ok(value) => lines.extend([value.to_string().as_str(), "\n"]),
                Err(error) => {
                    tracing::warn!(run = id, number = difference.number, %error, "a difference cannot be read");
                }
            }
            (last, count) = (difference.number, count + 1);
        }
    }
    is_over = is_over || stored::differences(&mut tx, &id, class, last, 1).await?.is_empty();
    drop(tx);
    let mut tx = management.begin().await?;
    let details = json!({ "plugin": name, "run": id, "class": class, "after": after, "differences": count });
    tx.audit(AuditKey::ManagementPluginReadPopulationRun, details).await?;
    tx.commit().await?;
    let mut response = ([(header::CONTENT_TYPE, LINES), (header::CACHE_CONTROL, "no-store")], lines).into_response();
    if !is_over {
        let base = &management.app.config.server.base_url;
        let of_class = class.map(|class| format!("&class={class}")).unwrap_or_default();
        let next = format!(
            "<{base}/api/plugins/{name}/population-runs/{id}/differences?after={last}&page_size={size}{of_class}>; \
             rel=\"next\""
        );
        response.headers_mut().insert(header::LINK, HeaderValue::try_from(next)?);
    }
    Ok(response)
}

/// Deletes a run over all users with its differences; one that goes on ends by it.
#[utoipa::path(
    delete, path = "/api/plugins/{name}/population-runs/{id}", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin"), ("id" = String, Path, description = "The run")),
    responses(
        (status = 204, description = "It is gone"),
        AccessRefused, NotThere,
    ),
)]
pub(super) async fn delete_population_run(
    management: Management<PluginsRecordings>,
    IdPair(name, id): IdPair,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    if !stored::delete(&mut tx, &name, &id).await? {
        return Err(ApiError::nothing_to_delete("run", &id));
    }
    tx.audit(AuditKey::ManagementPluginDeletePopulationRun, json!({ "plugin": name, "run": id })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn find(tx: &mut Tx, name: &str, id: &str) -> Result<PopulationRun, ApiError> {
    stored::find(tx, name, id).await?.ok_or_else(|| ApiError::not_found("run", id))
}

/// What a run shows comes from the data of users.
fn demand_users(management: &Caller) -> Result<(), ApiError> {
    if management.holds::<UsersRead>() {
        return Ok(());
    }
    Err(ApiError::forbidden("A run over all users reads their data: this needs the scope \"users:read\" as well."))
}

fn opened(management: &Caller, difference: &StoredDifference) -> Result<Value, EncryptionError> {
    let StoredDifference { id, number, sealed, .. } = difference;
    let text = management.app.cipher.decrypt(Purpose::PopulationDifference, id, sealed)?;
    let mut value: Value = read(text.as_slice(), STORED).map_err(|_| EncryptionError::Damaged)?;
    let members = value.as_object_mut().ok_or(EncryptionError::Damaged)?;
    members.insert("number".to_owned(), json!(number));
    Ok(value)
}
