//! Bodies of `/api/administrator-invitations`.

use claimsmith_domain::documents::text::Text;
use claimsmith_domain::documents::user::StoredEmail;
use claimsmith_domain::id::{RoleId, UserId};
use claimsmith_json::present;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An invitation to administer. It grants nothing before the inviter has confirmed the account that claimed it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "i7n2v5t0k3x8c1b6m9q4w", "roleId": "claimsmith-console-role-support", "note": "Grace of the night shift",
    "inviterId": "q3v8k1znw2pd", "createdAt": 1_760_000_000_000_i64, "expiresAt": 1_760_604_860_000_i64,
    "claimedAt": 1_760_000_060_000_i64,
    "user": {
        "id": "u5m1x8c3v6b9", "name": "Grace Hopper", "username": "grace", "primaryEmail": "grace@example.com",
        "primaryPhone": null, "createdAt": 1_760_000_060_000_i64
    }
}))]
pub struct AdministratorInvitationView {
    pub id: String,
    /// The role of the console that it is for.
    pub role_id: RoleId,
    /// For whom it is, in the inviter's words; may be empty.
    pub note: String,
    /// Who invites. Only this person can confirm.
    pub inviter_id: UserId,
    /// Unix milliseconds.
    pub created_at: i64,
    /// When the link becomes invalid; once it is claimed, when the claim does. Unix milliseconds.
    pub expires_at: i64,
    /// When an account claimed it, Unix milliseconds.
    pub claimed_at: Option<i64>,
    /// The account that claimed it.
    pub user: Option<ClaimingUser>,
}

/// The account that waits for the confirmation.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClaimingUser {
    pub id: UserId,
    pub name: Option<String>,
    pub username: Option<String>,
    pub primary_email: Option<String>,
    pub primary_phone: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// A new invitation, with its link.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "id": "i7n2v5t0k3x8c1b6m9q4w", "roleId": "claimsmith-console-role-support", "note": "Grace of the night shift",
    "inviterId": "q3v8k1znw2pd", "createdAt": 1_760_000_000_000_i64, "expiresAt": 1_760_086_400_000_i64,
    "claimedAt": null, "user": null,
    "url": "https://id.example.com/console/setup?code=4kTq8ZbW2mXr7NcV1sYd6LpG9hJf3RaQ0uEwTyUiOp1"
}))]
pub struct NewAdministratorInvitation {
    #[serde(flatten)]
    pub invitation: AdministratorInvitationView,
    /// The link. It is shown this once, and works once.
    pub url: String,
}

/// Whom to invite.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "roleId": "claimsmith-console-role-support", "note": "Grace of the night shift" }))]
pub struct CreateAdministratorInvitation {
    /// A role of the console.
    pub role_id: Text<1, 128>,
    /// For whom it is, for the list of invitations.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, max_length = 128)]
    pub note: Option<Text<0, 128>>,
    /// An email address that gets a notice. The link is never in it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, max_length = 128, pattern = r"^\S+@\S+\.\S+$")]
    pub email: Option<StoredEmail>,
}

/// The account that gets the role.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "userId": "u5m1x8c3v6b9" }))]
pub struct ConfirmAdministrator {
    /// The account that claimed the invitation, as it was shown.
    pub user_id: Text<1, 128>,
}
