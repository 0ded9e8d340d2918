//! One method for each request, and none that the application did not register.

use super::{TYPE, application, ask, assertion, key, machine, register, set, with_assertion};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::client_authentication::AuthMethod;
use claimsmith_test_support::{TestServer, both};
use serde_json::json;

both!(a_request_shows_one_thing, async |server: TestServer| {
    let key = key();
    let (id, secret) = application(&server, ApplicationType::MachineToMachine, json!({ "jwks": set(&[&key]) })).await;
    let good = || with_assertion(ask(&server), &assertion(&server, &id, &key));
    for twice in [
        good().basic(&id, &secret),
        good().with("client_id", &id).with("client_secret", &secret),
        good().without("client_assertion").basic(&id, &secret),
        good().without("client_assertion"),
        good().without("client_assertion_type"),
        good().and("client_assertion", &assertion(&server, &id, &key)),
        good().and("client_assertion_type", TYPE),
    ] {
        twice.send().await.expect_oauth_error(400, "invalid_request");
    }
    good().send().await.expect(200);
});

both!(who_registered_keys_alone_may_use_both, async |server: TestServer| {
    let key = key();
    let (id, secret) = application(&server, ApplicationType::MachineToMachine, json!({ "jwks": set(&[&key]) })).await;
    ask(&server).basic(&id, &secret).send().await.expect(200);
    with_assertion(ask(&server), &assertion(&server, &id, &key)).send().await.expect(200);
});

both!(there_is_no_way_back_to_a_weaker_method, async |server: TestServer| {
    let key = key();
    let metadata = json!({ "jwks": set(&[&key]), "tokenEndpointAuthMethod": "private_key_jwt" });
    let (id, secret) = application(&server, ApplicationType::MachineToMachine, metadata).await;
    let in_body = || ask(&server).with("client_id", &id);
    ask(&server).basic(&id, &secret).send().await.expect_oauth_error(401, "invalid_client");
    in_body().with("client_secret", &secret).send().await.expect_oauth_error(401, "invalid_client");
    in_body().send().await.expect_oauth_error(401, "invalid_client");
    with_assertion(ask(&server), &assertion(&server, &id, &key)).send().await.expect(200);

    // Each of the other methods excludes the others, too.
    for (method, header, body, signed) in
        [(AuthMethod::ClientSecretBasic, 200, 401, 401), (AuthMethod::ClientSecretPost, 401, 200, 401)]
    {
        register(&server, &id, |metadata| metadata.token_endpoint_auth_method = Some(method)).await;
        ask(&server).basic(&id, &secret).send().await.expect(header);
        in_body().with("client_secret", &secret).send().await.expect(body);
        with_assertion(ask(&server), &assertion(&server, &id, &key)).send().await.expect(signed);
    }
});

both!(without_keys_there_is_no_method, async |server: TestServer| {
    let key = key();
    let (id, secret) = server.add_application(ApplicationType::MachineToMachine).await;
    with_assertion(ask(&server), &assertion(&server, &id, &key)).send().await.expect_oauth_error(401, "invalid_client");
    // What the Management API would not take.
    register(&server, &id, |metadata| metadata.token_endpoint_auth_method = Some(AuthMethod::PrivateKeyJwt)).await;
    with_assertion(ask(&server), &assertion(&server, &id, &key)).send().await.expect_oauth_error(401, "invalid_client");
    ask(&server).basic(&id, &secret).send().await.expect_oauth_error(401, "invalid_client");
    let other = machine(&server, &[&key]).await;
    with_assertion(ask(&server), &assertion(&server, &other, &key)).send().await.expect(200);
});
