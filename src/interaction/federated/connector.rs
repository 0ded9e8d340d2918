//! Connectors as a sign-in needs them: allowed by the settings, with their configuration decrypted and read.

use crate::app::App;
use crate::connectors::{decrypt, decrypt_enterprise};
use crate::documents::sign_in_experience::SignInExperience;
use crate::domain::federated::ConnectorKind;
use crate::domain::id::{ConnectorId, SsoConnectorId};
use crate::domain::upstream::{Protocol, Upstream, enterprise, presets::Preset};
use crate::interaction::refusal::InteractionRefusal;
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
) -> Result<Connector, InteractionRefusal> {
    match kind {
        ConnectorKind::Social => social(app, tx, settings, &ConnectorId::from(id)).await,
        ConnectorKind::Enterprise => enterprise(app, tx, settings, &SsoConnectorId::from(id)).await,
    }
}

async fn social(
    app: &App,
    tx: &mut Tx,
    settings: &SignInExperience,
    id: &ConnectorId,
) -> Result<Connector, InteractionRefusal> {
    let row = connectors::find(tx, id).await?.ok_or(InteractionRefusal::UnknownConnector)?;
    if row.kind != "Social" {
        return Err(InteractionRefusal::NotSocial);
    }
    if !settings.signs_in_at(&row.target) {
        return Err(InteractionRefusal::MethodDisabled);
    }
    let preset = Preset::find(&row.connector_id).ok_or(InteractionRefusal::ConnectorConfig)?;
    let config = decrypt(&app.cipher, &row)?;
    let members = config.as_object().ok_or(InteractionRefusal::ConnectorConfig)?;
    let upstream = preset.upstream(members).map_err(|_| InteractionRefusal::ConnectorConfig)?;
    Ok(Connector { realm: row.target, sync_profile: row.sync_profile, domains: Vec::new(), upstream })
}

async fn enterprise(
    app: &App,
    tx: &mut Tx,
    settings: &SignInExperience,
    id: &SsoConnectorId,
) -> Result<Connector, InteractionRefusal> {
    if !settings.single_sign_on_enabled {
        return Err(InteractionRefusal::MethodDisabled);
    }
    let row = sso_connectors::find(tx, id).await?.ok_or(InteractionRefusal::UnknownSsoConnector)?;
    let config = decrypt_enterprise(&app.cipher, &row)?;
    let members = config.as_object().ok_or(InteractionRefusal::ConnectorConfig)?;
    let domains = sso_connectors::DOMAINS.of(tx, id).await?;
    let upstream =
        enterprise::upstream(&row.provider_name, members, &domains).map_err(|_| InteractionRefusal::ConnectorConfig)?;
    let Protocol::OpenId { issuer } = &upstream.protocol else { return Err(InteractionRefusal::ConnectorConfig) };
    let realm = issuer.as_str().to_owned();
    Ok(Connector { realm, sync_profile: row.sync_profile, domains, upstream })
}
