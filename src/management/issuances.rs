//! `/api/issuances`: records of issued tokens, without the tokens themselves.

use crate::describe::routes;
use crate::parameters::PageParameters;
use crate::refusals::AccessRefused;
use axum::Json;
use axum::response::Response;
use claimsmith_api::issuances::IssuanceView;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::management::LogsRead;
use claimsmith_services::app::App;
use claimsmith_storage::audit::{self, StoredAuditEntry};
use claimsmith_storage::issuing::issuances::{self, Filter, Issuance};
use claimsmith_storage::{self as storage, Tx};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::{Filters, check_window};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use serde::Deserialize;
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(self::list_issuances)).routes(routes!(self::show_issuance))
}

/// Which issuances are looked for.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct IssuancesQuery {
    /// Of this user.
    user_id: Option<String>,
    /// To this application.
    application_id: Option<String>,
    /// From this time on, Unix milliseconds.
    #[serde(rename = "start_time")]
    start_time: Option<i64>,
    /// Until this time, Unix milliseconds.
    #[serde(rename = "end_time")]
    end_time: Option<i64>,
}

fn view(issuance: Issuance, entries: &[StoredAuditEntry]) -> IssuanceView {
    let entry = entry_of(&issuance, entries);
    IssuanceView {
        user_id: issuance.user_id,
        application_id: issuance.application_id,
        actor_id: issuance.actor_id,
        organization_id: issuance.organization_id,
        format: if issuance.opaque_hash.is_some() { "opaque" } else { "jwt" }.to_owned(),
        resource: issuance.resource,
        scope: issuance.scope,
        grant_type: entry.and_then(|entry| GrantType::of_audit_key(&entry.key)).map(|grant| grant.as_str().to_owned()),
        subject_token_context: issuance
            .context
            .filter(|context| !context.is_unreadable())
            .map(|context| Value::clone(&context.value)),
        issued_at: issuance.created_at,
        expires_at: issuance.expires_at,
        revoked_at: issuance.revoked_at,
        plugins: entry.and_then(|entry| entry.payload.get("plugins")).cloned(),
        id: issuance.jti,
    }
}

/// The audit entry of an issuance, which is written at the same time.
fn entry_of<'e>(issuance: &Issuance, entries: &'e [StoredAuditEntry]) -> Option<&'e StoredAuditEntry> {
    entries.iter().find(|entry| entry.payload.get("jti").and_then(Value::as_str) == Some(&issuance.jti))
}

/// The grant of an issuance, from its audit entry.
pub(super) async fn grant_type(tx: &mut Tx, issuance: &Issuance) -> storage::Result<Option<GrantType>> {
    let entries = audit::issued_at(tx, &[issuance.created_at]).await?;
    Ok(entry_of(issuance, &entries).and_then(|entry| GrantType::of_audit_key(&entry.key)))
}

/// Lists the tokens that were issued, newest first; never a token.
///
/// A record is kept until an hour after its token expired; what is older stands in the audit log alone.
#[utoipa::path(
    get, path = "/api/issuances", tag = "Issuances",
    params(IssuancesQuery, PageParameters),
    responses(
        (status = 200, description = "The page", body = Vec<IssuanceView>, headers(
            ("Total-Number" = i64, description = "How many there are in all, counted to 10,000"),
            ("Total-Number-Is-Capped" = String, description = "`true` when there are more than were counted"),
            ("Link" = String, description = "URLs of the first, previous, next and last page"),
        )),
        (status = 400, description = "No such page, or the query is not what the operation takes", body = ApiErrorBody),
        AccessRefused,
    ),
)]
async fn list_issuances(
    management: Management<LogsRead>,
    Filters(query): Filters<IssuancesQuery>,
    page: Page,
) -> Result<Response, ApiError> {
    check_window(query.start_time, query.end_time)?;
    let wanted = Filter {
        user_id: query.user_id.map(Into::into),
        application_id: query.application_id.map(Into::into),
        from: query.start_time,
        to: query.end_time,
    };
    let mut tx = management.read().await?;
    let total = issuances::count(&mut tx, &wanted, Page::COUNT_LIMIT).await?;
    let found = issuances::list(&mut tx, &wanted, page.slice()).await?;
    let times: Vec<i64> = found.iter().map(|issuance| issuance.created_at).collect();
    let entries = audit::issued_at(&mut tx, &times).await?;
    page.answer_capped(total, found.into_iter().map(|issuance| view(issuance, &entries)).collect())
}

/// Shows the record of an issued token.
#[utoipa::path(
    get, path = "/api/issuances/{id}", tag = "Issuances",
    params(("id" = String, Path, description = "The token's `jti`")),
    responses(
        (status = 200, description = "The record", body = IssuanceView),
        AccessRefused,
        (status = 404, description = "No such record", body = ApiErrorBody),
    ),
)]
async fn show_issuance(management: Management<LogsRead>, Id(id): Id) -> Result<Json<IssuanceView>, ApiError> {
    let mut tx = management.read().await?;
    let issuance = issuances::find(&mut tx, &id).await?.ok_or_else(|| ApiError::not_found("issuance", &id))?;
    let entries = audit::issued_at(&mut tx, &[issuance.created_at]).await?;
    Ok(Json(view(issuance, &entries)))
}
