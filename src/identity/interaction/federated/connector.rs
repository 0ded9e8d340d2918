//! Connectors for sign-in: enabled by the settings, with their configuration decrypted and parsed.

use crate::interaction::current::CurrentInteraction;
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::documents::connector::ConnectorType;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::id::{ConnectorId, SsoConnectorId};
use claimsmith_domain::upstream::{Protocol, Upstream, enterprise, presets::Preset};
use claimsmith_services::app::App;
use claimsmith_services::connectors::{decrypt, decrypt_enterprise};
use claimsmith_storage::Tx;
use claimsmith_storage::connectors::{self, sso_connectors, sso_connectors::SsoConnector};

/// A connector.
pub(crate) struct Connector {
    /// The namespace of account ids: the target, or the issuer.
    pub realm: String,
    /// Whether to sync users' profiles at each sign-in.
    pub sync_profile: bool,
    /// The email domains that it owns, in lower case.
    pub domains: Vec<String>,
    /// The upstream server, with the client registration there.
    pub upstream: Upstream,
    /// Whether it is enabled for administrators.
    pub signs_in_administrators: bool,
}

/// The connector of that kind and id, for an interaction. At the server's own applications, only connectors for
/// administrators are available.
pub(crate) async fn of_interaction(
    current: &CurrentInteraction,
    kind: ConnectorKind,
    id: &str,
) -> Result<Connector, InteractionRefusal> {
    let mut tx = current.app.db.read().await?;
    let settings = current.settings_in(&mut tx).await?;
    let connector = find(&current.app, &mut tx, &settings, kind, id).await?;
    if current.is_of_own_client() && !connector.signs_in_administrators {
        return Err(InteractionRefusal::MethodDisabled);
    }
    Ok(connector)
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
    if row.kind != ConnectorType::Social {
        return Err(InteractionRefusal::NotSocial);
    }
    if !settings.signs_in_at(&row.target) {
        return Err(InteractionRefusal::MethodDisabled);
    }
    let preset = Preset::find(&row.connector_id).ok_or(InteractionRefusal::ConnectorConfig)?;
    let config = decrypt(&app.cipher, &row)?;
    let members = config.as_object().ok_or(InteractionRefusal::ConnectorConfig)?;
    let upstream = preset.upstream(members).map_err(|_| InteractionRefusal::ConnectorConfig)?;
    Ok(Connector {
        realm: row.target,
        sync_profile: row.sync_profile,
        domains: Vec::new(),
        upstream,
        signs_in_administrators: false,
    })
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
    of_row(app, tx, &row).await
}

/// Whether a connector has all settings that a sign-in needs. One whose settings cannot be read is an error: its policy
/// stays in force.
pub(crate) async fn is_complete(app: &App, tx: &mut Tx, row: &SsoConnector) -> Result<bool, InteractionRefusal> {
    match of_row(app, tx, row).await {
        Ok(_) => Ok(true),
        Err(InteractionRefusal::ConnectorConfig) => Ok(false),
        Err(refusal) => Err(refusal),
    }
}

/// The connector of a row. Fails if settings are missing that a sign-in needs, such as the provider's URL.
pub(crate) async fn of_row(app: &App, tx: &mut Tx, row: &SsoConnector) -> Result<Connector, InteractionRefusal> {
    let config = decrypt_enterprise(&app.cipher, row)?;
    let members = config.as_object().ok_or(InteractionRefusal::ConnectorConfig)?;
    let domains = sso_connectors::DOMAINS.of(tx, &row.id).await?;
    let upstream =
        enterprise::upstream(&row.provider_name, members, &domains).map_err(|_| InteractionRefusal::ConnectorConfig)?;
    let Protocol::OpenId { issuer } = &upstream.protocol else { return Err(InteractionRefusal::ConnectorConfig) };
    let realm = issuer.as_str().to_owned();
    let (sync_profile, signs_in_administrators) = (row.sync_profile, row.signs_in_administrators);
    Ok(Connector { realm, sync_profile, domains, upstream, signs_in_administrators })
}
