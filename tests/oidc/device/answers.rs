//! What somebody says to a device, and who says it first.

use super::{INTERVAL, ask, asks_to_confirm, device, enter, entries, fill_in, poll, text};
use crate::page::PageForm;
use crate::sign_in::customer;
use claimsmith_test_support::{TestServer, both, page_of};
use std::time::Duration;
use tokio::task::JoinSet;

both!(a_device_is_told_no, async |server: TestServer| {
    let client = device(&server).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let codes = ask(&server, &client, "openid").await;
    let confirm = enter(&browser, &codes.user_code).await.expect(200);
    let denied = fill_in(&browser, &confirm, &[("decision", "deny")]).await.expect(200);
    assert!(text(&denied).contains("The device was not connected"), "{denied:?}");
    for _ in 0..2 {
        poll(&server, &client, &codes).send().await.expect_oauth_error(400, "access_denied");
        server.clock.advance(INTERVAL);
    }
    // It is not asked about again.
    enter(&browser, &codes.user_code).await.expect(422);
    let told = entries(&server, "DeviceAuthorization.Deny").await;
    assert_eq!((told.len(), &told[0]["applicationId"]), (1, &client.id.as_str().into()));
    assert_eq!(entries(&server, "ExchangeTokenBy.DeviceCode").await[0]["error"]["code"], "access_denied");
    assert_eq!(entries(&server, "DeviceAuthorization.Approve").await.len(), 0);
    // Nothing was given that could be remembered.
    let grants = server.management().await.get(&format!("/api/users/{}/grants", customer(&server))).await;
    assert_eq!(grants["grants"], serde_json::json!([]));
});

both!(nothing_but_a_yes_is_a_yes, async |server: TestServer| {
    let client = device(&server).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let codes = ask(&server, &client, "openid").await;
    let confirm = enter(&browser, &codes.user_code).await.expect(200);
    for fields in [&[][..], &[("decision", "")], &[("decision", "yes")]] {
        fill_in(&browser, &confirm, fields).await.expect(400);
    }
    // Another page, and the way of pages of one's own, which do not show the code.
    let elsewhere = browser.open("/consent").await.expect(303);
    assert_eq!(page_of(&elsewhere), "/device/confirm");
    let csrf = PageForm::of(&confirm).unwrap().fields["csrf"].clone();
    let form = [("csrf".to_owned(), csrf), ("decision".to_owned(), "allow".to_owned())];
    let posted = browser.post("/consent", &form).await.expect(303);
    assert_eq!(page_of(&posted), "/device/confirm");
    let request = server.http.post(server.url("/api/interaction/consent")).json(&serde_json::json!({}));
    browser.send(request).await.expect_api_error(400, "session.invalid_interaction_type");
    poll(&server, &client, &codes).send().await.expect_oauth_error(400, "authorization_pending");
    assert!(asks_to_confirm(&browser.open("/device/confirm").await.expect(200)));
});

both!(of_two_people_with_one_code_the_first_answers, async |server: TestServer| {
    let client = device(&server).await;
    let engineer = server.demo().engineer_user_id.clone();
    let (first, _) = server.signed_in(&[&customer(&server)]).await;
    let (second, _) = server.signed_in(&[&engineer]).await;
    let codes = ask(&server, &client, "openid").await;
    let (mine, theirs) = (enter(&first, &codes.user_code).await, enter(&second, &codes.user_code).await);
    fill_in(&first, &mine, &[("decision", "allow")]).await.expect(200);
    let late = fill_in(&second, &theirs, &[("decision", "allow")]).await.expect(400);
    assert!(text(&late).contains("This page has expired"), "{late:?}");
    let tokens = poll(&server, &client, &codes).send().await.expect(200);
    let sub = server.verify(&tokens.text("id_token"), &client.id).await.claims["sub"].clone();
    assert_eq!(sub, customer(&server).as_str());
    // Whoever came too late gave nothing.
    let grants = server.management().await.get(&format!("/api/users/{engineer}/grants")).await;
    assert_eq!(grants["grants"], serde_json::json!([]));
    assert_eq!(entries(&server, "DeviceAuthorization.Approve").await.len(), 1);
});

both!(of_twenty_answers_at_once_one_counts, async |server: TestServer| {
    let client = device(&server).await;
    let codes = ask(&server, &client, "openid").await;
    let mut asked = Vec::new();
    for _ in 0..10 {
        for decision in ["allow", "deny"] {
            let (browser, _) = server.signed_in(&[&customer(&server)]).await;
            asked.push((enter(&browser, &codes.user_code).await.expect(200), browser, decision));
        }
    }
    let mut racers = JoinSet::new();
    for (confirm, browser, decision) in asked {
        racers.spawn(async move { fill_in(&browser, &confirm, &[("decision", decision)]).await });
    }
    let answers = racers.join_all().await;
    let said = |what: &str| answers.iter().filter(|answer| text(answer).contains(what)).count();
    let told = ["Your device is connected", "The device was not connected", "This page has expired"].map(said);
    let recorded = [
        entries(&server, "DeviceAuthorization.Approve").await.len(),
        entries(&server, "DeviceAuthorization.Deny").await.len(),
    ];
    // Nobody is told of what did not happen.
    assert_eq!((recorded.iter().sum::<usize>(), recorded.to_vec(), told[2]), (1, told[..2].to_vec(), 19));
    let told = poll(&server, &client, &codes).send().await;
    if recorded[0] == 1 {
        told.expect(200);
    } else {
        told.expect_oauth_error(400, "access_denied");
    }
});

both!(an_answer_that_comes_too_late_is_none, async |server: TestServer| {
    let client = device(&server).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    for decision in ["allow", "deny"] {
        let codes = ask(&server, &client, "openid").await;
        let confirm = enter(&browser, &codes.user_code).await.expect(200);
        server.clock.advance(Duration::from_mins(10));
        let late = fill_in(&browser, &confirm, &[("decision", decision)]).await.expect(400);
        assert!(text(&late).contains("This page has expired"), "{late:?}");
        poll(&server, &client, &codes).send().await.expect_oauth_error(400, "expired_token");
    }
    for key in ["DeviceAuthorization.Approve", "DeviceAuthorization.Deny"] {
        assert_eq!(entries(&server, key).await.len(), 0, "{key}");
    }
});
