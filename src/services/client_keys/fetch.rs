//! Fetches a client's keys from its `jwks_uri`: behind the SSRF guard, without redirects, within limits of time and
//! size.

use super::MAX_SET_BYTES;
use super::key_set::KeySet;
use crate::egress::{Budget, Egress, EgressError, Excess, OutgoingRequest};
use claimsmith_domain::documents::client_authentication::JwkSet;
use claimsmith_runtime::json::{self, INCOMING};
use std::time::Duration;

/// Until the last byte of the answer.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(3);
/// Room for the headers of the answer, in bytes.
const HEADER_BYTES: usize = 16 * 1024;

/// The reason that there are no keys.
#[derive(Debug, thiserror::Error)]
pub(super) enum FetchFailure {
    /// There was no response.
    #[error(transparent)]
    Egress(#[from] EgressError),
    /// The answer has another status than 200.
    #[error("the status of the answer is {0}")]
    Status(u16),
    /// The response is not a key set.
    #[error("the answer is not a JSON Web Key Set")]
    Malformed,
}

/// The current keys.
pub(super) async fn fetch(egress: &Egress, uri: &str) -> Result<KeySet, FetchFailure> {
    let request = OutgoingRequest {
        method: "GET".to_owned(),
        url: uri.to_owned(),
        headers: vec![("accept".to_owned(), "application/jwk-set+json, application/json".to_owned())],
        body: None,
    };
    let budget =
        Budget { time: REQUEST_TIMEOUT, response_bytes: HEADER_BYTES + MAX_SET_BYTES, excess: Excess::Refused };
    let answer = egress.send(request, &budget).await?;
    if answer.status != 200 {
        return Err(FetchFailure::Status(answer.status));
    }
    let set: JwkSet = json::read(&answer.body, INCOMING).map_err(|_| FetchFailure::Malformed)?;
    Ok(KeySet::of(&set))
}
