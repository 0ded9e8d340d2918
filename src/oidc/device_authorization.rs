//! `POST /oidc/device/auth`: the device authorization endpoint (RFC 8628 section 3.1). A device gets two codes: it
//! polls for its tokens with one, and shows the other one to the user, who enters it on a page.

use super::authorize::validate::{is_too_long, refuse_not_supported};
use super::token::{ProvenClient, refused};
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::authorization::request::Prompt;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::user_code;
use claimsmith_identity::grants::authorization_request;
use claimsmith_identity::interaction::device::{self, DeviceCodes, INTERVAL_S, LIFETIME_S};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_pages::paths;
use claimsmith_services::app::App;
use claimsmith_web::error::{OAuthError, log_failure};
use claimsmith_web::extract::client::{AuthenticatedClient, ClientEndpoint};
use claimsmith_web::extract::form::Form;
use serde::Serialize;

/// The audit key of a refusal.
const CREATED: AuditKey = AuditKey::DeviceAuthorizationCreate;

/// The response to a device (section 3.2).
#[derive(Serialize)]
struct DeviceAuthorizationResponse {
    device_code: String,
    user_code: String,
    verification_uri: String,
    verification_uri_complete: String,
    expires_in: i64,
    interval: i64,
}

/// Issues the two codes to a device.
pub async fn authorize_device(
    State(app): State<App>,
    Extension(origin): Extension<RequestOrigin>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let mut proven = ProvenClient::default();
    match answer(&app, &origin, &headers, body, &mut proven).await {
        Ok(response) => {
            ([(header::CACHE_CONTROL, "no-store"), (header::PRAGMA, "no-cache")], axum::Json(response)).into_response()
        }
        Err(error) => {
            tracing::info!(error = error.error, description = %error.description, "device authorization refused");
            refused::note(&app, &origin, CREATED, proven, &error);
            error.into_response()
        }
    }
}

/// `proven` is set to the client once it is authenticated.
async fn answer(
    app: &App,
    origin: &RequestOrigin,
    headers: &HeaderMap,
    body: Body,
    proven: &mut ProvenClient,
) -> Result<DeviceAuthorizationResponse, OAuthError> {
    let form = Form::read(headers, body).await?;
    let mut tx = app.db.read().await?;
    let AuthenticatedClient { client, snapshot, proof } =
        AuthenticatedClient::prove(app, ClientEndpoint::DeviceAuthorization, &mut tx, (headers, &form)).await?;
    let application = &client.application;
    *proven = ProvenClient { client_id: Some(application.id.clone()), proof: Some(proof) };
    if !application.custom_client_metadata.uses_device_flow(client.application.kind) {
        return Err(OAuthError::unauthorized_client("the device flow is not allowed for this client"));
    }
    refuse_not_supported(&form)?;
    let request = authorization_request::read(app, &mut tx, &snapshot, &form, &client).await?;
    if request.asks(Prompt::None) {
        return Err(OAuthError::invalid_request("prompt none cannot be used in the device flow"));
    }
    drop(tx);
    if !app.interactions.admits(origin.ip, app.clock.now_ms()) {
        return Err(OAuthError::temporarily_unavailable());
    }
    if is_too_long(&request) {
        return Err(OAuthError::invalid_request("the request is too long"));
    }
    let DeviceCodes { device_code, user_code } = match device::ask(app, origin, request).await {
        Ok(codes) => codes,
        Err(InteractionRefusal::TooMany(_)) => return Err(OAuthError::temporarily_unavailable()),
        Err(InteractionRefusal::Failed(error)) => {
            log_failure(&*error);
            return Err(OAuthError::server_error());
        }
        Err(_) => return Err(OAuthError::server_error()),
    };
    let user_code = user_code::shown(&user_code);
    let verification_uri = format!("{}{}", app.config.server.base_url, paths::DEVICE);
    Ok(DeviceAuthorizationResponse {
        device_code,
        verification_uri_complete: format!("{verification_uri}?user_code={user_code}"),
        user_code,
        verification_uri,
        expires_in: LIFETIME_S,
        interval: INTERVAL_S,
    })
}
