//! `/api/applications/{id}/sign-in-experience`: how the sign-in pages look for one application.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::organization::{Branding, Color};
use claimsmith_domain::documents::patch::{self, Merged, Patch};
use claimsmith_domain::documents::sign_in_experience::CustomCss;
use claimsmith_domain::documents::sign_in_experience::application::ApplicationSignInExperience;
use claimsmith_domain::documents::sign_in_experience::links::Link;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::ApplicationId;
use claimsmith_domain::management::{ApplicationsRead, ApplicationsWrite};
use claimsmith_identity::access::privilege_guard;
use claimsmith_json::{present, present_object};
use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{applications, sign_in};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::patch::PatchBody;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What is to change; what is left out stays, also of colours and pictures. Null takes away.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::option_option, reason = "left out, null and a value are three things")]
#[schema(example = json!({ "displayName": "Acme Shop", "color": { "primaryColor": "#0055aa" } }))]
pub(super) struct PutApplicationSignInExperience {
    /// What people know the application as; null takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 256)]
    display_name: Option<Option<Text<0, 256>>>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Color, required = false)]
    color: Option<Color>,
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Branding, required = false)]
    branding: Option<Branding>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 65536)]
    custom_css: Option<Option<CustomCss>>,
    /// An http or https URL; null takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 2048)]
    terms_of_use_url: Option<Option<Link>>,
    /// An http or https URL; null takes it away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 2048)]
    privacy_policy_url: Option<Option<Link>>,
}

impl Patch for PutApplicationSignInExperience {
    const MERGED: &'static Merged = &patch::APPLICATION_LOOK;
}

impl PutApplicationSignInExperience {
    fn apply(self, settings: &mut ApplicationSignInExperience) {
        macro_rules! replace {
            ($($setting:ident)+) => { $(if let Some(value) = self.$setting { settings.$setting = value; })+ };
        }
        replace!(display_name color branding custom_css terms_of_use_url privacy_policy_url);
    }
}

/// How the sign-in pages look for one application.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "applicationId": "m4x9k2p7q1v8t3w6z5b0n", "displayName": "Acme Shop",
    "color": { "primaryColor": "#0055aa" }, "branding": {}, "customCss": null,
    "termsOfUseUrl": "https://shop.example.com/terms", "privacyPolicyUrl": null
}))]
pub(super) struct ApplicationSignInExperienceView {
    /// Always `default`.
    tenant_id: &'static str,
    #[schema(value_type = String)]
    application_id: ApplicationId,
    #[serde(flatten)]
    settings: ApplicationSignInExperience,
}

impl ApplicationSignInExperienceView {
    fn new(application_id: ApplicationId, settings: ApplicationSignInExperience) -> Self {
        Self { tenant_id: TENANT, application_id, settings }
    }
}

/// Shows how the sign-in pages look for an application.
#[utoipa::path(
    get, path = "/api/applications/{id}/sign-in-experience", tag = "Applications",
    summary = "Show the sign-in pages of an application",
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
    Ok(Json(ApplicationSignInExperienceView::new(id, settings)))
}

/// Changes how the sign-in pages look for an application; 201 when it had no look of its own.
#[utoipa::path(
    put, path = "/api/applications/{id}/sign-in-experience", tag = "Applications",
    summary = "Change the sign-in pages of an application",
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
    management: Management<ApplicationsWrite>,
    Id(id): Id<ApplicationId>,
    body: PatchBody<PutApplicationSignInExperience>,
) -> Result<(StatusCode, Json<ApplicationSignInExperienceView>), ApiError> {
    // Serializes changes: each writes the whole row.
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    let application = applications::find(&mut tx, &id).await?;
    application.ok_or_else(|| ApiError::nothing_to_change("application", &id))?;
    privilege_guard::check_application(&management, &mut tx, &id).await?;
    let before = sign_in::applications::find(&mut tx, &id).await?;
    let status = if before.is_some() { StatusCode::OK } else { StatusCode::CREATED };
    let mut settings = before.unwrap_or_default();
    let shown = json!({ "color": settings.color, "branding": settings.branding });
    body.over(&shown)?.apply(&mut settings);
    sign_in::applications::put(&mut tx, &id, &settings).await?;
    tx.audit(AuditKey::ManagementApplicationUpdateSignInExperience, json!({ "changedApplicationId": id })).await?;
    tx.commit().await?;
    Ok((status, Json(ApplicationSignInExperienceView::new(id, settings))))
}
