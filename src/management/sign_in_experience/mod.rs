//! `/api/sign-in-exp`: the sign-in settings, with a file for each operation that only tries something.

mod check_password;
mod preview;
mod refusal;

use self::refusal::refuse;
use crate::describe::routes;
use crate::lockout::{self, LockoutQuery, settings_context};
use crate::refusals::{AccessRefused, BodyRefused};
use crate::views::IntoView;
use axum::Json;
use claimsmith_api::sign_in_experience::{CaseConflicts, SignInExperienceView};
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::sign_in_experience::change::SignInExperienceChange;
use claimsmith_domain::management::{ConfigsRead, Everything};
use claimsmith_domain::sign_in_experience::accepted_credentials::AcceptedCredentials;
use claimsmith_services::app::App;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::patch::PatchBody;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::show_sign_in_experience, self::update_sign_in_experience))
        .routes(routes!(check_password::check_password))
        .routes(routes!(preview::preview_sign_in_experience))
        .routes(routes!(self::show_case_conflicts))
}

/// Shows the settings of sign-in.
#[utoipa::path(
    get, path = "/api/sign-in-exp", tag = "Sign-in experience",
    responses(
        (status = 200, description = "The settings", body = SignInExperienceView),
        AccessRefused,
    ),
)]
pub(super) async fn show_sign_in_experience(
    management: Management<ConfigsRead>,
) -> Result<Json<SignInExperienceView>, ApiError> {
    let settings = EXPERIENCE.find(&mut management.read().await?).await?;
    Ok(Json(settings.into_view()))
}

/// Changes settings of sign-in: what is left out stays, also within objects such as `signUp`.
#[utoipa::path(
    patch, path = "/api/sign-in-exp", tag = "Sign-in experience",
    params(LockoutQuery),
    request_body = SignInExperienceChange,
    responses(
        (status = 200, description = "The settings", body = SignInExperienceView),
        BodyRefused, AccessRefused,
        (
            status = 422,
            description = "Settings that do not go together; or with `refuseLockout`, users could no longer sign in",
            body = ApiErrorBody,
        ),
    ),
)]
pub(super) async fn update_sign_in_experience(
    management: Management<Everything>,
    Filters(query): Filters<LockoutQuery>,
    change: PatchBody<SignInExperienceChange>,
) -> Result<Json<SignInExperienceView>, ApiError> {
    if query.refuse_lockout {
        // Before the transaction of the change, since it reads all users.
        let mut tx = management.read().await?;
        let before = EXPERIENCE.find(&mut tx).await?;
        let context = settings_context(&mut tx, management.now()).await?;
        let after = before.changed(change.over(&serde_json::to_value(&before)?)?, &context).map_err(refuse)?;
        let [before, after] = [&before, &after].map(|settings| AcceptedCredentials::of(settings, &context));
        lockout::check(&mut tx, &before, &after).await?;
    }
    let mut tx = management.begin().await?;
    let before = EXPERIENCE.lock(&mut tx).await?;
    let context = settings_context(&mut tx, management.now()).await?;
    let shown = serde_json::to_value(&before)?;
    let settings = before.changed(change.over(&shown)?, &context).map_err(refuse)?;
    EXPERIENCE.put(&mut tx, &settings).await?;
    let changed = differences(&shown, &serde_json::to_value(&settings)?);
    tx.audit(AuditKey::ManagementSignInExperienceUpdate, json!({ "changedSettings": changed })).await?;
    tx.commit().await?;
    Ok(Json(settings.into_view()))
}

/// The names of the changed settings.
fn differences(before: &Value, after: &Value) -> Vec<String> {
    let members = after.as_object().into_iter().flatten();
    members.filter(|(name, value)| before.get(*name) != Some(*value)).map(|(name, _)| name.clone()).collect()
}

/// Shows which user names differ in case alone.
///
/// There are none: they are unique whatever their case.
#[utoipa::path(
    get, path = "/api/sign-in-exp/username-policy/case-sensitivity-conflicts", tag = "Sign-in experience",
    responses(
        (status = 200, description = "None", body = CaseConflicts),
        AccessRefused,
    ),
)]
pub(super) async fn show_case_conflicts(_: Management<ConfigsRead>) -> Result<Json<CaseConflicts>, ApiError> {
    Ok(Json(CaseConflicts { total_conflicts: 0, samples: Vec::new() }))
}

impl IntoView<SignInExperienceView> for SignInExperience {
    fn into_view(self) -> SignInExperienceView {
        SignInExperienceView { tenant_id: Tenant, id: "default".to_owned(), settings: self }
    }
}
