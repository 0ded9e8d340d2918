//! The scopes that an application requests of a user, and whether they were already granted.

use crate::application_access::{ConsentLimits, held_for_third_party};
use claimsmith_domain::authorization::request::AuthorizationRequest;
use claimsmith_domain::id::{OrganizationId, ResourceId, UserId};
use claimsmith_domain::user_scope::{self, ORGANIZATIONS};
use claimsmith_services::tokens::{self, Snapshot, UserFacts};
use claimsmith_storage::applications::Application;
use claimsmith_storage::organizations::consents;
use claimsmith_storage::sessions::grants::{Grant, GrantedScopes};
use claimsmith_storage::{self as storage, Tx};
use std::collections::BTreeSet;

/// The requesting application, and what it may get from a user.
pub enum Requester {
    /// The operator's own: all that the user has.
    FirstParty,
    /// A third party.
    ThirdParty {
        /// What it may ask for; `None`: everything.
        limits: Option<ConsentLimits>,
        /// The organizations in which the user lets it act. Without the scope of organizations there are none.
        organizations: Vec<OrganizationId>,
    },
}

impl Requester {
    /// The application of the request. `chosen`: organizations that the user consents to now.
    pub async fn load(
        tx: &mut Tx,
        application: &Application,
        request: &AuthorizationRequest,
        user_id: &UserId,
        chosen: &[OrganizationId],
    ) -> storage::Result<Self> {
        if !application.is_third_party {
            return Ok(Self::FirstParty);
        }
        let limits = ConsentLimits::of(tx, application).await?;
        let mut organizations = Vec::new();
        if request.requests(ORGANIZATIONS) && limits.as_ref().is_none_or(|limits| limits.enables(ORGANIZATIONS)) {
            organizations = consents::ORGANIZATIONS.of(tx, (&application.id, user_id)).await?;
            organizations.extend_from_slice(chosen);
        }
        Ok(Self::ThirdParty { limits, organizations })
    }

    /// Whether it may ask for this user scope.
    #[must_use]
    pub fn may_ask_for(&self, user_scope: &str) -> bool {
        match self {
            Self::ThirdParty { limits: Some(limits), .. } => limits.enables(user_scope),
            Self::FirstParty | Self::ThirdParty { limits: None, .. } => true,
        }
    }

    /// The scopes of a resource that the user has and that it may get.
    pub(super) fn held(&self, facts: &UserFacts, resource_id: &ResourceId) -> BTreeSet<String> {
        match self {
            Self::FirstParty => facts.held_anywhere(resource_id),
            Self::ThirdParty { limits, organizations } => {
                held_for_third_party(facts, limits.as_ref(), resource_id, organizations)
            }
        }
    }

    /// The same third party, in these organizations.
    pub(super) fn within(self, wanted: Vec<OrganizationId>) -> Self {
        match self {
            Self::FirstParty => Self::FirstParty,
            Self::ThirdParty { limits, .. } => Self::ThirdParty { limits, organizations: wanted },
        }
    }
}

/// The requested scopes that the user has and that the application may get: scopes about the user, and scopes of the
/// named resources.
pub async fn asked(
    tx: &mut Tx,
    snapshot: &Snapshot,
    request: &AuthorizationRequest,
    facts: &UserFacts,
    requester: &Requester,
) -> Result<GrantedScopes, tokens::Error> {
    let client = snapshot.client(tx, &request.client_id).await?;
    let may = |scope: &&String| {
        let is_of_user = match &client {
            Some(client) => client.application.custom_client_metadata.is_user_scope(scope),
            None => user_scope::is_known(scope),
        };
        is_of_user && requester.may_ask_for(scope)
    };
    let oidc = request.scope.iter().filter(may).cloned().collect();
    let mut asked = GrantedScopes { oidc, ..GrantedScopes::default() };
    for indicator in &request.resources {
        let Some(resource) = snapshot.resource(tx, indicator).await? else { continue };
        let held = requester.held(facts, &resource.id);
        let scopes: Vec<String> = request.scope.iter().filter(|scope| held.contains(*scope)).cloned().collect();
        // An API of which the user holds nothing is nothing to consent to.
        if !scopes.is_empty() {
            asked.resources.insert(indicator.clone(), scopes);
        }
    }
    Ok(asked)
}

/// The requested scopes that none of these grants contains.
#[must_use]
pub fn missing(asked: &GrantedScopes, grants: &[Grant]) -> GrantedScopes {
    let given: Vec<&GrantedScopes> = grants.iter().filter_map(|grant| grant.scopes.as_ref()).collect();
    let oidc = |scope: &&String| !given.iter().any(|given| given.oidc.contains(scope));
    let mut missing =
        GrantedScopes { oidc: asked.oidc.iter().filter(oidc).cloned().collect(), ..GrantedScopes::default() };
    for (indicator, scopes) in &asked.resources {
        let has = |scope: &&String| {
            given.iter().any(|given| given.resources.get(indicator).is_some_and(|held| held.contains(scope)))
        };
        let of_resource: Vec<String> = scopes.iter().filter(|scope| !has(scope)).cloned().collect();
        if !of_resource.is_empty() {
            missing.resources.insert(indicator.clone(), of_resource);
        }
    }
    missing
}

/// Whether nothing is missing.
#[must_use]
pub fn is_nothing(scopes: &GrantedScopes) -> bool {
    scopes.oidc.is_empty() && scopes.resources.is_empty()
}

/// Adds newly granted scopes to granted ones.
pub(crate) fn add(given: &mut GrantedScopes, more: &GrantedScopes) {
    let add = |known: &mut Vec<String>, more: &[String]| {
        for scope in more {
            if !known.contains(scope) {
                known.push(scope.clone());
            }
        }
    };
    add(&mut given.oidc, &more.oidc);
    add(&mut given.organizations, &more.organizations);
    for (indicator, scopes) in &more.resources {
        add(given.resources.entry(indicator.clone()).or_default(), scopes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimsmith_storage::Json;

    fn scopes(oidc: &[&str], resources: &[(&str, &[&str])]) -> GrantedScopes {
        let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
        GrantedScopes {
            oidc: texts(oidc),
            resources: resources.iter().map(|(name, list)| ((*name).to_owned(), texts(list))).collect(),
            organizations: Vec::new(),
        }
    }

    #[test]
    fn what_was_given_once_is_not_missing() {
        let grant = |scopes| Grant {
            id: "g".into(),
            user_id: "u".into(),
            application_id: "a".into(),
            session_id: None,
            scopes: Json(Some(scopes)),
            created_at: 0,
            expires_at: 1,
        };
        let asked = scopes(&["openid", "email"], &[("api", &["read", "write"]), ("other", &["x"])]);
        assert_eq!(missing(&asked, &[]), asked);
        let first = grant(scopes(&["openid"], &[("api", &["read"])]));
        assert_eq!(
            missing(&asked, std::slice::from_ref(&first)),
            scopes(&["email"], &[("api", &["write"]), ("other", &["x"])])
        );
        let second = grant(scopes(&["email"], &[("api", &["write"]), ("other", &["x", "y"])]));
        assert!(is_nothing(&missing(&asked, &[first.clone(), second])));
        let mut given = scopes(&["openid"], &[("api", &["read"])]);
        add(&mut given, &asked);
        assert_eq!(given, scopes(&["openid", "email"], &[("api", &["read", "write"]), ("other", &["x"])]));
    }
}
