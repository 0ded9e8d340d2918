//! The grant types: what each is called on the wire, in metrics, in charts and in the audit log.

use crate::audit_key::AuditKey;
use serde::Serialize;
use std::fmt;

/// How a token is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GrantType {
    /// RFC 6749 section 4.1.
    AuthorizationCode,
    /// RFC 6749 section 6.
    RefreshToken,
    /// RFC 6749 section 4.4: machine-to-machine applications.
    ClientCredentials,
    /// RFC 8628 section 3.4.
    DeviceCode,
    /// RFC 8693.
    TokenExchange,
    /// A token that an operator issued at the terminal. The token endpoint does not accept it.
    Operator,
}

/// The spellings of one grant type.
struct Names {
    wire: &'static str,
    metric: &'static str,
    chart: &'static str,
    audit_key: AuditKey,
}

impl GrantType {
    /// Those of the token endpoint, in the order of the discovery document.
    pub const SERVED: [Self; 5] =
        [Self::AuthorizationCode, Self::RefreshToken, Self::ClientCredentials, Self::TokenExchange, Self::DeviceCode];

    /// The label of a request that names no known grant type, in metrics and charts.
    pub const UNKNOWN: &str = "none";
    /// The key of a refusal whose request names no known grant type, in the audit log.
    pub const UNKNOWN_AUDIT_KEY: AuditKey = AuditKey::ExchangeTokenByUnknown;

    const fn names(self) -> Names {
        let (wire, metric, chart, audit_key) = match self {
            Self::AuthorizationCode => (
                "authorization_code",
                "authorization_code",
                "authorization_code",
                AuditKey::ExchangeTokenByAuthorizationCode,
            ),
            Self::RefreshToken => {
                ("refresh_token", "refresh_token", "refresh_token", AuditKey::ExchangeTokenByRefreshToken)
            }
            Self::ClientCredentials => (
                "client_credentials",
                "client_credentials",
                "client_credentials",
                AuditKey::ExchangeTokenByClientCredentials,
            ),
            Self::DeviceCode => (
                "urn:ietf:params:oauth:grant-type:device_code",
                "device_code",
                "device_code",
                AuditKey::ExchangeTokenByDeviceCode,
            ),
            Self::TokenExchange => (
                "urn:ietf:params:oauth:grant-type:token-exchange",
                "token-exchange",
                "token_exchange",
                AuditKey::ExchangeTokenByTokenExchange,
            ),
            Self::Operator => {
                ("urn:claimsmith:grant-type:operator", "operator", "operator", AuditKey::ExchangeTokenByOperator)
            }
        };
        Names { wire, metric, chart, audit_key }
    }

    /// The value of the parameter `grant_type`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.names().wire
    }

    /// The grant type of the token endpoint that a parameter names.
    #[must_use]
    pub fn parse(wire: &str) -> Option<Self> {
        Self::SERVED.into_iter().find(|grant| grant.as_str() == wire)
    }

    /// The label `grant` of metrics.
    #[must_use]
    pub const fn metric(self) -> &'static str {
        self.names().metric
    }

    /// The name in charts of activity.
    #[must_use]
    pub const fn chart(self) -> &'static str {
        self.names().chart
    }

    /// The key of an issuance, in the audit log.
    #[must_use]
    pub const fn audit_key(self) -> AuditKey {
        self.names().audit_key
    }

    /// The grant type of an issuance, by its key in the audit log.
    #[must_use]
    pub fn of_audit_key(key: &str) -> Option<Self> {
        Self::SERVED.into_iter().chain([Self::Operator]).find(|grant| grant.audit_key().text() == key)
    }
}

impl fmt::Display for GrantType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Serialize for GrantType {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_endpoint_knows_its_own_grant_types_by_their_names() {
        for grant in GrantType::SERVED {
            assert_eq!(GrantType::parse(grant.as_str()), Some(grant));
            assert_eq!(GrantType::of_audit_key(grant.audit_key().text()), Some(grant));
        }
        assert_eq!(GrantType::parse(GrantType::Operator.as_str()), None);
        assert_eq!(GrantType::of_audit_key(GrantType::Operator.audit_key().text()), Some(GrantType::Operator));
        assert_eq!(GrantType::of_audit_key(GrantType::UNKNOWN_AUDIT_KEY.text()), None);
    }
}
