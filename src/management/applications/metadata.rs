//! Validates `oidcClientMetadata` and `customClientMetadata`.

use super::client_authentication;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::backchannel_logout;
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::grant::refresh_token::MAX_LEEWAY_SECONDS;
use claimsmith_domain::web_origin::{OF_BROWSERS, is_origin};
use claimsmith_services::tokens::keys;
use claimsmith_storage::Tx;
use claimsmith_storage::applications::Application;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;
use url::Url;

/// Maximum entries of each list.
const MAX_ENTRIES: usize = 100;
/// Maximum bytes of a URI or an id.
const MAX_URI_BYTES: usize = 2048;

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
    for (key, uris, stored) in [
        ("redirectUris", &oidc.redirect_uris, &before.0.redirect_uris),
        ("postLogoutRedirectUris", &oidc.post_logout_redirect_uris, &before.0.post_logout_redirect_uris),
    ] {
        check_list("oidcClientMetadata", key, uris, |uri| problem_of_redirect(kind, uri))?;
        refuse_wildcards(key, uris, stored)?;
    }
    let logout_uri = oidc.backchannel_logout_uri.as_slice();
    check_list("oidcClientMetadata", "backchannelLogoutUri", logout_uri, backchannel_logout::problem)?;
    check_list("oidcClientMetadata", "logoUri", oidc.logo_uri.as_slice(), unless(is_web))?;
    check_list(
        "oidcClientMetadata",
        "jwksUri",
        oidc.jwks_uri.as_slice(),
        unless(client_authentication::is_address_of_keys),
    )?;
    client_authentication::check(kind, oidc)?;
    let origins = custom.cors_allowed_origins.as_deref().unwrap_or_default();
    let stored = before.1.cors_allowed_origins.as_deref().unwrap_or_default();
    let is_accepted = |text: &str| is_origin(text) || stored.iter().any(|known| known == text);
    check_list("customClientMetadata", "corsAllowedOrigins", origins, unless(is_accepted))?;
    let trusted = custom.trusted_actor_client_ids.as_deref().unwrap_or_default();
    check_list("customClientMetadata", "trustedActorClientIds", trusted, unless(|id| !id.is_empty()))?;
    let impersonation_uri = custom.impersonation_uri.as_slice();
    check_list("customClientMetadata", "impersonationUri", impersonation_uri, backchannel_logout::problem)?;
    let misplaced = |key: &str, problem: &str| {
        let details = format!("Error in key path \"customClientMetadata.{key}\": {problem}");
        Err(ApiError::invalid_input("body", details))
    };
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

/// `problem_of`: the problem of a value, if any.
fn check_list(
    part: &str,
    key: &str,
    values: &[String],
    problem_of: impl Fn(&str) -> Option<&'static str>,
) -> Result<(), ApiError> {
    if values.len() > MAX_ENTRIES {
        let details = format!("Error in key path \"{part}.{key}\": expected at most {MAX_ENTRIES} entries");
        return Err(ApiError::invalid_input("body", details));
    }
    for (index, value) in values.iter().enumerate() {
        let problem = if value.len() > MAX_URI_BYTES { Some("too long") } else { problem_of(value) };
        if let Some(problem) = problem {
            let details = format!("Error in key path \"{part}.{key}[{index}]\": {problem}");
            return Err(ApiError::invalid_input("body", details));
        }
    }
    Ok(())
}

/// Refuses redirect URIs with a wildcard: they are compared letter by letter (RFC 9700 section 2.1), so that they would
/// never match.
fn refuse_wildcards(key: &str, uris: &[String], stored: &[String]) -> Result<(), ApiError> {
    let has_wildcard =
        |uri: &str| Url::parse(uri).is_ok_and(|url| url.host_str().is_some_and(has_star) || has_star(url.path()));
    let mut uris = uris.iter().enumerate();
    match uris.find(|(_, uri)| has_wildcard(uri) && !stored.contains(uri)) {
        None => Ok(()),
        Some((index, _)) => {
            let message = format!(
                "Error in key path \"oidcClientMetadata.{key}[{index}]\": redirect URIs have no wildcards, since they \
                 must match exactly"
            );
            Err(ApiError::new(ApiCode::RequestInvalidInputUnprocessable, message))
        }
    }
}

fn has_star(text: &str) -> bool {
    text.contains('*')
}

fn unless(is_valid: impl Fn(&str) -> bool) -> impl Fn(&str) -> Option<&'static str> {
    move |value| (!is_valid(value)).then_some("not acceptable here")
}

/// The problem of a redirect URI, if any. It must be a web URL; native and single-page applications (which may run
/// inside a native one) may also use a private-use scheme (RFC 8252).
fn problem_of_redirect(kind: ApplicationType, uri: &str) -> Option<&'static str> {
    let Ok(url) = Url::parse(uri) else {
        return Some("not an absolute URI, which begins with https:// or http://localhost");
    };
    if url.fragment().is_some() {
        return Some("a redirect URI has no fragment (#…)");
    }
    if is_web(uri) {
        return None;
    }
    if OF_BROWSERS.contains(&url.scheme()) {
        return Some("browsers give this scheme a meaning of their own");
    }
    let may_be_private = matches!(kind, ApplicationType::Native | ApplicationType::Spa);
    (!may_be_private).then_some("only native and single-page applications have a scheme of their own")
}

fn is_web(uri: &str) -> bool {
    Url::parse(uri).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_sent_back_to_web_addresses_and_own_schemes_of_applications() {
        for (uri, web, own) in [
            ("https://app.test/callback?a=b", true, true),
            ("http://localhost:3000/callback", true, true),
            ("com.example.app://callback", false, true),
            ("capacitor://localhost/callback", false, true),
            ("javascript:alert(1)", false, false),
            ("JavaScript:alert(1)", false, false),
            ("vbscript:x", false, false),
            ("data:text/html,x", false, false),
            ("https://app.test/#fragment", false, false),
            ("/callback", false, false),
        ] {
            assert_eq!(problem_of_redirect(ApplicationType::Traditional, uri).is_none(), web, "{uri}");
            assert_eq!(problem_of_redirect(ApplicationType::Spa, uri).is_none(), own, "{uri}");
            assert_eq!(problem_of_redirect(ApplicationType::Native, uri).is_none(), own, "{uri}");
        }
    }
}
