//! What users sign in with: passwords, second factors, linked accounts and personal access tokens.

use crate::tenant::Tenant;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::{FactorId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// A password.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "password": "correct horse battery staple" }))]
pub struct Password {
    #[schema(write_only)]
    pub password: Text<1, 256>,
}

/// Whether the password of a user has expired.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "isExpired": true }))]
pub struct PasswordExpired {
    /// True expires it at once; false withdraws that, after which its age counts.
    pub is_expired: bool,
}

/// Whether a user has a password.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "hasPassword": true }))]
pub struct HasPassword {
    pub has_password: bool,
}

/// A new factor. What is not given is made.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type")]
#[schema(example = json!({ "type": "Totp", "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" }))]
pub enum CreateFactor {
    /// Time-based one-time passwords (RFC 6238).
    Totp {
        /// At least 128 bits in base 32.
        #[serde(default)]
        secret: Option<String>,
    },
    /// Codes that work once.
    BackupCode {
        /// Ten of ten letters and digits.
        #[serde(default)]
        codes: Option<Vec<String>>,
    },
}

/// A factor that was made.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type")]
#[schema(example = json!({
    "type": "Totp", "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
    "secretQrCode": "data:image/svg+xml;base64,PHN2Zy8+"
}))]
pub enum CreatedFactor {
    /// Time-based one-time passwords.
    #[serde(rename_all = "camelCase")]
    Totp {
        /// Base 32.
        secret: String,
        /// A picture of it for authenticator applications, as a data URI.
        secret_qr_code: String,
    },
    /// Codes that work once.
    BackupCode {
        /// The codes.
        codes: Vec<String>,
    },
}

/// A factor.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "f2c7t4z9k1x6b3n8m5q0w", "type": "BackupCode", "createdAt": "2025-10-09T08:53:20.000Z", "remainCodes": 10
}))]
pub struct FactorView {
    pub id: FactorId,
    pub r#type: FactorType,
    /// ISO 8601.
    pub created_at: String,
    /// What the user calls a passkey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The browser that made a passkey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// When a passkey was used last; ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<String>,
    /// How many backup codes are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remain_codes: Option<usize>,
}

/// An account elsewhere.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "userId": "583231", "details": { "login": "ada" } }))]
pub struct Identity {
    /// The id that the user has there.
    pub user_id: Text<1, 256>,
    /// What is known of them there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub details: Option<Map<String, Value>>,
}

/// What the user brought back from the provider.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "connectorId": "c8m2x5z1k9b4", "connectorData": {
        "code": "SplxlOBeZQQYbYS6WxSbIA", "state": "af0ifjsldkj", "redirectUri": "https://app.example.com/linked"
    }
}))]
pub struct BroughtIdentity {
    /// The connector.
    pub connector_id: Text<1, 128>,
    /// The query that came back, with the `redirectUri` to which it came and the `state` of the authorization URI.
    #[schema(value_type = Object)]
    pub connector_data: Map<String, Value>,
}

/// A new token.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "laptop", "expiresAt": 4_102_444_800_000_i64 }))]
pub struct CreateToken {
    /// Unique per user.
    pub name: Text<1, 128>,
    /// Unix milliseconds, in the future; null or nothing never expires.
    #[serde(default)]
    pub expires_at: Option<i64>,
}

/// A name.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "name": "laptop" }))]
pub struct Named {
    /// Unique per user.
    pub name: Text<1, 128>,
}

/// A new name for one that has another.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "currentName": "laptop", "name": "old laptop" }))]
pub struct Renamed {
    pub current_name: Text<1, 128>,
    /// Unique per user.
    pub name: Text<1, 128>,
}

/// A personal access token.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "userId": "q3v8k1znw2pd", "name": "laptop", "value": "********",
    "createdAt": 1_760_000_000_000_i64, "expiresAt": 4_102_444_800_000_i64
}))]
pub struct TokenView {
    /// Always `default`.
    pub tenant_id: Tenant,
    pub user_id: UserId,
    pub name: String,
    /// `pat_…` in the answer to its creation; `********` everywhere else, since only its SHA-256 is kept.
    pub value: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds; null never expires.
    pub expires_at: Option<i64>,
}

/// The account of a user at an enterprise connector.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "ssoIdentity": {
        "tenantId": "default", "id": "i1d2e3n4t5i6t7y8z9a0b", "userId": "q3v8k1znw2pd",
        "ssoConnectorId": "e3x9s1t7a5m2q8w4z6y0b", "issuer": "https://login.acme.example.com", "identityId": "42",
        "detail": { "name": "Ada" }
    }
}))]
pub struct ShownSsoIdentity {
    #[schema(value_type = Object)]
    pub sso_identity: Value,
}

/// Whether a user can sign in, and what stands in the way.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "canSignIn": false,
    "obstacles": [{
        "reason": "locked", "identifier": "ada", "factor": null, "failures": 10, "until": 1_760_000_600_000_i64,
        "missing": []
    }],
    "administers": false,
    "lastRefusal": {
        "plugin": "boom", "version": "2", "error": "TypeError: not a function boom.js:1:86",
        "at": 1_760_000_000_000_i64, "requestId": "0192b7c4-6a1e-7d3f-8b52-4c9e1f7a2d60",
        "logId": "k3v8b1n6m0c4x9z2q7w5e"
    }
}))]
pub struct SignInStateView {
    /// Whether nothing stands in the way. A plugin may still refuse the tokens of an application.
    pub can_sign_in: bool,
    /// What stands in the way, the most important first.
    pub obstacles: Vec<ObstacleView>,
    /// Whether the user has rights on this server, so that only administrators may change the account.
    pub administers: bool,
    /// The refusal of the user's last token by a plugin, within a day; null where the last token was issued, and for
    /// callers without `logs:read`.
    pub last_refusal: Option<PluginRefusalView>,
}

/// What keeps a user from signing in.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ObstacleView {
    pub reason: ObstacleReason,
    /// What is locked: a username, an email address or a phone number.
    pub identifier: Option<String>,
    /// The second factor that is locked.
    pub factor: Option<FactorType>,
    /// The failed attempts after which it was locked.
    pub failures: Option<i64>,
    /// The end of the lockout, Unix milliseconds. Browsers in which the user has signed in before are not locked.
    pub until: Option<i64>,
    /// What the user lacks where no way to sign in is left: `password`, `identifier`.
    pub missing: Vec<String>,
}

/// The kind of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ObstacleReason {
    /// The user is suspended.
    Suspended,
    /// The settings allow none of the ways that the user has.
    NoWay,
    /// An identifier is locked after failed attempts.
    Locked,
    /// A second factor is locked after failed attempts.
    FactorLocked,
}

/// A plugin that refused a token of a user.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PluginRefusalView {
    pub plugin: String,
    /// Of an uploaded plugin.
    pub version: Option<String>,
    /// What the plugin said, in one line.
    pub error: Option<String>,
    /// Unix milliseconds.
    pub at: i64,
    pub request_id: Option<String>,
    /// The entry of the audit log.
    pub log_id: String,
}
