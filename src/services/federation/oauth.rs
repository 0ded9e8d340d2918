//! OAuth 2 with a profile: the request, and the profile for a code. Nothing is signed here; the answer is bound to the
//! attempt by the state, PKCE, and a redirect URI for each connector.

use super::exchange::refused;
use super::failure::FederationFailure;
use super::http::{UpstreamClient, boxed};
use super::{CallbackParameters, FederatedAttempt};
use claimsmith_domain::upstream::address::Endpoint;
use claimsmith_domain::upstream::{ClientAuthentication, Upstream};
use oauth2::basic::BasicClient;
use oauth2::{
    AuthType, AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet,
    PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope, TokenResponse, TokenUrl,
};
use serde_json::Value;

type OAuthClient = BasicClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

/// This server as a client of the upstream.
fn client(
    upstream: &Upstream,
    (authorization, token): (&Endpoint, &Endpoint),
    attempt: &FederatedAttempt<'_>,
) -> Result<OAuthClient, FederationFailure> {
    let no_url = |_| FederationFailure::Configuration("an endpoint is no URL");
    let client = BasicClient::new(ClientId::new(upstream.client_id.clone()))
        .set_auth_uri(AuthUrl::new(authorization.as_str().to_owned()).map_err(no_url)?)
        .set_token_uri(TokenUrl::new(token.as_str().to_owned()).map_err(no_url)?)
        .set_redirect_uri(RedirectUrl::new(attempt.redirect_uri.to_owned()).map_err(no_url)?)
        .set_auth_type(match upstream.authentication {
            ClientAuthentication::ClientSecretBasic => AuthType::BasicAuth,
            ClientAuthentication::ClientSecretPost => AuthType::RequestBody,
        });
    Ok(match &upstream.client_secret {
        Some(secret) => client.set_client_secret(ClientSecret::new(secret.expose().to_owned())),
        None => client,
    })
}

/// The URL to sign in.
pub(super) fn address(
    upstream: &Upstream,
    endpoints: (&Endpoint, &Endpoint),
    attempt: &FederatedAttempt<'_>,
    hint: Option<&str>,
) -> Result<String, FederationFailure> {
    let client = client(upstream, endpoints, attempt)?;
    let state = attempt.state.to_owned();
    let verifier = PkceCodeVerifier::new(attempt.verifier.to_owned());
    let mut request = client
        .authorize_url(|| CsrfToken::new(state))
        .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier));
    for scope in &upstream.scopes {
        request = request.add_scope(Scope::new(scope.clone()));
    }
    for (name, value) in &upstream.parameters {
        request = request.add_extra_param(name, value);
    }
    if let Some(hint) = hint {
        request = request.add_extra_param("login_hint", hint);
    }
    Ok(request.url().0.into())
}

/// The profile for the code.
pub(super) async fn profile(
    http: &UpstreamClient,
    upstream: &Upstream,
    endpoints: (&Endpoint, &Endpoint),
    profile: &Endpoint,
    attempt: &FederatedAttempt<'_>,
    answer: &CallbackParameters<'_>,
) -> Result<Value, FederationFailure> {
    let client = client(upstream, endpoints, attempt)?;
    let exchange = client
        .exchange_code(AuthorizationCode::new(answer.code.to_owned()))
        .set_pkce_verifier(PkceCodeVerifier::new(attempt.verifier.to_owned()));
    let tokens = boxed(exchange.request_async(http)).await.map_err(refused)?;
    http.get(profile.as_str(), tokens.access_token().secret()).await
}
