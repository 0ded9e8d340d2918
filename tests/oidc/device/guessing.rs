//! Guessing user codes: limited for a browser, for an address, and in all.

use super::{ask, asks_to_confirm, device, enter, entries, text};
use crate::sign_in::customer;
use claimsmith_services::tokens;
use claimsmith_storage::sessions::{attempts, known_browsers};
use claimsmith_test_support::{Answer, Browser, TestServer, both};
use std::time::Duration;

/// A code that nobody has, this time another one.
fn guess(number: usize) -> String {
    let letters = b"BCDFGHJKLMNPQRSTVWXZ";
    let at = |place: u32| char::from(letters[number / 20_usize.pow(place) % 20]);
    format!("{}{}{}BBBBBBB", at(0), at(1), at(2))
}

fn is_wrong(answer: &Answer) -> bool {
    answer.status == 422 && text(answer).contains("id=\"user_code-error\"")
}

fn is_blocked(answer: &Answer) -> bool {
    answer.status == 422 && text(answer).contains("Too many attempts") && !text(answer).contains("user_code-error")
}

both!(a_browser_guesses_ten_times, async |server: TestServer| {
    let client = device(&server).await;
    let codes = ask(&server, &client, "openid").await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    // What cannot be a code is no guess.
    for typed in ["x", "BCDFG", "1234567890", "AEIOU-AEIOU", &"B".repeat(1000)] {
        assert!(is_wrong(&enter(&browser, typed).await), "{typed}");
    }
    for number in 0..9 {
        assert!(is_wrong(&enter(&browser, &guess(number)).await), "{number}");
    }
    // A right one is no failure.
    assert!(asks_to_confirm(&enter(&browser, &codes.user_code).await));
    assert!(is_wrong(&enter(&browser, &guess(9)).await));
    assert!(is_blocked(&enter(&browser, &guess(10)).await));
    // Also the right one is refused, in this browser, and for ten minutes.
    let codes = ask(&server, &client, "openid").await;
    assert!(is_blocked(&enter(&browser, &codes.user_code).await));
    let (other, _) = server.signed_in(&[&customer(&server)]).await;
    assert!(asks_to_confirm(&enter(&other, &codes.user_code).await));
    server.clock.advance(Duration::from_mins(10));
    let codes = ask(&server, &client, "openid").await;
    assert!(asks_to_confirm(&enter(&browser, &codes.user_code).await));
    // The log has them, but not what was typed.
    let refused = entries(&server, "DeviceAuthorization.Code.Submit").await;
    let of = |code: &str| refused.iter().filter(|entry| entry["error"]["code"] == code).count();
    assert!(of("device.user_code_not_found") > 0, "{refused:?}");
    assert!(refused.iter().all(|entry| !entry.to_string().contains("BBBBBBB")));
});

both!(an_address_guesses_a_hundred_times, async |server: TestServer| {
    let client = device(&server).await;
    let codes = ask(&server, &client, "openid").await;
    // A browser that forgets its cookies is another one each time.
    for number in 0..100 {
        assert!(is_wrong(&enter(&Browser::new(&server), &guess(number)).await), "{number}");
    }
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    assert!(is_blocked(&enter(&browser, &codes.user_code).await));
    server.clock.advance(Duration::from_hours(1));
    let codes = ask(&server, &client, "openid").await;
    assert!(asks_to_confirm(&enter(&browser, &codes.user_code).await));
});

both!(everybody_together_pauses_but_whoever_is_known_and_whoever_has_not_failed, async |server: TestServer| {
    let client = device(&server).await;
    let codes = ask(&server, &client, "openid").await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    // As many as were counted, from many addresses.
    assert!(is_wrong(&enter(&browser, &guess(1)).await));
    let hash = tokens::hash("user code:all");
    let mut tx = server.begin().await;
    tx.sql("UPDATE sign_in_attempts SET failures = 498 WHERE hash = $1").bind(&hash).execute().await.unwrap();
    tx.commit().await.unwrap();
    // A right code does not count.
    assert!(asks_to_confirm(&enter(&browser, &codes.user_code).await));
    assert!(is_wrong(&enter(&browser, &guess(2)).await));
    assert!(asks_to_confirm(&enter(&browser, &codes.user_code).await));
    assert!(is_wrong(&enter(&browser, &guess(3)).await));
    assert!(is_blocked(&enter(&browser, &codes.user_code).await));
    // A browser in which somebody has signed in before goes on. One that says so is none.
    let known = Browser::new(&server);
    known.set_cookie("claimsmith-known", "a browser");
    assert!(is_blocked(&enter(&known, &codes.user_code).await));
    let mut tx = server.begin().await;
    let expires_at = server.clock.now_ms() + 86_400_000;
    known_browsers::remember(&mut tx, &tokens::hash("a browser"), &customer(&server), expires_at).await.unwrap();
    tx.commit().await.unwrap();
    assert!(!is_blocked(&enter(&known, &codes.user_code).await));
    for number in 0..10 {
        // Without the cookie of the page it is the same browser.
        let forgetful = Browser::new(&server);
        forgetful.set_cookie("claimsmith-known", "a browser");
        assert!(is_wrong(&enter(&forgetful, &guess(10 + number)).await), "{number}");
    }
    assert!(is_blocked(&enter(&known, &codes.user_code).await), "it guesses no more than others");
    // An address without failures goes on, until its first one.
    let address = tokens::hash("user code:address:127.0.0.1");
    let mut tx = server.begin().await;
    attempts::clear(&mut tx, &address).await.unwrap();
    tx.commit().await.unwrap();
    let codes = ask(&server, &client, "openid").await;
    assert!(asks_to_confirm(&enter(&browser, &codes.user_code).await));
    let stranger = Browser::new(&server);
    assert!(is_wrong(&enter(&stranger, &guess(4)).await));
    let codes = ask(&server, &client, "openid").await;
    assert!(is_blocked(&enter(&browser, &codes.user_code).await));
    server.clock.advance(Duration::from_mins(1));
    assert!(asks_to_confirm(&enter(&browser, &codes.user_code).await));
});
