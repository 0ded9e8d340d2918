//! The scopes that an application requests of a user, and whether they were already granted.

use claimsmith_domain::authorization::request::AuthorizationRequest;
use claimsmith_domain::user_scope;
use claimsmith_services::tokens::{self, Snapshot, UserFacts};
use claimsmith_storage::Tx;
use claimsmith_storage::sessions::grants::{Grant, GrantedScopes};

/// The requested scopes that the user has: scopes about the user, and scopes of the named resources.
pub async fn asked(
    tx: &mut Tx,
    snapshot: &Snapshot,
    request: &AuthorizationRequest,
    facts: &UserFacts,
) -> Result<GrantedScopes, tokens::Error> {
    let client = snapshot.client(tx, &request.client_id).await?;
    let is_of_user = |scope: &&String| match &client {
        Some(client) => client.application.custom_client_metadata.is_user_scope(scope),
        None => user_scope::is_known(scope),
    };
    let oidc = request.scope.iter().filter(is_of_user).cloned().collect();
    let mut asked = GrantedScopes { oidc, ..GrantedScopes::default() };
    for indicator in &request.resources {
        let Some(resource) = snapshot.resource(tx, indicator).await? else { continue };
        let held = facts.held(&resource.id, None);
        let scopes: Vec<String> = request.scope.iter().filter(|scope| held.contains(*scope)).cloned().collect();
        asked.resources.insert(indicator.clone(), scopes);
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
