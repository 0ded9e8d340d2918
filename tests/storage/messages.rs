//! Messages: how they are written, withdrawn, leased and finished, and the mailbox.

use crate::Store;
use claimsmith_domain::documents::message::{MessageChannel, TemplateType};
use claimsmith_domain::id::MessageId;
use claimsmith_storage::messages::{self, Leased, NewMessage};
use claimsmith_storage::{Lease, RetryDecision, Tx};
use claimsmith_test_support::both;

fn message(id: &MessageId, channel: MessageChannel, created_at: i64) -> NewMessage<'_> {
    NewMessage {
        id,
        channel,
        recipient: "ada@example.com",
        template_type: TemplateType::SignIn,
        language_tag: "en",
        contents: "sealed",
        about: Some("code-1"),
        expires_at: 600_000,
        in_mailbox: false,
        created_at,
    }
}

async fn written(tx: &mut Tx, name: &str, channel: MessageChannel, created_at: i64) -> MessageId {
    let id = MessageId::from(name);
    messages::append(tx, &message(&id, channel, created_at)).await.unwrap();
    id
}

async fn lease(tx: &mut Tx, channel: MessageChannel, name: &str, now: i64, limit: i64) -> Vec<Leased> {
    messages::lease(tx, channel, Lease { name, now, until: now + 15 }, limit).await.unwrap()
}

#[derive(claimsmith_storage::Row)]
#[expect(clippy::struct_field_names, reason = "the names are those of columns")]
struct State {
    state: String,
    contents: Option<String>,
    note: Option<String>,
}

async fn state(tx: &mut Tx, id: &MessageId) -> (String, bool, Option<String>) {
    let sql = "SELECT state, contents, note FROM messages WHERE id = $1";
    let State { state, contents, note } = tx.sql(sql).bind(id).one().await.unwrap();
    (state, contents.is_some(), note)
}

both!(due_messages_are_leased_by_channel_and_finished, async |store: Store| {
    let mut tx = store.begin().await;
    assert_eq!(messages::next_due(&mut tx).await.unwrap(), None);
    let mut ids = Vec::new();
    for number in 0..3 {
        ids.push(written(&mut tx, &format!("m{number}"), MessageChannel::Email, 10 + number).await);
    }
    let text = written(&mut tx, "sms", MessageChannel::Sms, 11).await;
    assert_eq!(messages::next_due(&mut tx).await.unwrap(), Some(10));
    assert!(lease(&mut tx, MessageChannel::Email, "c0", 9, 9).await.is_empty());
    let taken = lease(&mut tx, MessageChannel::Email, "c1", 11, 9).await;
    assert_eq!(taken.iter().map(|one| &one.id).collect::<Vec<_>>(), [&ids[0], &ids[1]]);
    let expected = Leased {
        seq: taken[0].seq,
        id: ids[0].clone(),
        channel: MessageChannel::Email,
        recipient: "ada@example.com".to_owned(),
        template_type: "SignIn".to_owned(),
        language_tag: "en".to_owned(),
        contents: Some("sealed".to_owned()),
        expires_at: 600_000,
        attempts: 0,
        created_at: 10,
    };
    assert_eq!(taken[0], expected);
    assert_eq!(messages::in_flight(&mut tx, MessageChannel::Email, 11).await.unwrap(), 2);
    assert_eq!(messages::in_flight(&mut tx, MessageChannel::Sms, 11).await.unwrap(), 0);
    assert_eq!(lease(&mut tx, MessageChannel::Sms, "c2", 11, 9).await[0].id, text);

    // A lease that nobody ended expires, and its worker moves nothing on any more.
    assert_eq!(messages::in_flight(&mut tx, MessageChannel::Email, 26).await.unwrap(), 0);
    let again = lease(&mut tx, MessageChannel::Email, "c3", 26, 9).await;
    let first = again.iter().find(|one| one.id == ids[0]).unwrap().seq;
    assert!(!messages::move_on(&mut tx, first, "c1", RetryDecision::Dead, "late", 27).await.unwrap());
    assert!(messages::move_on(&mut tx, first, "c3", RetryDecision::At(90), "later", 27).await.unwrap());
    assert_eq!(state(&mut tx, &ids[0]).await, ("pending".to_owned(), true, Some("later".to_owned())));
    assert_eq!(messages::bring_forward(&mut tx, 80, 40).await.unwrap(), 1);
    let retried = lease(&mut tx, MessageChannel::Email, "c4", 60, 9).await;
    let retried = retried.iter().find(|one| one.id == ids[0]).unwrap();
    assert_eq!(retried.attempts, 1);
    // What is over keeps nothing that somebody could use.
    assert!(messages::move_on(&mut tx, first, "c4", RetryDecision::Dead, "never", 61).await.unwrap());
    assert_eq!(state(&mut tx, &ids[0]).await, ("dead".to_owned(), false, Some("never".to_owned())));
    // What was sent was sent, whoever has the lease.
    assert_eq!(messages::succeed(&mut tx, &[taken[1].seq], 62).await.unwrap(), 1);
    assert_eq!(messages::succeed(&mut tx, &[taken[1].seq, first], 62).await.unwrap(), 0);
    assert_eq!(state(&mut tx, &ids[1]).await, ("delivered".to_owned(), false, None));
    for (before, deleted) in [(61, 0), (62, 1), (1000, 1), (1000, 0)] {
        assert_eq!(messages::delete_expired(&mut tx, before, 9).await.unwrap(), deleted, "{before}");
    }
});

both!(a_message_is_withdrawn_with_its_code, async |store: Store| {
    let mut tx = store.begin().await;
    let (sent, waiting) = (
        written(&mut tx, "m1", MessageChannel::Email, 10).await,
        written(&mut tx, "m2", MessageChannel::Email, 20).await,
    );
    let other = MessageId::from("m3");
    messages::append(&mut tx, &NewMessage { about: Some("code-2"), ..message(&other, MessageChannel::Email, 30) })
        .await
        .unwrap();
    let taken = lease(&mut tx, MessageChannel::Email, "c1", 10, 1).await;
    messages::succeed(&mut tx, &[taken[0].seq], 11).await.unwrap();
    assert_eq!(messages::withdraw(&mut tx, "code-1", 40).await.unwrap(), 1);
    assert_eq!(messages::withdraw(&mut tx, "code-1", 40).await.unwrap(), 0);
    assert_eq!(messages::withdraw(&mut tx, "nothing", 40).await.unwrap(), 0);
    assert_eq!(state(&mut tx, &sent).await.0, "delivered");
    assert_eq!(state(&mut tx, &waiting).await, ("dropped".to_owned(), false, Some("withdrawn".to_owned())));
    assert_eq!(
        lease(&mut tx, MessageChannel::Email, "c2", 50, 9).await.iter().map(|one| &one.id).collect::<Vec<_>>(),
        [&other]
    );
    // One that is being sent may be sent, but is not tried again.
    assert_eq!(messages::withdraw(&mut tx, "code-2", 51).await.unwrap(), 1);
    assert!(lease(&mut tx, MessageChannel::Email, "c3", 1000, 9).await.is_empty());
});

both!(a_mailbox_has_what_is_not_sent, async |store: Store| {
    let mut tx = store.begin().await;
    written(&mut tx, "sent", MessageChannel::Email, 10).await;
    for number in 0..3 {
        let id = MessageId::from(format!("m{number}"));
        messages::append(&mut tx, &NewMessage { in_mailbox: true, ..message(&id, MessageChannel::Sms, 20 + number) })
            .await
            .unwrap();
    }
    assert_eq!(messages::next_due(&mut tx).await.unwrap(), Some(10));
    assert!(lease(&mut tx, MessageChannel::Sms, "c1", 100, 9).await.is_empty());
    let mailbox = messages::mailbox(&mut tx, 2).await.unwrap();
    assert_eq!(mailbox.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["m2", "m1"]);
    assert_eq!((mailbox[0].contents.as_deref(), mailbox[0].created_at), (Some("sealed"), 22));
    assert_eq!(messages::delete_expired(&mut tx, 22, 9).await.unwrap(), 2);
    assert_eq!(messages::mailbox(&mut tx, 9).await.unwrap().len(), 1);
});
