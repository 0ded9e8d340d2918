//! `GET /api/hooks` and `GET /api/hooks/{id}`.

use super::HookView;
use crate::parameters::OptionalPageParameters;
use crate::refusals::{AccessRefused, NoSuchPage};
use axum::Json;
use axum::response::Response;
use claimsmith_domain::id::HookId;
use claimsmith_domain::management::HooksRead;
use claimsmith_storage::Tx;
use claimsmith_storage::hooks::statistics::HookStatistics;
use claimsmith_storage::hooks::{self, Hook};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::{Caller, Management};
use claimsmith_web::extract::page::OptionalPage;
use serde::Deserialize;
use std::collections::HashMap;

/// A day, in milliseconds.
const DAY_MS: i64 = 86_400_000;

/// What is to be shown of hooks.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct HooksQuery {
    /// `true` for `executionStats`: attempts and successes of the last 24 hours.
    include_execution_stats: Option<String>,
}

/// Lists hooks, newest first; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/hooks", tag = "Hooks", summary = "List hooks",
    params(HooksQuery, OptionalPageParameters),
    responses(
        (status = 200, description = "The hooks", body = Vec<HookView>),
        AccessRefused, NoSuchPage,
    ),
)]
pub(super) async fn list_hooks(
    management: Management<HooksRead>,
    Filters(query): Filters<HooksQuery>,
    page: OptionalPage,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    let total = hooks::count(&mut tx).await?;
    let hooks = hooks::list(&mut tx, page.slice()).await?;
    page.answer(total, views(&management, &mut tx, &query, hooks).await?)
}

/// Shows a hook.
#[utoipa::path(
    get, path = "/api/hooks/{id}", tag = "Hooks", summary = "Show a hook",
    params(("id" = String, Path, description = "The hook"), HooksQuery),
    responses(
        (status = 200, description = "The hook", body = HookView),
        (status = 400, description = "The query cannot be read", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such hook", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_hook(
    management: Management<HooksRead>,
    Id(id): Id<HookId>,
    Filters(query): Filters<HooksQuery>,
) -> Result<Json<HookView>, ApiError> {
    let mut tx = management.read().await?;
    let hook = hooks::find(&mut tx, &id).await?.ok_or_else(|| ApiError::not_found("hook", &id))?;
    let views = views(&management, &mut tx, &query, vec![hook]).await?;
    views.into_iter().next().map(Json).ok_or_else(|| ApiError::not_found("hook", &id))
}

async fn views(
    management: &Caller,
    tx: &mut Tx,
    query: &HooksQuery,
    hooks: Vec<Hook>,
) -> Result<Vec<HookView>, ApiError> {
    let asked = query.include_execution_stats.as_deref().is_some_and(|text| !text.is_empty() && text != "false");
    let mut counted: HashMap<HookId, HookStatistics> = HashMap::new();
    if asked {
        for ids in hooks.iter().map(|hook| &hook.id).collect::<Vec<_>>().chunks(500) {
            counted.extend(hooks::statistics::since(tx, ids, management.now() - DAY_MS).await?);
        }
    }
    let view = |hook: Hook| {
        let statistics = asked.then(|| counted.get(&hook.id).copied().unwrap_or_default());
        Ok(HookView::of(management, hook)?.with(statistics))
    };
    hooks.into_iter().map(view).collect()
}
