//! What operators see of people who signed in, and how they end it.

use super::{authorize, client, client_with, customer, with};
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_test_support::{Home, Receiver, TestServer, both, told};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

both!(an_operator_sees_and_ends_a_session, async |server: TestServer| {
    let client = client(&server, ApplicationType::Native).await;
    let (user, management) = (customer(&server), server.management().await);
    let (browser, ids) = server.signed_in(&[&user]).await;
    let code = client.code(&browser, "openid offline_access", &[]).await;
    let offline = client.exchange(&server, &code).send().await.expect(200).text("refresh_token");
    let unused = client.code(&browser, "openid", &[]).await;
    let path = format!("/api/users/{user}/sessions");
    let sessions = management.get(&path).await.expect(200).body;
    assert_eq!(sessions["sessions"][0]["payload"]["uid"], ids[0].as_str());
    assert_eq!(sessions["sessions"][0]["payload"]["amr"][0], "pwd");
    let authorization = &sessions["sessions"][0]["payload"]["authorizations"][client.id.as_str()];
    let grants = management.get(&format!("/api/users/{user}/grants")).await.expect(200);
    let expected = json!({ "sid": ids[0], "grantId": grants["grants"][0]["id"], "persistsLogout": true });
    assert_eq!(authorization, &expected);
    let one = format!("{path}/{}", ids[0]);
    assert_eq!(management.get(&one).await.expect(200).body, sessions["sessions"][0]);
    let elsewhere = format!("/api/users/{}/sessions/{}", server.demo().engineer_user_id, ids[0]);
    management.get(&elsewhere).await.expect_api_error(404, "oidc.session_not_found");
    management.delete(&elsewhere).await.expect_api_error(404, "oidc.session_not_found");

    management.delete(&one).await.expect(204);
    management.delete(&one).await.expect_api_error(404, "oidc.session_not_found");
    assert_eq!(management.get(&path).await.expect(200)["sessions"], json!([]));
    let silent = with(client.request("openid"), &[("prompt", "none")]);
    assert_eq!(told(&authorize(&browser, &silent).await)["error"], "login_required");
    client.exchange(&server, &unused).send().await.expect_oauth_error(400, "invalid_grant");
    // It was asked for with offline_access.
    client.refresh(&server, &offline).send().await.expect(200);
});

both!(the_oldest_grant_ends_where_an_application_allows_so_many, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_WEBHOOKS_POLL_MS", "20")]).await.unwrap();
    let receiver = Receiver::start().await;
    let hook = json!({ "events": ["Grant.LimitExceeded"], "config": { "url": receiver.url() } });
    server.management().await.post("/api/hooks", hook).await.expect(201);
    let metadata = CustomClientMetadata { max_allowed_grants: Some(2), ..CustomClientMetadata::default() };
    let client = client_with(&server, ApplicationType::Native, metadata, false).await;
    let user = customer(&server);
    let path = format!("/api/users/{user}/grants");
    let (mut tokens, mut oldest) = (Vec::new(), None);
    for _ in 0..3 {
        let (browser, _) = server.signed_in(&[&user]).await;
        let code = client.code(&browser, "openid offline_access", &[]).await;
        tokens.push(client.exchange(&server, &code).send().await.expect(200).text("refresh_token"));
        if oldest.is_none() {
            let grants = server.management().await.get(&path).await.expect(200);
            oldest = Some(grants["grants"][0]["id"].clone());
        }
        server.clock.advance(Duration::from_secs(1));
    }
    let grants = server.management().await.get(&path).await.expect(200);
    assert_eq!(grants["grants"].as_array().unwrap().len(), 2);
    let event = receiver.wait(1).await[0].json();
    assert_eq!(
        (&event["event"], &event["userId"], &event["applicationId"], Some(&event["grantId"])),
        (&json!("Grant.LimitExceeded"), &json!(user), &json!(client.id), oldest.as_ref())
    );
    let (max, before) = (&event["maxAllowedGrants"], &event["preRevocationActiveGrantCount"]);
    assert_eq!((max, before), (&json!(2), &json!(3)));
    client.refresh(&server, &tokens[0]).send().await.expect_oauth_error(400, "invalid_grant");
    for token in &tokens[1..] {
        client.refresh(&server, token).send().await.expect(200);
    }
    assert_eq!(receiver.count(), 1, "two of three grants are within the limit");
});

both!(an_operator_sees_and_revokes_a_grant, async |server: TestServer| {
    let client = client(&server, ApplicationType::Native).await;
    let (user, management) = (customer(&server), server.management().await);
    let (browser, _) = server.signed_in(&[&user]).await;
    let resource = server.demo().resource.clone();
    let code = client.code(&browser, "openid offline_access resource:read", &[("resource", &resource)]).await;
    let tokens = client.exchange(&server, &code).with("resource", &resource).send().await.expect(200);
    let path = format!("/api/users/{user}/grants");
    let grants = management.get(&path).await.expect(200).body;
    let grant = &grants["grants"][0];
    assert_eq!(grants["grants"].as_array().unwrap().len(), 1);
    assert_eq!(grant["payload"]["clientId"], client.id.as_str());
    assert_eq!(grant["payload"]["scope"], "openid offline_access");
    assert_eq!(grant["payload"]["resources"][&resource], "resource:read");
    // A second sign-in in the same session is the same grant.
    client.code(&browser, "openid", &[]).await;
    assert_eq!(management.get(&path).await.expect(200)["grants"].as_array().unwrap().len(), 1);

    let one = format!("{path}/{}", grant["id"].as_str().unwrap());
    management.delete(&one).await.expect(204);
    management.delete(&one).await.expect_api_error(400, "oidc.invalid_grant");
    client.refresh(&server, &tokens.text("refresh_token")).send().await.expect_oauth_error(400, "invalid_grant");
    let subject_token = tokens.text("access_token");
    let exchange = server.exchange(&server.customer_token().await).actor(&subject_token);
    exchange.send().await.expect_oauth_error(400, "invalid_request");
    // The session goes on: whoever signed in can give a grant again.
    client.code(&browser, "openid", &[]).await;
});
