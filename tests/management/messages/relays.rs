//! E-mails by a relay: a real conversation, with STARTTLS or TLS from the start.

use super::{audited, config, connect, has_failed, server, server_with, until_queued, write, write_more};
use claimsmith_test_support::{Home, MailRelay, RelayReply, Security, both};
use serde_json::{Value, json};
use std::sync::Arc;

both!(a_relay_takes_an_email_over_tls, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    for (security, changes) in [(Security::StartTls, json!({})), (Security::Implicit, json!({ "secure": true }))] {
        let relay = MailRelay::start(security).await;
        connect(&management, "smtp", config(&relay, changes)).await;
        let id = write(&server, "Email", "ada@example.com", "123456").await;
        let [mail] = relay.wait(1).await.try_into().unwrap();
        assert_eq!((mail.from.as_str(), &mail.to), ("shop@example.com", &vec!["ada@example.com".to_owned()]));
        assert!(mail.is_encrypted);
        assert_eq!(mail.user, Some(("shop".to_owned(), "correct horse".to_owned())));
        for (name, value) in [
            ("From", "Shop <shop@example.com>"),
            ("To", "ada@example.com"),
            ("Auto-Submitted", "auto-generated"),
            ("Message-ID", &*format!("<{id}@example.com>")),
        ] {
            assert_eq!(mail.header(name), value, "{name}");
        }
        assert!(mail.data.contains("123456") && mail.header("Content-Type").starts_with("multipart/alternative"));
        let sent = until_queued(&server, &id, |found| found.state == "delivered").await;
        assert_eq!((sent.attempts, sent.contents, sent.note), (1, None, None));
        let entry = audited(&server).await.into_iter().find(|entry| entry["messageId"] == *id).unwrap();
        let expected = json!({
            "key": "Message", "result": "Success", "messageId": id, "channel": "Email",
            "recipient": "ada@example.com", "templateType": "SignIn", "attempts": 1,
        });
        assert_eq!(entry, expected);
    }
});

both!(nothing_is_told_to_whom_it_is_not_for, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let unencrypted = MailRelay::start(Security::None).await;
    let stranger = MailRelay::start(Security::StartTls).await;
    let other = MailRelay::start(Security::StartTls).await;
    let mut number = 0;
    for (relay, changes, told) in [
        // One that offers no encryption gets neither the password nor the message.
        (&unencrypted, json!({}), "STARTTLS"),
        (&unencrypted, json!({ "auth": null }), "STARTTLS"),
        // One with a certificate of nobody known, or of another name.
        (&stranger, json!({ "tls": { "ca": other.certificate() } }), "certificate"),
        (&stranger, json!({ "tls": null }), "certificate"),
        (
            &stranger,
            json!({ "tls": { "ca": stranger.certificate(), "servername": "mail.example.com" } }),
            "certificate",
        ),
    ] {
        connect(&management, "smtp", config(relay, changes.clone())).await;
        number += 1;
        let id = write(&server, "Email", &format!("ada{number}@example.com"), "123456").await;
        let failed = until_queued(&server, &id, has_failed(1)).await;
        assert!(failed.note.as_deref().unwrap_or_default().contains(told), "{changes}: {:?}", failed.note);
        claimsmith_storage::messages::withdraw(&mut server.begin().await, &id, 1).await.unwrap();
    }
    assert_eq!((unencrypted.mails(), stranger.mails()), (vec![], vec![]));
});

both!(an_operator_may_send_without_encryption, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let relay = MailRelay::start(Security::None).await;
    for (count, changes) in [(1, json!({ "ignoreTLS": true })), (2, json!({ "requireTLS": false, "auth": null }))] {
        connect(&management, "smtp", config(&relay, changes)).await;
        write(&server, "Email", "ada@example.com", "123456").await;
        let mails = relay.wait(count).await;
        assert!(!mails[count - 1].is_encrypted);
    }
    // Where it is offered, it is used.
    let relay = MailRelay::start(Security::StartTls).await;
    connect(&management, "smtp", config(&relay, json!({ "requireTLS": false, "auth": null }))).await;
    write(&server, "Email", "ada@example.com", "123456").await;
    assert!(relay.wait(1).await[0].is_encrypted);
});

both!(what_comes_before_tls_is_not_believed, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    // Somebody on the way appends an answer in the clear, for after the handshake.
    let relay = MailRelay::answering(Security::StartTls, |_, command| {
        (command == "STARTTLS").then(|| RelayReply::Say("220 go ahead\r\n250 injected".to_owned()))
    })
    .await;
    connect(&management, "smtp", config(&relay, json!({}))).await;
    let id = write(&server, "Email", "ada@example.com", "123456").await;
    until_queued(&server, &id, has_failed(1)).await;
    assert_eq!(relay.mails(), []);
});

both!(hostile_and_slow_relays_end_an_attempt, async |home: Arc<Home>| {
    let server = server_with(&home, &[("CLAIMSMITH_WEBHOOKS_TIMEOUT_MS", "200")]).await;
    let management = server.management().await;
    for (command, reply) in [
        ("", RelayReply::Hang),
        ("", RelayReply::Babble),
        ("", RelayReply::Say("<html>".to_owned())),
        ("", RelayReply::Say("554 go away".to_owned())),
        ("EHLO example.com", RelayReply::Close),
        ("EHLO example.com", RelayReply::Say("250-".repeat(10_000))),
        ("DATA", RelayReply::Hang),
        (".", RelayReply::Babble),
        (".", RelayReply::Hang),
        (".", RelayReply::Say("451 try again with correct horse 123456".to_owned())),
    ] {
        let said = reply.clone();
        let relay =
            MailRelay::answering(Security::StartTls, move |_, line| (line == command).then(|| said.clone())).await;
        connect(&management, "smtp", config(&relay, json!({}))).await;
        let id = write(&server, "Email", "ada@example.com", "123456").await;
        let failed = until_queued(&server, &id, has_failed(1)).await;
        let note = failed.note.unwrap();
        assert!(!note.contains("123456") && !note.contains("correct horse"), "{note}");
        claimsmith_storage::messages::withdraw(&mut server.begin().await, &id, 1).await.unwrap();
        assert_eq!(relay.mails(), [], "{command} {reply:?}");
    }
});

both!(a_relay_refuses_for_good_or_for_now, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    for (command, said, is_final) in [
        ("RCPT TO:<ada@example.com>", "550 no such user 123456", true),
        ("RCPT TO:<ada@example.com>", "450 try later", false),
        (".", "554 spam", true),
        ("EHLO example.com", "554 not now", false),
    ] {
        let relay = MailRelay::answering(Security::StartTls, move |_, line| {
            (line == command).then(|| RelayReply::Say(said.to_owned()))
        })
        .await;
        connect(&management, "smtp", config(&relay, json!({}))).await;
        let id = write(&server, "Email", "ada@example.com", "123456").await;
        if is_final {
            let dead = until_queued(&server, &id, |found| found.state == "dead").await;
            assert_eq!((dead.attempts, dead.due_at, &dead.contents), (1, None, &None), "{said}");
            let note = dead.note.unwrap();
            assert!(note.contains(&said[..3]) && !note.contains("123456"), "{note}");
            let entry = audited(&server).await.into_iter().find(|entry| entry["messageId"] == *id).unwrap();
            assert_eq!(entry["error"], json!({ "code": "message.given_up", "message": note }));
        } else {
            until_queued(&server, &id, has_failed(1)).await;
            claimsmith_storage::messages::withdraw(&mut server.begin().await, &id, 1).await.unwrap();
        }
    }
    // A wrong password may be corrected meanwhile.
    let relay = MailRelay::answering(Security::StartTls, |_, line| {
        line.starts_with("AUTH").then(|| RelayReply::Say("535 wrong".to_owned()))
    })
    .await;
    connect(&management, "smtp", config(&relay, json!({}))).await;
    let id = write(&server, "Email", "ada@example.com", "123456").await;
    let failed = until_queued(&server, &id, has_failed(1)).await;
    assert_eq!(failed.note.as_deref(), Some("the relay answered 535"));
});

both!(a_private_relay_has_to_be_allowed, async |home: Arc<Home>| {
    let server = server_with(&home, &[("CLAIMSMITH_EGRESS_ALLOWED_NETWORKS", "10.0.0.0/8")]).await;
    let management = server.management().await;
    let relay = MailRelay::start(Security::StartTls).await;
    for host in ["127.0.0.1", "localhost"] {
        connect(&management, "smtp", config(&relay, json!({ "host": host }))).await;
        let id = write(&server, "Email", "ada@example.com", "123456").await;
        let failed = until_queued(&server, &id, has_failed(1)).await;
        assert!(failed.note.as_deref().unwrap_or_default().contains("egress.allowed_networks"), "{:?}", failed.note);
        claimsmith_storage::messages::withdraw(&mut server.begin().await, &id, 1).await.unwrap();
    }
    assert_eq!(relay.connections(), 0);
});

both!(nothing_in_a_message_changes_its_envelope_or_headers, async |home: Arc<Home>| {
    let server = server(&home).await;
    let management = server.management().await;
    let relay = MailRelay::start(Security::StartTls).await;
    let templates = json!([{ "usageType": "SignIn", "subject": "{{application.name}}", "content": "{{user.name}}" }]);
    connect(&management, "smtp", config(&relay, json!({ "templates": templates }))).await;
    let hostile = "x\r\nBcc: eve@example.com\r\n.\r\nMAIL FROM:<eve@example.com>\r\n<script>";
    let contents: Value = json!({ "code": "1", "application": { "name": hostile }, "user": { "name": hostile } });
    write_more(&server, ("Email", "ada@example.com"), "en", contents).await;
    let [mail] = relay.wait(1).await.try_into().unwrap();
    assert_eq!((mail.from.as_str(), &mail.to), ("shop@example.com", &vec!["ada@example.com".to_owned()]));
    assert_eq!(mail.header("Bcc"), "");
    let (_, body) = mail.data.split_once("\r\n\r\n").unwrap();
    assert!(!body.contains("<script>"), "{}", mail.data);
    // An address that is none is not written to, however it came there.
    for to in ["ada@example.com>\r\nRCPT TO:<eve@example.com", "ada@example.com, eve@example.com"] {
        let id = write(&server, "Email", to, "123456").await;
        until_queued(&server, &id, |found| found.state == "dead").await;
    }
    assert_eq!(relay.mails().len(), 1);
});
