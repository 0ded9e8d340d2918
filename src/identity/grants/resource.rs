//! The `resource` parameter (RFC 8707): one absolute URI without a fragment that names a registered API resource.

use super::{GrantRefusal, RequestParameters};
use claimsmith_domain::console::built_in;
use claimsmith_domain::id::ApplicationId;
use claimsmith_services::app::App;
use claimsmith_services::tokens::{ORGANIZATIONS_RESOURCE, Snapshot};
use claimsmith_storage::Tx;
use claimsmith_storage::resources::Resource;
use std::sync::Arc;

/// The default resource for requests that name none (`docs/openid-connect.md`), as marked by the operator. Tokens for
/// the Management API and the console always have to be requested by name.
pub(super) async fn default(
    app: &App,
    tx: &mut Tx,
    snapshot: &Snapshot,
) -> Result<Option<Arc<Resource>>, GrantRefusal> {
    let found = snapshot.default_resource(tx).await?;
    let is_own = |resource: &Arc<Resource>| {
        resource.indicator == app.config.tokens.management_resource || resource.id == *built_in::RESOURCE_ID
    };
    Ok(found.filter(|resource| !is_own(resource)))
}

const MISSING: &str = "the request names no resource";
/// No resource has the indicator.
pub(super) const UNKNOWN: &str = "no resource has this indicator";
/// The resource is not for this client.
pub(super) const NOT_PERMITTED: &str = "the client is not permitted to request this resource";

/// Whether a request names the organizations of its user and nothing else, as libraries for the reference API do.
pub(super) fn names_organizations(parameters: &RequestParameters) -> bool {
    parameters.all("resource").eq([ORGANIZATIONS_RESOURCE])
}

/// The resource that a request of this client names; everything else is `invalid_target`. The console's is for the
/// server's own applications alone.
pub(super) async fn target(
    tx: &mut Tx,
    snapshot: &Snapshot,
    parameters: &RequestParameters,
    client_id: &ApplicationId,
) -> Result<Arc<Resource>, GrantRefusal> {
    let mut values = parameters.all("resource");
    let indicator = values.next().ok_or_else(|| GrantRefusal::no_such_target(MISSING))?;
    if values.next().is_some() {
        return Err(GrantRefusal::invalid_target(
            "only a single resource indicator value must be requested/resolved during Access Token Request",
        ));
    }
    let uri =
        url::Url::parse(indicator).map_err(|_| GrantRefusal::invalid_target("resource must be an absolute URI"))?;
    if uri.fragment().is_some() {
        return Err(GrantRefusal::invalid_target("resource must not have a fragment"));
    }
    let resource =
        snapshot.named_resource(tx, indicator).await?.ok_or_else(|| GrantRefusal::no_such_target(UNKNOWN))?;
    if !built_in::may_ask_for(client_id, &resource.id) {
        return Err(GrantRefusal::no_such_target(NOT_PERMITTED));
    }
    Ok(resource)
}
