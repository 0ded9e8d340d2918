//! Messages that no plugin composes: those of a sign-in at the server's own applications, and all messages to
//! administrators. The author of the plugin could read their codes (`docs/decisions/people-who-administer.md`).

use super::outgoing::Outgoing;
use super::{MessageRoute, way};
use claimsmith_domain::connector::is_by_plugin;
use claimsmith_domain::console::built_in;
use claimsmith_domain::documents::message::MessageChannel;
use claimsmith_storage::roles::console;
use claimsmith_storage::users::{self, Identifiers};
use claimsmith_storage::{self as storage, Tx, connectors};

/// Whether messages of a channel go anywhere from a sign-in at this application.
pub async fn reaches_from(tx: &mut Tx, channel: MessageChannel, client_id: Option<&str>) -> storage::Result<bool> {
    match way(tx, channel).await? {
        Some(MessageRoute::Connector) if client_id.is_some_and(built_in::is_client) => {
            let connector = connectors::find_of_type(tx, channel.into()).await?;
            Ok(connector.is_some_and(|connector| !is_by_plugin(&connector.connector_id)))
        }
        way => Ok(way.is_some()),
    }
}

/// Whether no plugin composes this message; `management` is the indicator of the Management API.
pub(super) async fn is_demanded(
    tx: &mut Tx,
    channel: MessageChannel,
    message: &Outgoing,
    management: &str,
) -> storage::Result<bool> {
    let client_id = message.contents.application.as_ref().and_then(|application| application["id"].as_str());
    if client_id.is_some_and(built_in::is_client) {
        return Ok(true);
    }
    let recipient = Some(message.recipient.clone());
    let nobody = Identifiers { username: None, primary_email: None, primary_phone: None };
    let wanted = match channel {
        MessageChannel::Email => Identifiers { primary_email: recipient, ..nobody },
        MessageChannel::Sms => Identifiers { primary_phone: recipient, ..nobody },
    };
    match users::find_identified(tx, &wanted).await? {
        Some(user) => console::is_held_by(tx, &user.id, management).await,
        None => Ok(false),
    }
}
