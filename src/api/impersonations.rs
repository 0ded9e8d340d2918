//! Bodies of `/api/impersonations`.

use claimsmith_domain::id::{ApplicationId, OrganizationId, SubjectTokenId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// A token with which an actor acts for a user.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "mgj0l6a1z8q3w5r0t7y2u", "userId": "q3v8k1znw2pd", "actorId": null,
    "applicationId": "m0k2x7c5t9r4b8n1q6w3z", "resource": "https://orders.example.com", "scope": "orders:read",
    "organizationId": null, "subjectTokenId": "mgj0l5s0c4k9t2x7b1n6q", "context": { "ticketId": "T-1" },
    "isActive": true, "createdAt": 1_760_000_000_000_i64, "expiresAt": 1_760_003_600_000_i64, "endedAt": null
}))]
pub struct ImpersonationView {
    /// The token's `jti`.
    pub id: String,
    /// For whom.
    pub user_id: UserId,
    /// Who, if the application showed an actor token.
    pub actor_id: Option<UserId>,
    /// Through which application.
    pub application_id: ApplicationId,
    /// The resource that the token is for.
    pub resource: Option<String>,
    /// What was granted.
    pub scope: String,
    /// The organization that the token is for.
    pub organization_id: Option<OrganizationId>,
    /// The subject token that was exchanged.
    pub subject_token_id: Option<SubjectTokenId>,
    /// Why: the context of the subject token, such as `reason` and `ticketId`.
    #[schema(value_type = Option<Object>)]
    pub context: Option<Value>,
    /// Whether the token is live: not expired, not ended, and user and application still stand behind it.
    pub is_active: bool,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
    /// Unix milliseconds, once it was ended, by an operator or by the application itself.
    pub ended_at: Option<i64>,
}
