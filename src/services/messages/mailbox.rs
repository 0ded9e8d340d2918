//! The mailbox of a demo server: messages as their recipients would see them.

use super::letter::{Letter, Words, short_text};
use super::outgoing::Outgoing;
use super::{Messages, TABLE};
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::documents::message::{MessageChannel, TemplateType};
use claimsmith_storage::messages::{self, InMailbox};
use claimsmith_storage::{self as storage, Tx};

/// The most messages that are shown.
const MAX_SHOWN: i64 = 50;

/// A message as it is shown.
pub struct ReceivedMessage {
    /// Who it is for.
    pub recipient: String,
    /// The subject, if it is an e-mail.
    pub subject: Option<String>,
    /// The text.
    pub text: String,
    /// The link in it.
    pub link: Option<String>,
    /// When it was written, Unix milliseconds.
    pub created_at: i64,
    /// Whether its code or link has ended.
    pub is_over: bool,
}

impl Messages {
    /// The messages, the newest first. One that cannot be read is left out.
    pub async fn mailbox(&self, tx: &mut Tx) -> storage::Result<Vec<ReceivedMessage>> {
        let mut shown = Vec::new();
        for row in messages::mailbox(tx, MAX_SHOWN).await? {
            let id = row.id.clone();
            if let Some(received) = self.open(tx, row).await? {
                shown.push(received);
            } else {
                tracing::warn!(message = id.as_str(), table = TABLE, "a message cannot be read");
            }
        }
        Ok(shown)
    }

    async fn open(&self, tx: &mut Tx, row: InMailbox) -> storage::Result<Option<ReceivedMessage>> {
        let (channel, template) = (MessageChannel::parse(&row.channel), TemplateType::parse(&row.template_type));
        let contents = row.contents.as_deref().and_then(|sealed| Outgoing::decrypt(&self.cipher, &row.id, sealed));
        let language = LanguageTag::try_from(row.language_tag).ok();
        let (Some(channel), Some(template), Some(contents), Some(language)) = (channel, template, contents, language)
        else {
            return Ok(None);
        };
        let message = Outgoing {
            id: row.id.into(),
            recipient: row.recipient,
            template,
            language,
            contents,
            at: row.created_at,
            valid_ms: row.expires_at - row.created_at,
        };
        let (subject, text) = match channel {
            MessageChannel::Email => {
                let words = Words::find(tx, template, &message.language).await?;
                let letter = Letter::of(&message, &words, &[]);
                (Some(letter.subject), letter.plain.or(letter.html).unwrap_or_default())
            }
            MessageChannel::Sms => (None, short_text(&message, &[])),
        };
        Ok(Some(ReceivedMessage {
            recipient: message.recipient,
            subject,
            text,
            link: message.contents.link,
            created_at: row.created_at,
            is_over: row.expires_at <= self.clock.now_ms(),
        }))
    }
}
