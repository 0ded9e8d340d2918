//! Bodies of `/api/configs/jwt-customizer`.

use claimsmith_domain::documents::text::Text;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A token script with all that belongs to it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "script": "const getCustomJwtClaims = async ({ environmentVariables: { REGION } }) => ({ region: REGION });",
    "environmentVariables": { "REGION": "eu" }, "blockIssuanceOnError": true,
    "contextSample": {
        "user": { "id": "q3v8k1znw2pd", "customData": { "plan": "gold" } },
        "interaction": {
            "interactionEvent": "SignIn", "userId": "q3v8k1znw2pd",
            "verificationRecords": [{
                "id": "mwr9bcthv9ceak89kz99b", "type": "Password",
                "identifier": { "type": "username", "value": "casey" }, "verified": true
            }]
        }
    }
}))]
pub struct Customizer {
    /// Defines a function `getCustomJwtClaims`.
    #[schema(value_type = String)]
    pub script: Text<1, 1_000_000>,
    /// Its variables; the values are `********` for a caller without `plugins:write`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment_variables: Option<BTreeMap<String, String>>,
    /// For consoles.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub context_sample: Option<Map<String, Value>>,
    /// For consoles.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub token_sample: Option<Map<String, Value>>,
    /// Whether no token is issued when the script fails. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_issuance_on_error: Option<bool>,
}

/// A script with its key.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "key": "jwt.accessToken",
    "value": {
        "script": "const getCustomJwtClaims = async ({ environmentVariables: { REGION } }) => ({ region: REGION });",
        "environmentVariables": { "REGION": "eu" }, "blockIssuanceOnError": true
    }
}))]
pub struct KeyedCustomizer {
    /// `jwt.accessToken` or `jwt.clientCredentials`.
    pub key: String,
    pub value: Customizer,
}

/// A question to a script.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tokenType": "access-token",
    "script": "const getCustomJwtClaims = async ({ environmentVariables: { REGION } }) => ({ region: REGION });",
    "environmentVariables": { "REGION": "eu" }, "token": { "kind": "AccessToken", "scope": "orders:read" },
    "context": {
        "user": { "id": "q3v8k1znw2pd", "customData": { "plan": "gold" } },
        "interaction": {
            "interactionEvent": "SignIn", "userId": "q3v8k1znw2pd",
            "verificationRecords": [{
                "id": "mwr9bcthv9ceak89kz99b", "type": "Password",
                "identifier": { "type": "username", "value": "casey" }, "verified": true
            }]
        }
    }
}))]
pub struct TestCustomizer {
    /// `access-token` or `client-credentials`.
    pub token_type: TokenType,
    pub script: String,
    pub environment_variables: Option<BTreeMap<String, String>>,
    #[schema(value_type = Object)]
    pub token: Map<String, Value>,
    /// `user`, `grant`, `application`, `organization`, `interaction`.
    #[schema(value_type = Object)]
    pub context: Map<String, Value>,
}

#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TokenType {
    AccessToken,
    ClientCredentials,
}
