//! The sessions of one's own account: listing and ending them.

use super::owner::Owner;
use super::proof;
use super::refusal::OwnAccountRefusal;
use super::settings::check_edited;
use crate::accounts::{RetainedSession, end_others as end_all_others};
use crate::interaction::session::{self, idle_since};
use claimsmith_domain::audit_key::{AuditKey, AuditOperation};
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::id::SessionId;
use claimsmith_storage::sessions::{self, Session, grants};
use claimsmith_storage::{Tx, applications};
use serde_json::json;

/// The grants that are revoked with a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revoked {
    /// None: consents and refresh tokens with `offline_access` are kept.
    None,
    /// Those of first-party applications.
    FirstParty,
    /// All of them.
    All,
}

/// The live sessions, most recently used first.
pub async fn list(owner: &Owner, tx: &mut Tx) -> Result<Vec<Session>, OwnAccountRefusal> {
    let now = owner.now();
    Ok(sessions::of_user(tx, &owner.user_id, now, idle_since(&owner.app.config.sessions, now)).await?)
}

/// Ends a session.
pub async fn end(owner: &Owner, id: &SessionId, revoked: Revoked) -> Result<(), OwnAccountRefusal> {
    let outcome = end_one(owner, id, revoked).await;
    owner.note(AuditKey::of_account(AuditOperation::SessionEnd), outcome)
}

async fn end_one(owner: &Owner, id: &SessionId, revoked: Revoked) -> Result<(), OwnAccountRefusal> {
    let (mut work, _) = owner.begin().await?;
    check_edited(&mut work, &[Field::Session]).await?;
    proof::check(owner, &mut work).await?;
    if !list(owner, &mut work).await?.iter().any(|session| session.id == *id) {
        return Err(OwnAccountRefusal::UnknownSession);
    }
    let now = work.now();
    if revoked != Revoked::None {
        for grant in grants::of_user(&mut work, &owner.user_id, None, now).await? {
            if grant.session_id.as_ref() != Some(id) {
                continue;
            }
            let application = applications::find(&mut work, &grant.application_id).await?;
            let is_own = application.is_some_and(|application| !application.is_third_party);
            if revoked == Revoked::All || is_own {
                grants::revoke(&mut work, &grant.id, now).await?;
                let details = json!({ "userId": owner.user_id, "grantId": grant.id, "revokedApplicationId": grant.application_id });
                work.audit(AuditKey::AccountUserRevokeGrant, details).await?;
            }
        }
    }
    session::end(&mut work, id).await?;
    Ok(work.commit().await?)
}

/// Ends all sessions of the owner except the current one.
pub async fn end_others(owner: &Owner) -> Result<(), OwnAccountRefusal> {
    let outcome = async {
        let (mut work, _) = owner.begin().await?;
        check_edited(&mut work, &[Field::Session]).await?;
        proof::check(owner, &mut work).await?;
        let retained = RetainedSession { session_id: owner.session_id(), grant_id: owner.grant_id() };
        end_all_others(&mut work, &owner.user_id, retained).await?;
        work.audit(AuditKey::AccountSessionEndOthers, json!({ "userId": owner.user_id })).await?;
        Ok(work.commit().await?)
    };
    owner.note(AuditKey::AccountSessionEndOthers, outcome.await)
}
