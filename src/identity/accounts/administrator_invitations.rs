//! Invitations to administer, from the console (`docs/decisions/people-who-administer.md`): the code of the link, and
//! the claim of an account. The link alone grants nothing, so that one that leaked is of no use.

use super::AccountRefusal;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::console::ConsoleRole;
use claimsmith_domain::id::UserId;
use claimsmith_domain::random::{self, RandomError};
use claimsmith_services::tokens::hash;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::console::invitations::{self, AdministratorInvitation};
use claimsmith_storage::roles::console;
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{self as storage, Tx};
use serde_json::json;

/// Lifetime of a link in milliseconds: a day, so that it can be sent to somebody who is not there at the moment.
pub const LINK_LIFETIME_MS: i64 = 24 * 3_600_000;
/// Lifetime of a claim in milliseconds: a week, within which the inviter confirms it.
const CLAIM_LIFETIME_MS: i64 = 7 * 24 * 3_600_000;
/// Length of a code: 256 bits of letters and digits, as in the links of the terminal.
const CODE_CHARS: usize = 43;

/// An open invitation, with its inviter.
pub struct OpenInvitation {
    /// The invitation.
    pub stored: AdministratorInvitation,
    /// Who invites, and administers at this moment.
    pub inviter: User,
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The account waits for the confirmation of the inviter.
    Claimed,
    /// The link was used, revoked, or has expired; or its inviter no longer administers.
    Over,
    /// The account has a role of the console already. The link stays as it was.
    HoldsRole,
}

/// A new code, with its hash.
pub fn new_code() -> Result<(String, String), RandomError> {
    let code = random::secret(CODE_CHARS)?;
    let hash = hash(&code);
    Ok((code, hash))
}

/// Whether a user administers: has the role, and is not suspended.
pub async fn administers(tx: &mut Tx, id: &UserId) -> storage::Result<Option<User>> {
    let user = users::find(tx, id).await?.filter(|user| !user.is_suspended);
    Ok(if console::of_user(tx, id).await?.has(ConsoleRole::Admin) { user } else { None })
}

/// The open invitation of a code. An invitation of somebody who no longer administers is not open.
pub async fn find_open(tx: &mut Tx, code: &str, now: i64) -> storage::Result<Option<OpenInvitation>> {
    if code.len() != CODE_CHARS {
        return Ok(None);
    }
    let Some(stored) = invitations::find_open(tx, &hash(code), now).await? else { return Ok(None) };
    let inviter = administers(tx, &stored.inviter_id).await?;
    Ok(inviter.map(|inviter| OpenInvitation { stored, inviter }))
}

/// Claims the invitation of a code for an account, once. The caller commits.
pub async fn claim(work: &mut UnitOfWork, code: &str, user_id: &UserId) -> Result<Claim, AccountRefusal> {
    let now = work.now();
    let Some(OpenInvitation { stored, .. }) = find_open(work, code, now).await? else { return Ok(Claim::Over) };
    if !console::of_user(work, user_id).await?.is_empty() {
        return Ok(Claim::HoldsRole);
    }
    if !invitations::claim(work, &hash(code), user_id, now, now + CLAIM_LIFETIME_MS).await? {
        return Ok(Claim::Over);
    }
    let details = json!({
        "administratorInvitationId": stored.id, "userId": user_id, "inviterId": stored.inviter_id,
        "roleId": stored.role_id,
    });
    work.audit(AuditKey::ConsoleInvitationClaim, details).await?;
    Ok(Claim::Claimed)
}
