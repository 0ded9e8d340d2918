//! Recovery of the console for the operator of the machine: makes a user an administrator regardless of sign-in policy,
//! connectors and factors, and ends all sessions of the user.

use super::Error;
use crate::accounts;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::console::ConsoleRole;
use claimsmith_domain::id::{RoleId, UserId};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_services::audit::Actor;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::users::{self, Identifiers, User};
use claimsmith_storage::{self as storage, Db, Tx, roles, settings};
use serde_json::json;

/// The administrator.
pub struct RecoveredAdministrator {
    /// Their id.
    pub user_id: UserId,
}

/// Makes the user with this id, username or email address an administrator, and ends all their sessions.
pub async fn recover_administrator(db: &Db, wanted: &str, now: i64) -> Result<RecoveredAdministrator, Error> {
    let mut work = UnitOfWork::begin(db, Actor::Operator, RequestOrigin::default(), now).await?;
    storage::lock_bootstrap(&mut work).await?;
    if settings::get(&mut work, super::DONE).await?.is_none() {
        return Err(Error::NotSetUp);
    }
    if roles::find(&mut work, &RoleId::from(ConsoleRole::Admin.role_id())).await?.is_none() {
        return Err(Error::OlderVersion);
    }
    let user = find(&mut work, wanted).await?.ok_or_else(|| Error::UnknownUser(wanted.to_owned()))?;
    let refused = |refusal| Error::Account(Box::new(refusal));
    accounts::make_administrator(&mut work, &user.id).await.map_err(refused)?;
    accounts::restore_account(&mut work, &user.id).await.map_err(refused)?;
    work.audit(AuditKey::AdminRecoverUser, json!({ "userId": user.id })).await?;
    work.commit().await?;
    Ok(RecoveredAdministrator { user_id: user.id })
}

/// The user with this id, email address or username, in this order: a username may be written like an email address.
async fn find(tx: &mut Tx, wanted: &str) -> Result<Option<User>, Error> {
    if let Some(user) = users::find(tx, &UserId::from(wanted)).await? {
        return Ok(Some(user));
    }
    let none = Identifiers { username: None, primary_email: None, primary_phone: None };
    let by_email = Identifiers { primary_email: Some(wanted.to_owned()), ..none.clone() };
    if let Some(user) = users::find_identified(tx, &by_email).await? {
        return Ok(Some(user));
    }
    Ok(users::find_identified(tx, &Identifiers { username: Some(wanted.to_owned()), ..none }).await?)
}
