//! The client side of OpenID Connect and OAuth 2: redirects users to other servers to sign in, and reads who returned.
//! Every request goes through [`crate::egress`], within limits of time and size. The caller keeps what belongs to a
//! browser and its interaction.

mod exchange;
mod failure;
mod http;
mod oauth;
mod openid;
mod profile;
mod provider;

pub use failure::FederationFailure;

use crate::egress::Egress;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::upstream::account::ExternalAccount;
use claimsmith_domain::upstream::address::Endpoint;
use claimsmith_domain::upstream::{Protocol, Upstream};
use provider::Providers;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The maximum time until the user is redirected to an upstream, and from its answer to the account of the user.
const SIGN_IN_TIMEOUT: Duration = Duration::from_secs(20);

/// Signs users in at other servers.
pub struct Federation {
    http: http::UpstreamClient,
    clock: Clock,
    providers: Providers,
}

/// One attempt to sign in elsewhere, by which its response is recognized. All of it except for the last is secret.
pub struct FederatedAttempt<'a> {
    /// Binds the response to the attempt.
    pub state: &'a str,
    /// Binds the ID token to the attempt.
    pub nonce: &'a str,
    /// Proves that the redeemer of the code made the request (PKCE).
    pub verifier: &'a str,
    /// Where the upstream redirects users to.
    pub redirect_uri: &'a str,
}

/// What a browser brought back.
pub struct CallbackParameters<'a> {
    /// The code.
    pub code: &'a str,
    /// The issuer of the response, if it names one (RFC 9207).
    pub issuer: Option<&'a str>,
}

impl Federation {
    /// Nothing is fetched yet.
    #[must_use]
    pub fn new(egress: Arc<Egress>, clock: Clock) -> Self {
        let http = http::UpstreamClient::new(egress);
        Self { providers: Providers::new(http.clone(), clock.clone()), http, clock }
    }

    /// The URL to sign in at an upstream; `hint` is the identifier that the user entered.
    pub async fn address(
        &self,
        upstream: &Upstream,
        attempt: &FederatedAttempt<'_>,
        hint: Option<&str>,
    ) -> Result<String, FederationFailure> {
        match &upstream.protocol {
            Protocol::OpenId { issuer } => {
                // Another request may be fetching it already.
                let provider = timeout(SIGN_IN_TIMEOUT, self.providers.known(issuer))
                    .await
                    .unwrap_or(Err(FederationFailure::Slow))?;
                openid::address(&provider, upstream, attempt, hint)
            }
            Protocol::OAuth { authorization, token, .. } => {
                oauth::address(upstream, (authorization, token), attempt, hint)
            }
        }
    }

    /// The account for the code that the browser brought. The caller must have no database connection open: this may
    /// take seconds.
    pub async fn account(
        &self,
        upstream: &Upstream,
        attempt: &FederatedAttempt<'_>,
        answer: &CallbackParameters<'_>,
    ) -> Result<ExternalAccount, FederationFailure> {
        let found = async {
            match &upstream.protocol {
                Protocol::OpenId { issuer } => {
                    openid::account(&self.providers, &self.http, &self.clock, (upstream, issuer), attempt, answer).await
                }
                Protocol::OAuth { authorization, token, profile, map } => {
                    let endpoints = (authorization, token);
                    let found = oauth::profile(&self.http, upstream, endpoints, profile, attempt, answer).await?;
                    map.read(found).ok_or(FederationFailure::NoId)
                }
            }
        };
        let mut account = timeout(SIGN_IN_TIMEOUT, found).await.unwrap_or(Err(FederationFailure::Slow))?;
        if !upstream.takes(&account) {
            return Err(FederationFailure::Profile("it is of no company of the connector"));
        }
        account.email_verified |= upstream.trusts_addresses && account.email.is_some();
        Ok(account)
    }

    /// The metadata of an OpenID provider, which also proves that it is reachable.
    pub async fn described(&self, issuer: &Endpoint) -> Result<Value, FederationFailure> {
        Ok(self.providers.known(issuer).await?.described())
    }
}
