//! The `client_credentials` grant (RFC 6749 section 4.4): an application's own token, bound to one resource, to one
//! organization, or to a resource within an organization.

use super::{GrantFailure, GrantRefusal, TokenRequest, failure_of, resource};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::id::{ApplicationId, OrganizationId};
use claimsmith_domain::scope;
use claimsmith_services::tokens::{Decision, IssuedTokens, ORGANIZATION_AUDIENCE, Subject, context};
use claimsmith_storage::{Tx, organizations};
use std::collections::BTreeSet;
use std::slice;
use std::sync::Arc;

/// The audience of the token, and the application's scopes there.
struct Target {
    audience: String,
    lifetime: i64,
    held: BTreeSet<String>,
}

pub(super) async fn grant(request: TokenRequest<'_>, tx: Tx) -> Result<IssuedTokens, GrantFailure> {
    let (app, now) = (request.app, request.now);
    let decision = decide(request, tx).await?;
    app.issuer.issue(decision, now).await.map_err(|refusal| failure_of(refusal, || GrantRefusal::Broken))
}

/// The decision for the application.
pub(super) async fn decide(request: TokenRequest<'_>, mut tx: Tx) -> Result<Decision, GrantFailure> {
    if request.client.application.kind != ApplicationType::MachineToMachine {
        return Err(GrantRefusal::unauthorized_client().into());
    }
    let requested =
        scope::words(request.parameters.one("scope")?.unwrap_or_default()).ok_or_else(GrantRefusal::invalid_scope)?;
    let organization = match request.parameters.one("organization_id")? {
        None => None,
        Some(id) => Some(organization(&mut tx, &id.into(), &request.client.application.id).await?),
    };
    let target = target(&request, &mut tx, organization.as_ref().map(|(id, _)| id)).await?;
    drop(tx);

    let TokenRequest { app, origin, client, snapshot, audit, .. } = request;
    Ok(Decision {
        scope: scope::grant(&requested, &target.held),
        lifetime: target.lifetime,
        plugins: target.audience != app.config.tokens.management_resource,
        audience: Some(target.audience),
        organization,
        subject: Subject::Application,
        grant_type: GrantType::ClientCredentials,
        audit,
        origin: origin.clone(),
        snapshot,
        client,
    })
}

/// The organization: id and `context.organization`, if the application belongs to it.
async fn organization(
    tx: &mut Tx,
    id: &OrganizationId,
    application_id: &ApplicationId,
) -> Result<(OrganizationId, Arc<str>), GrantRefusal> {
    let belongs = organizations::applications::MEMBERS.among(tx, id, slice::from_ref(application_id)).await?;
    let organization = if belongs.is_empty() { None } else { organizations::find(tx, id).await? };
    let organization = organization
        .ok_or_else(|| GrantRefusal::not_a_member("the application is not associated with the organization"))?;
    let context = context::organization(&organization).to_string().into();
    Ok((organization.id, context))
}

/// The resource, or the organization itself if no resource is named; the default resource if neither is. Within an
/// organization, only the application's roles there count; the Management API belongs to no organization.
async fn target(
    request: &TokenRequest<'_>,
    tx: &mut Tx,
    organization_id: Option<&OrganizationId>,
) -> Result<Target, GrantRefusal> {
    let application_id = &request.client.application.id;
    let names_resource = request.parameters.all("resource").next().is_some();
    if let Some(id) = organization_id.filter(|_| !names_resource) {
        return Ok(Target {
            audience: format!("{ORGANIZATION_AUDIENCE}{id}"),
            lifetime: i64::try_from(request.app.config.tokens.access_token_ttl.as_secs())?,
            held: organizations::applications::scopes_of(tx, id, application_id).await?,
        });
    }
    let resource = if names_resource {
        resource::target(tx, &request.snapshot, request.parameters, application_id).await?
    } else {
        let default = resource::default(request.app, tx, &request.snapshot).await?;
        default.ok_or_else(|| GrantRefusal::invalid_target("both `resource` and `organization_id` are not provided"))?
    };
    let held = match organization_id {
        None => request.client.held.get(&resource.id).cloned().unwrap_or_default(),
        Some(_) if resource.indicator == request.app.config.tokens.management_resource => {
            return Err(GrantRefusal::invalid_target("the Management API belongs to no organization"));
        }
        Some(id) => organizations::applications::resource_scopes_of(tx, id, application_id, &resource.id).await?,
    };
    Ok(Target { audience: resource.indicator.clone(), lifetime: resource.access_token_ttl, held })
}
