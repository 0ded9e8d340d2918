//! A trial of a connector: a message with a useless code, sent at once.

use super::Messages;
use super::outgoing::Outgoing;
use super::send::{SendFailure, Sender};
use crate::connectors::Ready;
use claimsmith_domain::connector::Factory;
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::message::{Contents, Recipient};
use claimsmith_domain::random;
use serde_json::Value;
use std::error::Error;

/// The code of trials.
const CODE: &str = "000000";
/// How long real codes are valid, in milliseconds.
const VALID_MS: i64 = 600_000;

impl Messages {
    /// Sends a trial by a configuration. The outer error is the server's own.
    pub async fn try_out(
        &self,
        factory: &'static Factory,
        config: Value,
        recipient: &Recipient,
        language: LanguageTag,
    ) -> Result<Result<(), SendFailure>, Box<dyn Error + Send + Sync>> {
        let message = Outgoing {
            id: format!("msg_{}", random::id(21)?),
            recipient: recipient.address().to_owned(),
            template: TemplateType::Generic,
            language,
            contents: Contents::code(CODE),
            at: self.clock.now_ms(),
            valid_ms: VALID_MS,
        };
        let mut tx = self.db.read().await?;
        let sender = Sender::of(&mut tx, Ready { factory, config }, message.template, &message.language).await?;
        drop(tx);
        Ok(sender.send(self, &message).await)
    }
}
