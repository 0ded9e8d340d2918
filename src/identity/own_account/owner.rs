//! The owner of an account: identity, how they authenticated, and the transaction of a change.

use super::refusal::OwnAccountRefusal;
use crate::interaction::refusal::InteractionRefusal;
use crate::interaction::rows::{self, RowCaller};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::{ApplicationId, GrantId, SessionId, UserId, VerificationRecordId};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::outsider_rows::RowKind;
use claimsmith_services::app::App;
use claimsmith_services::audit::{Actor, Entry};
use claimsmith_services::refusal_sampling::RefusalReason;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::issuing::issuances;
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_storage::sessions::{self, Session};
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{self as storage, Tx, roles};

/// The owner of an account, as the caller.
pub struct Owner {
    /// The server's components.
    pub app: App,
    /// The id of the user.
    pub user_id: UserId,
    /// How they authenticated.
    pub way: OwnerAccess,
    /// The request.
    pub origin: RequestOrigin,
    /// The languages requested by the browser, or by the application for it.
    pub accept_language: String,
}

/// How an owner authenticated.
pub enum OwnerAccess {
    /// By an access token.
    Token(ByToken),
    /// At the page, in a session of their browser.
    Page {
        /// The session.
        session: Session,
        /// The hash of the cookie of a known browser, in which a user has signed in before.
        known_hash: Option<String>,
    },
}

/// A request of the Account API.
pub struct ByToken {
    /// The token's `jti`.
    pub jti: String,
    /// The application that it was issued to.
    pub application_id: ApplicationId,
    /// The grant that it was issued from.
    pub grant_id: Option<GrantId>,
    /// The session of that grant.
    pub session_id: Option<SessionId>,
    /// The verification record that the request names.
    pub record_id: Option<VerificationRecordId>,
}

impl Owner {
    /// The application whose token authenticates the request.
    pub(crate) fn application_id(&self) -> Option<&ApplicationId> {
        match &self.way {
            OwnerAccess::Token(token) => Some(&token.application_id),
            OwnerAccess::Page { .. } => None,
        }
    }

    /// The session of the request.
    #[must_use]
    pub fn session_id(&self) -> Option<&SessionId> {
        match &self.way {
            OwnerAccess::Token(token) => token.session_id.as_ref(),
            OwnerAccess::Page { session, .. } => Some(&session.id),
        }
    }

    /// The grant of the request.
    pub(crate) fn grant_id(&self) -> Option<&GrantId> {
        match &self.way {
            OwnerAccess::Token(token) => token.grant_id.as_ref(),
            OwnerAccess::Page { .. } => None,
        }
    }

    /// Unix milliseconds.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.app.clock.now_ms()
    }

    /// A connection for reads.
    pub async fn read(&self) -> storage::Result<Tx> {
        self.app.db.read().await
    }

    /// The user as they are now.
    pub async fn user(&self, tx: &mut Tx) -> Result<User, OwnAccountRefusal> {
        let user = users::find(tx, &self.user_id).await?.ok_or(InteractionRefusal::UnknownUser)?;
        if user.is_suspended { Err(InteractionRefusal::Suspended.into()) } else { Ok(user) }
    }

    /// Begins the transaction of a change. Locks the user against concurrent changes, and checks that the session or
    /// token is still valid.
    pub(super) async fn begin(&self) -> Result<(UnitOfWork, User), OwnAccountRefusal> {
        self.begin_of(None).await
    }

    /// Like `begin`, for a change of authorization data, which first locks the revision.
    pub(super) async fn begin_revision(&self, changed: Changed<'_>) -> Result<(UnitOfWork, User), OwnAccountRefusal> {
        self.begin_of(Some(changed)).await
    }

    async fn begin_of(&self, changed: Option<Changed<'_>>) -> Result<(UnitOfWork, User), OwnAccountRefusal> {
        let application_id = self.application_id().cloned();
        let caller = RowCaller { user_id: Some(&self.user_id), client_id: application_id.as_ref() };
        rows::take(&self.app, RowKind::OwnChanges, &self.origin, caller, 0)?;
        let actor = Actor::Owner { id: self.user_id.clone(), application_id };
        self.app.backpressure.pass().await;
        let mut work = UnitOfWork::begin(&self.app.db, actor, self.origin.clone(), self.now()).await?;
        if let Some(changed) = changed {
            revisions::bump(&mut work, changed).await?;
        }
        let user = users::find_to_change(&mut work, &self.user_id).await?.ok_or(InteractionRefusal::UnknownUser)?;
        if user.is_suspended {
            return Err(InteractionRefusal::Suspended.into());
        }
        let now = work.now();
        match &self.way {
            OwnerAccess::Token(token) => {
                let issued = issuances::find(&mut work, &token.jti).await?;
                if issued.is_none_or(|issued| issued.revoked_at.is_some() || issued.expires_at <= now) {
                    return Err(OwnAccountRefusal::Ended);
                }
                self.check_administers(&mut work).await?;
            }
            OwnerAccess::Page { session, .. } => {
                if !sessions::touch(&mut work, &session.id, &self.user_id, now).await? {
                    return Err(OwnAccountRefusal::Ended);
                }
            }
        }
        Ok((work, user))
    }

    /// Refuses a token of an administrator of this server: a user with a built-in role, or with scopes of the console
    /// or the Management API.
    pub(super) async fn check_administers(&self, tx: &mut Tx) -> Result<(), OwnAccountRefusal> {
        let management = &self.app.config.tokens.management_resource;
        let is_token = matches!(self.way, OwnerAccess::Token(_));
        if is_token && roles::console::is_held_by(tx, &self.user_id, management).await? {
            return Err(OwnAccountRefusal::Administers);
        }
        Ok(())
    }

    /// Logs a refusal for the audit log, sampled like those of token requests.
    pub(crate) fn note<T>(&self, key: AuditKey, outcome: Result<T, OwnAccountRefusal>) -> Result<T, OwnAccountRefusal> {
        let Err(refusal) = &outcome else { return outcome };
        if matches!(refusal, OwnAccountRefusal::Common(InteractionRefusal::Failed(_))) {
            return outcome;
        }
        let (code, message) = (refusal.code().text(), refusal.message());
        let application_id = self.application_id().cloned();
        let reason =
            RefusalReason { client_id: application_id.clone(), address: self.origin.ip, key, code, plugin: None };
        if self.app.refusals.admit(&reason, &message) {
            let actor = Actor::Owner { id: self.user_id.clone(), application_id };
            let entry = Entry::refused(key, code, &message).from(&self.origin).by(&actor);
            if !entry.at(self.now()).is_ok_and(|log| self.app.issuer.note(log)) {
                self.app.refusals.fold(&reason, &message);
            }
        }
        outcome
    }
}
