//! Validates `oidcClientMetadata` and `customClientMetadata`.

use super::client_authentication;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::documents::uri_rule::{MAX_URI_BYTES, UriFault, UriRule};
use claimsmith_domain::grant::refresh_token::MAX_LEEWAY_SECONDS;
use claimsmith_services::tokens::keys;
use claimsmith_storage::Tx;
use claimsmith_storage::applications::Application;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;

/// Maximum entries of each list.
const MAX_ENTRIES: usize = 100;

/// Both metadata objects of an application.
pub(super) type Metadata<'m> = (&'m OidcClientMetadata, &'m CustomClientMetadata);

/// Refuses URIs that users must not be redirected to, and settings that could never work. What is stored already may be
/// written back (`before`).
pub(super) fn check(
    kind: ApplicationType,
    is_third_party: bool,
    before: Metadata<'_>,
    (oidc, custom): Metadata<'_>,
) -> Result<(), ApiError> {
    let ((oidc_before, custom_before), redirect) = (before, UriRule::Redirect(kind));
    let none: &[String] = &[];
    for (path, rule, uris, stored) in [
        ("oidcClientMetadata.redirectUris", redirect, &*oidc.redirect_uris, &*oidc_before.redirect_uris),
        (
            "oidcClientMetadata.postLogoutRedirectUris",
            redirect,
            &*oidc.post_logout_redirect_uris,
            &*oidc_before.post_logout_redirect_uris,
        ),
        (
            "oidcClientMetadata.backchannelLogoutUri",
            UriRule::Private,
            oidc.backchannel_logout_uri.as_slice(),
            oidc_before.backchannel_logout_uri.as_slice(),
        ),
        ("oidcClientMetadata.logoUri", UriRule::Page, oidc.logo_uri.as_slice(), oidc_before.logo_uri.as_slice()),
        ("oidcClientMetadata.jwksUri", UriRule::Private, oidc.jwks_uri.as_slice(), oidc_before.jwks_uri.as_slice()),
        (
            "customClientMetadata.corsAllowedOrigins",
            UriRule::Origin,
            custom.cors_allowed_origins.as_deref().unwrap_or(none),
            custom_before.cors_allowed_origins.as_deref().unwrap_or(none),
        ),
        (
            "customClientMetadata.impersonationUri",
            UriRule::Private,
            custom.impersonation_uri.as_slice(),
            custom_before.impersonation_uri.as_slice(),
        ),
    ] {
        check_uris(path, rule, uris, stored)?;
    }
    client_authentication::check(kind, oidc)?;
    let trusted = custom.trusted_actor_client_ids.as_deref().unwrap_or(none);
    check_count("customClientMetadata.trustedActorClientIds", trusted)?;
    if let Some(index) = trusted.iter().position(|id| id.is_empty() || id.len() > MAX_URI_BYTES) {
        return Err(invalid(&format!("customClientMetadata.trustedActorClientIds[{index}]"), "not an id of a client"));
    }
    let misplaced = |key: &str, problem: &str| Err(invalid(&format!("customClientMetadata.{key}"), problem));
    if custom.max_allowed_grants == Some(0) {
        return misplaced("maxAllowedGrants", "expected at least 1");
    }
    if custom.refresh_token_leeway_in_seconds.is_some_and(|leeway| leeway > MAX_LEEWAY_SECONDS) {
        return misplaced("refreshTokenLeewayInSeconds", "expected at most 60");
    }
    if custom.is_device_flow == Some(true) && kind != ApplicationType::Native {
        let message = "Only native applications use the device flow.";
        return Err(ApiError::new(ApiCode::ApplicationDeviceFlowNativeOnly, message));
    }
    if custom.require_pushed_authorization_requests == Some(true) && !custom.uses_codes(kind) {
        return misplaced("requirePushedAuthorizationRequests", "it has no authorization requests to push");
    }
    if custom.require_pkce == Some(true) && !custom.uses_codes(kind) {
        return misplaced("requirePkce", "it has no authorization codes");
    }
    if is_third_party && custom.impersonation_uri.is_some() {
        return misplaced("impersonationUri", "a third-party application cannot exchange what it would get there");
    }
    if is_third_party && custom.allow_token_exchange == Some(true) {
        let code = ApiCode::ApplicationThirdPartyApplicationCannotEnableTokenExchange;
        return Err(ApiError::new(code, "A third-party application cannot exchange tokens."));
    }
    Ok(())
}

/// Refuses to change whether an application uses the device flow: its tokens and its users depend on it.
pub(super) fn check_device_flow(before: Option<bool>, after: Option<bool>) -> Result<(), ApiError> {
    if before.unwrap_or_default() == after.unwrap_or_default() {
        return Ok(());
    }
    let message = "Whether an application uses the device flow is decided when it is created.";
    Err(ApiError::new(ApiCode::ApplicationDeviceFlowNotChangeable, message))
}

/// Whether these settings differ in redirect URIs, client authentication, or the exchange of tokens: changes for which
/// administrators need a recent sign-in. A new application is compared with default settings, so that creating needs
/// what changing needs.
pub(super) fn changes_ways_in(before: Metadata<'_>, after: Metadata<'_>) -> bool {
    before != after
}

/// Creates the first signing key of the algorithm that the application chose for its ID tokens, if none exists yet.
pub(super) async fn begin_line(caller: &Caller, tx: &mut Tx, application: &Application) -> Result<(), ApiError> {
    let Some(algorithm) = application.custom_client_metadata.id_token_signed_response_alg else { return Ok(()) };
    keys::begin_line(tx, algorithm, &caller.app.cipher, caller.now()).await?;
    Ok(())
}

/// Refuses URIs that can never work. Those that are stored already were accepted by an earlier version.
fn check_uris(path: &str, rule: UriRule, uris: &[String], stored: &[String]) -> Result<(), ApiError> {
    check_count(path, uris)?;
    let mut new = uris.iter().enumerate().filter(|(_, uri)| !stored.contains(uri));
    match new.find_map(|(index, uri)| Some((format!("{path}[{index}]"), rule.fault(uri)?))) {
        None => Ok(()),
        Some((path, fault @ UriFault::Wildcard)) => {
            let message = format!("Error in key path \"{path}\": {}", fault.text());
            Err(ApiError::new(ApiCode::RequestInvalidInputUnprocessable, message))
        }
        Some((path, fault)) => Err(invalid(&path, fault.text())),
    }
}

fn check_count(path: &str, values: &[String]) -> Result<(), ApiError> {
    if values.len() > MAX_ENTRIES {
        return Err(invalid(path, &format!("expected at most {MAX_ENTRIES} entries")));
    }
    Ok(())
}

fn invalid(path: &str, problem: &str) -> ApiError {
    ApiError::invalid_input("body", format!("Error in key path \"{path}\": {problem}"))
}
