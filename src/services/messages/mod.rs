//! Messages to users: codes and links by email or SMS. A message is written in the transaction of its cause, and sent
//! by a worker afterwards, so no request waits for it.
//!
//! The sender first checks whether the recipient may get one (`Messages::admit`, which counts), then writes it in the
//! transaction of its code or link (`Messages::append`), and withdraws it when that is used up (`withdraw`).

mod delivery;
mod letter;
mod mailbox;
mod mailbox_key;
mod outgoing;
mod rate_limit;
mod refusal;
mod send;
mod substitute;
mod texts;
mod trial;
mod without_plugins;

pub use mailbox::ReceivedMessage;
pub(crate) use mailbox_key::MailboxKey;
pub use rate_limit::{Admitted, MessageRequester};
pub use refusal::MessageRefusal;
pub use without_plugins::reaches_from;

use crate::activity::ActivityCounts;
use crate::egress::Egress;
use crate::encryption::{Cipher, Purpose};
use crate::plugins::Plugins;
use claimsmith_config as config;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::documents::message::MessageChannel;
use claimsmith_domain::id::MessageId;
use claimsmith_domain::message::Message;
use claimsmith_domain::random;
use claimsmith_storage::messages::{self, NewMessage};
use claimsmith_storage::{self as storage, Db, Tx, connectors, settings};
use std::sync::Arc;
use std::time::Duration;

/// The table, as logs name it.
const TABLE: &str = "messages";

/// What messages need. Cheap to clone.
#[derive(Clone)]
pub struct Messages {
    /// The database.
    pub(crate) db: Db,
    /// The time.
    pub(crate) clock: Clock,
    /// The maximum number of text messages per hour, in total.
    pub(crate) max_texts_per_hour: i64,
    /// Encrypts the content of messages.
    pub(crate) cipher: Arc<Cipher>,
    /// Reaches relays and services.
    pub(crate) egress: Arc<Egress>,
    /// The plugins that compose requests to providers.
    pub(crate) plugins: Plugins,
    /// Concurrency, polling interval, and the time of a request.
    pub(crate) settings: config::WebhooksConfig,
    /// The indicator of the Management API: users with rights there are administrators.
    pub(crate) management_resource: String,
    /// The time limit of a plugin.
    pub(crate) plugin_time: Duration,
    /// Counts attempts.
    pub(crate) activity: Arc<ActivityCounts>,
}

/// The route of a channel's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessageRoute {
    /// By its connector.
    Connector,
    /// To the mailbox of a demo server, since there is no connector.
    Mailbox,
}

/// The route of a channel's messages; `None` if there is none.
pub(crate) async fn way(tx: &mut Tx, channel: MessageChannel) -> storage::Result<Option<MessageRoute>> {
    if connectors::has(tx, channel.into()).await? {
        return Ok(Some(MessageRoute::Connector));
    }
    Ok(settings::demo(tx).await?.map(|_| MessageRoute::Mailbox))
}

/// Drops the unsent messages with this key: their code or link was used or replaced.
pub async fn withdraw(tx: &mut Tx, about: &str, now: i64) -> storage::Result<()> {
    messages::withdraw(tx, about, now).await?;
    Ok(())
}

impl Messages {
    /// Writes a message to an admitted recipient, in this transaction, which must not be committed if it is refused. A
    /// text message counts in the common budget. It is sent after the commit.
    pub async fn append(
        &self,
        tx: &mut Tx,
        to: &Admitted,
        message: &Message,
        now: i64,
    ) -> Result<MessageId, MessageRefusal> {
        let recipient = to.recipient();
        let way = way(tx, recipient.channel()).await?.ok_or(MessageRefusal::NoConnector(recipient.channel()))?;
        self.spend(tx, to, now).await?;
        let id = MessageId::from(format!("msg_{}", random::id(21)?));
        let contents = serde_json::to_vec(&message.contents)?;
        let contents = self.cipher.encrypt(Purpose::Message, &id, &contents)?;
        let row = NewMessage {
            id: &id,
            channel: recipient.channel(),
            recipient: recipient.address(),
            template_type: message.template,
            language_tag: message.language.as_str(),
            contents: &contents,
            about: message.about.as_deref(),
            expires_at: message.expires_at,
            in_mailbox: way == MessageRoute::Mailbox,
            created_at: now,
        };
        messages::append(tx, &row).await?;
        Ok(id)
    }
}
