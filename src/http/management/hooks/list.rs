//! `GET /api/hooks` and `GET /api/hooks/{id}`.

use super::HookView;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::Id;
use crate::http::extract::management::Caller;
use crate::http::extract::page::OptionalPage;
use crate::http::management::refusals::Refused;
use crate::storage::hooks;
use axum::Json;
use axum::response::Response;

/// Lists hooks, newest first; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/hooks", tag = "Hooks", summary = "List hooks",
    params(
        ("page" = Option<u32>, Query, description = "From 1"),
        ("page_size" = Option<u32>, Query, description = "1 to 100"),
    ),
    responses(
        (status = 200, description = "The hooks", body = Vec<HookView>),
        (status = 400, description = "No such page", body = ApiErrorBody),
        Refused,
    ),
    security(("oauth2" = ["all", "hooks:read"])),
)]
pub(super) async fn list_hooks(caller: Caller, page: OptionalPage) -> Result<Response, ApiError> {
    let management = caller.require("hooks:read")?;
    let mut tx = management.read().await?;
    let total = hooks::count(&mut tx).await?;
    let hooks = hooks::list(&mut tx, page.slice()).await?;
    page.answer(total, hooks.into_iter().map(|hook| HookView::of(&management, hook)).collect::<Result<_, _>>()?)
}

/// Shows a hook.
#[utoipa::path(
    get, path = "/api/hooks/{id}", tag = "Hooks", summary = "Show a hook",
    params(("id" = String, Path, description = "The hook")),
    responses(
        (status = 200, description = "The hook", body = HookView),
        Refused,
        (status = 404, description = "No such hook", body = ApiErrorBody),
    ),
    security(("oauth2" = ["all", "hooks:read"])),
)]
pub(super) async fn show_hook(caller: Caller, Id(id): Id) -> Result<Json<HookView>, ApiError> {
    let management = caller.require("hooks:read")?;
    let hook = hooks::find(&mut management.read().await?, &id).await?;
    Ok(Json(HookView::of(&management, hook.ok_or_else(|| ApiError::not_found("hook", &id))?)?))
}
