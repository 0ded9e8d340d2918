//! Attacks on the confirmation: a sealed form of another person, page or session, sent twice, too late, too large or
//! from another site; guesses; and a role that was taken away in the meantime.

use crate::COOKIE;
use crate::confirm::{answer, delete, entries, is_there, stale, victim};
use claimsmith_domain::console::ConsoleRole::{Admin, Read};
use claimsmith_test_support::{CONSOLE_PASSWORD, TestServer, both};
use serde_json::json;
use std::time::Duration;

/// The key of the audit entry of a rotated signing key.
const ROTATED: &str = "Management.Config.SigningKey.Rotate";
const PASSWORD: (&str, &str) = ("confirm.password", CONSOLE_PASSWORD);

both!(a_form_is_carried_out_once, async |server: TestServer| {
    let (_, browser) = stale(&server, "ada").await;
    let path = "/console/keys/rotate";
    let page = browser.visit(&format!("{path}?algorithm=ES256")).await.expect(200);
    let asked = browser.fill_in(&page, path, &[("algorithm", "ES256")]).await.expect(403);
    answer(&browser, &asked, path, &[PASSWORD]).await.expect(303);
    assert_eq!(entries(&server, ROTATED).await, 1);
    // Again in the session that was renewed, with and without the password, and when it is stale again.
    for minutes in [0, 0, 11] {
        server.clock.advance(Duration::from_mins(minutes));
        for fields in [&[][..], &[PASSWORD]] {
            let again = answer(&browser, &asked, path, fields).await;
            assert!([403, 409].contains(&again.status), "{}", again.body);
        }
    }
    assert_eq!(entries(&server, ROTATED).await, 1);

    // Of many at once, one is carried out.
    let (path, bob) = victim(&server, "bob").await;
    let asked = delete(&browser, &path, "bob").await.expect(403);
    let before = entries(&server, "Console.Confirm").await;
    let sent = async || answer(&browser, &asked, &path, &[PASSWORD]).await.status;
    let (one, two, three) = tokio::join!(sent(), sent(), sent());
    let done = [one, two, three].into_iter().filter(|status| *status == 303).count();
    assert_eq!(done, 1, "{one} {two} {three}");
    assert!(!is_there(&server, &bob).await);
    assert_eq!(entries(&server, "Console.Confirm").await, before + 1);
});

both!(a_form_belongs_to_its_person_its_page_and_its_session, async |server: TestServer| {
    let (_, ada) = stale(&server, "ada").await;
    server.operator("eve", &[Admin]).await;
    let eve = server.at_console("eve").await;
    let (path, bob) = victim(&server, "bob").await;
    let (other, carol) = victim(&server, "carol").await;
    let asked = delete(&ada, &path, "bob").await.expect(403);
    let sealed = asked.hidden("confirm.form");

    // Another person, whose sign-in is recent, and is not.
    let csrf = eve.visit("/console").await.expect(200).hidden("csrf");
    for minutes in [0, 11] {
        server.clock.advance(Duration::from_mins(minutes));
        let form = [("confirm.form", &*sealed), ("csrf", &*csrf), PASSWORD];
        let refused = eve.submit(&path, &form).await.expect(409);
        assert!(!refused.html().contains("value=\"bob\""), "{}", refused.body);
    }
    let asked = delete(&ada, &path, "bob").await.expect(403);
    // Another page.
    answer(&ada, &asked, &other, &[PASSWORD]).await.expect(409);
    answer(&ada, &asked, &format!("{path}?x=1"), &[PASSWORD]).await.expect(409);
    // What is no seal, or was changed.
    let sealed = asked.hidden("confirm.form");
    let changed = format!("{}{}", &sealed[..sealed.len() - 4], "AAAA");
    let csrf = asked.hidden("csrf");
    for wrong in ["", "x", "AAAA", &changed] {
        let refused = ada.submit(&path, &[("confirm.form", wrong), ("csrf", &*csrf), PASSWORD]).await;
        assert_eq!(refused.status, 409, "{wrong} {}", refused.body);
    }
    // Another session of the same person asks again, and says what it would send.
    let again = server.at_console("ada").await;
    let csrf = again.visit("/console").await.expect(200).hidden("csrf");
    let shown = again.submit(&path, &[("confirm.form", &*sealed), ("csrf", &*csrf), PASSWORD]).await.expect(403);
    assert!(shown.html().contains("An old form") && shown.html().contains("value=\"bob\""), "{}", shown.body);
    for id in [&bob, &carol] {
        assert!(is_there(&server, id).await);
    }
    assert_eq!(entries(&server, "Console.Confirm").await, 0);
    again.fill_in(&shown, &path, &[("name", "bob")]).await.expect(303);
});

both!(no_other_site_confirms_anything, async |server: TestServer| {
    let (_, ada) = stale(&server, "ada").await;
    let (path, bob) = victim(&server, "bob").await;
    let asked = delete(&ada, &path, "bob").await.expect(403);
    let (sealed, csrf) = (asked.hidden("confirm.form"), asked.hidden("csrf"));
    let form = [("confirm.form", &*sealed), ("csrf", &*csrf), PASSWORD];
    for site in ["cross-site", "same-site", "none"] {
        ada.send(ada.form(&path, &form).header("sec-fetch-site", site)).await.expect(403);
    }
    for token in ["", "x"] {
        let shown = ada.submit(&path, &[("confirm.form", &*sealed), ("csrf", token), PASSWORD]).await.expect(403);
        assert!(shown.html().contains("An old form"), "{}", shown.body);
    }
    assert!(is_there(&server, &bob).await && entries(&server, "Console.Confirm").await == 0);
    ada.submit(&path, &form).await.expect(303);
});

both!(a_form_waits_for_ten_minutes_and_is_asked_for_again, async |server: TestServer| {
    let (_, ada) = stale(&server, "ada").await;
    let (path, bob) = victim(&server, "bob").await;
    let asked = delete(&ada, &path, "bob").await.expect(403);
    server.clock.advance(Duration::from_mins(10));
    let late = answer(&ada, &asked, &path, &[PASSWORD]).await.expect(403);
    assert!(late.html().contains("open for too long") && is_there(&server, &bob).await, "{}", late.body);
    answer(&ada, &late, &path, &[PASSWORD]).await.expect(303);
    assert!(!is_there(&server, &bob).await);

    // When the session itself has ended, the form waits for the sign-in; the password is on no page.
    server.clock.advance(Duration::from_mins(11));
    let (path, carol) = victim(&server, "carol").await;
    let asked = delete(&ada, &path, "carol").await.expect(403);
    server.clock.advance(Duration::from_mins(31));
    let kept = answer(&ada, &asked, &path, &[PASSWORD]).await.expect(401);
    assert!(kept.html().contains("name=\"confirm.form\"") && !kept.html().contains(CONSOLE_PASSWORD), "{}", kept.body);
    ada.sign_in_at("/console", "ada", CONSOLE_PASSWORD).await.expect(200);
    let shown = ada.submit(&path, &[("confirm.form", &*kept.hidden("confirm.form"))]).await.expect(403);
    assert!(shown.html().contains("An old form") && is_there(&server, &carol).await, "{}", shown.body);
    ada.fill_in(&shown, &path, &[("name", "carol")]).await.expect(303);
    assert!(!is_there(&server, &carol).await);
});

both!(what_is_too_large_is_not_kept, async |server: TestServer| {
    let (_, ada) = stale(&server, "ada").await;
    let (path, bob) = victim(&server, "bob").await;
    let page = ada.visit(&path).await.expect(200);
    for (bytes, is_kept) in [(3 << 20, true), (5 << 20, false)] {
        let large = "x".repeat(bytes);
        let asked = ada.fill_in(&page, &path, &[("name", "bob"), ("more", &*large)]).await.expect(403);
        assert_eq!(asked.html().contains("name=\"confirm.form\""), is_kept, "{bytes}");
        if is_kept {
            answer(&ada, &asked, &path, &[("confirm.password", "wrong")]).await.expect(422);
        } else {
            assert!(asked.html().contains("too large") && asked.html().contains("/console/step-up?"));
        }
    }
    assert!(is_there(&server, &bob).await);
});

both!(guesses_lock_the_confirmation, async |server: TestServer| {
    let (_, ada) = stale(&server, "ada").await;
    let (path, bob) = victim(&server, "bob").await;
    let asked = delete(&ada, &path, "bob").await.expect(403);
    for guess in 1..=10 {
        let refused = answer(&ada, &asked, &path, &[("confirm.password", "wrong")]).await;
        assert_eq!(refused.status, if guess < 10 { 422 } else { 429 }, "{guess} {}", refused.body);
    }
    let locked = answer(&ada, &asked, &path, &[PASSWORD]).await.expect(429);
    assert!(locked.html().contains("Too many failed attempts") && is_there(&server, &bob).await, "{}", locked.body);
    assert_eq!(entries(&server, "Account.Identifier.Lockout").await, 1);
    assert_eq!(entries(&server, "Console.Confirm").await, 0);
    // The lock ends by time, or when another administrator unlocks the user.
    let unlock = json!({ "targetType": "User", "targets": ["ada"] });
    server.management().await.post("/api/sentinel-activities/delete", unlock).await.expect(204);
    answer(&ada, &asked, &path, &[PASSWORD]).await.expect(303);
    assert!(!is_there(&server, &bob).await);
});

both!(a_role_that_was_taken_away_confirms_nothing, async |server: TestServer| {
    server.operator("root", &[Admin]).await;
    let (id, ada) = stale(&server, "ada").await;
    let (path, bob) = victim(&server, "bob").await;
    let asked = delete(&ada, &path, "bob").await.expect(403);
    server.hold(&id, &[Read]).await;
    let refused = answer(&ada, &asked, &path, &[PASSWORD]).await.expect(403);
    assert!(refused.html().contains("Not for your role"), "{}", refused.body);
    assert!(is_there(&server, &bob).await);
    server.hold(&id, &[]).await;
    answer(&ada, &asked, &path, &[PASSWORD]).await.expect(403);
    assert!(is_there(&server, &bob).await && ada.cookie(COOKIE).is_none());
});

both!(whoever_is_suspended_confirms_nothing, async |server: TestServer| {
    server.operator("root", &[Admin]).await;
    let (id, ada) = stale(&server, "ada").await;
    let (path, bob) = victim(&server, "bob").await;
    let asked = delete(&ada, &path, "bob").await.expect(403);
    let suspend = format!("/api/users/{id}/is-suspended");
    server.management().await.patch(&suspend, json!({ "isSuspended": true })).await.expect(200);
    let ended = answer(&ada, &asked, &path, &[PASSWORD]).await;
    assert!([401, 303].contains(&ended.status), "{}", ended.body);
    assert!(is_there(&server, &bob).await);
});
