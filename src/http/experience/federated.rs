//! `POST /api/experience/verification/social/…` and `…/sso/…`: sign-in through other servers; and the enterprise
//! connectors of an email address.

use super::verification::Verified;
use axum::Json;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_identity::interaction::federated::begin::{BegunFederatedSignIn, begin};
use claimsmith_identity::interaction::federated::domains;
use claimsmith_identity::interaction::federated::parameters::{Callback, SignInParameters};
use claimsmith_identity::interaction::federated::verify::verify;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_json::present;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::interaction::InProgress;
use claimsmith_web::extract::json::DeclaredJson;
use claimsmith_web::extract::query::Query;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The state and redirect URI that the page chose.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewAttempt {
    state: Text<0, 512>,
    redirect_uri: Text<0, 2048>,
}

/// The URL that the browser is sent to.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AuthorizationRedirect {
    authorization_uri: String,
    verification_id: String,
}

/// The response of the connector, as the browser received it.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Brought {
    /// The query parameters of the redirect URI.
    #[schema(value_type = Object)]
    connector_data: Map<String, Value>,
    #[serde(default, deserialize_with = "present")]
    verification_id: Option<Text<1, 128>>,
}

/// The ids of connectors.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConnectorIds {
    connector_ids: Vec<String>,
}

/// Begins a sign-in at a social connector.
pub(super) async fn begin_social(
    Id(id): Id,
    in_progress: InProgress,
    body: DeclaredJson<NewAttempt>,
) -> Result<Json<AuthorizationRedirect>, ApiError> {
    send(ConnectorKind::Social, &id, in_progress, body).await
}

/// Begins a sign-in at an enterprise connector.
pub(super) async fn begin_enterprise(
    Id(id): Id,
    in_progress: InProgress,
    body: DeclaredJson<NewAttempt>,
) -> Result<Json<AuthorizationRedirect>, ApiError> {
    send(ConnectorKind::Enterprise, &id, in_progress, body).await
}

async fn send(
    kind: ConnectorKind,
    connector_id: &str,
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<NewAttempt>,
) -> Result<Json<AuthorizationRedirect>, ApiError> {
    let (state, redirect_uri) = (body.state.as_str(), body.redirect_uri.as_str());
    let hint = current.request.login_hint.clone();
    let parameters = SignInParameters { connector_id, state, redirect_uri, hint: hint.as_deref(), scope: None };
    let BegunFederatedSignIn { authorization_uri, verification_id } = begin(&mut current, kind, &parameters).await?;
    Ok(Json(AuthorizationRedirect { authorization_uri, verification_id }))
}

/// Verifies the response of a social connector.
pub(super) async fn verify_social(
    Id(id): Id,
    in_progress: InProgress,
    DeclaredJson(body): DeclaredJson<Brought>,
) -> Result<Json<Verified>, ApiError> {
    take(ConnectorKind::Social, &id, in_progress, body).await
}

/// Verifies the response of an enterprise connector.
pub(super) async fn verify_enterprise(
    Id(id): Id,
    in_progress: InProgress,
    DeclaredJson(body): DeclaredJson<Brought>,
) -> Result<Json<Verified>, ApiError> {
    take(ConnectorKind::Enterprise, &id, in_progress, body).await
}

async fn take(
    kind: ConnectorKind,
    connector_id: &str,
    InProgress(mut current): InProgress,
    body: Brought,
) -> Result<Json<Verified>, ApiError> {
    let text = |name: &str| body.connector_data.get(name).and_then(Value::as_str).map(str::to_owned);
    let callback = Callback { state: text("state"), code: text("code"), error: text("error"), issuer: text("iss") };
    let named = body.verification_id.as_ref().map(Text::as_str).ok_or(InteractionRefusal::VerificationRequired)?;
    let verification_id = verify(&mut current, kind, connector_id, &callback, Some(named)).await?;
    Ok(Json(Verified { verification_id }))
}

/// The enterprise connectors for the domain of an email address.
pub(super) async fn list_connectors(
    InProgress(current): InProgress,
    query: Query,
) -> Result<Json<ConnectorIds>, ApiError> {
    let email = query.one("email")?.unwrap_or_default();
    let found = domains::of_interaction(&current, email).await?;
    let connector_ids = found.into_iter().map(|connector| connector.id.into()).collect();
    Ok(Json(ConnectorIds { connector_ids }))
}
