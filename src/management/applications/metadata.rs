//! Validates `oidcClientMetadata` and `customClientMetadata`.

use super::client_authentication;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::backchannel_logout;
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::grant::refresh_token::MAX_LEEWAY_SECONDS;
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

/// Refuses URIs that users must not be redirected to, and settings that could never work.
pub(super) fn check(
    kind: ApplicationType,
    is_third_party: bool,
    oidc: &OidcClientMetadata,
    custom: &CustomClientMetadata,
) -> Result<(), ApiError> {
    for (key, uris) in
        [("redirectUris", &oidc.redirect_uris), ("postLogoutRedirectUris", &oidc.post_logout_redirect_uris)]
    {
        check_list("oidcClientMetadata", key, uris, |uri| problem_of_redirect(kind, uri))?;
    }
    let logout_uri = oidc.backchannel_logout_uri.as_slice();
    check_list("oidcClientMetadata", "backchannelLogoutUri", logout_uri, unless(backchannel_logout::is_acceptable))?;
    check_list("oidcClientMetadata", "logoUri", oidc.logo_uri.as_slice(), unless(is_web))?;
    check_list(
        "oidcClientMetadata",
        "jwksUri",
        oidc.jwks_uri.as_slice(),
        unless(client_authentication::is_address_of_keys),
    )?;
    client_authentication::check(kind, oidc)?;
    let origins = custom.cors_allowed_origins.as_deref().unwrap_or_default();
    check_list("customClientMetadata", "corsAllowedOrigins", origins, unless(is_origin))?;
    let trusted = custom.trusted_actor_client_ids.as_deref().unwrap_or_default();
    check_list("customClientMetadata", "trustedActorClientIds", trusted, unless(|id| !id.is_empty()))?;
    let impersonation_uri = custom.impersonation_uri.as_slice();
    check_list(
        "customClientMetadata",
        "impersonationUri",
        impersonation_uri,
        unless(backchannel_logout::is_acceptable),
    )?;
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
pub(super) fn changes_ways_in(
    before: (&OidcClientMetadata, &CustomClientMetadata),
    after: (&OidcClientMetadata, &CustomClientMetadata),
) -> bool {
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

fn unless(is_valid: impl Fn(&str) -> bool) -> impl Fn(&str) -> Option<&'static str> {
    move |value| (!is_valid(value)).then_some("not acceptable here")
}

/// Schemes with a special meaning in browsers, which cannot lead to an application.
const OF_BROWSERS: [&str; 12] = [
    "about",
    "blob",
    "data",
    "file",
    "filesystem",
    "ftp",
    "javascript",
    "mailto",
    "vbscript",
    "view-source",
    "ws",
    "wss",
];

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

/// Only scheme, host and port.
fn is_origin(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| is_web(text) && url.origin().ascii_serialization() == text.trim_end_matches('/'))
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

    #[test]
    fn an_origin_has_no_path() {
        for (text, fits) in [
            ("https://app.test", true),
            ("http://localhost:3000", true),
            ("https://app.test/path", false),
            ("https://user@app.test", false),
            ("null", false),
            ("*", false),
        ] {
            assert_eq!(is_origin(text), fits, "{text}");
        }
    }
}
