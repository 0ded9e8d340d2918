//! What the grants of codes, device codes and refresh tokens share: the user who signed in, what the tokens are for, and the
//! decision.

use super::{Failure, TokenRequest};
use crate::domain::authorization::request::Authorized;
use crate::domain::console::built_in;
use crate::domain::id::{GrantId, OrganizationId, UserId};
use crate::domain::scope;
use crate::domain::user_scope::{OPENID, ORGANIZATIONS};
use crate::http::error::OAuthError;
use crate::http::oidc::resource;
use crate::storage::users::{self, User};
use crate::storage::{Tx, organizations};
use crate::tokens::{
    Decision, NewRefreshToken, ORGANIZATION_AUDIENCE, Shown, SignIn, SignInCredential, Subject, UserFacts, UserSubject,
    user_claims,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What somebody who signed in let an application have, and by which credential it is shown.
pub(super) struct Given {
    pub(super) user_id: UserId,
    pub(super) grant_id: GrantId,
    /// Of all tokens that come from the same code.
    pub(super) family_id: String,
    pub(super) authorized: Authorized,
    pub(super) credential: SignInCredential,
    /// The refresh token to issue, if one is.
    pub(super) refresh: Option<NewRefreshToken>,
}

/// The user who signed in.
struct SignedIn {
    id: UserId,
    revision: i64,
    facts: Arc<UserFacts>,
    user: User,
}

impl SignedIn {
    /// The active user of that id, as the authorization data are now.
    async fn find(request: &TokenRequest<'_>, tx: &mut Tx, id: &UserId) -> Result<Self, OAuthError> {
        let user = users::find(tx, id).await?.filter(|user| !user.is_suspended);
        let user = user.ok_or_else(OAuthError::invalid_grant)?;
        let facts = request.snapshot.user_facts(tx, &user.id, user.revision).await?;
        let facts = facts.ok_or_else(OAuthError::invalid_grant)?;
        Ok(Self { id: user.id.clone(), revision: user.revision, facts, user })
    }

    /// Their claims in an ID token, which comes with `openid` alone.
    async fn id_token_claims(
        &self,
        tx: &mut Tx,
        authorized: &Authorized,
    ) -> Result<Option<Map<String, Value>>, OAuthError> {
        if !authorized.scope.iter().any(|scope| scope == OPENID) {
            return Ok(None);
        }
        let chosen = authorized.consented.as_ref().map(|consented| consented.organizations.as_slice());
        Ok(Some(user_claims::in_id_token(tx, &self.user, &authorized.scope.join(" "), chosen).await?))
    }
}

/// What the access token is for.
struct Target {
    audience: Option<String>,
    organization: Option<(OrganizationId, Arc<str>)>,
    scope: String,
    lifetime: i64,
}

impl Target {
    /// What the request asks for within what was authorized: a resource, an organization, a resource within one, or this
    /// server's own endpoints. `narrowed`: the scopes that a refresh asks for.
    async fn of(
        request: &TokenRequest<'_>,
        tx: &mut Tx,
        user: &SignedIn,
        authorized: &Authorized,
        narrowed: Option<&[&str]>,
    ) -> Result<Self, OAuthError> {
        let wanted = |scope: &String| narrowed.is_none_or(|narrowed| narrowed.contains(&scope.as_str()));
        let organization = organization(request, user, authorized)?;
        let organization_id = organization.as_ref().map(|(id, _)| id);
        let named = request.form.all("resource").next().is_some();
        // Without openid there is nothing to ask here for; the one resource is meant (RFC 8707 section 2.2).
        let only = match authorized.resources.as_slice() {
            [only] if !authorized.scope.iter().any(|scope| scope == OPENID) && organization_id.is_none() => Some(only),
            _ => None,
        };
        let default_lifetime = i64::try_from(request.app.config.tokens.access_token_ttl.as_secs())?;
        let resource = match only {
            _ if named => {
                Some(resource::target(tx, &request.snapshot, request.form, &request.client.application.id).await?)
            }
            Some(indicator) => {
                let found = request.snapshot.resource(tx, indicator).await?;
                found.filter(|found| built_in::may_ask_for(&request.client.application.id, &found.id))
            }
            None => None,
        };
        let Some(resource) = resource else {
            let Some((id, context)) = organization else {
                let scope: Vec<&str> =
                    authorized.scope.iter().filter(|scope| wanted(scope)).map(String::as_str).collect();
                let scope = scope.join(" ");
                return Ok(Self { audience: None, organization: None, scope, lifetime: default_lifetime });
            };
            let held = organizations::members::scopes_of(tx, &id, &user.id).await?;
            let held: BTreeSet<String> = held.into_iter().map(|scope| scope.name).collect();
            let asked: Vec<&str> =
                authorized.resource_scope.iter().filter(|scope| wanted(scope)).map(String::as_str).collect();
            return Ok(Self {
                audience: Some(format!("{ORGANIZATION_AUDIENCE}{id}")),
                scope: scope::grant(&asked, &held),
                organization: Some((id, context)),
                lifetime: default_lifetime,
            });
        };
        if !authorized.resources.contains(&resource.indicator) {
            return Err(OAuthError::invalid_target("resource indicator is missing, or unknown"));
        }
        let mut held = user.facts.held(&resource.id, organization_id);
        if let Some(consented) = &authorized.consented {
            let given = consented.resources.get(&resource.indicator).map(Vec::as_slice).unwrap_or_default();
            held.retain(|scope| given.contains(scope));
        }
        let asked: Vec<&str> =
            authorized.resource_scope.iter().filter(|scope| wanted(scope)).map(String::as_str).collect();
        Ok(Self {
            audience: Some(resource.indicator.clone()),
            scope: scope::grant(&asked, &held),
            organization,
            lifetime: resource.access_token_ttl,
        })
    }
}

/// The organization that the request names, if the user is a member and the application asked for organizations.
fn organization(
    request: &TokenRequest<'_>,
    user: &SignedIn,
    authorized: &Authorized,
) -> Result<Option<(OrganizationId, Arc<str>)>, OAuthError> {
    let Some(id) = request.form.one("organization_id")?.map(OrganizationId::from) else { return Ok(None) };
    if !authorized.scope.iter().any(|scope| scope == ORGANIZATIONS) {
        return Err(OAuthError::insufficient_scope(ORGANIZATIONS));
    }
    if authorized.consented.as_ref().is_some_and(|consented| !consented.organizations.iter().any(|given| *given == *id))
    {
        return Err(OAuthError::not_a_member("the user did not let the application act in the organization"));
    }
    let context = user.facts.organization(&id);
    let context = context.ok_or_else(|| OAuthError::not_a_member("user is not a member of the organization"))?;
    Ok(Some((id, context)))
}

/// The decision to issue the tokens that a request asks for within what was given. `narrowed`: the scopes that a refresh
/// asks for.
pub(super) async fn decide(
    request: TokenRequest<'_>,
    mut tx: Tx,
    grant_type: &'static str,
    given: Given,
    narrowed: Option<&[&str]>,
) -> Result<Decision, Failure> {
    let Given { user_id, grant_id, family_id, authorized, credential, refresh } = given;
    let user = SignedIn::find(&request, &mut tx, &user_id).await?;
    let target = Target::of(&request, &mut tx, &user, &authorized, narrowed).await?;
    let id_token_claims = user.id_token_claims(&mut tx, &authorized).await?;
    drop(tx);

    let sign_in = SignIn { grant_id, family_id, authorized, credential, refresh, id_token_claims };
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
            shown: Some(Shown::SignIn(Box::new(sign_in))),
        })),
        grant_type,
        audit,
        origin: request.origin.clone(),
        snapshot: request.snapshot,
        client: request.client,
    })
}

/// What a document holds; one that cannot be read is no grant.
pub(super) fn readable(details: Option<Authorized>) -> Result<Authorized, Failure> {
    details.ok_or_else(|| OAuthError::invalid_grant().into())
}
