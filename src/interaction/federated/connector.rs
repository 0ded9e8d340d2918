//! Connectors as a sign-in needs them: allowed by the settings, with their configuration decrypted and read.

use crate::app::App;
use crate::connectors::{decrypt, decrypt_enterprise};
use crate::documents::sign_in_experience::SignInExperience;
use crate::domain::federated::ConnectorKind;
use crate::domain::id::{ConnectorId, SsoConnectorId};
use crate::domain::upstream::{Protocol, Upstream, enterprise, presets::Preset};
use crate::interaction::refusal::Refusal;
use crate::storage::Tx;
use crate::storage::connectors::{self, sso_connectors};

/// A connector.
pub(crate) struct Connector {
    /// Where ids are unique: its target, or its issuer.
    pub realm: String,
    /// Whether profiles follow it.
    pub sync_profile: bool,
    /// The domains of addresses that it owns, in lower case.
    pub domains: Vec<String>,
    /// The server, with the registration there.
    pub upstream: Upstream,
}

/// The connector of that kind and id.
pub(crate) async fn find(
    app: &App,
    tx: &mut Tx,
    settings: &SignInExperience,
    kind: ConnectorKind,
    id: &str,
) -> Result<Connector, Refusal> {
    match kind {
        ConnectorKind::Social => social(app, tx, settings, &ConnectorId::from(id)).await,
        ConnectorKind::Enterprise => enterprise(app, tx, settings, &SsoConnectorId::from(id)).await,
    }
}

async fn social(app: &App, tx: &mut Tx, settings: &SignInExperience, id: &ConnectorId) -> Result<Connector, Refusal> {
    let row = connectors::find(tx, id).await?.ok_or(Refusal::UnknownConnector)?;
    if row.kind != "Social" {
        return Err(Refusal::NotSocial);
    }
    if !settings.signs_in_at(&row.target) {
        return Err(Refusal::MethodDisabled);
    }
    let preset = Preset::find(&row.connector_id).ok_or(Refusal::ConnectorConfig)?;
    let config = decrypt(&app.cipher, &row)?;
    let members = config.as_object().ok_or(Refusal::ConnectorConfig)?;
    let upstream = preset.upstream(members).map_err(|_| Refusal::ConnectorConfig)?;
    Ok(Connector { realm: row.target, sync_profile: row.sync_profile, domains: Vec::new(), upstream })
}

async fn enterprise(
    app: &App,
    tx: &mut Tx,
    settings: &SignInExperience,
    id: &SsoConnectorId,
) -> Result<Connector, Refusal> {
    if !settings.single_sign_on_enabled {
        return Err(Refusal::MethodDisabled);
    }
    let row = sso_connectors::find(tx, id).await?.ok_or(Refusal::UnknownSsoConnector)?;
    let config = decrypt_enterprise(&app.cipher, &row)?;
    let members = config.as_object().ok_or(Refusal::ConnectorConfig)?;
    let domains = sso_connectors::DOMAINS.of(tx, id).await?;
    let upstream = enterprise::upstream(&row.provider_name, members, &domains).map_err(|_| Refusal::ConnectorConfig)?;
    let Protocol::OpenId { issuer } = &upstream.protocol else { return Err(Refusal::ConnectorConfig) };
    let realm = issuer.as_str().to_owned();
    Ok(Connector { realm, sync_profile: row.sync_profile, domains, upstream })
}
