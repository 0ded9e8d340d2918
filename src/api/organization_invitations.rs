//! Bodies of `/api/organization-invitations`.

use crate::organization_roles::HeldRoleView;
use crate::tenant::Tenant;
use claimsmith_domain::documents::given::Given;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::organization::InvitationStatus;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::documents::user::Email;
use claimsmith_domain::id::{InvitationId, OrganizationId, OrganizationRoleId, UserId};
use claimsmith_json::present;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// An invitation to an organization.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "i7n2v5t0k3x8c1b6m9q4w", "inviterId": "q3v8k1znw2pd", "invitee": "grace@example.com",
    "acceptedUserId": null, "organizationId": "o6r2g9a4n1z8", "status": "Pending", "createdAt": 1_760_000_000_000_i64,
    "updatedAt": 1_760_000_000_000_i64, "expiresAt": 4_102_444_800_000_i64,
    "organizationRoles": [{ "id": "h3g8j1k6l4q9w2z7x0c5v", "name": "editor" }]
}))]
pub struct InvitationView {
    /// Always `default`.
    pub tenant_id: Tenant,
    pub id: InvitationId,
    /// Who invites.
    pub inviter_id: Option<UserId>,
    /// An email address, in lower case.
    pub invitee: String,
    /// Who accepted.
    pub accepted_user_id: Option<UserId>,
    pub organization_id: OrganizationId,
    pub status: InvitationStatus,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
    /// What the invitee will be there.
    pub organization_roles: Vec<HeldRoleView>,
}

/// A new invitation.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "invitee": "grace@example.com", "organizationId": "o6r2g9a4n1z8", "expiresAt": 4_102_444_800_000_i64,
    "inviterId": "q3v8k1znw2pd", "organizationRoleIds": ["h3g8j1k6l4q9w2z7x0c5v"], "messagePayload": false
}))]
pub struct CreateInvitation {
    /// An email address.
    #[schema(value_type = String, max_length = 128, pattern = r"^\S+@\S+\.\S+$")]
    pub invitee: Email,
    pub organization_id: Text<1, 128>,
    /// Unix milliseconds, in the future.
    pub expires_at: i64,
    /// A user.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 128)]
    pub inviter_id: Option<Text<1, 128>>,
    /// What the invitee will be there, at most 1000.
    #[serde(default)]
    pub organization_role_ids: Given<IdList<OrganizationRoleId, 0>>,
    /// False: no message is sent. The variables of an email to the invitee; `link` takes the place of the server's own
    /// page, where the invitation is accepted.
    #[serde(default, deserialize_with = "present")]
    #[schema(required = false)]
    pub message_payload: Option<MessagePayload>,
}

/// What a message to the invitee says, or false for no message.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum MessagePayload {
    /// Only false has a meaning.
    Whether(bool),
    /// The variables of the message.
    #[schema(value_type = Object)]
    Variables(Map<String, Value>),
}

/// What becomes of an invitation.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "status": "Accepted", "acceptedUserId": "x7b2m9hc4t0r" }))]
pub struct SetStatus {
    pub status: Settled,
    /// Who accepts: a user whose primary email address is the invitee's. With `Accepted` alone.
    #[serde(default)]
    pub accepted_user_id: Given<Text<1, 128>>,
}

/// How an invitation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
pub enum Settled {
    /// The recipient becomes a member.
    Accepted,
    /// It is taken back.
    Revoked,
}
