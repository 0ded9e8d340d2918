//! Who may not use the device flow, and what is refused at its two endpoints.

use super::{DEVICE_CODE, ask, asks, device, entries, let_in, poll};
use crate::sign_in::{CALLBACK, authorize, client, customer};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_test_support::{TestServer, both, seed};
use serde_json::json;

both!(only_applications_on_devices_use_the_flow, async |server: TestServer| {
    for kind in [ApplicationType::Native, ApplicationType::Spa, ApplicationType::Traditional] {
        let other = client(&server, kind).await;
        asks(&server, &other, "openid").send().await.expect_oauth_error(400, "unauthorized_client");
        let form = server.form("/oidc/token").with("grant_type", DEVICE_CODE).with("device_code", "x");
        other.prove(form).send().await.expect_oauth_error(400, "unauthorized_client");
    }
    let form = server.form("/oidc/device/auth").with("scope", "openid");
    form.clone().as_machine().send().await.expect_oauth_error(400, "unauthorized_client");
    form.send().await.expect_oauth_error(401, "invalid_client");
    // And they use no other way to sign people in.
    let device = device(&server).await;
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let answer = authorize(&browser, &device.request("openid")).await;
    answer.expect_oauth_error(400, "unauthorized_client");
    device.exchange(&server, "code").send().await.expect_oauth_error(400, "unauthorized_client");
    let pushed = server.form("/oidc/request").with("response_type", "code").with("redirect_uri", CALLBACK);
    device.prove(pushed).send().await.expect_oauth_error(400, "unauthorized_client");
    let refused = entries(&server, "DeviceAuthorization.Create").await;
    assert_eq!(refused.iter().filter(|entry| entry["error"]["code"] == "unauthorized_client").count(), 4);
});

both!(what_a_device_may_not_ask_is_refused_at_once, async |server: TestServer| {
    let client = device(&server).await;
    let good = asks(&server, &client, "openid");
    let resource = server.machine().resource.clone();
    for (refused, status, error) in [
        (good.clone().without("client_id"), 401, "invalid_client"),
        (good.clone().with("client_id", "unknown"), 401, "invalid_client"),
        (good.clone().with("client_secret", "x"), 401, "invalid_client"),
        (good.clone().and("client_id", &client.id), 400, "invalid_request"),
        (good.clone().and("scope", "profile"), 400, "invalid_request"),
        (good.clone().with("scope", "open\"id"), 400, "invalid_scope"),
        (good.clone().with("scope", &"a ".repeat(2049)), 400, "invalid_request"),
        (good.clone().with("resource", "https://unknown.example.com"), 400, "invalid_target"),
        (good.clone().with("resource", &resource), 400, "invalid_target"),
        (good.clone().with("prompt", "none"), 400, "invalid_request"),
        (good.clone().with("prompt", "sometimes"), 400, "invalid_request"),
        (good.clone().with("max_age", "-1"), 400, "invalid_request"),
        (good.clone().with("id_token_hint", "made-up"), 400, "invalid_request"),
        (good.clone().with("nonce", &"n".repeat(4097)), 400, "invalid_request"),
        (good.clone().with("acr_values", &"n".repeat(4097)), 400, "invalid_request"),
        (good.clone().with("request", "x.y.z"), 400, "request_not_supported"),
        (good.clone().with("request_uri", "urn:ietf:params:oauth:request_uri:x"), 400, "request_uri_not_supported"),
    ] {
        refused.send().await.expect_oauth_error(status, error);
    }
    // What is not known is ignored, and nothing has to be asked for.
    good.clone().with("extra", "x").send().await.expect(200);
    good.without("scope").send().await.expect(200);
    let answer = server.get("/oidc/device/auth").await;
    answer.expect_oauth_error(404, "invalid_request");
});

both!(a_device_code_is_of_its_device_alone, async |server: TestServer| {
    let (client, other) = (device(&server).await, device(&server).await);
    let codes = ask(&server, &client, "openid").await;
    let good = poll(&server, &client, &codes);
    for (refused, status, error) in [
        (good.clone().without("device_code"), 400, "invalid_request"),
        (good.clone().and("device_code", &codes.device_code), 400, "invalid_request"),
        (good.clone().with("device_code", "made-up"), 400, "invalid_grant"),
        (good.clone().with("device_code", &codes.user_code), 400, "invalid_grant"),
        (good.clone().with("device_code", &codes.user_code.replace('-', "")), 400, "invalid_grant"),
        (poll(&server, &other, &codes), 400, "invalid_grant"),
        (good.clone().with("client_secret", "x"), 401, "invalid_client"),
        (good.clone().with("grant_type", "device_code"), 400, "unsupported_grant_type"),
    ] {
        refused.send().await.expect_oauth_error(status, error);
    }
    // None of these used it up, or counted as a question.
    good.send().await.expect_oauth_error(400, "authorization_pending");
    let (browser, _) = server.signed_in(&[&customer(&server)]).await;
    let_in(&browser, &codes).await;
    poll(&server, &other, &codes).send().await.expect_oauth_error(400, "invalid_grant");
    server.add_resource(seed::new_resource("https://other.example.com"), &[]).await;
    good.clone().with("resource", "https://other.example.com").send().await.expect_oauth_error(400, "invalid_target");
    good.clone().with("organization_id", "o").send().await.expect_oauth_error(403, "insufficient_scope");
    good.send().await.expect(200);
});

both!(one_address_asks_so_many_times, async |server: TestServer| {
    let client = device(&server).await;
    let form = asks(&server, &client, "openid");
    for _ in 0..300 {
        form.send().await.expect(200);
    }
    form.send().await.expect_oauth_error(503, "temporarily_unavailable");
    server.clock.advance(std::time::Duration::from_secs(1));
    form.send().await.expect(200);
});

both!(a_device_gets_no_token_of_an_organization_that_requires_a_second_factor, async |server: TestServer| {
    let client = device(&server).await;
    let user = customer(&server);
    let organization = server.add_organization_of(&user, &[]).await;
    let (browser, _) = server.signed_in(&[&user]).await;
    let codes = ask(&server, &client, "openid offline_access urn:logto:scope:organizations").await;
    let_in(&browser, &codes).await;
    let management = server.management().await;
    let path = format!("/api/organizations/{organization}");
    management.patch(&path, json!({ "isMfaRequired": true })).await.expect(200);
    let poll = poll(&server, &client, &codes);
    poll.clone().with("organization_id", &organization).send().await.expect_oauth_error(403, "access_denied");
    // The code was not used up, and gives what is not of the organization.
    let tokens = poll.send().await.expect(200);
    let form = client.refresh(&server, &tokens.text("refresh_token")).with("organization_id", &organization);
    form.send().await.expect_oauth_error(403, "access_denied");
    let factors = format!("/api/users/{user}/mfa-verifications");
    management.post(&factors, json!({ "type": "Totp" })).await.expect(200);
    form.send().await.expect(200);
});
