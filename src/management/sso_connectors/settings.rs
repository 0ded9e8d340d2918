//! The configuration of an enterprise connector: checked, tried, and encrypted.

use super::refused;
use claimsmith_domain::connector::ENTERPRISE;
use claimsmith_domain::connector::configuration::keep_secrets;
use claimsmith_domain::id::SsoConnectorId;
use claimsmith_domain::upstream::{Protocol, enterprise};
use claimsmith_services::app::App;
use claimsmith_services::connectors::encrypt_enterprise;
use claimsmith_web::error::ApiError;
use serde_json::{Map, Value};

/// Checks a new configuration, and that its provider can be reached. Hidden or omitted secrets are taken from the one
/// before; an empty one can be filled in later. Call it without an open transaction, since it sends requests.
pub(super) async fn tried(
    app: &App,
    provider: &str,
    config: Map<String, Value>,
    before: Option<&Value>,
) -> Result<Value, ApiError> {
    let mut config = Value::Object(config);
    keep_secrets(&ENTERPRISE, &mut config, before).map_err(|fault| refused::invalid_config(&fault))?;
    let Some(members) = config.as_object().filter(|members| !members.is_empty()) else { return Ok(config) };
    let upstream = enterprise::upstream(provider, members, &[]).map_err(|fault| refused::invalid_config(&fault))?;
    if let Protocol::OpenId { issuer } = &upstream.protocol {
        app.federation.described(issuer).await.map_err(|failure| refused::unreachable(&failure))?;
    }
    Ok(config)
}

/// The issuer of a configuration that has one.
pub(super) fn issuer(provider: &str, config: &Value) -> Option<String> {
    match enterprise::upstream(provider, config.as_object()?, &[]).ok()?.protocol {
        Protocol::OpenId { issuer } => Some(issuer.as_str().to_owned()),
        Protocol::OAuth { .. } => None,
    }
}

/// A configuration as it is stored.
pub(super) fn encrypted(app: &App, id: &SsoConnectorId, config: &Value) -> Result<String, ApiError> {
    Ok(encrypt_enterprise(&app.cipher, id, config)?)
}
