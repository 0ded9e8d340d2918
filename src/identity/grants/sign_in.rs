//! What the grants of codes, device codes and refresh tokens have in common: the signed-in user, the audience of the
//! tokens, and the decision.

use super::organization::check_second_factor;
use super::{GrantFailure, GrantRefusal, TokenRequest, resource};
use crate::application_access::{self, ConsentLimits, held_for_third_party};
use claimsmith_domain::authorization::request::Authorized;
use claimsmith_domain::console::built_in;
use claimsmith_domain::documents::application::CustomClientMetadata;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::grant::sign_in::Authorization;
use claimsmith_domain::id::{GrantId, OrganizationId, ResourceId, UserId};
use claimsmith_domain::user_scope::ORGANIZATIONS;
use claimsmith_services::tokens::{
    Decision, ORGANIZATION_AUDIENCE, ORGANIZATIONS_RESOURCE, PresentedCredential, RefreshTokenAnswer, SignInCredential,
    SignInGrant, Subject, UserFacts, UserSubject, user_claims,
};
use claimsmith_storage::applications::Application;
use claimsmith_storage::organizations::consents;
use claimsmith_storage::resources::Resource;
use claimsmith_storage::users::User;
use claimsmith_storage::{Tx, organizations};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::slice;
use std::sync::Arc;

/// What a signed-in user granted to an application, and the credential that represents it.
pub(super) struct PresentedGrant {
    /// The signed-in user, who may be suspended.
    pub(super) user: User,
    /// The stored configuration of ID tokens.
    pub(super) id_token_config: Option<String>,
    pub(super) grant_id: GrantId,
    /// The family of all tokens from the same code.
    pub(super) family_id: String,
    pub(super) authorized: Authorized,
    pub(super) credential: SignInCredential,
    /// The refresh token of the response, if there is one.
    pub(super) refresh: Option<RefreshTokenAnswer>,
    /// Organizations that a preview assumes the user to have consented to; otherwise empty.
    pub(super) previewed_organizations: Vec<OrganizationId>,
}

/// Refuses a user who may not sign in to the application.
pub(super) async fn check_access(tx: &mut Tx, application: &Application, id: &UserId) -> Result<(), GrantRefusal> {
    if application_access::admits(tx, application, id).await? {
        return Ok(());
    }
    Err(GrantRefusal::denied("the user may not sign in to this application"))
}

/// The signed-in user.
struct SignedIn {
    id: UserId,
    revision: i64,
    facts: Arc<UserFacts>,
    user: User,
    /// What a third party may get; `None` for the operator's own applications.
    for_third_party: Option<ForThirdParty>,
}

/// What a third-party application may get from a user.
struct ForThirdParty {
    /// The scopes that are enabled for it; `None`: all.
    limits: Option<ConsentLimits>,
    /// The organizations in which the user lets it act.
    organizations: Vec<OrganizationId>,
}

impl SignedIn {
    /// The user, if active, by the current authorization data. `previewed`: see
    /// [`PresentedGrant::previewed_organizations`].
    async fn of(
        request: &TokenRequest<'_>,
        tx: &mut Tx,
        user: User,
        previewed: &[OrganizationId],
    ) -> Result<Self, GrantRefusal> {
        if user.is_suspended {
            return Err(GrantRefusal::invalid_grant());
        }
        let application = &request.client.application;
        check_access(tx, application, &user.id).await?;
        let for_third_party = if application.is_third_party {
            let mut organizations = consents::ORGANIZATIONS.of(tx, (&application.id, &user.id)).await?;
            organizations.extend_from_slice(previewed);
            Some(ForThirdParty { limits: ConsentLimits::of(tx, application).await?, organizations })
        } else {
            None
        };
        let facts = request.snapshot.user_facts(tx, &user.id, user.revision).await?;
        let facts = facts.ok_or_else(GrantRefusal::invalid_grant)?;
        Ok(Self { id: user.id.clone(), revision: user.revision, facts, user, for_third_party })
    }

    /// The scopes that are enabled for a third party, if not all are.
    fn limits(&self) -> Option<&ConsentLimits> {
        self.for_third_party.as_ref().and_then(|third_party| third_party.limits.as_ref())
    }

    /// The scopes of a resource that the user has and the application may get: within an organization; without one, the
    /// operator's own applications get those of all organizations, and a third party those outside of organizations.
    fn held(&self, resource_id: &ResourceId, organization_id: Option<&OrganizationId>) -> BTreeSet<String> {
        match (&self.for_third_party, organization_id) {
            (None, None) => self.facts.held_anywhere(resource_id),
            (None, id) => self.facts.held(resource_id, id),
            (Some(_), id) => {
                held_for_third_party(&self.facts, self.limits(), resource_id, id.map_or(&[], slice::from_ref))
            }
        }
    }

    /// The user's claims in an ID token of this application, if one is issued.
    async fn id_token_claims(
        &self,
        tx: &mut Tx,
        authorization: Authorization<'_>,
        metadata: &CustomClientMetadata,
        stored_config: Option<&str>,
    ) -> Result<Option<Map<String, Value>>, GrantRefusal> {
        if !authorization.has_id_token() {
            return Ok(None);
        }
        let config = user_claims::read_config(stored_config)?;
        let authorized = authorization.authorized;
        let chosen = self.for_third_party.as_ref().map(|third_party| third_party.organizations.as_slice());
        let scope = authorized.scope.join(" ");
        Ok(Some(user_claims::in_id_token(tx, &self.user, &scope, chosen, metadata, &config).await?))
    }
}

/// The audience of the access token.
struct Target {
    audience: Option<String>,
    organization: Option<(OrganizationId, Arc<str>)>,
    scope: String,
    lifetime: i64,
}

impl Target {
    /// The audience that the request asks for within the authorization: a resource, an organization, a resource within
    /// one, or this server's own endpoints.
    async fn of(
        request: &TokenRequest<'_>,
        tx: &mut Tx,
        user: &SignedIn,
        authorization: Authorization<'_>,
    ) -> Result<Self, GrantRefusal> {
        let organization = organization(request, user, authorization)?;
        if let Some((id, _)) = &organization {
            check_second_factor(tx, &user.user, id).await?;
        }
        let organization_id = organization.as_ref().map(|(id, _)| id);
        let names_organizations = resource::names_organizations(request.parameters);
        let resource = if names_organizations {
            None
        } else {
            resource(request, tx, authorization, organization.is_some()).await?
        };
        let lifetime = i64::try_from(request.app.config.tokens.access_token_ttl.as_secs())?;
        let (audience, scope, lifetime) = match (&resource, organization_id) {
            // Permissions belong to one organization, so a token for all of them has none.
            (None, None) if names_organizations && authorization.has_organizations() => {
                (Some(ORGANIZATIONS_RESOURCE.to_owned()), String::new(), lifetime)
            }
            (None, None) if names_organizations => return Err(GrantRefusal::insufficient_scope(ORGANIZATIONS)),
            (None, None) => (None, authorization.scope_of_user(), lifetime),
            (None, Some(id)) => {
                let held = organizations::members::scopes_of(tx, id, &user.id).await?;
                let mut held = held.into_iter().map(|scope| scope.name).collect();
                if let Some(limits) = user.limits() {
                    limits.retain_in_organization(&mut held);
                }
                (Some(format!("{ORGANIZATION_AUDIENCE}{id}")), authorization.scope_of_organization(&held), lifetime)
            }
            (Some(resource), _) => {
                let held = user.held(&resource.id, organization_id);
                let scope = authorization.scope_of_resource(&resource.indicator, held);
                (Some(resource.indicator.clone()), scope, resource.access_token_ttl)
            }
        };
        Ok(Self { audience, organization, scope, lifetime })
    }
}

/// The resource that the request names or implies; `None`: this server's own endpoints, or the organization itself.
async fn resource(
    request: &TokenRequest<'_>,
    tx: &mut Tx,
    authorization: Authorization<'_>,
    within_organization: bool,
) -> Result<Option<Arc<Resource>>, GrantRefusal> {
    let (snapshot, client_id) = (&request.snapshot, &request.client.application.id);
    let resource = if request.parameters.all("resource").next().is_some() {
        Some(resource::target(tx, snapshot, request.parameters, client_id).await?)
    } else if let Some(indicator) = authorization.implied_resource(within_organization) {
        let found = snapshot.resource(tx, indicator).await?;
        found.filter(|found| built_in::may_ask_for(client_id, &found.id))
    } else {
        None
    };
    if resource.as_ref().is_some_and(|resource| !authorization.covers(&resource.indicator)) {
        return Err(GrantRefusal::no_such_target("the sign-in did not include this resource"));
    }
    Ok(resource)
}

/// The organization that the request names: id and `context.organization`, if the user is a member and allowed the
/// application to act there.
fn organization(
    request: &TokenRequest<'_>,
    user: &SignedIn,
    authorization: Authorization<'_>,
) -> Result<Option<(OrganizationId, Arc<str>)>, GrantRefusal> {
    let Some(id) = request.parameters.one("organization_id")?.map(OrganizationId::from) else { return Ok(None) };
    if !authorization.has_organizations() {
        return Err(GrantRefusal::insufficient_scope(ORGANIZATIONS));
    }
    let let_in = |third_party: &ForThirdParty| third_party.organizations.contains(&id);
    if !user.for_third_party.as_ref().is_none_or(let_in) {
        return Err(GrantRefusal::not_a_member("the user did not let the application act in the organization"));
    }
    let context = user.facts.organization(&id);
    let context = context.ok_or_else(|| GrantRefusal::not_a_member("user is not a member of the organization"))?;
    Ok(Some((id, context)))
}

/// The decision to issue the requested tokens within the authorization. `narrowed`: the scopes that a refresh requests.
pub(super) async fn decide(
    request: TokenRequest<'_>,
    mut tx: Tx,
    grant_type: GrantType,
    presented: PresentedGrant,
    narrowed: Option<&[&str]>,
) -> Result<Decision, GrantFailure> {
    let PresentedGrant {
        user,
        id_token_config,
        grant_id,
        family_id,
        mut authorized,
        credential,
        refresh,
        previewed_organizations,
    } = presented;
    let user = SignedIn::of(&request, &mut tx, user, &previewed_organizations).await?;
    let stored = authorized.clone();
    if let Some(limits) = user.limits() {
        authorized.scope.retain(|scope| limits.enables(scope));
    }
    let authorization = Authorization { authorized: &authorized, narrowed };
    let target = Target::of(&request, &mut tx, &user, authorization).await?;
    let metadata = &request.client.application.custom_client_metadata;
    let id_token_claims = user.id_token_claims(&mut tx, authorization, metadata, id_token_config.as_deref()).await?;
    drop(tx);

    let sign_in = SignInGrant { grant_id, family_id, authorized: stored, credential, refresh, id_token_claims };
    let mut audit: Map<_, _> = request.audit;
    audit.insert("grantId".to_owned(), json!(sign_in.grant_id));
    if let Some(id) = &sign_in.authorized.session_id {
        audit.insert("sessionId".to_owned(), json!(id));
    }
    Ok(Decision {
        scope: target.scope,
        lifetime: target.lifetime,
        plugins: true,
        audience: target.audience,
        organization: target.organization,
        subject: Subject::User(Box::new(UserSubject {
            id: user.id,
            revision: user.revision,
            facts: user.facts,
            actor: None,
            presented: Some(PresentedCredential::SignIn(Box::new(sign_in))),
        })),
        grant_type,
        audit,
        origin: request.origin.clone(),
        snapshot: request.snapshot,
        client: request.client,
    })
}

/// The content of a document; an unreadable one is no grant.
pub(super) fn readable(details: Option<Authorized>) -> Result<Authorized, GrantFailure> {
    details.ok_or_else(|| GrantRefusal::invalid_grant().into())
}
