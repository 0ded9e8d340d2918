//! `GET /api/one-time-tokens`.

use super::view::OneTimeTokenView;
use crate::refusals::AccessRefused;
use axum::response::Response;
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::documents::one_time_token::Status;
use claimsmith_domain::management::UsersRead;
use claimsmith_storage::verification::one_time_tokens::{self, Filter};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::query::Query;

/// Lists one-time tokens, newest first.
#[utoipa::path(
    get, path = "/api/one-time-tokens", tag = "One-time tokens", summary = "List one-time tokens",
    params(
        ("email" = Option<String>, Query, description = "For whom, in any case"),
        ("status" = Option<Status>, Query, description = "As they are now"),
        ("page" = Option<u32>, Query, description = "The page, from 1"),
        ("page_size" = Option<u32>, Query, description = "Items of a page, at most 100"),
    ),
    responses(
        (status = 200, description = "The tokens, without what was shown once", body = Vec<OneTimeTokenView>),
        (status = 400, description = "A parameter is not what the operation takes", body = ApiErrorBody),
        AccessRefused,
    ),
)]
pub(super) async fn list_one_time_tokens(
    management: Management<UsersRead>,
    page: Page,
    query: Query,
) -> Result<Response, ApiError> {
    let email = query.one("email")?.map(fold);
    let status = match query.one("status")? {
        None => None,
        Some(name) => {
            let refused = || ApiError::invalid_input("query", "Error in key path \"status\": there is no such status");
            Some(Status::parse(name).ok_or_else(refused)?)
        }
    };
    let wanted = Filter { email: email.as_deref(), status };
    let now = management.now();
    let mut tx = management.read().await?;
    let total = one_time_tokens::count(&mut tx, wanted, now).await?;
    let rows = one_time_tokens::list(&mut tx, wanted, now, page.slice()).await?;
    page.answer(total, rows.into_iter().map(|row| OneTimeTokenView::new(row, None, now)).collect())
}
