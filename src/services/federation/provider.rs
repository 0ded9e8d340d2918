//! OpenID providers: their metadata (OpenID Connect Discovery) and keys, fetched and cached.
//!
//! One request fetches at a time for each issuer, and the others wait for it. An issuer that failed is not requested
//! again within ten seconds, no matter how many users return. An unknown key makes the server fetch at once, even if it
//! has just fetched, since the issuer may have changed its keys in between; but only once in ten seconds.

use super::failure::FederationFailure;
use super::http::{UpstreamClient, boxed};
use claimsmith_domain::clock::Clock;
use claimsmith_domain::upstream::address::Endpoint;
use openidconnect::core::{
    CoreAuthDisplay, CoreClaimName, CoreClaimType, CoreClientAuthMethod, CoreGrantType, CoreJsonWebKey,
    CoreJweContentEncryptionAlgorithm, CoreJweKeyManagementAlgorithm, CoreResponseMode, CoreResponseType,
    CoreSubjectIdentifierType,
};
use openidconnect::{AdditionalProviderMetadata, DiscoveryError, IssuerUrl, ProviderMetadata};
use quick_cache::sync::Cache;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::Mutex;

/// How long a document and its keys are used, in milliseconds.
const LIFETIME_MS: i64 = 300_000;
/// The minimum time after a failed fetch, and between two fetches for an unknown key, in milliseconds: unauthenticated
/// requests can bring one.
const INTERVAL_MS: i64 = 10_000;
/// The most issuers that are kept.
const MAX_ISSUERS: usize = 256;

/// The members of a document that are read beside those that the library reads.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Announced {
    /// Whether responses name their issuer (RFC 9207 section 3).
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: bool,
}

impl AdditionalProviderMetadata for Announced {}

/// The document of an issuer.
pub(super) type Metadata = ProviderMetadata<
    Announced,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

/// A provider as it was fetched.
pub(super) struct Provider(Metadata);

/// All of them.
pub(super) struct Providers {
    http: UpstreamClient,
    clock: Clock,
    sources: Cache<Endpoint, Arc<Mutex<CachedProvider>>>,
}

/// One issuer.
#[derive(Default)]
struct CachedProvider {
    /// What was fetched, and when.
    fetched: Option<(i64, Arc<Provider>)>,
    /// When the last fetch that failed, or that was for an unknown key, began or ended.
    tried_at: Option<i64>,
}

/// Why a provider is fetched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FetchReason {
    /// It was not fetched recently.
    Age,
    /// None of its keys made a signature.
    UnknownKey,
}

impl Provider {
    /// Its document.
    pub(super) fn metadata(&self) -> &Metadata {
        &self.0
    }

    /// What operators see of it.
    pub(super) fn described(&self) -> Value {
        let Self(metadata) = self;
        json!({
            "issuer": metadata.issuer().as_str(),
            "authorizationEndpoint": metadata.authorization_endpoint().as_str(),
            "tokenEndpoint": metadata.token_endpoint().map(|url| url.as_str()),
            "userinfoEndpoint": metadata.userinfo_endpoint().map(|url| url.as_str()),
            "jwksUri": metadata.jwks_uri().as_str(),
        })
    }
}

impl Providers {
    pub(super) fn new(http: UpstreamClient, clock: Clock) -> Self {
        Self { http, clock, sources: Cache::new(MAX_ISSUERS) }
    }

    /// A recently fetched provider.
    pub(super) async fn known(&self, issuer: &Endpoint) -> Result<Arc<Provider>, FederationFailure> {
        let source = self.source(issuer);
        let mut source = source.lock().await;
        let now = self.clock.now_ms();
        if let Some((at, provider)) = &source.fetched
            && (0..LIFETIME_MS).contains(&(now - at))
        {
            return Ok(Arc::clone(provider));
        }
        self.fetch(issuer, &mut source, FetchReason::Age).await
    }

    /// The provider with its current keys, if they are other than those that were `seen`.
    pub(super) async fn renewed(
        &self,
        issuer: &Endpoint,
        seen: &Arc<Provider>,
    ) -> Result<Arc<Provider>, FederationFailure> {
        let source = self.source(issuer);
        let mut source = source.lock().await;
        match &source.fetched {
            Some((_, provider)) if !Arc::ptr_eq(provider, seen) => Ok(Arc::clone(provider)),
            _ => self.fetch(issuer, &mut source, FetchReason::UnknownKey).await,
        }
    }

    fn source(&self, issuer: &Endpoint) -> Arc<Mutex<CachedProvider>> {
        let source = self.sources.get_or_insert_with(issuer, || Ok::<_, Infallible>(Arc::default()));
        source.unwrap_or_else(|never| match never {})
    }

    async fn fetch(
        &self,
        issuer: &Endpoint,
        source: &mut CachedProvider,
        reason: FetchReason,
    ) -> Result<Arc<Provider>, FederationFailure> {
        let now = self.clock.now_ms();
        if source.tried_at.is_some_and(|at| (0..INTERVAL_MS).contains(&(now - at))) {
            return Err(FederationFailure::FailedBefore);
        }
        source.tried_at = Some(now);
        let fetched = discover(&self.http, issuer).await;
        // After the fetch, so that waiting requests do not ask a slow, failing issuer again.
        source.tried_at = Some(self.clock.now_ms());
        if let Err(failure) = &fetched {
            tracing::warn!(issuer = issuer.as_str(), %failure, "the document of an OpenID provider cannot be used");
        }
        let provider = Arc::new(fetched?);
        source.fetched = Some((now, Arc::clone(&provider)));
        if reason == FetchReason::Age {
            source.tried_at = None;
        }
        Ok(provider)
    }
}

async fn discover(http: &UpstreamClient, issuer: &Endpoint) -> Result<Provider, FederationFailure> {
    let url = IssuerUrl::new(issuer.as_str().to_owned())
        .map_err(|_| FederationFailure::Configuration("the issuer is no URL"))?;
    let metadata = boxed(Metadata::discover_async(url, http)).await.map_err(|error| match error {
        DiscoveryError::Request(failure) => failure,
        DiscoveryError::Response(status, ..) => FederationFailure::Status(status.as_u16()),
        DiscoveryError::Validation(_) => FederationFailure::Malformed("the document is another issuer's"),
        _ => FederationFailure::Malformed("the document or the keys of the issuer cannot be read"),
    })?;
    let addresses =
        [Some(metadata.authorization_endpoint().as_str()), Some(metadata.jwks_uri().as_str())].into_iter().chain([
            metadata.token_endpoint().map(|url| url.as_str()),
            metadata.userinfo_endpoint().map(|url| url.as_str()),
        ]);
    for address in addresses.flatten() {
        // Codes, secrets and browsers are sent there.
        Endpoint::try_from(address.to_owned())
            .map_err(|_| FederationFailure::Malformed("an endpoint is not one of https"))?;
    }
    Ok(Provider(metadata))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use crate::egress::Egress;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    #[tokio::test]
    async fn an_issuer_that_took_its_time_and_failed_is_not_asked_again_at_once() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = Endpoint::try_from(format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let clock = Clock::fixed(0);
        let providers = Providers::new(UpstreamClient::new(Arc::new(Egress::unguarded())), clock.clone());
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let server = tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                assert!(stream.read(&mut [0; 1024]).await.unwrap() > 0);
                count.fetch_add(1, Ordering::SeqCst);
                // Longer than the time between two fetches.
                clock.advance(Duration::from_secs(30));
                let answer = b"HTTP/1.1 500 Failed\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                stream.write_all(answer).await.unwrap();
            }
        });
        assert!(matches!(providers.known(&issuer).await, Err(FederationFailure::Status(500))));
        assert!(matches!(providers.known(&issuer).await, Err(FederationFailure::FailedBefore)));
        assert_eq!(asked.load(Ordering::SeqCst), 1);
        server.abort();
    }
}
