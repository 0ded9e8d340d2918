//! `/api/applications/{id}/sign-in-experience`: how the sign-in pages look for one application.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::applications::{ApplicationSignInExperienceView, PutApplicationSignInExperience};
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::sign_in_experience::application::ApplicationSignInExperience;
use claimsmith_domain::id::ApplicationId;
use claimsmith_domain::management::{ApplicationsRead, ApplicationsWrite, Recent};
use claimsmith_identity::access::privilege_guard;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{applications, sign_in};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::patch::PatchBody;
use serde_json::json;

fn apply(change: PutApplicationSignInExperience, settings: &mut ApplicationSignInExperience) {
    macro_rules! replace {
        ($($setting:ident)+) => { $(if let Some(value) = change.$setting { settings.$setting = value; })+ };
    }
    replace!(display_name color branding custom_css terms_of_use_url privacy_policy_url);
}

fn view(application_id: ApplicationId, settings: ApplicationSignInExperience) -> ApplicationSignInExperienceView {
    ApplicationSignInExperienceView { tenant_id: Tenant, application_id, settings }
}

/// Shows how the sign-in pages look for an application.
#[utoipa::path(
    get, path = "/api/applications/{id}/sign-in-experience", tag = "Applications",
    params(("id" = String, Path, description = "The application")),
    responses(
        (status = 200, description = "Its look", body = ApplicationSignInExperienceView),
        AccessRefused,
        (status = 404, description = "No such application, or it has no look of its own", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_application_sign_in_experience(
    management: Management<ApplicationsRead>,
    Id(id): Id<ApplicationId>,
) -> Result<Json<ApplicationSignInExperienceView>, ApiError> {
    let found = sign_in::applications::find(&mut management.read().await?, &id).await?;
    let settings = found.ok_or_else(|| ApiError::not_found("sign-in experience of the application", &id))?;
    Ok(Json(view(id, settings)))
}

/// Changes how the sign-in pages look for an application; 201 when it had no look of its own.
#[utoipa::path(
    put, path = "/api/applications/{id}/sign-in-experience", tag = "Applications",
    params(("id" = String, Path, description = "The application")),
    request_body = PutApplicationSignInExperience,
    responses(
        (status = 200, description = "Its look", body = ApplicationSignInExperienceView),
        (status = 201, description = "Its look, which is its first", body = ApplicationSignInExperienceView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such application", body = ApiErrorBody),
        (status = 422, description = "It is an application of the server's own", body = ApiErrorBody),
    ),
)]
pub(super) async fn put_application_sign_in_experience(
    management: Management<Recent<ApplicationsWrite>>,
    Id(id): Id<ApplicationId>,
    body: PatchBody<PutApplicationSignInExperience>,
) -> Result<(StatusCode, Json<ApplicationSignInExperienceView>), ApiError> {
    // Serializes changes: each writes the whole row.
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    let application = applications::find(&mut tx, &id).await?;
    application.ok_or_else(|| ApiError::not_found("application", &id))?;
    privilege_guard::check_application(&management, &mut tx, &id).await?;
    let before = sign_in::applications::find(&mut tx, &id).await?;
    let status = if before.is_some() { StatusCode::OK } else { StatusCode::CREATED };
    let mut settings = before.unwrap_or_default();
    let shown = json!({ "color": settings.color, "branding": settings.branding });
    apply(body.over(&shown)?, &mut settings);
    sign_in::applications::put(&mut tx, &id, &settings).await?;
    tx.audit(AuditKey::ManagementApplicationUpdateSignInExperience, json!({ "changedApplicationId": id })).await?;
    tx.commit().await?;
    Ok((status, Json(view(id, settings))))
}
