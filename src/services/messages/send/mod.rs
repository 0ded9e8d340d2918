//! Sends one message by its connector: a conversation with a relay, a request to an operator's own service, or one to a
//! provider that a plugin composes.

mod email;
mod http;
mod plugin;
mod relay;
mod smtp;
mod start_tls;

use super::Messages;
use super::letter::{Letter, Words, short_text};
use super::outgoing::Outgoing;
use crate::connectors::Ready;
use crate::egress::EgressError;
use claimsmith_domain::connector::{HttpConfig, PluginConfig, SmtpConfig};
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_storage::{self as storage, Tx};
use std::time::Duration;

/// How much longer a conversation with a relay may last than a request: it has many steps.
const SMTP_TIMEOUT_FACTOR: u32 = 3;

/// The reason that a message was not sent. It repeats neither the content of the message nor a secret of the connector.
#[derive(Debug)]
pub struct SendFailure {
    /// For operators.
    pub error: String,
    /// The delay that the response asks for, in milliseconds.
    pub(crate) hold: Option<i64>,
    /// Whether a retry would be useless.
    pub(crate) is_final: bool,
}

impl SendFailure {
    /// A retry may succeed.
    pub(super) fn later(error: impl Into<String>) -> Self {
        Self { error: error.into(), hold: None, is_final: false }
    }

    /// A retry would be useless.
    pub(super) fn never(error: impl Into<String>) -> Self {
        Self { error: error.into(), hold: None, is_final: true }
    }
}

impl From<EgressError> for SendFailure {
    fn from(error: EgressError) -> Self {
        Self::later(error.to_string())
    }
}

/// A connector with the operator's texts for it, read from the database.
pub(crate) struct Sender {
    connector: Ready,
    words: Words,
}

impl Sender {
    /// Reads the operator's texts for such a message.
    pub(crate) async fn of(
        tx: &mut Tx,
        connector: Ready,
        template: TemplateType,
        language: &LanguageTag,
    ) -> storage::Result<Self> {
        Ok(Self { connector, words: Words::find(tx, template, language).await? })
    }

    /// Sends a message.
    pub(crate) async fn send(&self, messages: &Messages, message: &Outgoing) -> Result<(), SendFailure> {
        let Ready { factory, config } = &self.connector;
        let (egress, time) = (&*messages.egress, messages.settings.timeout);
        match factory.id {
            "smtp" => {
                let config = SmtpConfig::read(config).map_err(SendFailure::later)?;
                let letter = Letter::of(message, &self.words, &config.templates);
                let email = email::compose(&config, message, &letter)?;
                smtp::send(egress, &config, &email, longest(time)).await
            }
            "http-email" | "http-sms" => {
                let config = HttpConfig::read(config).map_err(SendFailure::later)?;
                http::send(egress, &config, message, time).await
            }
            "plugin-email" => {
                let config = PluginConfig::read(config).map_err(SendFailure::later)?;
                let letter = Letter::of(message, &self.words, &config.templates);
                plugin::send(messages, &config, message, plugin::email(message, letter)).await
            }
            "plugin-sms" => {
                let config = PluginConfig::read(config).map_err(SendFailure::later)?;
                let text = short_text(message, &config.templates);
                plugin::send(messages, &config, message, plugin::text_message(message, &text)).await
            }
            id => Err(SendFailure::never(format!("connectors of {id} send no messages"))),
        }
    }
}

/// The maximum duration of an attempt, for this request timeout.
pub(crate) fn longest(request: Duration) -> Duration {
    request.saturating_mul(SMTP_TIMEOUT_FACTOR)
}
