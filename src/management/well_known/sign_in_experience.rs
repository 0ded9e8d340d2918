//! `GET /api/.well-known/sign-in-exp` and `/experience`: the settings that the pages need, with the look of an application
//! and an organization.

use crate::custom_profile_fields::CustomProfileFieldView;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::id::{ApplicationId, OrganizationId};
use claimsmith_identity::interaction::captcha;
use claimsmith_identity::interaction::federated::buttons::{self, Button};
use claimsmith_identity::interaction::federated::domains;
use claimsmith_identity::interaction::forgotten_password::CodeChannels;
use claimsmith_pages::experience;
use claimsmith_services::app::App;
use claimsmith_storage::Tx;
use claimsmith_storage::sign_in::custom_profile_fields;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::query::Query;
use serde_json::{Value, json};

/// Settings that are only visible to operators.
const HIDDEN: [&str; 2] = ["emailBlocklistPolicy", "forgotPasswordMethods"];

/// Shows the settings of sign-in as its pages need them: those of `/api/sign-in-exp`, but for the email addresses that are
/// refused, with the look of an application or an organization laid over them, an organization's over an application's.
#[utoipa::path(
    get, path = "/api/.well-known/sign-in-exp", tag = "Well-known", summary = "Show the settings of the sign-in pages",
    params(
        ("appId" = Option<String>, Query, description = "The application that sends people to the pages"),
        ("organizationId" = Option<String>, Query, description = "The organization that they belong to"),
    ),
    responses(
        (status = 200, description = "The settings", body = Object, example = json!({
            "tenantId": "default", "id": "default", "signInMode": "SignInAndRegister", "socialConnectors": [],
            "ssoConnectors": [], "forgotPassword": { "email": false, "phone": false }, "isDevelopmentTenant": false,
            "customProfileFields": []
        })),
        (status = 304, description = "They are as `If-None-Match` says"),
        (status = 400, description = "A parameter is given twice or too long", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_public_sign_in_experience(State(app): State<App>, query: Query) -> Result<Response, ApiError> {
    show(&app, &query).await
}

/// Shows the settings of sign-in as its pages need them; the same as `/api/.well-known/sign-in-exp`.
#[utoipa::path(
    get, path = "/api/.well-known/experience", tag = "Well-known", summary = "Show the settings of the pages",
    params(
        ("appId" = Option<String>, Query, description = "The application that sends people to the pages"),
        ("organizationId" = Option<String>, Query, description = "The organization that they belong to"),
    ),
    responses(
        (status = 200, description = "The settings", body = Object, example = json!({
            "tenantId": "default", "id": "default", "signInMode": "SignInAndRegister", "socialConnectors": [],
            "ssoConnectors": [], "forgotPassword": { "email": false, "phone": false }, "isDevelopmentTenant": false,
            "customProfileFields": []
        })),
        (status = 304, description = "They are as `If-None-Match` says"),
        (status = 400, description = "A parameter is given twice or too long", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_experience(State(app): State<App>, query: Query) -> Result<Response, ApiError> {
    show(&app, &query).await
}

async fn show(app: &App, query: &Query) -> Result<Response, ApiError> {
    let application_id = query.one("appId")?.map(ApplicationId::from);
    let organization_id = query.one("organizationId")?.map(OrganizationId::from);
    let mut tx = app.db.read().await?;
    let found = experience::find(&mut tx, application_id.as_ref(), organization_id.as_ref()).await?;
    let resets = CodeChannels::load(&mut tx, application_id.as_ref()).await?.resets(&found.settings);
    let mut body = public(&found.settings, &resets)?;
    let social = buttons::list(&mut tx, &found.settings).await?;
    body["socialConnectors"] = social.iter().map(Button::shown).collect();
    if let Some(config) = captcha::shown(app, &mut tx, &found.settings).await? {
        body["captchaConfig"] = config.public();
    }
    body["customProfileFields"] = serde_json::to_value(asked_for(&mut tx, &found.settings).await?)?;
    body["ssoConnectors"] = domains::all(app, &mut tx, &found.settings, application_id.as_ref()).await?.into();
    Ok(Json(body).into_response())
}

/// The profile fields of registration.
async fn asked_for(tx: &mut Tx, settings: &SignInExperience) -> Result<Vec<CustomProfileFieldView>, ApiError> {
    let mut all = custom_profile_fields::list(tx).await?;
    if let Some(list) = &settings.sign_up_profile_fields {
        let named = list.iter().filter_map(|one| all.iter().find(|field| field.name == one.name.as_str()));
        all = named.cloned().collect();
    }
    Ok(all.into_iter().map(CustomProfileFieldView::from).collect())
}

fn public(settings: &SignInExperience, resets: &[Channel]) -> Result<Value, ApiError> {
    let mut body = json!({
        "tenantId": claimsmith_services::tokens::context::TENANT,
        "id": "default",
        "socialConnectors": [],
        "ssoConnectors": [],
        "forgotPassword": { "email": resets.contains(&Channel::Email), "phone": resets.contains(&Channel::Phone) },
        "isDevelopmentTenant": false,
        "customProfileFields": [],
    });
    if let (Some(members), Value::Object(settings)) = (body.as_object_mut(), serde_json::to_value(settings)?) {
        members.extend(settings.into_iter().filter(|(name, _)| !HIDDEN.contains(&name.as_str())));
    }
    Ok(body)
}
