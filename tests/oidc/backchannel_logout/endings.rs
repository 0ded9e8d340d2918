//! Which ends are told, and to whom.

use super::{SignedInUser, client_told_at, client_with, expect_told, queue, told_application};
use crate::sign_in::Client;
use claimsmith_domain::documents::application::CustomClientMetadata;
use claimsmith_test_support::{Receiver, TestServer, both};
use serde_json::{Value, json};
use std::time::Duration;

/// What ends a sign-in.
#[derive(Clone, Copy, Debug)]
enum Way {
    SignOut,
    ConfirmedSignOut,
    EndOfSession,
    Suspension,
    Password,
    Deletion,
    Revocation,
}

const WAYS: [Way; 7] = [
    Way::SignOut,
    Way::ConfirmedSignOut,
    Way::EndOfSession,
    Way::Suspension,
    Way::Password,
    Way::Deletion,
    Way::Revocation,
];

async fn end(server: &TestServer, person: &SignedInUser, id_token: &str, way: Way) {
    let management = server.management().await;
    let user = format!("/api/users/{}", person.id);
    match way {
        Way::SignOut => person.sign_out(id_token).await,
        Way::ConfirmedSignOut => {
            let page = person.browser.open("/oidc/session/end").await.expect(200);
            let html = page.body.as_str().unwrap();
            let csrf = html.split_once("name=\"csrf\" value=\"").unwrap().1.split_once('"').unwrap().0;
            let form = [("confirm".to_owned(), "true".to_owned()), ("csrf".to_owned(), csrf.to_owned())];
            person.browser.post("/oidc/session/end", &form).await.expect(303);
        }
        Way::EndOfSession => {
            management.delete(&format!("{user}/sessions/{}", person.session_id)).await.expect(204);
        }
        Way::Suspension => {
            management.patch(&format!("{user}/is-suspended"), json!({ "isSuspended": true })).await.expect(200);
        }
        Way::Password => {
            management.patch(&format!("{user}/password"), json!({ "password": "violet-kettle-42" })).await.expect(200);
        }
        Way::Deletion => {
            management.delete(&user).await.expect(204);
        }
        Way::Revocation => {
            let grants = management.get(&format!("{user}/grants")).await.expect(200);
            let [grant] = grants["grants"].as_array().unwrap().as_slice() else { panic!("{:#}", grants.body) };
            management.delete(&format!("{user}/grants/{}", grant["id"].as_str().unwrap())).await.expect(204);
        }
    }
}

both!(every_end_of_a_sign_in_is_told, async |server: TestServer| {
    let (client, receiver) = told_application(&server).await;
    for (index, way) in WAYS.into_iter().enumerate() {
        let person = SignedInUser::new(&server).await;
        let id_token = person.use_application(&server, &client).await.text("id_token");
        assert_eq!(receiver.count(), index, "before {way:?}");
        end(&server, &person, &id_token, way).await;
        let told = receiver.wait(index + 1).await;
        expect_told(&server, &client, &person, &told[index]).await;
        assert_eq!(queue(&server).await.len(), index + 1, "once: {way:?}");
        // Only a grant was taken back there: the person is still signed in.
        assert_eq!(person.is_signed_in(&client).await, matches!(way, Way::Revocation), "{way:?}");
    }
});

both!(a_grant_that_gives_way_to_a_newer_one_is_told, async |server: TestServer| {
    let receiver = Receiver::start().await;
    let metadata = CustomClientMetadata { max_allowed_grants: Some(1), ..CustomClientMetadata::default() };
    let client = client_with(&server, Some(&receiver.url()), metadata).await;
    let first = SignedInUser::new(&server).await;
    first.use_application(&server, &client).await;
    server.clock.advance(Duration::from_secs(1));
    let second = SignedInUser::again(&server, &first.id).await;
    second.use_application(&server, &client).await;
    let told = receiver.wait(1).await;
    expect_told(&server, &client, &first, &told[0]).await;
    assert_eq!(queue(&server).await.len(), 1);
});

both!(of_several_applications_those_of_the_session_are_told, async |server: TestServer| {
    let (shop, of_shop) = told_application(&server).await;
    let (forum, of_forum) = told_application(&server).await;
    let (news, of_news) = told_application(&server).await;
    let silent = client_with(&server, None, CustomClientMetadata::default()).await;
    let person = SignedInUser::new(&server).await;
    let id_token = person.use_application(&server, &shop).await.text("id_token");
    // Twice in one session is one sign-in.
    person.use_application(&server, &forum).await;
    person.use_application(&server, &forum).await;
    person.use_application(&server, &silent).await;
    // This one got a code and never used it, so it knows nothing of the session.
    let unused = news.code(&person.browser, "openid", &[]).await;
    // Another session of the same person, and one of somebody else.
    let elsewhere = SignedInUser::again(&server, &person.id).await;
    elsewhere.use_application(&server, &shop).await;
    SignedInUser::new(&server).await.use_application(&server, &news).await;

    person.sign_out(&id_token).await;
    expect_told(&server, &shop, &person, &of_shop.wait(1).await[0]).await;
    expect_told(&server, &forum, &person, &of_forum.wait(1).await[0]).await;
    let told: Vec<String> = queue(&server).await.into_iter().map(|one| one.application_id).collect();
    let expected = [&shop, &forum].map(|client: &Client| client.id.to_string());
    assert!(told.len() == 2 && expected.iter().all(|id| told.contains(id)), "{told:?}");
    assert_eq!((of_shop.count(), of_forum.count(), of_news.count()), (1, 1, 0));
    news.exchange(&server, &unused).send().await.expect_oauth_error(400, "invalid_grant");

    // What was told is not told again; the session that is left is.
    let path = format!("/api/users/{}/is-suspended", person.id);
    server.management().await.patch(&path, json!({ "isSuspended": true })).await.expect(200);
    expect_told(&server, &shop, &elsewhere, &of_shop.wait(2).await[1]).await;
    assert_eq!(queue(&server).await.len(), 3);
});

both!(what_ended_is_told_once, async |server: TestServer| {
    let (client, receiver) = told_application(&server).await;
    let person = SignedInUser::new(&server).await;
    let id_token = person.use_application(&server, &client).await.text("id_token");
    for way in [Way::SignOut, Way::Password, Way::Suspension, Way::Deletion] {
        if matches!(way, Way::SignOut) {
            end(&server, &person, &id_token, way).await;
            person.sign_out(&id_token).await;
        } else {
            end(&server, &person, "", way).await;
        }
    }
    receiver.wait(1).await;
    assert_eq!(queue(&server).await.len(), 1);
    // The same where nobody signed out before.
    let person = SignedInUser::new(&server).await;
    person.use_application(&server, &client).await;
    for way in [Way::Password, Way::Suspension, Way::Deletion] {
        end(&server, &person, "", way).await;
    }
    receiver.wait(2).await;
    assert_eq!((queue(&server).await.len(), receiver.count()), (2, 2));
});

both!(what_ends_no_sign_in_is_not_told, async |server: TestServer| {
    let (client, receiver) = told_application(&server).await;
    let person = SignedInUser::new(&server).await;
    let code = client.code(&person.browser, "openid offline_access", &[]).await;
    let tokens = client.exchange(&server, &code).send().await.expect(200);
    let management = server.management().await;
    let user = format!("/api/users/{}", person.id);
    management.patch(&user, json!({ "name": "Ada" })).await.expect(200);
    management.patch(&format!("{user}/is-suspended"), json!({ "isSuspended": false })).await.expect(200);
    // The application's own doing.
    let refresh_token = tokens.text("refresh_token");
    client.refresh(&server, &refresh_token).send().await.expect(200);
    client.exchange(&server, &code).send().await.expect_oauth_error(400, "invalid_grant");
    let revocation = server.form("/oidc/token/revocation").with("token", &tokens.text("access_token"));
    client.prove(revocation).send().await.expect(200);
    // Those that nobody ended: a bad hint, another person's, a question without an answer.
    let other = SignedInUser::new(&server).await;
    person.browser.open("/oidc/session/end?id_token_hint=made-up").await.expect(200);
    person.browser.open("/oidc/session/end").await.expect(200);
    let hint = other.use_application(&server, &client).await.text("id_token");
    person.browser.open(&format!("/oidc/session/end?id_token_hint={hint}")).await.expect(200);
    let elsewhere = format!("{user}/sessions/{}", other.session_id);
    management.delete(&elsewhere).await.expect_api_error(404, "oidc.session_not_found");
    assert!(person.is_signed_in(&client).await);
    assert_eq!((queue(&server).await, receiver.count()), (Vec::new(), 0));
});

both!(an_application_that_is_gone_hinders_nobody, async |server: TestServer| {
    let gone = client_told_at(&server, "https://gone.example.com/logout").await;
    let (client, receiver) = told_application(&server).await;
    let person = SignedInUser::new(&server).await;
    person.use_application(&server, &gone).await;
    let id_token = person.use_application(&server, &client).await.text("id_token");
    server.management().await.delete(&format!("/api/applications/{}", gone.id)).await.expect(204);
    person.sign_out(&id_token).await;
    receiver.wait(1).await;
    let left = queue(&server).await;
    assert_eq!((left.len(), left[0].application_id.as_str()), (1, client.id.as_str()));
    // And one that goes while it is to be told takes that along.
    server.management().await.delete(&format!("/api/applications/{}", client.id)).await.expect(204);
    assert_eq!(queue(&server).await, Vec::new());
    let _: Value = server.management().await.get("/api/logs").await.expect(200).body;
});
