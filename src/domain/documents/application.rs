//! Applications: their types, and how each authenticates (`docs/decisions/client-authentication.md`).

use super::algorithm::Algorithm;
use super::client_authentication::{AuthMethod, ClientAssertionAudience, JwkSet};
use super::id_token::IdTokenClaims;
use crate::spelling::spelled;
use crate::user_scope::{self, GROUPS};
use claimsmith_json::{present, present_object};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Default lifetime of ID tokens in seconds.
const DEFAULT_ID_TOKEN_TTL: u32 = 3600;

spelled! {
/// The kinds of application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum ApplicationType {
    /// Runs on a user's device; public.
    Native = "Native",
    /// Runs in a browser; public.
    Spa = "SPA",
    /// Runs on a web server; confidential.
    Traditional = "Traditional",
    /// A backend without users; confidential.
    MachineToMachine = "MachineToMachine",
}
}

impl ApplicationType {
    /// Whether it can keep a secret.
    #[must_use]
    pub fn is_confidential(self) -> bool {
        matches!(self, Self::Traditional | Self::MachineToMachine)
    }

    /// Whether it may use this authentication method without having registered it; a traditional web application must
    /// not send its secret in the body then.
    #[must_use]
    pub fn may_use(self, method: AuthMethod) -> bool {
        match method {
            AuthMethod::ClientSecretBasic | AuthMethod::PrivateKeyJwt => self.is_confidential(),
            AuthMethod::ClientSecretPost => self == Self::MachineToMachine,
            AuthMethod::None => !self.is_confidential(),
        }
    }

    /// Whether it may register this authentication method as its only one.
    #[must_use]
    pub fn may_register(self, method: AuthMethod) -> bool {
        self.may_use(method) || method == AuthMethod::ClientSecretPost && self.is_confidential()
    }
}

/// `oidcClientMetadata`: where users are sent back to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct OidcClientMetadata {
    /// Where an authorization code may be sent.
    pub redirect_uris: Vec<String>,
    /// Where a user may be sent after signing out.
    pub post_logout_redirect_uris: Vec<String>,
    /// Where the application's backend is told that a session has ended (OpenID Connect Back-Channel Logout): an https
    /// address without fragment, or http on this machine.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub backchannel_logout_uri: Option<String>,
    /// Whether the application needs to be told which session; logout tokens always say it (`sid`).
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub backchannel_logout_session_required: Option<bool>,
    /// The application's logo.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub logo_uri: Option<String>,
    /// The only method by which it authenticates; when not given, every one that its type allows. A traditional web
    /// application sends its secret in the body only with `client_secret_post`.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub token_endpoint_auth_method: Option<AuthMethod>,
    /// Its public keys, for `private_key_jwt`.
    #[serde(deserialize_with = "present_object", skip_serializing_if = "Option::is_none")]
    pub jwks: Option<JwkSet>,
    /// Where its public keys are, in place of `jwks`.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub jwks_uri: Option<String>,
}

impl OidcClientMetadata {
    /// Whether it has registered public keys.
    #[must_use]
    pub fn has_keys(&self) -> bool {
        self.jwks.is_some() || self.jwks_uri.is_some()
    }

    /// Whether an application with this type and these settings may use this authentication method. A registered method
    /// excludes all others.
    #[must_use]
    pub fn accepts(&self, kind: ApplicationType, method: AuthMethod) -> bool {
        let is_allowed = match self.token_endpoint_auth_method {
            None => kind.may_use(method),
            Some(registered) => registered == method && kind.may_register(method),
        };
        is_allowed && (method != AuthMethod::PrivateKeyJwt || self.has_keys())
    }
}

/// `customClientMetadata`: what this application may do and how long its tokens live.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomClientMetadata {
    /// Origins whose browsers may call the OIDC endpoints, beside those of the redirect URIs; of any scheme, such as
    /// `capacitor://localhost`.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub cors_allowed_origins: Option<Vec<String>>,
    /// Lifetime of id tokens in seconds.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub id_token_ttl: Option<u32>,
    /// The algorithm that signs its id tokens; RS256 when not given.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub id_token_signed_response_alg: Option<Algorithm>,
    /// Claims that its ID tokens have, too, where their scopes are granted; none when not given.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<IdTokenClaims>>)]
    pub id_token_claims: Option<BTreeSet<IdTokenClaims>>,
    /// Lifetime of refresh tokens in days.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub refresh_token_ttl_in_days: Option<u32>,
    /// How long, in seconds, a replaced refresh token that is shown again gets the newest one of its family; 3 when not
    /// given. Later it is taken for stolen, and the family ends.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 60)]
    pub refresh_token_leeway_in_seconds: Option<u32>,
    /// Whether a refresh token is issued without `offline_access`; it ends with the session.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub always_issue_refresh_token: Option<bool>,
    /// Whether a refresh token is replaced at each use.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rotate_refresh_token: Option<bool>,
    /// Whether the application may use the token-exchange grant; not unless it says so.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub allow_token_exchange: Option<bool>,
    /// Whether a native application is one of the device flow (RFC 8628).
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub is_device_flow: Option<bool>,
    /// Whether authorization requests must be pushed first (RFC 9126 section 6).
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub require_pushed_authorization_requests: Option<bool>,
    /// Whether authorization requests must have a `code_challenge` (RFC 7636), also those of a confidential application;
    /// public applications always need one.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub require_pkce: Option<bool>,
    /// How many grants a user may have at the application; from one more on the oldest ends.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub max_allowed_grants: Option<u32>,
    /// Ids of the other applications whose users' access tokens are accepted as this one's `actor_token`.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub trusted_actor_client_ids: Option<Vec<String>>,
    /// Which audience its client assertions may have; the issuer alone when not given.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub client_assertion_audience: Option<ClientAssertionAudience>,
    /// Where the console hands a subject token over, as a form that the operator's browser posts: an https address without
    /// fragment, or http on this machine.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub impersonation_uri: Option<String>,
}

impl CustomClientMetadata {
    /// Whether users sign in to an application of this type only with the device flow (RFC 8628).
    #[must_use]
    pub fn uses_device_flow(&self, kind: ApplicationType) -> bool {
        kind == ApplicationType::Native && self.is_device_flow == Some(true)
    }

    /// Whether an application of this type uses the authorization code flow.
    #[must_use]
    pub fn uses_codes(&self, kind: ApplicationType) -> bool {
        kind != ApplicationType::MachineToMachine && !self.uses_device_flow(kind)
    }

    /// The signing algorithm of its ID tokens (`docs/decisions/signing-keys.md`).
    #[must_use]
    pub fn id_token_algorithm(&self) -> Algorithm {
        self.id_token_signed_response_alg.unwrap_or(Algorithm::RS256)
    }

    /// Whether its ID tokens have these claims.
    #[must_use]
    pub fn has_in_id_token(&self, claims: IdTokenClaims) -> bool {
        self.id_token_claims.as_ref().is_some_and(|chosen| chosen.contains(&claims))
    }

    /// Whether its users grant this scope, which is not of a resource.
    #[must_use]
    pub fn is_user_scope(&self, scope: &str) -> bool {
        user_scope::is_known(scope) || scope == GROUPS && self.has_in_id_token(IdTokenClaims::Groups)
    }

    /// Lifetime of its ID tokens in seconds.
    #[must_use]
    pub fn id_token_lifetime(&self) -> i64 {
        self.id_token_ttl.unwrap_or(DEFAULT_ID_TOKEN_TTL).into()
    }
}
