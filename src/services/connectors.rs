//! The configuration of connectors and enterprise connectors, which has secrets: encrypted for its row.

use crate::encryption::{Cipher, EncryptionError, Purpose};
use claimsmith_domain::connector::{Factory, factory, is_by_plugin};
use claimsmith_domain::documents::connector::ConnectorType;
use claimsmith_domain::id::{ConnectorId, SsoConnectorId};
use claimsmith_runtime::json::{self, STORED};
use claimsmith_storage::connectors::sso_connectors::SsoConnector;
use claimsmith_storage::connectors::{self, Connector};
use claimsmith_storage::{self as storage, Tx};
use serde_json::Value;

/// A configuration cannot be used. Says nothing about what is in it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database.
    #[error("the database failed")]
    Storage(#[from] storage::Error),
    /// It cannot be decrypted.
    #[error(transparent)]
    Encryption(#[from] EncryptionError),
    /// It is not JSON, or not what its factory accepts.
    #[error("the stored configuration of the connector cannot be read")]
    Unreadable,
    /// It was made by a version of the server with more factories.
    #[error("there is no factory {0:?} in this version of the server")]
    UnknownFactory(String),
}

/// A connector that can be used. Without `Debug`: its configuration has secrets.
pub(crate) struct Ready {
    /// Its factory.
    pub(crate) factory: &'static Factory,
    /// Its configuration, with the secrets.
    pub(crate) config: Value,
}

/// The configuration as it is stored.
pub fn encrypt(cipher: &Cipher, id: &ConnectorId, config: &Value) -> Result<String, EncryptionError> {
    cipher.encrypt(Purpose::Connector, id, config.to_string().as_bytes())
}

/// The configuration of a connector.
pub fn decrypt(cipher: &Cipher, connector: &Connector) -> Result<Value, Error> {
    let text = cipher.decrypt(Purpose::Connector, &connector.id, &connector.config)?;
    json::read(text.as_slice(), STORED).map_err(|_| Error::Unreadable)
}

/// The configuration of an enterprise connector as it is stored.
pub fn encrypt_enterprise(cipher: &Cipher, id: &SsoConnectorId, config: &Value) -> Result<String, EncryptionError> {
    cipher.encrypt(Purpose::SsoConnector, id, config.to_string().as_bytes())
}

/// The configuration of an enterprise connector.
pub fn decrypt_enterprise(cipher: &Cipher, connector: &SsoConnector) -> Result<Value, Error> {
    let text = cipher.decrypt(Purpose::SsoConnector, &connector.id, &connector.config)?;
    json::read(text.as_slice(), STORED).map_err(|_| Error::Unreadable)
}

/// A stored connector, ready to be used.
pub(crate) fn ready(cipher: &Cipher, connector: &Connector) -> Result<Ready, Error> {
    let factory =
        factory(&connector.connector_id).ok_or_else(|| Error::UnknownFactory(connector.connector_id.clone()))?;
    Ok(Ready { factory, config: decrypt(cipher, connector)? })
}

/// The connector of a type of which there can be only one; `None` if there is none.
pub(crate) async fn only(tx: &mut Tx, cipher: &Cipher, kind: ConnectorType) -> Result<Option<Ready>, Error> {
    match connectors::find_of_type(tx, kind).await? {
        Some(connector) => Ok(Some(ready(cipher, &connector)?)),
        None => Ok(None),
    }
}

/// Whether a connector's messages are composed by the plugin of this name. Also true for a connector that cannot be
/// read.
pub async fn compose_by(tx: &mut Tx, cipher: &Cipher, plugin: &str) -> storage::Result<bool> {
    let all = connectors::list(tx, None).await?;
    let mut by_plugin = all.iter().filter(|connector| is_by_plugin(&connector.connector_id));
    Ok(by_plugin.any(|connector| decrypt(cipher, connector).map_or(true, |config| config["plugin"] == *plugin)))
}
