//! What ends before a device has its tokens: the session, the user, the grant, the application.

use super::{ask, asks_to_confirm, device, enter, entries, fill_in, follow, let_in, poll};
use crate::backchannel_logout::claims;
use crate::page::PageForm;
use crate::sign_in::customer;
use claimsmith_test_support::{Receiver, TestServer, both};
use serde_json::json;

both!(nothing_comes_of_a_session_that_ended_meanwhile, async |server: TestServer| {
    let (client, management) = (device(&server).await, server.management().await);
    let user = customer(&server);
    // After the device was let in.
    let (browser, ids) = server.signed_in(&[&user]).await;
    let codes = ask(&server, &client, "openid offline_access").await;
    let_in(&browser, &codes).await;
    let unanswered = ask(&server, &client, "openid").await;
    let confirm = enter(&browser, &unanswered.user_code).await.expect(200);
    management.delete(&format!("/api/users/{user}/sessions/{}", ids[0])).await.expect(204);
    poll(&server, &client, &codes).send().await.expect_oauth_error(400, "invalid_grant");
    // Before it: whoever says yes has to sign in first, and is asked again.
    let sign_in = fill_in(&browser, &confirm, &[("decision", "allow")]).await;
    assert!(!sign_in.body.as_str().unwrap().contains("is connected"), "{sign_in:?}");
    poll(&server, &client, &unanswered).send().await.expect_oauth_error(400, "authorization_pending");
    let page = follow(&browser, browser.open("/device/confirm").await).await.expect(200);
    assert!(PageForm::of(&page).unwrap().asks_for("password"), "{page:?}");
    // What a device got with offline_access lives on, as with any application.
    let (browser, ids) = server.signed_in(&[&user]).await;
    let (online, offline) =
        (ask(&server, &client, "openid").await, ask(&server, &client, "openid offline_access").await);
    let_in(&browser, &online).await;
    let_in(&browser, &offline).await;
    let online = poll(&server, &client, &online).send().await.expect(200).text("access_token");
    let offline = poll(&server, &client, &offline).send().await.expect(200);
    management.delete(&format!("/api/users/{user}/sessions/{}", ids[0])).await.expect(204);
    server.bearer(&online).get("/oidc/me").await.expect(401);
    server.bearer(&offline.text("access_token")).get("/oidc/me").await.expect(200);
    client.refresh(&server, &offline.text("refresh_token")).send().await.expect(200);
});

both!(the_application_of_a_device_is_told_of_the_end_of_the_session, async |server: TestServer| {
    let (used, unused) = (device(&server).await, device(&server).await);
    let (receiver, management) = (Receiver::start().await, server.management().await);
    for client in [&used, &unused] {
        let metadata = json!({ "redirectUris": [], "backchannelLogoutUri": receiver.url() });
        let path = format!("/api/applications/{}", client.id);
        management.patch(&path, json!({ "oidcClientMetadata": metadata })).await.expect(200);
    }
    let user = customer(&server);
    let (browser, ids) = server.signed_in(&[&user]).await;
    let (codes, never_used) = (ask(&server, &used, "openid").await, ask(&server, &unused, "openid").await);
    let_in(&browser, &codes).await;
    let_in(&browser, &never_used).await;
    poll(&server, &used, &codes).send().await.expect(200);
    management.delete(&format!("/api/users/{user}/sessions/{}", ids[0])).await.expect(204);
    let told = claims(&server, &used.id, &receiver.wait(1).await[0]).await;
    assert_eq!((told["sub"].as_str(), told["sid"].as_str()), (Some(&*user), Some(&*ids[0])));
    // The other one was let in, and got nothing of it.
    let entries = entries(&server, "BackchannelLogout").await;
    assert!(entries.iter().all(|entry| entry["applicationId"] == used.id.as_str()), "{entries:?}");
    poll(&server, &unused, &never_used).send().await.expect_oauth_error(400, "invalid_grant");
    assert_eq!(receiver.count(), 1);
});

both!(a_user_who_was_suspended_or_deleted_meanwhile_lets_nothing_in, async |server: TestServer| {
    let (client, management) = (device(&server).await, server.management().await);
    for deleted in [false, true] {
        for by_operator in [false, true] {
            let user = server.add_user().await;
            let (browser, _) = server.signed_in(&[&user]).await;
            let codes = ask(&server, &client, "openid offline_access").await;
            let_in(&browser, &codes).await;
            let waiting = ask(&server, &client, "openid").await;
            let confirm = enter(&browser, &waiting.user_code).await.expect(200);
            match (deleted, by_operator) {
                (false, false) => server.set_suspended(&user, true).await,
                (true, false) => server.delete_user(&user).await,
                (false, true) => {
                    let body = serde_json::json!({ "isSuspended": true });
                    drop(management.patch(&format!("/api/users/{user}/is-suspended"), body).await.expect(200));
                }
                (true, true) => drop(management.delete(&format!("/api/users/{user}")).await.expect(204)),
            }
            poll(&server, &client, &codes).send().await.expect_oauth_error(400, "invalid_grant");
            fill_in(&browser, &confirm, &[("decision", "allow")]).await;
            let told = poll(&server, &client, &waiting).send().await;
            told.expect_oauth_error(400, "authorization_pending");
            if !deleted {
                server.set_suspended(&user, false).await;
                let again = poll(&server, &client, &codes).send().await;
                // By the operator everything ended for good.
                assert_eq!(again.status, if by_operator { 400 } else { 200 }, "{again:?}");
            }
        }
    }
});

both!(a_grant_that_was_taken_back_meanwhile_gives_nothing, async |server: TestServer| {
    let client = device(&server).await;
    let (user, management) = (customer(&server), server.management().await);
    let (browser, _) = server.signed_in(&[&user]).await;
    let codes = ask(&server, &client, "openid").await;
    let_in(&browser, &codes).await;
    let path = format!("/api/users/{user}/grants");
    let grant = management.get(&path).await.expect(200)["grants"][0]["id"].as_str().unwrap().to_owned();
    management.delete(&format!("{path}/{grant}")).await.expect(204);
    poll(&server, &client, &codes).send().await.expect_oauth_error(400, "invalid_grant");
});

both!(an_application_that_is_gone_takes_its_devices_along, async |server: TestServer| {
    let client = device(&server).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let (entered, waiting) = (ask(&server, &client, "openid").await, ask(&server, &client, "openid").await);
    let confirm = enter(&browser, &entered.user_code).await.expect(200);
    assert!(asks_to_confirm(&confirm));
    server.delete_application(&client.id).await;
    poll(&server, &client, &entered).send().await.expect_oauth_error(401, "invalid_client");
    fill_in(&browser, &confirm, &[("decision", "allow")]).await.expect(400);
    enter(&browser, &waiting.user_code).await.expect(422);
});
