//! The client side of OpenID Connect and OAuth 2: redirects users to other servers to sign in, and reads who returned.
//! Every request goes through [`crate::egress`], within limits of time and size. The caller keeps what belongs to a
//! browser and its interaction.

mod exchange;
mod failure;
mod http;
mod oauth;
mod openid;
mod outages;
mod profile;
mod provider;

pub use failure::FederationFailure;
pub use outages::Outage;

use crate::egress::Egress;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::upstream::account::ExternalAccount;
use claimsmith_domain::upstream::address::Endpoint;
use claimsmith_domain::upstream::{Protocol, Upstream};
use outages::Outages;
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
    outages: Outages,
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
        Self { providers: Providers::new(http.clone(), clock.clone()), http, clock, outages: Outages::default() }
    }

    /// The URL to sign in at the upstream of a connector; `hint` is the identifier that the user entered.
    pub async fn address(
        &self,
        (connector_id, upstream): (&str, &Upstream),
        attempt: &FederatedAttempt<'_>,
        hint: Option<&str>,
    ) -> Result<String, FederationFailure> {
        let address = self.address_of(upstream, attempt, hint).await;
        // An address may be built without asking the upstream, and so ends no outage.
        address.inspect_err(|failure| self.outages.failed(connector_id, failure, self.clock.now_ms()))
    }

    async fn address_of(
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
        (connector_id, upstream): (&str, &Upstream),
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
        let found = timeout(SIGN_IN_TIMEOUT, found).await.unwrap_or(Err(FederationFailure::Slow));
        match &found {
            Ok(_) => self.outages.ended(connector_id),
            Err(failure) => self.outages.failed(connector_id, failure, self.clock.now_ms()),
        }
        let mut account = found?;
        if !upstream.takes(&account) {
            return Err(FederationFailure::Profile("it is of no company of the connector"));
        }
        account.email_verified |= upstream.trusts_addresses && account.email.is_some();
        Ok(account)
    }

    /// The upstreams that could not be reached recently at sign-ins on this node, the last failure first.
    #[must_use]
    pub fn outages(&self) -> Vec<Outage> {
        self.outages.recent(self.clock.now_ms())
    }

    /// The metadata of an OpenID provider, which also proves that it is reachable.
    pub async fn described(&self, issuer: &Endpoint) -> Result<Value, FederationFailure> {
        Ok(self.providers.known(issuer).await?.described())
    }
}
