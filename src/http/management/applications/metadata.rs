//! What `oidcClientMetadata` and `customClientMetadata` may hold.

use crate::domain::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use crate::http::error::ApiError;
use url::Url;

/// The most entries of each list.
const MOST: usize = 100;
/// The most bytes of a URI or an id.
const LONGEST: usize = 2048;

/// Refuses what is no place to send a user, or could never work.
pub(super) fn check(
    kind: ApplicationType,
    is_third_party: bool,
    oidc: &OidcClientMetadata,
    custom: &CustomClientMetadata,
) -> Result<(), ApiError> {
    for (key, uris) in
        [("redirectUris", &oidc.redirect_uris), ("postLogoutRedirectUris", &oidc.post_logout_redirect_uris)]
    {
        check_list("oidcClientMetadata", key, uris, |uri| is_redirect(kind, uri))?;
    }
    for (key, uri) in [("backchannelLogoutUri", &oidc.backchannel_logout_uri), ("logoUri", &oidc.logo_uri)] {
        check_list("oidcClientMetadata", key, uri.as_slice(), is_web)?;
    }
    let origins = custom.cors_allowed_origins.as_deref().unwrap_or_default();
    check_list("customClientMetadata", "corsAllowedOrigins", origins, is_origin)?;
    let trusted = custom.trusted_actor_client_ids.as_deref().unwrap_or_default();
    check_list("customClientMetadata", "trustedActorClientIds", trusted, |id| !id.is_empty())?;
    if is_third_party && custom.allow_token_exchange == Some(true) {
        let code = "application.third_party_application_cannot_enable_token_exchange";
        return Err(ApiError::unprocessable(code, "A third-party application cannot exchange tokens."));
    }
    Ok(())
}

fn check_list(part: &str, key: &str, values: &[String], is_valid: impl Fn(&str) -> bool) -> Result<(), ApiError> {
    if values.len() > MOST {
        let details = format!("Error in key path \"{part}.{key}\": expected at most {MOST} entries");
        return Err(ApiError::invalid_input("body", details));
    }
    match values.iter().position(|value| value.len() > LONGEST || !is_valid(value)) {
        None => Ok(()),
        Some(index) => {
            let details = format!("Error in key path \"{part}.{key}[{index}]\": not acceptable here");
            Err(ApiError::invalid_input("body", details))
        }
    }
}

/// A web address; for native applications also a scheme of their own (RFC 8252), which has a dot or at least none of
/// the meanings that a browser gives to schemes.
fn is_redirect(kind: ApplicationType, uri: &str) -> bool {
    let Ok(url) = Url::parse(uri) else { return false };
    let is_private = !matches!(url.scheme(), "about" | "blob" | "data" | "file" | "ftp" | "javascript" | "ws" | "wss");
    url.fragment().is_none() && (is_web(uri) || kind == ApplicationType::Native && is_private)
}

fn is_web(uri: &str) -> bool {
    Url::parse(uri).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// Scheme, host and port, nothing behind them.
fn is_origin(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| is_web(text) && url.origin().ascii_serialization() == text.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_sent_back_to_web_addresses_and_own_schemes_of_native_applications() {
        for (uri, web, native) in [
            ("https://app.test/callback?a=b", true, true),
            ("http://localhost:3000/callback", true, true),
            ("com.example.app://callback", false, true),
            ("javascript:alert(1)", false, false),
            ("data:text/html,x", false, false),
            ("https://app.test/#fragment", false, false),
            ("/callback", false, false),
        ] {
            assert_eq!(is_redirect(ApplicationType::Spa, uri), web, "{uri}");
            assert_eq!(is_redirect(ApplicationType::Native, uri), native, "{uri}");
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
