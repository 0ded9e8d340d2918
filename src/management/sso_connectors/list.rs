//! `GET /api/sso-connectors` and `GET /api/sso-connectors/{id}`.

use super::view::SsoConnectorView;
use crate::parameters::OptionalPageParameters;
use crate::refusals::{AccessRefused, NoSuchPage};
use axum::Json;
use axum::response::Response;
use claimsmith_domain::id::SsoConnectorId;
use claimsmith_domain::management::ConfigsRead;
use claimsmith_domain::upstream::{Protocol, enterprise};
use claimsmith_services::connectors::decrypt_enterprise;
use claimsmith_storage::connectors::sso_connectors::{self, DOMAINS, SsoConnector};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::{Caller, Management};
use claimsmith_web::extract::page::OptionalPage;
use serde_json::Value;

/// Lists enterprise connectors, the oldest first; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/sso-connectors", tag = "SSO connectors", summary = "List SSO connectors",
    params(OptionalPageParameters),
    responses(
        (status = 200, description = "The connectors", body = Vec<SsoConnectorView>),
        AccessRefused, NoSuchPage,
    ),
)]
pub(super) async fn list_sso_connectors(
    management: Management<ConfigsRead>,
    page: OptionalPage,
) -> Result<Response, ApiError> {
    let mut tx = management.read().await?;
    let total = sso_connectors::count(&mut tx).await?;
    let mut views = Vec::new();
    for connector in sso_connectors::list(&mut tx, page.slice()).await? {
        let domains = DOMAINS.of(&mut tx, &connector.id).await?;
        views.push(SsoConnectorView::of(&management.app, connector, domains));
    }
    page.answer(total, views)
}

/// Shows an enterprise connector, with what its provider says of itself. The secret of its configuration is hidden.
#[utoipa::path(
    get, path = "/api/sso-connectors/{id}", tag = "SSO connectors", summary = "Show an SSO connector",
    params(("id" = String, Path, description = "The connector")),
    responses(
        (status = 200, description = "The connector", body = SsoConnectorView),
        AccessRefused,
        (status = 404, description = "No such connector", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_sso_connector(
    management: Management<ConfigsRead>,
    Id(id): Id<SsoConnectorId>,
) -> Result<Json<SsoConnectorView>, ApiError> {
    let (connector, domains) = {
        let mut tx = management.read().await?;
        let found = sso_connectors::find(&mut tx, &id).await?;
        (found.ok_or_else(|| ApiError::not_found("SSO connector", &id))?, DOMAINS.of(&mut tx, &id).await?)
    };
    let provider_config = said(&management, &connector).await;
    let mut view = SsoConnectorView::of(&management.app, connector, domains);
    view.provider_config = provider_config;
    Ok(Json(view))
}

/// The provider's metadata, if it can be reached.
async fn said(management: &Caller, connector: &SsoConnector) -> Option<Value> {
    let config = decrypt_enterprise(&management.app.cipher, connector).ok()?;
    let upstream = enterprise::upstream(&connector.provider_name, config.as_object()?, &[]).ok()?;
    match &upstream.protocol {
        Protocol::OpenId { issuer } => management.app.federation.described(issuer).await.ok(),
        Protocol::OAuth { .. } => None,
    }
}
