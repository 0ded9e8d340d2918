//! How an invitation to an organization is shown.

use crate::views::HeldRoleView;
use claimsmith_domain::documents::organization::InvitationStatus;
use claimsmith_domain::id::InvitationId;
use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::Tx;
use claimsmith_storage::organizations;
use claimsmith_storage::organizations::held_roles::HeldRole;
use claimsmith_storage::organizations::invitations::Invitation;
use claimsmith_web::error::ApiError;
use serde::Serialize;

/// An invitation to an organization.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "i7n2v5t0k3x8c1b6m9q4w", "inviterId": "q3v8k1znw2pd", "invitee": "grace@example.com",
    "acceptedUserId": null, "organizationId": "o6r2g9a4n1z8", "status": "Pending", "createdAt": 1_760_000_000_000_i64,
    "updatedAt": 1_760_000_000_000_i64, "expiresAt": 4_102_444_800_000_i64,
    "organizationRoles": [{ "id": "h3g8j1k6l4q9w2z7x0c5v", "name": "editor" }]
}))]
pub(crate) struct InvitationView {
    /// Always `default`.
    tenant_id: &'static str,
    id: String,
    /// Who invites.
    inviter_id: Option<String>,
    /// An email address, in lower case.
    invitee: String,
    /// Who accepted.
    accepted_user_id: Option<String>,
    organization_id: String,
    status: InvitationStatus,
    /// Unix milliseconds.
    created_at: i64,
    /// Unix milliseconds.
    updated_at: i64,
    /// Unix milliseconds.
    expires_at: i64,
    /// What the invitee will be there.
    organization_roles: Vec<HeldRoleView>,
}

impl InvitationView {
    pub(super) fn new(invitation: Invitation, roles: &[HeldRole<InvitationId>], now: i64) -> Self {
        Self {
            tenant_id: TENANT,
            organization_roles: HeldRoleView::of(&invitation.id, roles),
            status: invitation.status.at(now, invitation.expires_at),
            id: invitation.id.into(),
            inviter_id: invitation.inviter_id.map(Into::into),
            invitee: invitation.invitee,
            accepted_user_id: invitation.accepted_user_id.map(Into::into),
            organization_id: invitation.organization_id.into(),
            created_at: invitation.created_at,
            updated_at: invitation.updated_at,
            expires_at: invitation.expires_at,
        }
    }
}

/// An invitation with its roles.
pub(super) async fn view(tx: &mut Tx, invitation: Invitation, now: i64) -> Result<InvitationView, ApiError> {
    let roles = organizations::invitations::roles_of(tx, &[&invitation.id]).await?;
    Ok(InvitationView::new(invitation, &roles, now))
}
