//! What a request shows of its client: an id, a secret or an assertion, by one method alone.

use super::assertion::ShownAssertion;
use super::endpoint::ClientEndpoint;
use crate::error::OAuthError;
use crate::extract::form::{Form, decode};
use axum::http::{HeaderMap, header};
use claimsmith_domain::base64;
use claimsmith_domain::documents::client_authentication::AuthMethod;
use claimsmith_domain::id::ApplicationId;

/// The client credentials of a request.
pub struct Credentials(pub(super) PresentedCredentials);

pub(super) enum PresentedCredentials {
    /// The id of a public client.
    Id(ApplicationId),
    /// A secret, in the header or in the body.
    Secret { id: ApplicationId, secret: String, method: AuthMethod },
    /// An assertion.
    Assertion(Box<ShownAssertion>),
}

impl Credentials {
    /// Reads those of a request to this endpoint.
    pub fn read(endpoint: ClientEndpoint, headers: &HeaderMap, form: &Form) -> Result<Self, OAuthError> {
        let id = form.one("client_id")?;
        let secret = form.one("client_secret")?;
        let assertion = form.one("client_assertion")?;
        let kind = form.one("client_assertion_type")?;
        let basic = basic(headers)?;
        let shown = [basic.is_some(), secret.is_some(), assertion.is_some() || kind.is_some()];
        if shown.into_iter().filter(|shown| *shown).count() > 1 {
            let description = "client authentication must only be provided using one mechanism";
            return Err(OAuthError::invalid_request(description));
        }
        match (assertion, kind) {
            (None, None) => {}
            (Some(assertion), Some(kind)) => {
                let shown = ShownAssertion::read(endpoint, assertion, kind, id);
                return Ok(Self(PresentedCredentials::Assertion(Box::new(shown))));
            }
            _ => {
                let description = "client_assertion and client_assertion_type must be provided together";
                return Err(OAuthError::invalid_request(description));
            }
        }
        if let Some((named, secret)) = basic {
            if id.is_some_and(|id| id != named) {
                return Err(OAuthError::invalid_request("client_id mismatch"));
            }
            return Ok(Self(PresentedCredentials::Secret {
                id: named.into(),
                secret,
                method: AuthMethod::ClientSecretBasic,
            }));
        }
        // No authentication at all is `invalid_client`: docs/decisions/token-endpoint-errors.md.
        let id = ApplicationId::from(id.ok_or_else(|| OAuthError::invalid_client(false))?);
        Ok(Self(match secret {
            None => PresentedCredentials::Id(id),
            Some(secret) => {
                PresentedCredentials::Secret { id, secret: secret.to_owned(), method: AuthMethod::ClientSecretPost }
            }
        }))
    }
}

/// Id and secret of the Basic header, if there is one.
fn basic(headers: &HeaderMap) -> Result<Option<(String, String)>, OAuthError> {
    let mut authorizations = headers.get_all(header::AUTHORIZATION).iter();
    let Some(authorization) = authorizations.next() else { return Ok(None) };
    let credentials =
        authorization.to_str().ok().filter(|_| authorizations.next().is_none()).and_then(credentials_of_basic);
    let malformed = || OAuthError::invalid_request("invalid authorization header value format");
    Ok(Some(credentials.ok_or_else(malformed)?))
}

/// Each form-decoded (RFC 6749 section 2.3.1).
fn credentials_of_basic(authorization: &str) -> Option<(String, String)> {
    let (scheme, credentials) = authorization.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let text = String::from_utf8(base64::decode(credentials.trim())?).ok()?;
    let (id, secret) = text.split_once(':')?;
    Some((decode(id)?, decode(secret)?))
}
