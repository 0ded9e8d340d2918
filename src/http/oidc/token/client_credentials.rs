//! The `client_credentials` grant (RFC 6749 section 4.4): an application's own token, bound to one resource.

use super::{Failure, TokenRequest, failure_of};
use crate::domain::application::ApplicationType;
use crate::domain::scope;
use crate::http::error::OAuthError;
use crate::http::oidc::resource;
use crate::storage::Tx;
use crate::tokens::{CLIENT_CREDENTIALS, Decision, Issued, Subject};

pub(super) async fn grant(request: TokenRequest<'_>, mut tx: Tx) -> Result<Issued, Failure> {
    let TokenRequest { app, client, snapshot, .. } = request;
    if client.kind != ApplicationType::MachineToMachine {
        return Err(OAuthError::unauthorized_client("requested grant type is not allowed for this client").into());
    }
    let requested =
        scope::words(request.form.one("scope")?.unwrap_or_default()).ok_or_else(OAuthError::invalid_scope)?;
    if request.form.one("organization_id")?.is_some() {
        return Err(OAuthError::not_a_member("organization access is not granted to the application").into());
    }
    let resource = resource::target(&mut tx, &snapshot, request.form).await?;
    drop(tx);

    let held = client.held.get(&resource.id).cloned().unwrap_or_default();
    let decision = Decision {
        scope: scope::grant(&requested, &held),
        lifetime: resource.access_token_ttl,
        plugins: resource.indicator != app.config.tokens.management_resource,
        resource: Some(resource),
        subject: Subject::Application,
        grant_type: CLIENT_CREDENTIALS,
        audit: request.info.audit(),
        request_id: Some(request.info.id.clone()),
        snapshot,
        client,
    };
    app.issuer.issue(decision, request.now).await.map_err(|refusal| failure_of(refusal, OAuthError::server_error))
}
