//! Parses and validates the operator's configuration of an upstream: `config` of connectors.

use super::address::Endpoint;
use super::profile_map::ProfileMap;
use super::{ClientAuthentication, Protocol, Upstream};
use crate::connector_config::read;
use crate::documents::text::Text;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Maximum number of scopes, and of additional parameters.
const MAX_ITEMS: usize = 32;
/// Default scopes of an OpenID provider.
const OPENID_SCOPES: &str = "openid profile email";

/// The configuration that all upstreams have.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClientRegistration {
    client_id: Text<1, 256>,
    client_secret: Option<Text<1, 4096>>,
    scope: Option<Text<0, 1024>>,
    #[serde(default)]
    token_endpoint_auth_method: ClientAuthentication,
    #[serde(default)]
    trust_unverified_email: bool,
    /// Additional parameters of the authorization request, such as `prompt`.
    #[serde(default)]
    custom_config: BTreeMap<String, Text<0, 1024>>,
}

#[derive(Deserialize)]
struct OpenIdConfig {
    issuer: Endpoint,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OAuthConfig {
    authorization_endpoint: Endpoint,
    token_endpoint: Endpoint,
    user_info_endpoint: Endpoint,
    #[serde(default)]
    profile_map: ProfileMap,
}

/// Parameters that this server sets itself.
const RESERVED: [&str; 10] = [
    "client_id",
    "client_secret",
    "code_challenge",
    "code_challenge_method",
    "nonce",
    "redirect_uri",
    "request",
    "response_type",
    "scope",
    "state",
];

/// Builds an OpenID provider from a configuration; an error names the key path.
pub fn openid(config: Map<String, Value>) -> Result<Upstream, String> {
    let config = Value::Object(config);
    let OpenIdConfig { issuer } = read(&config)?;
    let registration: ClientRegistration = read(&config)?;
    let mut upstream = registration.upstream(Protocol::OpenId { issuer }, OPENID_SCOPES)?;
    if !upstream.scopes.iter().any(|scope| scope == "openid") {
        upstream.scopes.insert(0, "openid".to_owned());
    }
    Ok(upstream)
}

/// Builds an OAuth 2 server from a configuration; an error names the key path.
pub fn oauth(config: Map<String, Value>) -> Result<Upstream, String> {
    let config = Value::Object(config);
    let endpoints: OAuthConfig = read(&config)?;
    let registration: ClientRegistration = read(&config)?;
    let protocol = Protocol::OAuth {
        authorization: endpoints.authorization_endpoint,
        token: endpoints.token_endpoint,
        profile: endpoints.user_info_endpoint,
        map: endpoints.profile_map,
    };
    registration.upstream(protocol, "")
}

impl ClientRegistration {
    fn upstream(self, protocol: Protocol, scopes: &str) -> Result<Upstream, String> {
        let said = self.scope.map_or_else(|| scopes.to_owned(), String::from);
        let scopes: Vec<String> = said.split([' ', ',']).filter(|one| !one.is_empty()).map(str::to_owned).collect();
        if scopes.len() > MAX_ITEMS {
            return Err(format!("Error in key path \"config.scope\": expected at most {MAX_ITEMS} scopes"));
        }
        let parameters = "Error in key path \"config.customConfig\"";
        if self.custom_config.len() > MAX_ITEMS {
            return Err(format!("{parameters}: expected at most {MAX_ITEMS} members"));
        }
        if let Some(name) = self.custom_config.keys().find(|name| RESERVED.contains(&name.as_str())) {
            return Err(format!("{parameters}: the server itself sets {name}"));
        }
        Ok(Upstream {
            protocol,
            client_id: self.client_id.into(),
            client_secret: self.client_secret.map(|secret| String::from(secret).into()),
            authentication: self.token_endpoint_auth_method,
            scopes,
            parameters: self.custom_config.into_iter().map(|(name, value)| (name, value.into())).collect(),
            trusts_addresses: self.trust_unverified_email,
            companies: None,
        })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    #[expect(clippy::needless_pass_by_value, reason = "it is made where it is given")]
    fn object(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn an_openid_provider_is_known_by_its_issuer() {
        let config = json!({ "issuer": "https://id.test", "clientId": "c", "clientSecret": "quiet", "scope": "email" });
        let upstream = openid(object(config)).unwrap();
        assert_eq!(upstream.scopes, ["openid", "email"]);
        assert!(!format!("{upstream:?}").contains("quiet"));
        let plain = openid(object(json!({ "issuer": "https://id.test", "clientId": "c" }))).unwrap();
        assert!(plain.scopes.len() == 3 && plain.client_secret.is_none());
        for wrong in [
            json!({ "clientId": "c" }),
            json!({ "issuer": "https://id.test" }),
            json!({ "issuer": "http://id.test", "clientId": "c" }),
            json!({ "issuer": "https://id.test", "clientId": "c", "tokenEndpointAuthMethod": "none" }),
            json!({ "issuer": "https://id.test", "clientId": "c", "customConfig": { "state": "x" } }),
        ] {
            assert!(openid(object(wrong.clone())).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_oauth_server_has_three_endpoints() {
        let whole = json!({
            "authorizationEndpoint": "https://a.test/authorize", "tokenEndpoint": "https://a.test/token",
            "userInfoEndpoint": "https://a.test/me", "clientId": "c", "scope": "user,email",
            "profileMap": { "id": "uid" }, "customConfig": { "prompt": "consent" },
        });
        let upstream = oauth(object(whole.clone())).unwrap();
        assert_eq!(upstream.scopes, ["user", "email"]);
        assert_eq!(upstream.parameters, [("prompt".to_owned(), "consent".to_owned())]);
        for name in ["authorizationEndpoint", "tokenEndpoint", "userInfoEndpoint", "clientId"] {
            let mut part = object(whole.clone());
            part.remove(name);
            let refused = oauth(part).unwrap_err();
            assert!(refused.contains(&format!("missing field `{name}`")), "{refused}");
        }
    }

    #[test]
    fn with_another_profile_an_id_is_somebody_else() {
        let config = |profile: &str, map: Value| {
            let config = json!({
                "authorizationEndpoint": "https://a.test/authorize", "tokenEndpoint": "https://a.test/token",
                "userInfoEndpoint": profile, "clientId": "c", "profileMap": map,
            });
            oauth(object(config)).unwrap().protocol
        };
        let before = config("https://a.test/me", json!({ "id": "uid" }));
        assert!(before.is_same_place(&config("https://a.test/me", json!({ "id": "uid", "name": "nick" }))));
        assert!(!before.is_same_place(&config("https://b.test/me", json!({ "id": "uid" }))));
        assert!(!before.is_same_place(&config("https://a.test/me", json!({ "id": "nick" }))));
        let issuer = |issuer: &str| openid(object(json!({ "issuer": issuer, "clientId": "c" }))).unwrap().protocol;
        assert!(issuer("https://a.test").is_same_place(&issuer("https://a.test")));
        assert!(!issuer("https://a.test").is_same_place(&issuer("https://b.test")));
        assert!(!issuer("https://a.test").is_same_place(&before));
    }
}
