//! Invitations to organizations, by email address, with the roles to assign.

use crate::organizations::held_roles::HeldRole;
use crate::sql::filter;
use crate::sql::links::Links;
use crate::{Result, Tx};
use claimsmith_domain::documents::organization::InvitationStatus;
use claimsmith_domain::id::{InvitationId, OrganizationId, OrganizationRoleId, UserId};

/// The roles that an invitation assigns.
pub const ROLES: Links<InvitationId, OrganizationRoleId> =
    Links::new("organization_invitation_roles", &["invitation_id"], "organization_role_id");

/// An invitation.
#[derive(Clone, Debug, crate::Row)]
pub struct Invitation {
    /// 21 characters.
    pub id: InvitationId,
    /// The organization.
    pub organization_id: OrganizationId,
    /// The inviting user.
    pub inviter_id: Option<UserId>,
    /// An email address in lower case.
    pub invitee: String,
    /// The user who accepted.
    pub accepted_user_id: Option<UserId>,
    /// Its status; a pending one may have expired.
    pub status: InvitationStatus,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
    /// The token of its link, encrypted; `None` if an earlier version derived it from a keyed hash.
    pub sealed_token: Option<String>,
}

/// The filter of a list of invitations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'w> {
    /// To this organization.
    pub organization_id: Option<&'w OrganizationId>,
    /// By this user.
    pub inviter_id: Option<&'w UserId>,
    /// For this email address.
    pub invitee: Option<&'w str>,
}

const COLUMNS: &str = "id, organization_id, inviter_id, invitee, accepted_user_id, status, created_at, updated_at, expires_at, \
     sealed_token";

/// Maximum number of invitations in a list, which has no pages.
pub const MAX_INVITATIONS: i64 = 1000;

/// Adds an invitation. Conflicts with a pending one of the same invitee to the same organization.
pub async fn insert(tx: &mut Tx, invitation: &Invitation) -> Result<()> {
    tx.assembled(format!("INSERT INTO organization_invitations ({COLUMNS}) VALUES {}", filter::rows(10, 1)))
        .bind(&invitation.id)
        .bind(&invitation.organization_id)
        .bind(&invitation.inviter_id)
        .bind(&invitation.invitee)
        .bind(&invitation.accepted_user_id)
        .bind(invitation.status)
        .bind(invitation.created_at)
        .bind(invitation.updated_at)
        .bind(invitation.expires_at)
        .bind(&invitation.sealed_token)
        .execute()
        .await?;
    Ok(())
}

/// The invitation with this id.
pub async fn find(tx: &mut Tx, id: &InvitationId) -> Result<Option<Invitation>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM organization_invitations WHERE id = $1")).bind(id).optional().await
}

/// Invitations, newest first.
pub async fn list(tx: &mut Tx, wanted: Filter<'_>) -> Result<Vec<Invitation>> {
    tx.assembled(format!(
        "SELECT {COLUMNS} FROM organization_invitations WHERE ($1 = '' OR organization_id = $1) \
         AND ($2 = '' OR inviter_id = $2) AND ($3 = '' OR invitee = $3) ORDER BY created_at DESC, id LIMIT $4"
    ))
    .bind(wanted.organization_id.map_or("", OrganizationId::as_str))
    .bind(wanted.inviter_id.map_or("", UserId::as_str))
    .bind(wanted.invitee.unwrap_or_default())
    .bind(MAX_INVITATIONS)
    .all()
    .await
}

/// Changes the status of a pending invitation. `false` if it is no longer pending.
pub async fn settle(
    tx: &mut Tx,
    id: &InvitationId,
    status: InvitationStatus,
    accepted_user_id: Option<&UserId>,
    now: i64,
) -> Result<bool> {
    let settled = tx
        .sql(
            "UPDATE organization_invitations SET status = $1, accepted_user_id = $2, updated_at = $3 \
             WHERE id = $4 AND status = 'Pending'",
        )
        .bind(status)
        .bind(accepted_user_id)
        .bind(now)
        .bind(id)
        .execute()
        .await?;
    Ok(settled > 0)
}

/// Marks pending invitations of an invitee to an organization that are past their expiry as expired, so that a new one
/// does not conflict.
pub async fn expire(tx: &mut Tx, organization_id: &OrganizationId, invitee: &str, now: i64) -> Result<()> {
    tx.sql(
        "UPDATE organization_invitations SET status = 'Expired' \
         WHERE organization_id = $1 AND invitee = $2 AND status = 'Pending' AND expires_at <= $3",
    )
    .bind(organization_id)
    .bind(invitee)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Deletes an invitation. `false` when there is none.
pub async fn delete(tx: &mut Tx, id: &InvitationId) -> Result<bool> {
    Ok(tx.sql("DELETE FROM organization_invitations WHERE id = $1").bind(id).execute().await? > 0)
}

/// The roles that these invitations assign, by name.
pub async fn roles_of(tx: &mut Tx, ids: &[&InvitationId]) -> Result<Vec<HeldRole<InvitationId>>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT ir.invitation_id AS holder_id, r.id, r.name FROM organization_invitation_roles ir \
         JOIN organization_roles r ON r.id = ir.organization_role_id \
         WHERE ir.invitation_id IN ({}) ORDER BY r.name, r.id",
        filter::placeholders(1, ids.len())
    );
    tx.assembled(sql).bind_all(ids).all().await
}
