//! What message limits count: the recipient of a request for a message, and the budget of text messages when one is
//! written.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::egress::Egress;
use crate::encryption::Cipher;
use crate::messages::Messages;
use crate::plugins::{Plugins, PluginsOptions};
use claimsmith_config as config;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_domain::message::{Contents, Message};
use claimsmith_storage::settings::{self, Demo};
use claimsmith_storage::{self as storage, Db, audit};
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
    messages.admit(recipient.unwrap(), template, message_requester(false)).await
}

fn message_requester(is_known: bool) -> MessageRequester {
    MessageRequester { actor: Actor::Server, origin: RequestOrigin::default(), interaction: None, is_known }
}

fn code(clock: &Clock) -> Message {
    Message {
        template: TemplateType::SignIn,
        language: LanguageTag::english(),
        contents: Contents::code("123456"),
        expires_at: clock.now_ms() + 600_000,
        about: None,
    }
}

/// Asks for a text message, and writes it.
async fn text(
    (messages, clock): (&Messages, &Clock),
    last: usize,
    template: TemplateType,
    is_known: bool,
) -> Result<(), MessageRefusal> {
    let recipient = Recipient::phone(&format!("+1 650 253 {last:04}")).unwrap();
    let admitted = messages.admit(recipient, template, message_requester(is_known)).await?;
    let mut tx = messages.db.begin().await.unwrap();
    messages.append(&mut tx, &admitted, &code(clock), clock.now_ms()).await?;
    tx.commit().await.unwrap();
    Ok(())
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
    // Other recipients are not held up, nor is the same user's phone.
    assert!(ask(&messages, Recipient::email("grace@example.com")).await.is_ok());
    assert!(ask(&messages, Recipient::phone("+1 650 253 0000")).await.is_ok());
    // The refusals are logged once.
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
async fn text_messages_that_are_written_are_limited_in_all_and_a_share_of_them_is_reserved() {
    let folder = tempfile::tempdir().unwrap();
    let (messages, clock) = messages(&folder).await;
    furnish(&messages).await;
    let (here, sign_in) = ((&messages, &clock), TemplateType::SignIn);
    let is_refused = |refused: Result<(), MessageRefusal>| {
        assert!(matches!(refused, Err(MessageRefusal::RateLimited(3_600_000))), "{refused:?}");
    };
    // Unwritten messages cost nothing, for any number of requests.
    for last in 100..400 {
        assert!(ask(&messages, Recipient::phone(&format!("+1 650 253 {last:04}"))).await.is_ok(), "{last}");
    }
    // Strangers have nine of twelve.
    for last in 0..9 {
        assert!(text(here, last, sign_in, false).await.is_ok(), "{last}");
    }
    for last in 9..12 {
        is_refused(text(here, last, sign_in, false).await);
    }
    let logs = audit::list_by_key(&mut messages.db.read().await.unwrap(), "Server.Message.RateLimited", 9).await;
    let logs = logs.unwrap();
    assert_eq!((logs.len(), &logs[0].payload["recipient"]), (1, &json!("16502530009")), "it is told once");
    // The other three are reserved for users who have signed in here before, and for second factors.
    assert!(text(here, 20, sign_in, true).await.is_ok());
    for last in 21..23 {
        assert!(text(here, last, TemplateType::MfaVerification, false).await.is_ok(), "{last}");
    }
    is_refused(text(here, 23, TemplateType::MfaVerification, false).await);
    is_refused(text(here, 24, sign_in, true).await);
    assert!(ask(&messages, Recipient::email("ada@example.com")).await.is_ok());
    clock.advance(Duration::from_secs(3600));
    assert!(text(here, 9, sign_in, false).await.is_ok());
}

#[tokio::test]
async fn of_many_at_once_as_many_texts_are_written_as_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let (messages, clock) = messages(&folder).await;
    furnish(&messages).await;
    let mut admitted = Vec::new();
    for last in 0..20 {
        admitted.push(ask(&messages, Recipient::phone(&format!("+1 650 253 {last:04}"))).await.unwrap());
    }
    let all = admitted.iter().map(async |admitted| {
        let mut tx = messages.db.begin().await.unwrap();
        let written = messages.append(&mut tx, admitted, &code(&clock), clock.now_ms()).await;
        if written.is_ok() {
            tx.commit().await.unwrap();
        }
        written.is_ok()
    });
    let written = futures_util::future::join_all(all).await.into_iter().filter(|written| *written).count();
    assert_eq!(written, 9);
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
    let message = code(&clock);
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
