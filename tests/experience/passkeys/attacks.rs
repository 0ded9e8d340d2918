//! What proves nothing: another origin or relying party, a copied authenticator, an answer that was used, the question of
//! another interaction, the passkey of somebody else, and nobody who was verified. Nor does what is nested too deeply.

use super::{REFUSED, authenticator, give};
use crate::browser::{Browser, PASSWORD, settings, user};
use crate::factors::amr;
use claimsmith_storage::users;
use claimsmith_test_support::{Authenticator, Home, TestServer, both, on_postgres, until};
use data_encoding::BASE64URL_NOPAD;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::task::JoinSet;

async fn allowed(server: &TestServer) {
    let change = json!({
        "mfa": { "policy": "UserControlled", "factors": ["WebAuthn"] }, "passkeySignIn": { "enabled": true },
        "sentinelPolicy": { "maxAttempts": 100 },
    });
    settings(server, change).await;
}

both!(wrong_answers_are_refused, async |server: TestServer| {
    allowed(&server).await;
    user(&server, "ada").await;
    user(&server, "mallory").await;
    let mut passkey = give(&server, "ada").await;
    let mut other = give(&server, "mallory").await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let (id, options) = browser.ask_for_factor().await;
    let mut wrong = Vec::new();
    for origin in ["https://evil.example.com", "http://localhost:1", "http://localhost.evil.example.com:3001"] {
        let mut elsewhere = passkey.clone();
        elsewhere.origin = origin.to_owned();
        wrong.push(elsewhere.get(&options));
    }
    let mut party = passkey.clone();
    party.relying_party = "evil.example.com".to_owned();
    wrong.push(party.get(&options));
    let mut unverified = passkey.clone();
    unverified.flags = 0x01;
    wrong.push(unverified.get(&options));
    let mut cloned = passkey.clone();
    cloned.counter = 0;
    wrong.push(cloned.get(&options));
    let mut stale = passkey.clone();
    stale.counter -= 1;
    wrong.push(stale.get(&options));
    wrong.push(other.get(&options));
    let mut unknown = authenticator(&server);
    unknown.create(&options);
    wrong.push(unknown.get(&options));
    let mut forged = passkey.clone().get(&options);
    forged["response"]["signature"] = other.get(&options)["response"]["signature"].clone();
    wrong.push(forged);
    let mut handle = passkey.clone().get(&options);
    handle["response"]["userHandle"] = other.get(&options)["response"]["userHandle"].clone();
    wrong.push(handle);
    let mut challenge = options.clone();
    challenge["challenge"] = json!("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    wrong.push(passkey.clone().get(&challenge));
    wrong.extend([json!({}), json!({ "rawId": 7 }), json!({ "rawId": passkey.id(), "response": {} })]);
    for (index, payload) in wrong.into_iter().enumerate() {
        let answer = browser.prove_factor(&id, payload).await;
        assert_eq!((answer.status, answer["code"].as_str()), (400, Some(REFUSED)), "{index}: {answer:?}");
    }
    let right = passkey.get(&options);
    browser.prove_factor(&id, right.clone()).await.expect(200);
    // Twice, and in another browser.
    browser.prove_factor(&id, right.clone()).await.expect_api_error(400, "session.mfa.pending_info_not_found");
    let mut second = Browser::new(&server).await;
    second.identified("ada").await;
    second.prove_factor(&id, right.clone()).await.expect_api_error(404, "session.verification_session_not_found");
    let (own, _) = second.ask_for_factor().await;
    second.prove_factor(&own, right.clone()).await.expect_api_error(400, REFUSED);
    second.start("SignIn").await.expect(204);
    second
        .prove_sign_in(None, right.clone())
        .await
        .expect_api_error(400, "session.passkey_sign_in.pending_info_not_found");
    second.preflight().await;
    second.prove_sign_in(None, right).await.expect_api_error(400, REFUSED);
});

/// JSON texts, each within the other by the name that `serde_json` keeps for that, and escaped so that each level adds
/// only a little to the length: 27,600 arrays in 600 KB, more than a stack has room for.
fn within_each_other() -> String {
    (0..230).fold("1".to_owned(), |inner, _| {
        let text = format!("{}{inner}{}", "[".repeat(120), "]".repeat(120));
        let escaped = text.replace('\\', r"\u005c").replace('"', r"\u0022");
        format!(r#"{{"$serde_json::private::RawValue":"{escaped}"}}"#)
    })
}

both!(client_data_and_attestations_are_bounded_in_depth, async |server: TestServer| {
    allowed(&server).await;
    user(&server, "ada").await;
    user(&server, "eve").await;
    let passkey = give(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let arrays = format!("{}{}", "[".repeat(100), "]".repeat(100));
    for text in [within_each_other(), arrays] {
        // It stands beside what is expected, so that nothing else is wrong with it.
        let deep = |right: &Value| {
            let data = right["response"]["clientDataJSON"].as_str().unwrap();
            let data = String::from_utf8(BASE64URL_NOPAD.decode(data.as_bytes()).unwrap()).unwrap();
            let data = data.replacen('{', &format!(r#"{{"more":{text},"#), 1);
            let mut wrong = right.clone();
            wrong["response"]["clientDataJSON"] = BASE64URL_NOPAD.encode(data.as_bytes()).into();
            wrong
        };
        // By somebody who is not signed in, and knows the id of a passkey.
        let options = browser.preflight().await;
        let answer = browser.prove_sign_in(None, deep(&passkey.clone().get(&options))).await;
        answer.expect_api_error(400, REFUSED);

        let mut own = Browser::new(&server).await;
        own.identified("eve").await;
        let (id, options) = own.ask_for_new().await;
        let right = authenticator(&server).create(&options);
        own.confirm_new(&id, deep(&right)).await.expect_api_error(400, REFUSED);
        let mut wrong = right.clone();
        wrong["response"]["attestationObject"] = BASE64URL_NOPAD.encode(&vec![0x81; 100_000]).into();
        own.confirm_new(&id, wrong).await.expect_api_error(400, REFUSED);
        own.confirm_new(&id, right).await.expect(200);
    }
});

both!(nobody_takes_the_passkey_of_somebody_else, async |server: TestServer| {
    allowed(&server).await;
    user(&server, "ada").await;
    user(&server, "mallory").await;
    let passkey = give(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.identified("mallory").await;
    let (id, options) = browser.ask_for_new().await;
    let mut same = passkey.clone();
    browser.confirm_new(&id, same.create(&options)).await.expect_api_error(400, REFUSED);
    // Ada's passkey where Mallory's was asked for.
    let mut named = Browser::new(&server).await;
    named.start("SignIn").await.expect(204);
    for name in ["mallory", "nobody"] {
        let whose = json!({ "identifier": { "type": "username", "value": name } });
        let asked = named.post("/verification/sign-in-passkey/authentication", whose).await.expect(200);
        let answer = passkey.clone().get(&asked["authenticationOptions"]);
        let id = asked.text("verificationId");
        named.prove_sign_in(Some(&id), answer).await.expect_api_error(400, REFUSED);
    }
    // Nor is a password's owner another passkey's.
    let mut both = Browser::new(&server).await;
    both.identified("mallory").await;
    let options = both.preflight().await;
    let verified = both.prove_sign_in(None, passkey.clone().get(&options)).await.expect(200);
    both.identify(&verified).await.expect_api_error(409, "session.identity_conflict");
});

both!(of_copies_of_a_passkey_at_once_one_counts, async |server: TestServer| {
    allowed(&server).await;
    user(&server, "ada").await;
    let passkey = give(&server, "ada").await;
    let mut uses = JoinSet::new();
    for _ in 0..8 {
        let mut browser = Browser::new(&server).await;
        browser.start("SignIn").await.expect(204);
        let options = browser.preflight().await;
        // Each shows the same counter.
        let answer = passkey.clone().get(&options);
        uses.spawn(async move { browser.prove_sign_in(None, answer).await.status });
    }
    let mut statuses = uses.join_all().await;
    statuses.sort_unstable();
    assert_eq!(statuses[0], 200);
    assert!(statuses[1..].iter().all(|status| [400, 409].contains(status)), "{statuses:?}");
});

#[derive(claimsmith_storage::Row)]
struct Waiting {
    count: i64,
}

on_postgres!(of_copies_that_were_verified_at_once_the_second_sees_the_first, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[]).await.unwrap();
    allowed(&server).await;
    let id = user(&server, "ada").await;
    let passkey = give(&server, "ada").await;
    // Both are verified before either of them is kept.
    let mut held = server.begin().await;
    users::find_to_change(&mut held, &id.as_str().into()).await.unwrap();
    let mut uses = JoinSet::new();
    for _ in 0..2 {
        let mut browser = Browser::new(&server).await;
        browser.start("SignIn").await.expect(204);
        let options = browser.preflight().await;
        let answer = passkey.clone().get(&options);
        uses.spawn(async move { browser.prove_sign_in(None, answer).await.status });
    }
    until("both wait for the user", async || {
        let sql = "SELECT COUNT(*) AS count FROM pg_stat_activity \
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let waiting: Waiting = server.begin().await.sql(sql).one().await.unwrap();
        (waiting.count == 2).then_some(())
    })
    .await;
    held.commit().await.unwrap();
    let mut statuses = uses.join_all().await;
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
});

both!(a_passkey_that_was_taken_away_signs_nobody_in, async |server: TestServer| {
    allowed(&server).await;
    let id = user(&server, "ada").await;
    user(&server, "mallory").await;
    let mut passkey = give(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let options = browser.preflight().await;
    let verified = browser.prove_sign_in(None, passkey.get(&options)).await.expect(200);
    browser.identify(&verified).await.expect(204);
    // Whatever else was proved in the interaction.
    browser.verify("mallory", PASSWORD).await.expect(200);
    let path = format!("/api/users/{id}/mfa-verifications");
    let factor = server.management().await.get(&path).await.expect(200).body[0]["id"].as_str().unwrap().to_owned();
    server.management().await.delete(&format!("{path}/{factor}")).await.expect(204);
    for skipped in ["passkey-skipped", "mfa-skipped"] {
        browser.post(&format!("/profile/mfa/{skipped}"), Value::Null).await.expect(204);
    }
    browser.submit().await.expect_api_error(400, "session.verification_failed");
    assert_eq!(browser.session, None);
});

both!(whoever_proves_a_password_and_a_passkey_is_told_to_have_proved_both, async |server: TestServer| {
    allowed(&server).await;
    user(&server, "ada").await;
    let mut passkey = give(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let options = browser.preflight().await;
    let verified = browser.prove_sign_in(None, passkey.get(&options)).await.expect(200);
    browser.identify(&verified).await.expect(204);
    browser.submit().await.expect(200);
    assert_eq!(amr(&server, &browser).await, ["pwd", "hwk", "user", "mfa"]);
});

both!(a_suspended_user_has_no_passkey_to_get_in_with, async |server: TestServer| {
    allowed(&server).await;
    let id = user(&server, "ada").await;
    let mut passkey = give(&server, "ada").await;
    let path = format!("/api/users/{id}/is-suspended");
    server.management().await.patch(&path, json!({ "isSuspended": true })).await.expect(200);
    let mut browser = Browser::new(&server).await;
    browser.start("SignIn").await.expect(204);
    let options = browser.preflight().await;
    let verified = browser.prove_sign_in(None, passkey.get(&options)).await.expect(200);
    browser.identify(&verified).await.expect_api_error(401, "user.suspended");
    let state: Value = browser.state().await;
    assert!(!state.to_string().contains("challenge"), "{state}");
});

both!(a_passkey_without_a_counter_answers_each_question_once, async |server: TestServer| {
    allowed(&server).await;
    user(&server, "ada").await;
    let mut passkey = Authenticator::synced(&server.report.base_url);
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    browser.make_passkey(&mut passkey).await;
    browser.submit().await.expect(200);
    browser.authorize(&server).await;
    browser.start("SignIn").await.expect(204);
    let options = browser.preflight().await;
    let answer = passkey.get(&options);
    browser.prove_sign_in(None, answer.clone()).await.expect(200);
    let replayed = browser.prove_sign_in(None, answer).await;
    replayed.expect_api_error(400, "session.passkey_sign_in.pending_info_not_found");
});

both!(a_passkey_is_no_factor_beside_a_password_once_signing_in_with_one_is_off, async |server: TestServer| {
    allowed(&server).await;
    user(&server, "ada").await;
    let mut passkey = give(&server, "ada").await;
    let mut browser = Browser::new(&server).await;
    browser.identified("ada").await;
    let options = browser.preflight().await;
    let verified = browser.prove_sign_in(None, passkey.get(&options)).await.expect(200);
    browser.identify(&verified).await.expect(204);
    settings(&server, json!({ "passkeySignIn": { "enabled": false } })).await;
    browser.submit().await.expect_api_error(400, "session.verification_failed");
    assert_eq!(browser.session, None);
});
