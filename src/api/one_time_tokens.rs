//! Bodies of `/api/one-time-tokens`.

use crate::tenant::Tenant;
use claimsmith_domain::documents::one_time_token::{Context, Status};
use claimsmith_domain::documents::sign_in_experience::protection::Within;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::documents::user::StoredEmail;
use claimsmith_json::{present, present_object};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Whom a token is for.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "email": "ada@example.com", "context": { "interactionEvent": "SignIn" }, "expiresIn": 600 }))]
pub struct CreateOneTimeToken {
    /// An email address.
    #[schema(value_type = String, max_length = 128, pattern = r"^\S+@\S+\.\S+$")]
    pub email: StoredEmail,
    /// What it is for.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Context, required = false)]
    pub context: Option<Context>,
    /// Seconds, 600 when not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = u32, required = false, minimum = 1, maximum = 604_800)]
    pub expires_in: Option<Within<1, 604_800>>,
}

/// A one-time token. The token itself is shown when it is made, and never again.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "t7n2v5t0k3x8c1b6m9q4w", "email": "ada@example.com",
    "token": "4kTq8ZbW2mXr7NcV1sYd6LpG9hJf3RaQ", "context": { "interactionEvent": "SignIn" }, "status": "active",
    "createdAt": 1_760_000_000_000_i64, "expiresAt": 1_760_000_600_000_i64
}))]
pub struct OneTimeTokenView {
    /// Always `default`.
    pub tenant_id: Tenant,
    pub id: String,
    /// Whom it is for, in lower case.
    pub email: String,
    /// Only in the answer of its creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    pub context: Context,
    pub status: Status,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
}

/// What becomes of a token.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({ "status": "revoked" }))]
pub struct SetStatus {
    pub status: Settled,
}

/// How a token ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Settled {
    /// It cannot be activated again.
    Active,
    /// It was used elsewhere.
    Consumed,
    /// It is taken back.
    Revoked,
}

/// A token and whom it is for.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "email": "ada@example.com", "token": "4kTq8ZbW2mXr7NcV1sYd6LpG9hJf3RaQ" }))]
pub struct VerifyToken {
    /// An email address.
    #[schema(value_type = String, max_length = 128, pattern = r"^\S+@\S+\.\S+$")]
    pub email: StoredEmail,
    /// The token.
    pub token: Text<1, 128>,
}
