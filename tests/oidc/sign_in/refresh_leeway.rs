//! Refresh tokens that are shown again: two tabs, lost answers and thieves. Rotation is idempotent within a leeway, and a
//! token that comes later ends its family, and nothing else.

use super::refresh_tokens::first;
use super::{Client, client, client_with, customer};
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_identity::retention;
use claimsmith_services::tokens;
use claimsmith_storage::sessions::{refresh_families, refresh_tokens};
use claimsmith_test_support::{Answer, Form, TestServer, both};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::task::JoinSet;

const OFFLINE: &str = "openid offline_access";
/// Longer than the leeway of an application that chose none.
const LATER: Duration = Duration::from_secs(4);

/// An application with this leeway.
async fn with_leeway(server: &TestServer, seconds: Option<u32>) -> Client {
    let metadata = CustomClientMetadata { refresh_token_leeway_in_seconds: seconds, ..CustomClientMetadata::default() };
    client_with(server, ApplicationType::Native, metadata, false).await
}

/// The first refresh token of somebody who signs in.
async fn begin(server: &TestServer, client: &Client) -> String {
    first(server, client, OFFLINE, &[]).await.text("refresh_token")
}

/// The refresh token that a refresh gives.
async fn next(server: &TestServer, client: &Client, token: &str) -> String {
    client.refresh(server, token).send().await.expect(200).text("refresh_token")
}

async fn is_over(server: &TestServer, client: &Client, token: &str) {
    client.refresh(server, token).send().await.expect_oauth_error(400, "invalid_grant");
}

/// Sends copies of a form at once.
async fn at_once(form: &Form, times: usize) -> Vec<Answer> {
    let mut racers = JoinSet::new();
    for _ in 0..times {
        let form = form.clone();
        racers.spawn(async move { form.send().await });
    }
    racers.join_all().await
}

both!(a_token_that_is_shown_again_gets_the_newest_of_its_family, async |server: TestServer| {
    let client = client(&server, ApplicationType::Native).await;
    let zero = begin(&server, &client).await;
    let one = next(&server, &client, &zero).await;
    server.clock.advance(Duration::from_secs(2));
    let again = client.refresh(&server, &zero).send().await.expect(200);
    assert_eq!(again.text("refresh_token"), one, "the same for every request");
    let two = next(&server, &client, &one).await;
    assert_ne!(two, one);
    for token in [&zero, &one] {
        assert_eq!(next(&server, &client, token).await, two, "of its family, not its own successor");
    }
    // The leeway begins with the first time, however often the token came since.
    server.clock.advance(Duration::from_secs(1));
    assert_eq!(next(&server, &client, &one).await, two, "which was replaced later");
    server.bearer(&again.text("access_token")).get("/oidc/me").await.expect(200);
    is_over(&server, &client, &zero).await;
    is_over(&server, &client, &two).await;
    server.bearer(&again.text("access_token")).get("/oidc/me").await.expect(401);
});

both!(the_application_chooses_the_leeway, async |server: TestServer| {
    for seconds in [None, Some(1), Some(60)] {
        let client = with_leeway(&server, seconds).await;
        let zero = begin(&server, &client).await;
        let one = next(&server, &client, &zero).await;
        let leeway_ms = u64::from(seconds.unwrap_or(3)) * 1000;
        server.clock.advance(Duration::from_millis(leeway_ms - 1));
        assert_eq!(next(&server, &client, &zero).await, one, "{seconds:?}");
        server.clock.advance(Duration::from_millis(1));
        is_over(&server, &client, &zero).await;
        is_over(&server, &client, &one).await;
    }
    // Without a leeway, what comes twice was stolen, also at the same moment.
    let client = with_leeway(&server, Some(0)).await;
    let zero = begin(&server, &client).await;
    let one = next(&server, &client, &zero).await;
    is_over(&server, &client, &zero).await;
    is_over(&server, &client, &one).await;
});

both!(many_uses_at_once_end_with_one_token_that_all_of_them_hold, async |server: TestServer| {
    let client = client(&server, ApplicationType::Native).await;
    for _ in 0..3 {
        let mut token = begin(&server, &client).await;
        // The first rotation makes the key of the family, the second one finds it.
        for _ in 0..2 {
            let answers = at_once(&client.refresh(&server, &token), 12).await;
            let successors: BTreeSet<String> =
                answers.into_iter().map(|answer| answer.expect(200).text("refresh_token")).collect();
            assert_eq!(successors.len(), 1, "{successors:?}");
            token = successors.into_iter().next().unwrap();
        }
        server.clock.advance(LATER);
        next(&server, &client, &token).await;
    }
});

both!(tabs_that_refresh_again_and_again_share_one_token, async |server: TestServer| {
    let client = client(&server, ApplicationType::Native).await;
    let token = begin(&server, &client).await;
    let mut tabs = JoinSet::new();
    for _ in 0..6 {
        let (mut token, form) = (token.clone(), client.refresh(&server, &token));
        tabs.spawn(async move {
            for _ in 0..15 {
                let answer = form.clone().with("refresh_token", &token).send().await;
                token = answer.expect(200).text("refresh_token");
            }
            token
        });
    }
    let held = tabs.join_all().await;
    let live = next(&server, &client, &held[0]).await;
    for token in held.iter().filter(|token| **token != live) {
        assert_eq!(next(&server, &client, token).await, live, "whoever kept an older one gets on");
    }
    next(&server, &client, &live).await;
});

both!(
    a_thief_and_the_owner_hold_the_same_token_and_the_second_to_use_it_ends_the_family,
    async |server: TestServer| {
        let client = client(&server, ApplicationType::Native).await;
        let (browser, _) = server.signed_in(&[&customer(&server)]).await;
        let sign_in = async || {
            let code = client.code(&browser, OFFLINE, &[]).await;
            client.exchange(&server, &code).send().await.expect(200)
        };
        let (stolen, other) = (sign_in().await, sign_in().await);
        let zero = stolen.text("refresh_token");
        let of_thief = client.refresh(&server, &zero).send().await.expect(200);
        let of_owner = client.refresh(&server, &zero).send().await.expect(200);
        assert_eq!(of_thief.text("refresh_token"), of_owner.text("refresh_token"));
        let one = of_owner.text("refresh_token");
        server.clock.advance(Duration::from_mins(10));
        let two = next(&server, &client, &one).await;
        server.clock.advance(LATER);
        is_over(&server, &client, &one).await;
        // The family ends with its access tokens …
        is_over(&server, &client, &two).await;
        for tokens in [&stolen, &of_thief, &of_owner] {
            server.bearer(&tokens.text("access_token")).get("/oidc/me").await.expect(401);
        }
        // … and nothing else: another family of the same grant, the session, and the consent.
        server.bearer(&other.text("access_token")).get("/oidc/me").await.expect(200);
        next(&server, &client, &other.text("refresh_token")).await;
        client.code(&browser, OFFLINE, &[("prompt", "none")]).await;
        let logs = server.management().await.get("/api/logs?logKey=RevokeToken").await.expect(200);
        let payload = &logs.body[0]["payload"];
        assert_eq!(payload["reason"], "the refresh token was used twice", "{}", logs.body);
        assert!(!logs.body.to_string().contains(&one), "no token in the log");
    }
);

both!(what_somebody_else_shows_ends_nothing, async |server: TestServer| {
    let (client, other) = (client(&server, ApplicationType::Native).await, client(&server, ApplicationType::Spa).await);
    let zero = begin(&server, &client).await;
    let one = next(&server, &client, &zero).await;
    is_over(&server, &other, &zero).await;
    server.clock.advance(LATER);
    is_over(&server, &other, &zero).await;
    is_over(&server, &other, &one).await;
    // What a refresh may not ask for is refused, and is no use of the token.
    let two = next(&server, &client, &one).await;
    let wide = client.refresh(&server, &one).with("scope", "openid email");
    wide.send().await.expect_oauth_error(400, "invalid_scope");
    assert_eq!(next(&server, &client, &one).await, two);
});

both!(a_token_within_its_leeway_ends_with_its_session_and_its_user, async |server: TestServer| {
    let metadata = CustomClientMetadata { always_issue_refresh_token: Some(true), ..CustomClientMetadata::default() };
    let web = client_with(&server, ApplicationType::Traditional, metadata, false).await;
    let management = server.management().await;
    let user = customer(&server);
    let (browser, sessions) = server.signed_in(&[&user]).await;
    let zero = web.exchange(&server, &web.code(&browser, "openid", &[]).await).send().await.expect(200);
    let zero = zero.text("refresh_token");
    let one = next(&server, &web, &zero).await;
    management.delete(&format!("/api/users/{user}/sessions/{}", sessions[0])).await.expect(204);
    is_over(&server, &web, &zero).await;
    is_over(&server, &web, &one).await;
    let native = client(&server, ApplicationType::Native).await;
    let zero = begin(&server, &native).await;
    next(&server, &native, &zero).await;
    let suspended = serde_json::json!({ "isSuspended": true });
    management.patch(&format!("/api/users/{user}/is-suspended"), suspended).await.expect(200);
    is_over(&server, &native, &zero).await;
});

both!(a_thief_who_comes_while_the_owner_refreshes_leaves_nothing_alive, async |server: TestServer| {
    let client = client(&server, ApplicationType::Native).await;
    for _ in 0..10 {
        let zero = begin(&server, &client).await;
        let one = next(&server, &client, &zero).await;
        server.clock.advance(LATER);
        let forms = (client.refresh(&server, &zero), client.refresh(&server, &one));
        let (late, refreshed) = tokio::join!(forms.0.send(), forms.1.send());
        late.expect_oauth_error(400, "invalid_grant");
        if refreshed.status == 200 {
            server.bearer(&refreshed.text("access_token")).get("/oidc/me").await.expect(401);
            is_over(&server, &client, &refreshed.text("refresh_token")).await;
        } else {
            refreshed.expect_oauth_error(400, "invalid_grant");
        }
        is_over(&server, &client, &one).await;
    }
});

both!(a_family_of_before_goes_on, async |server: TestServer| {
    let client = client(&server, ApplicationType::Native).await;
    let db = server.home.db().await;
    let zero = begin(&server, &client).await;
    let one = next(&server, &client, &zero).await;
    // As a node of an older version leaves it: a successor that was not derived, and no key.
    let mut tx = db.begin().await.unwrap();
    let stored = refresh_tokens::find(&mut tx, &tokens::hash(&one)).await.unwrap().unwrap();
    tx.sql("DELETE FROM refresh_families WHERE id = $1").bind(&stored.family_id).execute().await.unwrap();
    tx.commit().await.unwrap();
    is_over(&server, &client, &zero).await;
    let two = next(&server, &client, &one).await;
    assert_eq!(next(&server, &client, &one).await, two, "it has a key from now on");
    is_over(&server, &client, &zero).await;
    let three = next(&server, &client, &two).await;
    server.clock.advance(LATER);
    is_over(&server, &client, &zero).await;
    is_over(&server, &client, &three).await;
    db.close().await;
});

both!(the_key_of_a_family_ends_with_its_last_token, async |server: TestServer| {
    let client = client(&server, ApplicationType::Native).await;
    let db = server.home.db().await;
    let zero = begin(&server, &client).await;
    let family_id =
        refresh_tokens::find(&mut db.read().await.unwrap(), &tokens::hash(&zero)).await.unwrap().unwrap().family_id;
    let family = async || refresh_families::find(&mut db.read().await.unwrap(), &family_id).await.unwrap();
    assert_eq!(family().await, None, "a token that was never replaced needs none");
    next(&server, &client, &zero).await;
    let key = family().await.unwrap().encrypted_key;
    for (days, is_there) in [(13, true), (2, false)] {
        server.clock.advance(Duration::from_hours(24 * days));
        retention::delete_expired(&server.app).await.unwrap();
        assert_eq!(family().await.map(|family| family.encrypted_key), is_there.then(|| key.clone()), "{days}");
    }
    db.close().await;
});
