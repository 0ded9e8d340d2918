//! User access tokens for operators at the terminal (`claimsmith tokens mint`). No HTTP route does this: it needs the
//! database and the encryption key.

use super::{AuthorizationCache, Decision, Error, IssuanceRefusal, IssuedTokens, Issuer, Subject, UserSubject};
use claimsmith_config::Config;
use claimsmith_domain::console::built_in;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::scope;
use claimsmith_domain::user_scope::{self, OFFLINE_ACCESS};
use claimsmith_storage::{Db, users};
use serde_json::{Map, json};
use std::collections::BTreeSet;

/// The user and the application of the token.
pub struct MintRequest {
    /// The user.
    pub user_id: UserId,
    /// The application it is issued to.
    pub client_id: ApplicationId,
    /// Scopes, separated by spaces.
    pub scope: String,
    /// The resource in `aud`; `None` gives an opaque token.
    pub resource: Option<String>,
}

/// The reason that there is no token.
#[derive(Debug, thiserror::Error)]
pub enum MintError {
    /// No such user, or a suspended one.
    #[error("there is no active user {0}")]
    User(UserId),
    /// No such application.
    #[error("there is no application {0}")]
    Client(ApplicationId),
    /// No such resource, or the Management API.
    #[error("there is no resource {0} for users")]
    Resource(String),
    /// Not a scope by RFC 6749.
    #[error("the scope contains characters that are not allowed")]
    Scope,
    /// See [`IssuanceRefusal`].
    #[error(transparent)]
    Refused(#[from] IssuanceRefusal),
    /// See [`Error`].
    #[error(transparent)]
    Failed(#[from] Error),
    /// See [`claimsmith_storage::Error`].
    #[error("the database failed")]
    Storage(#[from] claimsmith_storage::Error),
}

/// Issues a user's access token: an opaque one with the user scopes, or one for a resource, which also has the user's
/// scopes there. It has the lifetime of any access token.
pub async fn mint(
    db: &Db,
    authorizations: &AuthorizationCache,
    issuer: &Issuer,
    config: &Config,
    request: MintRequest,
    now: i64,
) -> Result<IssuedTokens, MintError> {
    let mut tx = db.read().await?;
    let snapshot = authorizations.current(&mut tx, now).await?;
    let client = snapshot.client(&mut tx, &request.client_id).await?;
    let client = client.ok_or_else(|| MintError::Client(request.client_id.clone()))?;
    let user = users::find(&mut tx, &request.user_id).await?.filter(|user| !user.is_suspended);
    let user = user.ok_or_else(|| MintError::User(request.user_id.clone()))?;
    let facts = snapshot.user_facts(&mut tx, &user.id, user.revision).await?;
    let facts = facts.ok_or_else(|| MintError::User(request.user_id.clone()))?;
    let requested = scope::words(&request.scope).ok_or(MintError::Scope)?;
    // It has no refresh token.
    let of_user = user_scope::ALL.into_iter().filter(|scope| *scope != OFFLINE_ACCESS);
    let mut held: BTreeSet<String> = of_user.map(str::to_owned).collect();
    let resource = match &request.resource {
        None => None,
        Some(indicator) => {
            let found = snapshot.named_resource(&mut tx, indicator).await?;
            let found = found.filter(|found| {
                found.indicator != config.tokens.management_resource
                    && built_in::may_ask_for(&request.client_id, &found.id)
            });
            let found = found.ok_or_else(|| MintError::Resource(indicator.clone()))?;
            held.extend(facts.held(&found.id, None));
            Some(found)
        }
    };
    drop(tx);

    let default_lifetime = i64::try_from(config.tokens.access_token_ttl.as_secs()).unwrap_or(i64::MAX);
    let decision = Decision {
        scope: scope::grant(&requested, &held),
        lifetime: resource.as_ref().map_or(default_lifetime, |resource| resource.access_token_ttl),
        plugins: true,
        audience: resource.map(|resource| resource.indicator.clone()),
        organization: None,
        subject: Subject::User(Box::new(UserSubject {
            revision: user.revision,
            facts,
            actor: None,
            presented: None,
            id: user.id,
        })),
        grant_type: GrantType::Operator,
        audit: Map::from_iter([("by".to_owned(), json!("operator"))]),
        origin: RequestOrigin::default(),
        snapshot,
        client,
    };
    Ok(issuer.issue(decision, now).await?)
}
