//! `POST /api/sign-in-exp/preview`.

use super::refusal::refuse;
use super::settings_context;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::response::Response;
use claimsmith_domain::documents::sign_in_experience::change::SignInExperienceChange;
use claimsmith_domain::id::{ApplicationId, OrganizationId};
use claimsmith_domain::management::ConfigsRead;
use claimsmith_json::present;
use claimsmith_pages::preview::{self, Page, PreviewDraft, Theme};
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::patch;
use serde::Deserialize;
use serde_json::{Map, Value};

/// What is to be shown.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "page": "sign-in", "settings": { "color": { "primaryColor": "#0055aa" } }, "language": "de", "theme": "dark"
}))]
pub(super) struct PreviewBody {
    /// The page; signing in when not given.
    #[serde(default)]
    #[schema(required = false)]
    page: Page,
    /// What is to change of the settings, as `PATCH /api/sign-in-exp` takes it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = SignInExperienceChange, required = false)]
    settings: Option<Map<String, Value>>,
    /// A language, such as `de`; that of the settings when not given.
    #[serde(default)]
    language: Option<String>,
    /// Whose application people come from.
    #[serde(default)]
    application_id: Option<String>,
    /// For whose organization they sign in.
    #[serde(default)]
    organization_id: Option<String>,
    /// As the browser prefers it when not given.
    #[serde(default)]
    theme: Option<Theme>,
}

/// Shows a page of sign-in with settings that are not kept.
///
/// Nothing in it can be used. It is for a frame of a page of this origin, and stands under the
/// `Content-Security-Policy` that comes with it, which lets the draft's style sheet in by its digest.
#[utoipa::path(
    post, path = "/api/sign-in-exp/preview", tag = "Sign-in experience",
    request_body = PreviewBody,
    responses(
        (status = 200, description = "The page", body = String, content_type = "text/html"),
        BodyRefused, AccessRefused,
        (status = 422, description = "Settings that do not go together", body = ApiErrorBody),
    ),
)]
pub(super) async fn preview_sign_in_experience(
    management: Management<ConfigsRead>,
    JsonBody(body): JsonBody<PreviewBody>,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    let before = EXPERIENCE.find(&mut tx).await?;
    let context = settings_context(&mut tx, management.now()).await?;
    let change: SignInExperienceChange =
        patch::over(body.settings.unwrap_or_default(), &serde_json::to_value(&before)?)?;
    let settings = before.changed(change, &context).map_err(refuse)?;
    let (application, organization) =
        (body.application_id.map(ApplicationId::from), body.organization_id.map(OrganizationId::from));
    let draft = PreviewDraft {
        settings,
        page: body.page,
        language: body.language.as_deref(),
        application: application.as_ref(),
        organization: organization.as_ref(),
        theme: body.theme,
    };
    preview::show(&management.app, &mut tx, draft).await.map_err(|error| ApiError::failed(&error))
}
