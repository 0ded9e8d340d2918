//! Invitations to organizations, accepted by the link in an email. Opening the link proves ownership of the address.

use super::AccountRefusal;
use super::create::{NewUser, create};
use super::identifiers::wanted;
use super::membership::join;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::organization::InvitationStatus;
use claimsmith_domain::id::{InvitationId, UserId};
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::random::{self, RandomError};
use claimsmith_services::encryption::{Cipher, EncryptionError, Purpose};
use claimsmith_services::messages;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::organizations::invitations::{self, Invitation, ROLES};
use claimsmith_storage::users::{self, User};
use serde_json::json;
use std::string::FromUtf8Error;
use subtle::ConstantTimeEq;

/// Characters of the token of a link.
const TOKEN_LENGTH: usize = 43;

/// The reason that the token of a link cannot be created or read.
#[derive(Debug, thiserror::Error)]
pub enum InvitationTokenError {
    /// See [`RandomError`].
    #[error(transparent)]
    Random(#[from] RandomError),
    /// See [`EncryptionError`].
    #[error(transparent)]
    Encryption(#[from] EncryptionError),
    /// The token is not valid UTF-8.
    #[error("the stored token of an invitation cannot be read")]
    Unreadable(#[from] FromUtf8Error),
}

/// Creates the token for the link of an invitation, in its stored form. Encrypted instead of derived from the
/// encryption key, so that the link works for its configured lifetime even if that key is replaced.
pub fn new_invitation_token(cipher: &Cipher, id: &InvitationId) -> Result<String, InvitationTokenError> {
    Ok(cipher.encrypt(Purpose::Invitation, id, random::secret(TOKEN_LENGTH)?.as_bytes())?)
}

/// The token of the link of an invitation.
pub fn invitation_token(cipher: &Cipher, invitation: &Invitation) -> Result<String, InvitationTokenError> {
    match &invitation.sealed_token {
        Some(sealed) => Ok(String::from_utf8(cipher.decrypt(Purpose::Invitation, &invitation.id, sealed)?.to_vec())?),
        None => Ok(cipher.digest(Purpose::Invitation, &invitation.id, &invitation.invitee)?),
    }
}

/// Whether this is the token of the invitation.
pub fn is_invitation_token(cipher: &Cipher, invitation: &Invitation, token: &str) -> bool {
    if invitation.sealed_token.is_none() {
        return cipher.is_digest(Purpose::Invitation, &invitation.id, &invitation.invitee, token);
    }
    match invitation_token(cipher, invitation) {
        Ok(known) => known.as_bytes().ct_eq(token.as_bytes()).into(),
        Err(error) => {
            tracing::warn!(invitation = invitation.id.as_str(), %error, "the token of an invitation cannot be read");
            false
        }
    }
}

/// Accepts an invitation for its email address; creates a user if none has the address. `false` if the invitation is no
/// longer pending or the user is suspended.
pub async fn accept_invitation(work: &mut UnitOfWork, invitation: &Invitation) -> Result<bool, AccountRefusal> {
    let now = work.now();
    if invitation.status.at(now, invitation.expires_at) != InvitationStatus::Pending {
        return Ok(false);
    }
    let user_id = match find(work, &invitation.invitee).await? {
        Some(user) if user.is_suspended => return Ok(false),
        Some(user) => user.id,
        None => register(work, &invitation.invitee).await?,
    };
    // Only one of concurrent requests finds the invitation pending.
    if !invitations::settle(work, &invitation.id, InvitationStatus::Accepted, Some(&user_id), now).await? {
        return Ok(false);
    }
    // An unsent email is no longer needed.
    messages::withdraw(work, &invitation.id, now).await?;
    let role_ids = ROLES.of(work, &invitation.id).await?;
    join(work, &invitation.organization_id, &user_id, &role_ids, |kind| Event::new(kind, 200_u16)).await?;
    let details = json!({
        "organizationInvitationId": invitation.id, "organizationId": invitation.organization_id, "userId": user_id,
    });
    work.audit(AuditKey::InteractionOrganizationInvitationAccept, details).await?;
    Ok(true)
}

async fn find(work: &mut UnitOfWork, email: &str) -> Result<Option<User>, AccountRefusal> {
    let identifier = Identifier { kind: IdentifierType::Email, value: email.to_owned() };
    match wanted(&identifier) {
        Some(wanted) => Ok(users::find_identified(work, &wanted).await?),
        None => Ok(None),
    }
}

async fn register(work: &mut UnitOfWork, email: &str) -> Result<UserId, AccountRefusal> {
    let new = NewUser { primary_email: Some(email.to_owned()), profile: json!({}), ..NewUser::default() };
    create(work, new).await?;
    Ok(find(work, email).await?.ok_or(AccountRefusal::Conflict)?.id)
}
