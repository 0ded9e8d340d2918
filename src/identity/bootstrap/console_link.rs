//! One-time links to the console, printed at the terminal of the server: for the first administrator, a further one,
//! and one who is locked out. Only the hash of a code is stored.

use super::Error;
use claimsmith_config::Config;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::console_link::{LIFETIME_MS, PATH, Purpose};
use claimsmith_domain::id::UserId;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::random;
use claimsmith_services::audit::Actor;
use claimsmith_services::tokens::hash;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::Db;
use claimsmith_storage::console::links::{self, ConsoleLink};
use claimsmith_storage::roles::console;
use serde_json::json;

/// Length of a code: 256 bits of letters and digits.
const CODE_CHARS: usize = 43;

/// Creates a link for the first administrator, valid as long as there is none; `None` if there is one. Each of several
/// nodes may create its own.
pub async fn setup_link(db: &Db, config: &Config, now: i64) -> Result<Option<String>, Error> {
    let mut tx = db.begin().await?;
    if console::count_admins(&mut tx).await? > 0 {
        return Ok(None);
    }
    let (url, link) = make(config, Purpose::Setup, now)?;
    links::insert(&mut tx, &link).await?;
    tx.commit().await?;
    Ok(Some(url))
}

/// Creates a link for a further administrator. `email` prefills the address of the new account.
pub async fn invite(db: &Db, config: &Config, email: Option<String>, now: i64) -> Result<String, Error> {
    let mut work = UnitOfWork::begin(db, Actor::Operator, RequestOrigin::default(), now).await?;
    let (url, link) = make(config, Purpose::Invite, now)?;
    links::insert(&mut work, &ConsoleLink { email: email.clone(), ..link }).await?;
    work.audit(AuditKey::AdminInvite, json!({ "email": email })).await?;
    work.commit().await?;
    Ok(url)
}

/// Creates a link for a user to set a new password. It replaces earlier links for the user.
pub async fn recovery_link(db: &Db, config: &Config, user_id: &UserId, now: i64) -> Result<String, Error> {
    let mut tx = db.begin().await?;
    links::delete_of_user(&mut tx, user_id).await?;
    let (url, link) = make(config, Purpose::Recover, now)?;
    links::insert(&mut tx, &ConsoleLink { user_id: Some(user_id.clone()), ..link }).await?;
    tx.commit().await?;
    Ok(url)
}

fn make(config: &Config, purpose: Purpose, now: i64) -> Result<(String, ConsoleLink), Error> {
    let code = random::secret(CODE_CHARS)?;
    let url = format!("{}{PATH}?code={code}", config.server.base_url);
    let link = ConsoleLink {
        hash: hash(&code),
        purpose,
        user_id: None,
        email: None,
        created_at: now,
        expires_at: now + LIFETIME_MS,
    };
    Ok((url, link))
}
