//! `GET /api/subject-tokens`: the subject tokens that were not exchanged yet.

use crate::parameters::PageParameters;
use crate::refusals::AccessRefused;
use axum::response::Response;
use claimsmith_domain::management::SubjectTokensRead;
use claimsmith_storage::issuing::subject_tokens::{self, Filter, SubjectToken};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Which tokens are looked for.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct SubjectTokensQuery {
    /// Of this user.
    user_id: Option<String>,
    /// `false` for those that were exchanged or have expired, as far as they are still known; else those that are live.
    is_active: Option<bool>,
}

/// A subject token; the token itself is shown only once, to its creator.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "mgj0l5s0c4k9t2x7b1n6q", "userId": "q3v8k1znw2pd", "context": { "ticketId": "T-1" },
    "creatorId": "b5n8q1w4z7k0x3c6t9r2m", "createdAt": 1_760_000_000_000_i64, "expiresAt": 1_760_000_600_000_i64,
    "consumedAt": null
}))]
struct KnownSubjectToken {
    id: String,
    /// The user to be impersonated.
    user_id: String,
    /// What the backend said about it.
    #[schema(value_type = Object)]
    context: Value,
    /// Who asked for it: an application.
    creator_id: String,
    /// Unix milliseconds.
    created_at: i64,
    /// Unix milliseconds.
    expires_at: i64,
    /// Unix milliseconds, once it was exchanged.
    consumed_at: Option<i64>,
}

impl From<SubjectToken> for KnownSubjectToken {
    fn from(token: SubjectToken) -> Self {
        Self {
            id: token.id.into(),
            user_id: token.user_id.into(),
            context: Arc::unwrap_or_clone(token.context.value),
            creator_id: token.creator_id,
            created_at: token.created_at,
            expires_at: token.expires_at,
            consumed_at: token.consumed_at,
        }
    }
}

/// Lists subject tokens, newest first: those that are live unless asked otherwise.
#[utoipa::path(
    get, path = "/api/subject-tokens", tag = "Subject tokens", summary = "List subject tokens",
    params(SubjectTokensQuery, PageParameters),
    responses(
        (status = 200, description = "The page", body = Vec<KnownSubjectToken>, headers(
            ("Total-Number" = i64, description = "How many there are in all"),
            ("Link" = String, description = "URLs of the first, previous, next and last page"),
        )),
        (status = 400, description = "No such page, or the query is not what the operation takes", body = ApiErrorBody),
        AccessRefused,
    ),
)]
pub(super) async fn list_subject_tokens(
    management: Management<SubjectTokensRead>,
    Filters(query): Filters<SubjectTokensQuery>,
    page: Page,
) -> Result<Response, ApiError> {
    let is_live = query.is_active.unwrap_or(true);
    let wanted = Filter { user_id: query.user_id.map(Into::into), is_live, now: management.now() };
    let mut tx = management.read().await?;
    let total = subject_tokens::count(&mut tx, &wanted).await?;
    let tokens = subject_tokens::list(&mut tx, &wanted, page.slice()).await?;
    page.answer(total, tokens.into_iter().map(KnownSubjectToken::from).collect())
}
