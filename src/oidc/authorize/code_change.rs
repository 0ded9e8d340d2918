//! Issuing a code in a live session, which shares its commit with tokens; and using up a pushed request.

use super::answer::AuthorizationFailure;
use claimsmith_domain::authorization::request::AuthorizationRequest;
use claimsmith_domain::random::Random;
use claimsmith_identity::interaction::code::{self, recipient};
use claimsmith_identity::interaction::session::Error;
use claimsmith_services::tokens::{Client, SharedChange};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage as storage;
use claimsmith_storage::sessions::grants::GrantedScopes;
use claimsmith_storage::sessions::{Session, pushed_requests};
use claimsmith_web::error::OAuthError;
use std::sync::Arc;

/// A code that is issued for a request in a session.
pub(super) struct CodeChange {
    pub random: Random,
    pub client: Arc<Client>,
    pub request: AuthorizationRequest,
    pub session: Box<Session>,
    pub given: GrantedScopes,
}

impl SharedChange for CodeChange {
    /// The code, or a refusal that wrote nothing.
    type Outcome = Result<String, AuthorizationFailure>;
    type Refusal = AuthorizationFailure;

    async fn write(&self, work: &mut UnitOfWork) -> Result<Self::Outcome, AuthorizationFailure> {
        if !use_up(work, &self.request).await? {
            // The others in the commit need not be written again.
            return Ok(Err(used()));
        }
        let Self { random, client, request, session, given } = self;
        code::issue(work, random, recipient(client), request, session, given).await.map(Ok).map_err(refused)
    }
}

/// Uses up a pushed request, since its response is issued. `false` if it was used: of several visits, one gets a
/// response.
pub(super) async fn use_up(work: &mut UnitOfWork, request: &AuthorizationRequest) -> storage::Result<bool> {
    match &request.pushed_hash {
        Some(hash) => pushed_requests::delete(work, hash).await,
        None => Ok(true),
    }
}

pub(super) fn used() -> AuthorizationFailure {
    AuthorizationFailure::Page(OAuthError::invalid_request_uri("request_uri was used"))
}

pub(super) fn refused(error: Error) -> AuthorizationFailure {
    match error {
        Error::Ended => AuthorizationFailure::Expired,
        other => other.into(),
    }
}
