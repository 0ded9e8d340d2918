//! `/api/impersonations`: who acts as which user.

use crate::describe::routes;
use crate::parameters::PageParameters;
use crate::refusals::AccessRefused;
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::impersonations::ImpersonationView;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::management::{SubjectTokensRead, SubjectTokensWrite};
use claimsmith_services::app::App;
use claimsmith_storage::issuing::impersonations::{self, Filter, Impersonation};
use claimsmith_storage::issuing::issuances;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::{Filters, check_window};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use serde::Deserialize;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::list_impersonations))
        .routes(routes!(self::show_impersonation, self::end_impersonation))
}

/// Which impersonations are looked for.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct ImpersonationsQuery {
    /// For this user.
    user_id: Option<String>,
    /// By this user.
    actor_id: Option<String>,
    /// Through this application.
    application_id: Option<String>,
    /// For this ticket: the `ticketId` of the context.
    ticket_id: Option<String>,
    /// With this anywhere in the context, such as a part of the reason.
    search: Option<String>,
    /// `true` for those whose token is live, `false` for those whose token is not, else all.
    is_active: Option<bool>,
    /// Begun from this time on, Unix milliseconds.
    #[serde(rename = "start_time")]
    start_time: Option<i64>,
    /// Begun until this time, Unix milliseconds.
    #[serde(rename = "end_time")]
    end_time: Option<i64>,
}

/// Lists who acts or acted for whom, newest first.
///
/// An impersonation is listed for as long as the audit log is kept (`audit.retention_days`), and for an hour after its
/// token expired.
#[utoipa::path(
    get, path = "/api/impersonations", tag = "Impersonations",
    params(ImpersonationsQuery, PageParameters),
    responses(
        (status = 200, description = "The page", body = Vec<ImpersonationView>, headers(
            ("Total-Number" = i64, description = "How many there are in all, counted to 10,000"),
            ("Total-Number-Is-Capped" = String, description = "`true` when there are more than were counted"),
            ("Link" = String, description = "URLs of the first, previous, next and last page"),
        )),
        (status = 400, description = "No such page, or the query is not what the operation takes", body = ApiErrorBody),
        AccessRefused,
    ),
)]
async fn list_impersonations(
    management: Management<SubjectTokensRead>,
    Filters(query): Filters<ImpersonationsQuery>,
    page: Page,
) -> Result<Response, ApiError> {
    check_window(query.start_time, query.end_time)?;
    let wanted = Filter {
        user_id: query.user_id.map(Into::into),
        actor_id: query.actor_id.map(Into::into),
        application_id: query.application_id.map(Into::into),
        ticket_id: query.ticket_id,
        part: query.search.filter(|part| !part.is_empty()),
        from: query.start_time,
        to: query.end_time,
        is_active: query.is_active,
        now: management.now(),
    };
    let mut tx = management.read().await?;
    let most = Page::COUNT_LIMIT;
    let total = impersonations::count(&mut tx, &wanted, most).await.map_err(ApiError::from_search)?;
    let found = impersonations::list(&mut tx, &wanted, page.slice()).await.map_err(ApiError::from_search)?;
    page.answer_found(total, found.into_iter().map(|one| view(one, wanted.now)).collect())
}

/// Shows an impersonation.
#[utoipa::path(
    get, path = "/api/impersonations/{id}", tag = "Impersonations",
    params(("id" = String, Path, description = "The token's `jti`")),
    responses(
        (status = 200, description = "The impersonation", body = ImpersonationView),
        AccessRefused,
        (status = 404, description = "No such impersonation", body = ApiErrorBody),
    ),
)]
async fn show_impersonation(
    management: Management<SubjectTokensRead>,
    Id(id): Id,
) -> Result<Json<ImpersonationView>, ApiError> {
    let found = impersonations::find(&mut management.read().await?, &id).await?;
    let found = found.ok_or_else(|| ApiError::not_found("impersonation", &id))?;
    Ok(Json(view(found, management.now())))
}

/// Ends an impersonation: its token is revoked, and everybody who asks this server hears so.
///
/// A resource server that does not ask believes a JWT until it expires. Ending one that is over changes nothing.
#[utoipa::path(
    delete, path = "/api/impersonations/{id}", tag = "Impersonations",
    params(("id" = String, Path, description = "The token's `jti`")),
    responses(
        (status = 204, description = "Over"),
        AccessRefused,
        (status = 404, description = "No such impersonation", body = ApiErrorBody),
    ),
)]
async fn end_impersonation(management: Management<SubjectTokensWrite>, Id(id): Id) -> Result<StatusCode, ApiError> {
    let now = management.now();
    let mut tx = management.begin().await?;
    let found = impersonations::find(&mut tx, &id).await?;
    let found = found.ok_or_else(|| ApiError::nothing_to_delete("impersonation", &id))?;
    if found.expires_at > now && issuances::revoke(&mut tx, &id, now).await? {
        let details = json!({
            "userId": found.user_id, "actorId": found.actor_id, "jti": id,
            "impersonatingApplicationId": found.application_id, "context": found.context,
        });
        tx.audit(AuditKey::ManagementImpersonationEnd, details).await?;
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

fn view(one: Impersonation, now: i64) -> ImpersonationView {
    ImpersonationView {
        is_active: one.is_active(now),
        id: one.jti,
        user_id: one.user_id,
        actor_id: one.actor_id,
        application_id: one.application_id,
        resource: one.resource,
        scope: one.scope,
        organization_id: one.organization_id,
        subject_token_id: one.subject_token_id,
        context: one.context.map(|context| context.0),
        created_at: one.created_at,
        expires_at: one.expires_at,
        ended_at: one.revoked_at,
    }
}
