//! Validates client authentication in `oidcClientMetadata`: a method that the type allows, and public keys
//! (`docs/decisions/client-authentication.md`).

use claimsmith_domain::documents::application::{ApplicationType, OidcClientMetadata};
use claimsmith_domain::documents::client_authentication::{AuthMethod, JwkSet, is_secret};
use claimsmith_services::client_keys::{KeySet, MAX_KEYS, MAX_SET_BYTES};
use claimsmith_web::error::ApiError;

/// Refuses a method without its prerequisites, keys that are not public, and settings that could never authenticate.
pub(super) fn check(kind: ApplicationType, metadata: &OidcClientMetadata) -> Result<(), ApiError> {
    let method = metadata.token_endpoint_auth_method;
    if method.is_some_and(|method| !kind.may_register(method)) {
        return Err(misplaced("tokenEndpointAuthMethod", "applications of this type cannot authenticate like that"));
    }
    if method == Some(AuthMethod::PrivateKeyJwt) && !metadata.has_keys() {
        return Err(misplaced("tokenEndpointAuthMethod", "private_key_jwt needs jwks or jwksUri"));
    }
    if metadata.has_keys() && !kind.may_use(AuthMethod::PrivateKeyJwt) {
        return Err(misplaced("jwks", "public applications have no keys"));
    }
    if metadata.jwks.is_some() && metadata.jwks_uri.is_some() {
        return Err(misplaced("jwksUri", "keys are given by value or by their address, not by both"));
    }
    if let Some(set) = &metadata.jwks {
        check_keys(set)?;
    }
    Ok(())
}

fn check_keys(set: &JwkSet) -> Result<(), ApiError> {
    if set.keys.len() > MAX_KEYS {
        return Err(misplaced("jwks.keys", &format!("expected at most {MAX_KEYS} keys")));
    }
    if let Some(index) = set.keys.iter().position(is_secret) {
        return Err(misplaced(&format!("jwks.keys[{index}]"), "it contains a private key; send public keys only"));
    }
    if serde_json::to_vec(set)?.len() > MAX_SET_BYTES {
        return Err(misplaced("jwks", &format!("expected at most {MAX_SET_BYTES} bytes")));
    }
    if KeySet::of(set).is_empty() {
        return Err(misplaced("jwks.keys", "expected a key that verifies signatures"));
    }
    Ok(())
}

fn misplaced(key: &str, problem: &str) -> ApiError {
    let details = format!("Error in key path \"oidcClientMetadata.{key}\": {problem}");
    ApiError::invalid_input("body", details)
}
