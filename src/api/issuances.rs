//! Bodies of `/api/issuances`.

use claimsmith_domain::id::{ApplicationId, OrganizationId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// The record of an issued token.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "mgk0x1c2b5n8q1w4z7k0x", "userId": "q3v8k1znw2pd", "applicationId": "m0k2x7c5t9r4b8n1q6w3z", "actorId": null,
    "organizationId": null, "resource": "https://shop.example.com/api", "scope": "orders:read",
    "grantType": "urn:ietf:params:oauth:grant-type:token-exchange", "subjectTokenContext": { "ticketId": "T-1" },
    "format": "jwt", "issuedAt": 1_760_000_000_000_i64, "expiresAt": 1_760_003_600_000_i64, "revokedAt": null,
    "plugins": [{
        "plugin": "impersonation", "generation": 3, "outcome": "ok",
        "digest": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    }]
}))]
pub struct IssuanceView {
    /// The token's `jti`.
    pub id: String,
    /// Whom it represents; null for an application's own token.
    pub user_id: Option<UserId>,
    /// To which application.
    pub application_id: ApplicationId,
    /// Who acts.
    pub actor_id: Option<UserId>,
    /// For which organization.
    pub organization_id: Option<OrganizationId>,
    /// The `aud`; null for an opaque token.
    pub resource: Option<String>,
    /// What was granted.
    pub scope: String,
    /// By which grant; null when its audit entry is gone.
    pub grant_type: Option<String>,
    /// The context of the subject token that was exchanged.
    #[schema(value_type = Option<Object>)]
    pub subject_token_context: Option<Value>,
    /// `jwt` or `opaque`.
    pub format: String,
    /// Unix milliseconds.
    pub issued_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
    /// Unix milliseconds, once it was revoked.
    pub revoked_at: Option<i64>,
    /// The plugins that were called, in order; null when there were none, or the audit entry is gone.
    #[schema(value_type = Option<Vec<Object>>)]
    pub plugins: Option<Value>,
}
