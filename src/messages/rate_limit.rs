//! The limits of messages: ten in ten minutes to one recipient, whoever asks for them, and so many text messages of an
//! hour in all. They are counted before anything is decided, so that what is answered does not tell whether a message
//! was written.

use super::{MessageRefusal, Messages, reaches_from};
use crate::audit::Actor;
use crate::documents::message::{MessageChannel, TemplateType};
use crate::domain::event::EventType;
use crate::domain::lockout::Limit;
use crate::domain::message::Recipient;
use crate::domain::origin::RequestOrigin;
use crate::storage::sessions::attempts;
use crate::tokens;
use crate::unit_of_work::UnitOfWork;
use crate::webhooks::{Event, Interaction};
use serde_json::json;

/// Messages of a recipient within the window.
const MAX_MESSAGES: i64 = 10;
const WINDOW_MS: i64 = 600_000;
const LIMIT: Limit =
    Limit { failures: MAX_MESSAGES, window_ms: WINDOW_MS, lockout_ms: WINDOW_MS, longest_lockout_ms: WINDOW_MS };
const HOUR_MS: i64 = 3_600_000;

/// Who may get a message now.
#[derive(Clone, Debug)]
pub(crate) struct Admitted {
    recipient: Recipient,
}

impl Admitted {
    /// Who it is.
    pub(crate) fn recipient(&self) -> &Recipient {
        &self.recipient
    }
}

/// Who asks for a message.
#[derive(Clone, Debug)]
pub(crate) struct Asking {
    /// Who it is, if that is known.
    pub(crate) actor: Actor,
    /// Where it came from.
    pub(crate) origin: RequestOrigin,
    /// The sign-in that it belongs to.
    pub(crate) interaction: Option<Interaction>,
}

impl Messages {
    /// Whether the recipient may get a message of this type, which counts. The first one too many is audited, and tells
    /// `Message.RateLimited`.
    pub(crate) async fn admit(
        &self,
        recipient: Recipient,
        template: TemplateType,
        asking: Asking,
    ) -> Result<Admitted, MessageRefusal> {
        let now = self.clock.now_ms();
        let Asking { actor, origin, interaction } = asking;
        let channel = recipient.channel();
        let client_id = match &actor {
            Actor::Application { id } => Some(id.to_string()),
            _ => None,
        };
        let mut work = UnitOfWork::begin(&self.db, actor, origin, now).await?;
        if !reaches_from(&mut work, channel, client_id.as_deref()).await? {
            return Err(MessageRefusal::NoConnector(channel));
        }
        for (hash, limit) in self.limits(&recipient, template) {
            let counted = attempts::count(&mut work, &hash, limit, now).await?;
            if counted.exceed(limit) {
                if counted.failures == limit.failures + 1 {
                    tell(&mut work, &recipient, template, interaction).await?;
                }
                work.commit().await?;
                return Err(MessageRefusal::RateLimited(counted.expires_at - now));
            }
        }
        work.commit().await?;
        Ok(Admitted { recipient })
    }

    /// What a message counts under. The recipient first: what they do not get counts in no sum.
    fn limits(&self, recipient: &Recipient, template: TemplateType) -> Vec<(String, Limit)> {
        let channel = recipient.channel();
        // Codes of a second factor have a count of their own: who may ask for one knows a password, and nobody else
        // keeps it from its user by asking for other messages.
        let what = if template == TemplateType::MfaVerification { "mfa-message" } else { "message" };
        let hash = tokens::hash(&format!("{what}:{}:{}", channel.as_str(), recipient.folded()));
        let mut limits = vec![(hash, LIMIT)];
        // Each of them costs money.
        if channel == MessageChannel::Sms {
            let failures = self.max_texts_per_hour;
            let limit = Limit { failures, window_ms: HOUR_MS, lockout_ms: HOUR_MS, longest_lockout_ms: HOUR_MS };
            limits.push((tokens::hash("texts"), limit));
        }
        limits
    }
}

/// The first one too many: it is audited, and hooks are told.
async fn tell(
    work: &mut UnitOfWork,
    recipient: &Recipient,
    template: TemplateType,
    interaction: Option<Interaction>,
) -> Result<(), MessageRefusal> {
    let event = match interaction {
        Some(about) => Event::during(EventType::MessageRateLimited, about),
        None => Event::new(EventType::MessageRateLimited, 429_u16),
    };
    let event = event.of("action", template.as_str()).of("recipient", recipient.address());
    work.emit(&event).await?;
    let key = work.key("Message.RateLimited");
    let details = json!({
        "channel": recipient.channel().as_str(), "templateType": template.as_str(), "recipient": recipient.address(),
    });
    Ok(work.audit(&key, details).await?)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use crate::clock::Clock;
    use crate::config;
    use crate::documents::language::LanguageTag;
    use crate::domain::id::{ApplicationId, UserId};
    use crate::domain::message::{Contents, Message};
    use crate::egress::Egress;
    use crate::encryption::Cipher;
    use crate::messages::Messages;
    use crate::plugins::{Plugins, PluginsOptions};
    use crate::storage::settings::{self, Demo};
    use crate::storage::{self, Db, audit};
    use std::sync::Arc;
    use std::time::Duration;

    async fn messages(folder: &tempfile::TempDir) -> (Messages, Clock) {
        let db = Db::connect(&format!("sqlite://{}/test.db", folder.path().display()), 4).await.unwrap();
        storage::migrate(&db).await.unwrap();
        let clock = Clock::fixed(1_795_257_406_000);
        let plugins = Plugins::start(PluginsOptions::new(folder.path().join("plugins")), Vec::new()).await.unwrap();
        let messages = Messages {
            db,
            clock: clock.clone(),
            max_texts_per_hour: 12,
            cipher: Arc::new(Cipher::new([&[7; 32]]).unwrap()),
            egress: Arc::new(Egress::new(&config::EgressConfig::default())),
            plugins,
            settings: config::WebhooksConfig::default(),
            management_resource: config::TokensConfig::default().management_resource,
            plugin_time: Duration::from_secs(2),
            activity: Arc::default(),
        };
        (messages, clock)
    }

    /// With demo data, so that there is a mailbox.
    async fn furnish(messages: &Messages) {
        let mut tx = messages.db.begin().await.unwrap();
        let demo = Demo {
            client_id: ApplicationId::from("c"),
            backend_id: ApplicationId::from("b"),
            customer_id: UserId::from("u"),
            resource: "r".to_owned(),
        };
        settings::put_demo(&mut tx, &demo).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn ask(messages: &Messages, recipient: Option<Recipient>) -> Result<Admitted, MessageRefusal> {
        ask_for(messages, recipient, TemplateType::SignIn).await
    }

    async fn ask_for(
        messages: &Messages,
        recipient: Option<Recipient>,
        template: TemplateType,
    ) -> Result<Admitted, MessageRefusal> {
        let asking = Asking { actor: Actor::Server, origin: RequestOrigin::default(), interaction: None };
        messages.admit(recipient.unwrap(), template, asking).await
    }

    #[tokio::test]
    async fn a_recipient_gets_ten_messages_in_ten_minutes_however_they_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let (messages, clock) = messages(&folder).await;
        furnish(&messages).await;
        let spellings = ["ada@example.com", "Ada@Example.com"];
        for number in 0..10 {
            assert!(ask(&messages, Recipient::email(spellings[number % 2])).await.is_ok(), "{number}");
        }
        for spelling in spellings {
            let refused = ask(&messages, Recipient::email(spelling)).await;
            assert!(matches!(refused, Err(MessageRefusal::RateLimited(600_000))), "{refused:?}");
        }
        // Others are not held up, nor is the same person's phone.
        assert!(ask(&messages, Recipient::email("grace@example.com")).await.is_ok());
        assert!(ask(&messages, Recipient::phone("+1 650 253 0000")).await.is_ok());
        // What is refused is told once.
        let logs = audit::list_by_key(&mut messages.db.read().await.unwrap(), "Server.Message.RateLimited", 9).await;
        let logs = logs.unwrap();
        assert_eq!((logs.len(), &logs[0].payload["recipient"]), (1, &json!("ada@example.com")));
        clock.advance(Duration::from_secs(600));
        assert!(ask(&messages, Recipient::email("ada@example.com")).await.is_ok());
    }

    #[tokio::test]
    async fn codes_of_a_second_factor_are_counted_by_themselves() {
        let folder = tempfile::tempdir().unwrap();
        let (messages, _) = messages(&folder).await;
        furnish(&messages).await;
        for _ in 0..11 {
            let _ = ask(&messages, Recipient::email("ada@example.com")).await;
        }
        let factor = TemplateType::MfaVerification;
        for number in 0..10 {
            let admitted = ask_for(&messages, Recipient::email("Ada@Example.com"), factor).await;
            assert!(admitted.is_ok(), "{number}");
        }
        let refused = ask_for(&messages, Recipient::email("ada@example.com"), factor).await;
        assert!(matches!(refused, Err(MessageRefusal::RateLimited(600_000))), "{refused:?}");
    }

    #[tokio::test]
    async fn text_messages_of_an_hour_are_limited_in_all() {
        let folder = tempfile::tempdir().unwrap();
        let (messages, clock) = messages(&folder).await;
        furnish(&messages).await;
        let number = |last: usize| Recipient::phone(&format!("+1 650 253 {last:04}"));
        // What somebody does not get any more is not in the sum.
        for _ in 0..15 {
            let _ = ask(&messages, number(0)).await;
        }
        for last in 1..3 {
            assert!(ask(&messages, number(last)).await.is_ok(), "{last}");
        }
        for last in 3..5 {
            let refused = ask(&messages, number(last)).await;
            assert!(matches!(refused, Err(MessageRefusal::RateLimited(3_600_000))), "{refused:?}");
        }
        assert!(ask(&messages, Recipient::email("ada@example.com")).await.is_ok());
        clock.advance(Duration::from_secs(3600));
        assert!(ask(&messages, number(3)).await.is_ok());
    }

    #[tokio::test]
    async fn of_many_at_once_ten_are_admitted() {
        let folder = tempfile::tempdir().unwrap();
        let (messages, _) = messages(&folder).await;
        furnish(&messages).await;
        let all = (0..30).map(|_| ask(&messages, Recipient::email("ada@example.com")));
        let admitted = futures_util::future::join_all(all).await.into_iter().flatten().count();
        assert_eq!(admitted, 10);
    }

    #[tokio::test]
    async fn without_a_connector_there_are_no_messages() {
        let folder = tempfile::tempdir().unwrap();
        let (messages, _) = messages(&folder).await;
        let refused = ask(&messages, Recipient::email("ada@example.com")).await;
        assert!(matches!(refused, Err(MessageRefusal::NoConnector(_))), "{refused:?}");
    }

    #[tokio::test]
    async fn a_message_is_sealed_and_its_row_goes_with_the_transaction() {
        let folder = tempfile::tempdir().unwrap();
        let (messages, clock) = messages(&folder).await;
        furnish(&messages).await;
        let admitted = ask(&messages, Recipient::email("ada@example.com")).await.unwrap();
        let message = Message {
            template: TemplateType::SignIn,
            language: LanguageTag::english(),
            contents: Contents::code("123456"),
            expires_at: clock.now_ms() + 600_000,
            about: None,
        };
        for commits in [false, true] {
            let mut tx = messages.db.begin().await.unwrap();
            messages.append(&mut tx, &admitted, &message, clock.now_ms()).await.unwrap();
            if commits {
                tx.commit().await.unwrap();
            }
        }
        let mut tx = messages.db.read().await.unwrap();
        let rows = storage::messages::mailbox(&mut tx, 9).await.unwrap();
        assert_eq!(rows.len(), 1);
        assert!(!rows[0].contents.as_deref().unwrap_or_default().contains("123456"));
        let shown = messages.mailbox(&mut tx).await.unwrap();
        assert!(shown[0].text.contains("123456") && !shown[0].is_over);
    }
}
