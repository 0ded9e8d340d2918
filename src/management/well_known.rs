//! `/api/.well-known`: the public data that sign-in and account pages need; nothing in it is secret. They are public
//! documents (`src/http/public_documents`).

use crate::views::IntoView;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use claimsmith_api::custom_profile_fields::CustomProfileFieldView;
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::id::{ApplicationId, OrganizationId};
use claimsmith_identity::interaction::captcha;
use claimsmith_identity::interaction::federated::buttons::{self, Button};
use claimsmith_identity::interaction::federated::domains;
use claimsmith_identity::interaction::forgotten_password::CodeChannels;
use claimsmith_pages::{experience, phrases};
use claimsmith_services::app::App;
use claimsmith_storage::Tx;
use claimsmith_storage::sign_in::custom_profile_fields;
use claimsmith_storage::sign_in::settings::{ACCOUNT_CENTER, EXPERIENCE};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::query::Query;
use claimsmith_web::routing::get;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::show_public_sign_in_experience))
        .routes(routes!(self::show_experience))
        .routes(routes!(self::show_phrases))
        .routes(routes!(self::show_public_account_center))
        .routes(routes!(self::show_endpoints))
        // For browsers, not for clients of the API.
        .route("/.well-known/webauthn", get(self::show_related_origins))
}

/// Settings that are only visible to operators.
const HIDDEN: [&str; 2] = ["emailBlocklistPolicy", "forgotPasswordMethods"];

/// Shows the settings of sign-in as its pages need them: those of `/api/sign-in-exp`, but for the email addresses that
/// are refused, with the look of an application or an organization laid over them, an organization's over an
/// application's.
#[utoipa::path(
    get, path = "/api/.well-known/sign-in-exp", tag = "Well-known",
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
    get, path = "/api/.well-known/experience", tag = "Well-known",
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
    Ok(all.into_iter().map(IntoView::into_view).collect())
}

fn public(settings: &SignInExperience, resets: &[Channel]) -> Result<Value, ApiError> {
    let mut body = json!({
        "tenantId": Tenant,
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

/// Shows the texts of the pages.
///
/// `Content-Language` says in which language; it is the first that there is of `lng`, then of `Accept-Language` unless
/// the settings say otherwise, then the fallback. `{{name}}` is a placeholder.
#[utoipa::path(
    get, path = "/api/.well-known/phrases", tag = "Well-known",
    params(("lng" = Option<String>, Query, description = "Language tags, the best one first, with spaces between")),
    responses(
        (status = 200, description = "The texts", body = Object,
            example = json!({ "languageTag": "en", "translation": { "sign_in": { "title": "Sign in" } } })),
        (status = 304, description = "They are as `If-None-Match` says"),
        (status = 400, description = "`lng` is too long", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_phrases(
    State(app): State<App>,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, ApiError> {
    let asked = query.one("lng")?;
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut tx = app.db.read().await?;
    let settings = EXPERIENCE.find(&mut tx).await?;
    let there = phrases::languages(&mut tx).await?;
    let tag = phrases::choose(&there, &settings.language_info, asked, accepted);
    let translation = phrases::in_language(&mut tx, &tag).await?;
    let body = json!({ "languageTag": tag.as_str(), "translation": translation });
    let spoken = HeaderValue::try_from(tag.as_str())?;
    Ok(([(header::CONTENT_LANGUAGE, spoken)], Json(body)).into_response())
}

/// Shows the settings of people's own accounts: those of `/api/account-center`.
#[utoipa::path(
    get, path = "/api/.well-known/account-center", tag = "Well-known",
    responses(
        (status = 200, description = "The settings", body = Object, example = json!({
            "tenantId": "default", "id": "default", "enabled": true, "fields": { "name": "Edit" },
            "webauthnRelatedOrigins": [], "deleteAccountUrl": null, "customCss": null, "profileFields": null
        })),
        (status = 304, description = "They are as `If-None-Match` says"),
    ),
)]
pub(super) async fn show_public_account_center(State(app): State<App>) -> Result<Response, ApiError> {
    let settings = ACCOUNT_CENTER.find(&mut app.db.read().await?).await?;
    let mut body = json!({ "tenantId": Tenant, "id": "default" });
    if let (Some(members), Value::Object(settings)) = (body.as_object_mut(), serde_json::to_value(settings)?) {
        members.extend(settings);
    }
    Ok(Json(body).into_response())
}

/// Shows where the APIs of this server are.
///
/// There is one tenant, so the answer is the same for every id.
#[utoipa::path(
    get, path = "/api/.well-known/endpoints/{tenantId}", tag = "Well-known",
    params(("tenantId" = String, Path, description = "Such as `default`")),
    responses(
        (status = 200, description = "The base URL", body = Object, example = json!({
            "user": "https://id.example.com"
        })),
        (status = 304, description = "It is as `If-None-Match` says"),
    ),
)]
pub(super) async fn show_endpoints(State(app): State<App>) -> Json<Value> {
    Json(json!({ "user": app.config.server.base_url }))
}

/// Shows the origins that may use the passkeys of this server (`WebAuthn` section 5.11, related origin requests).
pub(super) async fn show_related_origins(State(app): State<App>) -> Result<Response, ApiError> {
    let settings = ACCOUNT_CENTER.find(&mut app.db.read().await?).await?;
    Ok(Json(json!({ "origins": settings.webauthn_related_origins })).into_response())
}
