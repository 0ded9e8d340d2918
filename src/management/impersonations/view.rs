//! How an impersonation is shown.

use claimsmith_storage::issuing::impersonations::Impersonation;
use serde::Serialize;
use serde_json::Value;

/// A token with which an actor acts for a user.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "mgj0l6a1z8q3w5r0t7y2u", "userId": "q3v8k1znw2pd", "actorId": null,
    "applicationId": "m0k2x7c5t9r4b8n1q6w3z", "resource": "https://orders.example.com", "scope": "orders:read",
    "organizationId": null, "subjectTokenId": "mgj0l5s0c4k9t2x7b1n6q", "context": { "ticketId": "T-1" },
    "isActive": true, "createdAt": 1_760_000_000_000_i64, "expiresAt": 1_760_003_600_000_i64, "endedAt": null
}))]
pub(crate) struct ImpersonationView {
    /// The token's `jti`.
    id: String,
    /// For whom.
    user_id: String,
    /// Who, if the application showed an actor token.
    actor_id: Option<String>,
    /// Through which application.
    application_id: String,
    /// The resource that the token is for.
    resource: Option<String>,
    /// What was granted.
    scope: String,
    /// The organization that the token is for.
    organization_id: Option<String>,
    /// The subject token that was exchanged.
    subject_token_id: Option<String>,
    /// Why: the context of the subject token, such as `reason` and `ticketId`.
    #[schema(value_type = Option<Object>)]
    context: Option<Value>,
    /// Whether the token is live: not expired, not ended, and user and application still stand behind it.
    is_active: bool,
    /// Unix milliseconds.
    created_at: i64,
    /// Unix milliseconds.
    expires_at: i64,
    /// Unix milliseconds, once it was ended, by an operator or by the application itself.
    ended_at: Option<i64>,
}

impl ImpersonationView {
    pub(super) fn at(now: i64) -> impl Fn(Impersonation) -> Self {
        move |one| Self {
            is_active: one.is_active(now),
            id: one.jti,
            user_id: one.user_id.into(),
            actor_id: one.actor_id.map(Into::into),
            application_id: one.application_id.into(),
            resource: one.resource,
            scope: one.scope,
            organization_id: one.organization_id.map(Into::into),
            subject_token_id: one.subject_token_id.map(Into::into),
            context: one.context.map(|context| context.0),
            created_at: one.created_at,
            expires_at: one.expires_at,
            ended_at: one.revoked_at,
        }
    }
}
