//! OpenID Connect: the request, and the validation of the response.

use super::exchange::refused;
use super::failure::FederationFailure;
use super::http::{UpstreamClient, boxed};
use super::profile::{self, FurtherClaims};
use super::provider::{Provider, Providers};
use super::{CallbackParameters, FederatedAttempt};
use chrono::{DateTime, TimeDelta, Utc};
use claimsmith_domain::clock::Clock;
use claimsmith_domain::upstream::account::ExternalAccount;
use claimsmith_domain::upstream::address::Endpoint;
use claimsmith_domain::upstream::{ClientAuthentication, Upstream};
use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreErrorResponseType, CoreGenderClaim, CoreJsonWebKey,
    CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreResponseType, CoreRevocableToken,
    CoreRevocationErrorResponse, CoreTokenIntrospectionResponse, CoreTokenType,
};
use openidconnect::{
    AccessTokenHash, AuthType, AuthenticationFlow, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret,
    CsrfToken, EmptyExtraTokenFields, EndpointMaybeSet, EndpointNotSet, EndpointSet, IdTokenClaims, IdTokenFields,
    LoginHint, Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope,
    SignatureVerificationError, StandardErrorResponse, StandardTokenResponse, TokenResponse, UserInfoClaims,
    UserInfoError,
};

/// How far the upstream's clock may be behind ours, in seconds.
const LEEWAY_SECONDS: i64 = 60;

/// The accepted algorithms of ID tokens: only asymmetric ones.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
];

type Fields = IdTokenFields<
    FurtherClaims,
    EmptyExtraTokenFields,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;
type OpenIdTokenResponse = StandardTokenResponse<Fields, CoreTokenType>;
type OpenIdClient = openidconnect::Client<
    FurtherClaims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    OpenIdTokenResponse,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// This server as a client of the provider.
fn client(
    provider: &Provider,
    upstream: &Upstream,
    attempt: &FederatedAttempt<'_>,
) -> Result<OpenIdClient, FederationFailure> {
    let secret = upstream.client_secret.as_ref().map(|secret| ClientSecret::new(secret.expose().to_owned()));
    let metadata = provider.metadata().clone();
    let client = OpenIdClient::from_provider_metadata(metadata, ClientId::new(upstream.client_id.clone()), secret);
    let redirect_uri = RedirectUrl::new(attempt.redirect_uri.to_owned());
    let redirect_uri = redirect_uri.map_err(|_| FederationFailure::Configuration("the redirect URI is no URL"))?;
    let authentication = match upstream.authentication {
        ClientAuthentication::ClientSecretBasic => AuthType::BasicAuth,
        ClientAuthentication::ClientSecretPost => AuthType::RequestBody,
    };
    Ok(client.set_redirect_uri(redirect_uri).set_auth_type(authentication))
}

/// The URL to sign in.
pub(super) fn address(
    provider: &Provider,
    upstream: &Upstream,
    attempt: &FederatedAttempt<'_>,
    hint: Option<&str>,
) -> Result<String, FederationFailure> {
    let client = client(provider, upstream, attempt)?;
    let (state, nonce) = (attempt.state.to_owned(), attempt.nonce.to_owned());
    let verifier = PkceCodeVerifier::new(attempt.verifier.to_owned());
    let mut request = client
        .authorize_url(
            AuthenticationFlow::<CoreResponseType>::AuthorizationCode,
            || CsrfToken::new(state),
            || Nonce::new(nonce),
        )
        .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier));
    // The library asks for `openid` by itself.
    for scope in upstream.scopes.iter().filter(|scope| *scope != "openid") {
        request = request.add_scope(Scope::new(scope.clone()));
    }
    for (name, value) in &upstream.parameters {
        request = request.add_extra_param(name, value);
    }
    if let Some(hint) = hint {
        request = request.set_login_hint(LoginHint::new(hint.to_owned()));
    }
    Ok(request.url().0.into())
}

/// The account.
pub(super) async fn account(
    providers: &Providers,
    http: &UpstreamClient,
    clock: &Clock,
    (upstream, issuer): (&Upstream, &Endpoint),
    attempt: &FederatedAttempt<'_>,
    answer: &CallbackParameters<'_>,
) -> Result<ExternalAccount, FederationFailure> {
    let provider = providers.known(issuer).await?;
    check_issuer(&provider, answer)?;
    let client = client(&provider, upstream, attempt)?;
    let exchange = client
        .exchange_code(AuthorizationCode::new(answer.code.to_owned()))
        .map_err(|_| FederationFailure::Malformed("the document of the issuer names no token endpoint"))?
        .set_pkce_verifier(PkceCodeVerifier::new(attempt.verifier.to_owned()));
    let tokens = boxed(exchange.request_async(http)).await.map_err(refused)?;
    let claims = match verified(&client, &tokens, attempt, clock) {
        Err(Unverified::UnknownKey) => {
            // It may have changed its keys.
            let renewed = providers.renewed(issuer, &provider).await;
            let renewed = renewed.map_err(|_| FederationFailure::IdToken("no key of the issuer made its signature"))?;
            let client = self::client(&renewed, upstream, attempt)?;
            verified(&client, &tokens, attempt, clock)
        }
        verdict => verdict,
    };
    let claims = claims.map_err(|unverified| match unverified {
        Unverified::UnknownKey => FederationFailure::IdToken("no key of the issuer made its signature"),
        Unverified::Refused(why) => FederationFailure::IdToken(why),
    })?;
    let said = match client.user_info(tokens.access_token().clone(), Some(claims.subject().clone())) {
        Ok(request) => {
            let said: Result<UserInfoClaims<FurtherClaims, CoreGenderClaim>, _> =
                boxed(request.request_async(http)).await;
            Some(said.map_err(of_profile)?)
        }
        // It has no such endpoint.
        Err(_) => None,
    };
    profile::read(claims, said.as_ref())
}

/// Refuses a response of another issuer, and one without `iss` if the provider supports it (RFC 9207 section 2.4).
fn check_issuer(provider: &Provider, answer: &CallbackParameters<'_>) -> Result<(), FederationFailure> {
    let metadata = provider.metadata();
    let is_announced = metadata.additional_metadata().authorization_response_iss_parameter_supported;
    match answer.issuer {
        Some(issuer) if issuer == metadata.issuer().as_str() => Ok(()),
        None if !is_announced => Ok(()),
        _ => Err(FederationFailure::Issuer),
    }
}

/// The reason that an ID token is refused.
enum Unverified {
    /// It was signed with an unknown key.
    UnknownKey,
    /// Anything else.
    Refused(&'static str),
}

/// The claims of the ID token, if it is valid (OpenID Connect Core section 3.1.3.7).
fn verified<'t>(
    client: &OpenIdClient,
    tokens: &'t OpenIdTokenResponse,
    attempt: &FederatedAttempt<'_>,
    clock: &Clock,
) -> Result<&'t IdTokenClaims<FurtherClaims, CoreGenderClaim>, Unverified> {
    let token = tokens.id_token().ok_or(Unverified::Refused("there is none"))?;
    let now = DateTime::<Utc>::from_timestamp_millis(clock.now_ms()).ok_or(Unverified::Refused("there is no time"))?;
    let earlier = now - TimeDelta::seconds(LEEWAY_SECONDS);
    let verifier = client.id_token_verifier().set_allowed_algs(ALGORITHMS).set_time_fn(move || earlier);
    let nonce = Nonce::new(attempt.nonce.to_owned());
    let claims = token.claims(&verifier, &nonce).map_err(|error| unverified(&error))?;
    if claims.authorized_party().is_some_and(|party| party != client.client_id()) {
        return Err(Unverified::Refused("it was made for another client (azp)"));
    }
    if let Some(expected) = claims.access_token_hash() {
        let (Ok(algorithm), Ok(key)) = (token.signing_alg(), token.signing_key(&verifier)) else {
            return Err(Unverified::Refused("its signature cannot be verified"));
        };
        let found = AccessTokenHash::from_token(tokens.access_token(), algorithm, key);
        if found.as_ref().ok() != Some(expected) {
            return Err(Unverified::Refused("it belongs to another access token (at_hash)"));
        }
    }
    Ok(claims)
}

fn unverified(error: &ClaimsVerificationError) -> Unverified {
    Unverified::Refused(match error {
        ClaimsVerificationError::SignatureVerification(SignatureVerificationError::NoMatchingKey) => {
            return Unverified::UnknownKey;
        }
        ClaimsVerificationError::SignatureVerification(SignatureVerificationError::NoSignature) => "it is not signed",
        ClaimsVerificationError::SignatureVerification(SignatureVerificationError::DisallowedAlg(_)) => {
            "its algorithm is not accepted"
        }
        ClaimsVerificationError::SignatureVerification(_) => "its signature does not hold",
        ClaimsVerificationError::InvalidIssuer(_) => "it is another issuer's (iss)",
        ClaimsVerificationError::InvalidAudience(_) => "it is for another client (aud)",
        ClaimsVerificationError::InvalidNonce(_) => "it belongs to another attempt (nonce)",
        ClaimsVerificationError::Expired(_) => "it has expired (exp)",
        _ => "it cannot be verified",
    })
}

fn of_profile(error: UserInfoError<FederationFailure>) -> FederationFailure {
    match error {
        UserInfoError::Request(failure) => failure,
        UserInfoError::Response(status, ..) => FederationFailure::Status(status.as_u16()),
        UserInfoError::ClaimsVerification(_) => FederationFailure::Profile("it is somebody else's (sub)"),
        _ => FederationFailure::Profile("it cannot be read"),
    }
}
