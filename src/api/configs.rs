//! Bodies of `/api/configs`; those of token scripts are in `plugins`.

use claimsmith_domain::documents::algorithm::Algorithm;
use claimsmith_domain::documents::sign_in_experience::protection::Within;
use claimsmith_domain::key_status::KeyStatus;
use claimsmith_json::present;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A signing key, without its private part.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs", "signingKeyAlgorithm": "ES256", "status": "Current",
    "createdAt": 1_760_000_000_000_i64, "activatesAt": 1_760_003_600_000_i64, "effectiveAt": 1_760_003_600_000_i64,
    "retiresAt": null
}))]
pub struct KeyView {
    /// Its `kid`.
    pub id: String,
    /// `ES256`, `ES384`, `EdDSA` or `RS256`.
    #[schema(value_type = String)]
    pub signing_key_algorithm: Algorithm,
    /// `Next` will sign, `Current` signs what uses its algorithm; what `Previous` signed is still believed.
    #[schema(value_type = String)]
    pub status: KeyStatus,
    /// Unix milliseconds; published from then on.
    pub created_at: i64,
    /// Unix milliseconds; signs from then on, until a later key does.
    pub activates_at: i64,
    /// The same.
    pub effective_at: i64,
    /// Unix milliseconds; no longer published from then on.
    pub retires_at: Option<i64>,
}

/// The key to come.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "signingKeyAlgorithm": "EC", "rotationGracePeriod": 14_400 }))]
pub struct RotateKeys {
    /// The algorithm whose keys rotate; `tokens.signing_algorithm`, with which access tokens are signed, when not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = RequestedAlgorithm, required = false)]
    pub signing_key_algorithm: Option<RequestedAlgorithm>,
    /// Seconds until it signs, at most a year; `tokens.key_publish_delay` when not given. Clients that have not fetched
    /// the keys anew by then refuse what it signs. The first key of an algorithm signs at once.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = u32, required = false, maximum = 31_536_000)]
    pub rotation_grace_period: Option<GracePeriod>,
}

/// The configuration of sign-in sessions.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "ttl": 1_209_600 }))]
pub struct SessionConfig {
    /// Lifetime of a session in seconds, however much it is used.
    pub ttl: u64,
}

/// What is to change of [`SessionConfig`]; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({ "ttl": 86_400 }))]
pub struct SessionConfigChange {
    /// Seconds, of sessions that begin from now on; null for `sessions.ttl` of the server's configuration.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<u32>, required = false, minimum = 300, maximum = 31_536_000)]
    pub ttl: Option<Option<Within<300, 31_536_000>>>,
}

/// Maximum delay until a key signs, in seconds: a year.
const MAX_GRACE_PERIOD_SECONDS: u32 = 31_536_000;

#[derive(Debug, Deserialize)]
#[serde(try_from = "u32")]
pub struct GracePeriod(pub u32);

impl TryFrom<u32> for GracePeriod {
    type Error = String;

    fn try_from(seconds: u32) -> Result<Self, String> {
        if seconds <= MAX_GRACE_PERIOD_SECONDS {
            Ok(Self(seconds))
        } else {
            Err(format!("expected at most {MAX_GRACE_PERIOD_SECONDS} seconds"))
        }
    }
}

/// An algorithm, or a family of which the usual one is meant.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub enum RequestedAlgorithm {
    /// ECDSA on P-256.
    ES256,
    /// ECDSA on P-384.
    ES384,
    /// Ed25519.
    EdDSA,
    /// RSA PKCS #1 v1.5, 2048 bits.
    RS256,
    /// The same as `ES256`.
    #[serde(rename = "EC")]
    Ec,
    /// The same as `RS256`.
    #[serde(rename = "RSA")]
    Rsa,
}

/// One key of the configuration.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "key": "server.request_timeout", "value": "30", "defaultValue": "30",
    "source": { "kind": "default", "name": null }, "environment": "CLAIMSMITH_REQUEST_TIMEOUT",
    "flag": "--request-timeout", "description": "time that a request may take",
    "accepts": "a whole number of seconds from 1 to 600", "isSecret": false
}))]
pub struct ServerSetting {
    /// Its dotted path in the configuration file.
    pub key: String,
    /// As text, a list with commas; null when it is not set, `***` where it is secret.
    pub value: Option<String>,
    /// Its default, in words where that is not a constant.
    pub default_value: Option<String>,
    pub source: SettingSource,
    /// The environment variable that sets it.
    pub environment: String,
    /// The flag that sets it, if there is one.
    pub flag: Option<String>,
    /// What it is for.
    pub description: String,
    /// What it accepts, in words.
    pub accepts: String,
    pub is_secret: bool,
}

/// Where a value came from.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SettingSource {
    /// `default`, `follows`, `file`, `environment` or `flag`.
    pub kind: String,
    /// The key that it follows, the file, the variable, or the flag.
    pub name: Option<String>,
}
