//! Refresh tokens: rotation, what a refresh asks for, and the end of what they come from.

use super::{Client, client, client_with, customer};
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_test_support::{Answer, TestServer, both};
use std::time::Duration;

pub(super) async fn first(server: &TestServer, client: &Client, scope: &str, more: &[(&str, &str)]) -> Answer {
    let (browser, _) = server.signed_in(&[&customer(server)]).await;
    let code = client.code(&browser, scope, more).await;
    client.exchange(server, &code).send().await.expect(200)
}

both!(each_use_replaces_the_token, async |server: TestServer| {
    let client = client(&server, ApplicationType::Native).await;
    let mut token = first(&server, &client, "openid offline_access", &[]).await.text("refresh_token");
    for _ in 0..4 {
        let answer = client.refresh(&server, &token).send().await.expect(200);
        assert_eq!(answer["scope"], "openid offline_access");
        let next = answer.text("refresh_token");
        assert_ne!(next, token);
        token = next;
        server.clock.advance(Duration::from_millis(10_000));
    }
    for (refused, error) in [
        (client.refresh(&server, "made-up"), "invalid_grant"),
        (super::client(&server, ApplicationType::Native).await.refresh(&server, &token), "invalid_grant"),
        (client.refresh(&server, &token).without("refresh_token"), "invalid_request"),
        (client.refresh(&server, &token).with("scope", "openid email"), "invalid_scope"),
        (client.refresh(&server, &token).with("resource", &server.demo().resource), "invalid_target"),
    ] {
        refused.send().await.expect_oauth_error(400, error);
    }
    // None of these used it up.
    client.refresh(&server, &token).send().await.expect(200);
});

both!(a_refresh_narrows_and_never_widens, async |server: TestServer| {
    let client = client(&server, ApplicationType::Native).await;
    let resource = server.demo().resource.clone();
    let scope = "openid profile offline_access resource:read resource:write";
    let token = first(&server, &client, scope, &[("resource", &resource)]).await.text("refresh_token");
    let narrow = client.refresh(&server, &token).with("scope", "openid").send().await.expect(200);
    assert_eq!(narrow["scope"], "openid");
    // The successor stands for all of it.
    let form = client.refresh(&server, &narrow.text("refresh_token")).with("resource", &resource);
    let answer = form.with("scope", "resource:write").send().await.expect(200);
    assert_eq!(answer["scope"], "resource:write");
    let whole = client.refresh(&server, &answer.text("refresh_token")).send().await.expect(200);
    assert_eq!(whole["scope"], "openid profile offline_access");
});

both!(a_confidential_client_may_keep_its_token, async |server: TestServer| {
    let metadata = CustomClientMetadata {
        rotate_refresh_token: Some(false),
        always_issue_refresh_token: Some(true),
        ..CustomClientMetadata::default()
    };
    let web = client_with(&server, ApplicationType::Traditional, metadata.clone(), false).await;
    let token = first(&server, &web, "openid", &[]).await.text("refresh_token");
    for _ in 0..3 {
        let answer = web.refresh(&server, &token).send().await.expect(200);
        assert!(answer["refresh_token"].is_null(), "{}", answer.body);
        server.clock.advance(Duration::from_millis(5_000));
    }
    web.refresh(&server, &token)
        .authorization("Basic bm9ib2R5Om5vdGhpbmc=")
        .send()
        .await
        .expect_oauth_error(401, "invalid_client");
    // A public one may not.
    let native = client_with(&server, ApplicationType::Native, metadata, false).await;
    let token = first(&server, &native, "openid offline_access", &[]).await.text("refresh_token");
    assert_ne!(native.refresh(&server, &token).send().await.expect(200).text("refresh_token"), token);
});

both!(a_token_ends_with_its_session_unless_offline_access_was_asked_for, async |server: TestServer| {
    let metadata = CustomClientMetadata { always_issue_refresh_token: Some(true), ..CustomClientMetadata::default() };
    let web = client_with(&server, ApplicationType::Traditional, metadata, false).await;
    let online = first(&server, &web, "openid", &[]).await.text("refresh_token");
    let offline = first(&server, &web, "openid offline_access", &[("prompt", "consent")]).await.text("refresh_token");
    // Its lifetime in these tests is a day.
    server.clock.advance(Duration::from_millis(86_400_000));
    web.refresh(&server, &online).send().await.expect_oauth_error(400, "invalid_grant");
    let next = web.refresh(&server, &offline).send().await.expect(200).text("refresh_token");
    // Fourteen days from its issue on.
    server.clock.advance(Duration::from_millis(14 * 86_400_000));
    web.refresh(&server, &next).send().await.expect_oauth_error(400, "invalid_grant");
});

both!(a_token_lives_as_many_days_as_its_application_says, async |server: TestServer| {
    let metadata = CustomClientMetadata { refresh_token_ttl_in_days: Some(3), ..CustomClientMetadata::default() };
    for (milliseconds_before_the_end, is_live) in [(1, true), (0, false)] {
        let native = client_with(&server, ApplicationType::Native, metadata.clone(), false).await;
        let token = first(&server, &native, "openid offline_access", &[]).await.text("refresh_token");
        server.clock.advance(Duration::from_millis(3 * 86_400_000 - milliseconds_before_the_end));
        let answer = native.refresh(&server, &token).send().await;
        if is_live { drop(answer.expect(200)) } else { answer.expect_oauth_error(400, "invalid_grant") }
    }
});

both!(organization_tokens_come_by_refresh, async |server: TestServer| {
    let client = client(&server, ApplicationType::Native).await;
    let user = customer(&server);
    let organization = server.add_organization_of(&user, &[]).await;
    let scope = "openid offline_access urn:logto:scope:organizations";
    let token = first(&server, &client, scope, &[]).await.text("refresh_token");
    let form = client.refresh(&server, &token);
    form.clone().with("organization_id", "nowhere").send().await.expect_oauth_error(403, "access_denied");
    let answer = form.with("organization_id", &organization).send().await.expect(200);
    let jwt = server.verify(&answer.text("access_token"), &format!("urn:logto:organization:{organization}")).await;
    assert_eq!(jwt.claims["sub"], user.as_str());
    let plain = first(&server, &client, "openid offline_access", &[]).await.text("refresh_token");
    let form = client.refresh(&server, &plain).with("organization_id", &organization);
    form.send().await.expect_oauth_error(403, "insufficient_scope");
});
