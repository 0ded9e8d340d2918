//! The client side of OpenID Connect and OAuth 2: sends people to other servers to sign in, and finds out who came back.
//! Every request goes through [`crate::egress`], within limits of time and size. What belongs to a browser and its
//! interaction, the caller keeps.

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

/// The most time until somebody is sent to an upstream, and from its answer to the account of whoever came back.
const SIGN_IN_TIMEOUT: Duration = Duration::from_secs(20);

/// Signs people in at other servers.
pub struct Federation {
    http: http::UpstreamClient,
    clock: Clock,
    providers: Providers,
}

/// One attempt to sign in elsewhere: what it is recognized by when it comes back. Secrets, but for the last.
pub struct FederatedAttempt<'a> {
    /// Ties the answer to the attempt.
    pub state: &'a str,
    /// Ties the id token to the attempt.
    pub nonce: &'a str,
    /// Proves that whoever has the code made the request (PKCE).
    pub verifier: &'a str,
    /// Where the upstream sends people back to.
    pub redirect_uri: &'a str,
}

/// What a browser brought back.
pub struct CallbackParameters<'a> {
    /// The code.
    pub code: &'a str,
    /// Who answered, where they say so (RFC 9207).
    pub issuer: Option<&'a str>,
}

impl Federation {
    /// Nothing is fetched yet.
    #[must_use]
    pub fn new(egress: Arc<Egress>, clock: Clock) -> Self {
        let http = http::UpstreamClient::new(egress);
        Self { providers: Providers::new(http.clone(), clock.clone()), http, clock }
    }

    /// Where a browser goes to sign in at an upstream; `hint` is what they said they are called.
    pub async fn address(
        &self,
        upstream: &Upstream,
        attempt: &FederatedAttempt<'_>,
        hint: Option<&str>,
    ) -> Result<String, FederationFailure> {
        match &upstream.protocol {
            Protocol::OpenId { issuer } => {
                // Others may be asking it already.
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

    /// Whose account the browser brought the code of. The caller holds no connection to the database: this may take
    /// seconds.
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

    /// What an OpenID provider says of itself, which shows that it is there.
    pub async fn described(&self, issuer: &Endpoint) -> Result<Value, FederationFailure> {
        Ok(self.providers.known(issuer).await?.described())
    }
}
