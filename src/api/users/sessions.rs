//! Where users are signed in: sessions, grants to applications, and trusted devices.

use claimsmith_domain::id::{ApplicationId, SessionId, TrustedDeviceId, UserId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Where a user is signed in.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "sessions": [
        {
            "payload": {
                "uid": "mgj0l7t5k2x9c4b1n8q3w", "accountId": "q3v8k1znw2pd", "loginTs": 1_760_000_000,
                "exp": 1_761_209_600, "amr": ["pwd"], "authorizations": {}
            },
            "lastSubmission": { "ip": "192.0.2.7", "userAgent": "Mozilla/5.0" },
            "clientId": "m0k2x7c5t9r4b8n1q6w3z",
            "lastActiveAt": 1_760_000_100_000_i64, "accountId": "q3v8k1znw2pd", "expiresAt": 1_761_209_600_000_i64
        }
    ]
}))]
pub struct Sessions {
    /// The one that was used last first, at most 1000.
    pub sessions: Vec<SessionView>,
}

/// A browser in which a user is signed in.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "payload": {
        "uid": "mgj0l7t5k2x9c4b1n8q3w", "accountId": "q3v8k1znw2pd", "loginTs": 1_760_000_000, "exp": 1_761_209_600,
        "amr": ["pwd"], "authorizations": {
            "m0k2x7c5t9r4b8n1q6w3z": {
                "sid": "mgj0l7t5k2x9c4b1n8q3w", "grantId": "g4r1a8n5t2z7x9c6v3b0n", "persistsLogout": true
            }
        }
    },
    "lastSubmission": { "ip": "192.0.2.7", "userAgent": "Mozilla/5.0" }, "clientId": "m0k2x7c5t9r4b8n1q6w3z",
    "lastActiveAt": 1_760_000_100_000_i64, "accountId": "q3v8k1znw2pd", "expiresAt": 1_761_209_600_000_i64
}))]
pub struct SessionView {
    pub payload: SessionPayload,
    pub last_submission: LastSubmission,
    /// The application at which the user signed in last in this session.
    pub client_id: Option<ApplicationId>,
    /// Unix milliseconds.
    pub last_active_at: i64,
    pub account_id: UserId,
    /// Unix milliseconds.
    pub expires_at: i64,
}

/// The session.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionPayload {
    /// Its id: the `sid` of ID tokens.
    pub uid: SessionId,
    pub account_id: UserId,
    /// When the user proved who they are, Unix seconds.
    pub login_ts: i64,
    /// Unix seconds.
    pub exp: i64,
    /// How (RFC 8176).
    pub amr: Vec<String>,
    /// What applications got in the session, by their ids.
    #[schema(value_type = Object)]
    pub authorizations: BTreeMap<ApplicationId, SessionAuthorizationView>,
}

/// What an application got in a session.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionAuthorizationView {
    /// The `sid` of its ID tokens.
    pub sid: SessionId,
    /// Its grant.
    pub grant_id: String,
    /// Whether its refresh tokens outlive the session.
    pub persists_logout: bool,
}

/// From where the user signed in.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastSubmission {
    pub ip: Option<String>,
    pub user_agent: Option<String>,
}

/// What applications hold.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "grants": [
        {
            "id": "mgj0l7t5k2x9c4b1n8q3w",
            "payload": {
                "iat": 1_760_000_000, "exp": 1_760_003_600, "jti": "mgj0l7t5k2x9c4b1n8q3w",
                "clientId": "m0k2x7c5t9r4b8n1q6w3z", "accountId": "q3v8k1znw2pd", "scope": "orders:read",
                "resource": "https://orders.example.com"
            },
            "expiresAt": 1_760_003_600_000_i64
        }
    ]
}))]
pub struct Grants {
    /// Newest first, at most 1000.
    pub grants: Vec<GrantView>,
}

/// A grant of a user, or a live token without one.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GrantView {
    /// The grant's id, or the token's `jti`.
    pub id: String,
    pub payload: GrantPayload,
    /// Unix milliseconds.
    pub expires_at: i64,
}

/// What was given.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GrantPayload {
    /// Unix seconds.
    pub iat: i64,
    /// Unix seconds.
    pub exp: i64,
    pub jti: String,
    pub client_id: ApplicationId,
    pub account_id: UserId,
    /// Of a grant: the scopes about the user; of a token: all of them.
    pub scope: String,
    /// Of a token: its resource.
    pub resource: Option<String>,
    /// Of a grant: the scopes of resources, by indicator.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false)]
    pub resources: Option<BTreeMap<String, String>>,
}

/// A browser in which a user is not asked for a second factor.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "mgj0l7t5k2x9c4b1n8q3w", "userAgent": "Mozilla/5.0", "ip": "192.0.2.7",
    "createdAt": "2025-10-09T08:53:20.000Z", "lastUsedAt": "2025-10-19T08:53:20.000Z",
    "expiresAt": "2025-11-08T08:53:20.000Z"
}))]
pub struct TrustedDeviceView {
    pub id: TrustedDeviceId,
    pub user_agent: Option<String>,
    /// The address, when it was last used.
    pub ip: Option<String>,
    /// ISO 8601.
    pub created_at: String,
    /// ISO 8601.
    pub last_used_at: String,
    /// ISO 8601.
    pub expires_at: String,
}
