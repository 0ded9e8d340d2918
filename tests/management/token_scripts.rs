//! Token scripts by the token customizer API of the reference service.

use claimsmith_test_support::{TestServer, both};
use serde_json::{Value, json};

const SCRIPT: &str = "const getCustomJwtClaims = async ({ token, context, environmentVariables, api }) => {
  if (context.user?.username === 'mallory') return api.denyAccess('Not today.');
  return { region: environmentVariables.REGION, kind: token.kind };
};";

async fn claims(server: &TestServer) -> Value {
    let token = server.exchange(&server.customer_token().await).access_token().await;
    json!(server.verify(&token, &server.demo().resource).await.claims)
}

both!(a_script_is_set_changed_and_deleted, async |server: TestServer| {
    let management = server.management().await;
    let (all, path) = ("/api/configs/jwt-customizer", "/api/configs/jwt-customizer/access-token");
    assert_eq!(management.get(all).await.expect(200).body, json!([]));
    management.get(path).await.expect_api_error(404, "entity.not_exists_with_id");
    management.patch(path, json!({ "script": SCRIPT })).await.expect(404);

    let value = json!({ "script": SCRIPT, "environmentVariables": { "REGION": "eu" }, "tokenSample": { "jti": "x" } });
    assert_eq!(management.put(path, value.clone()).await.expect(201).body, value);
    assert_eq!(claims(&server).await["region"], "eu");
    assert_eq!(claims(&server).await["kind"], "AccessToken");
    assert_eq!(management.get(path).await.expect(200).body, value);
    assert_eq!(management.get(all).await.expect(200).body, json!([{ "key": "jwt.accessToken", "value": value }]));

    let patch = json!({ "script": SCRIPT, "environmentVariables": { "REGION": "us" } });
    let patched = management.patch(path, patch).await.expect(200);
    assert_eq!(
        (&patched["environmentVariables"]["REGION"], &patched["tokenSample"]["jti"]),
        (&json!("us"), &json!("x"))
    );
    assert_eq!(claims(&server).await["region"], "us");
    management.patch(path, json!({ "environmentVariables": {} })).await.expect_api_error(400, "guard.invalid_input");

    management.put(path, json!({ "script": "const getCustomJwtClaims = ( => 1;" })).await.expect(422);
    assert_eq!(claims(&server).await["region"], "us", "what serves goes on serving");
    management.put("/api/configs/jwt-customizer/id-token", value).await.expect_api_error(400, "guard.invalid_input");
    management.delete(path).await.expect(204);
    management.delete(path).await.expect_api_error(404, "entity.not_found");
    assert_eq!(claims(&server).await.get("region"), None);
});

both!(of_two_changes_at_once_both_are_kept, async |server: TestServer| {
    let management = server.management().await;
    let path = "/api/configs/jwt-customizer/access-token";
    management.put(path, json!({ "script": SCRIPT })).await.expect(201);
    let (region, sample) = (
        json!({ "script": SCRIPT, "environmentVariables": { "REGION": "eu" } }),
        json!({ "script": SCRIPT, "tokenSample": { "jti": "x" } }),
    );
    let (first, second) = tokio::join!(management.patch(path, region.clone()), management.patch(path, sample.clone()));
    first.expect(200);
    second.expect(200);
    let both = management.get(path).await.expect(200);
    assert_eq!(
        (&both["environmentVariables"], &both["tokenSample"]),
        (&region["environmentVariables"], &sample["tokenSample"])
    );
});

both!(a_failure_blocks_only_when_it_is_to, async |server: TestServer| {
    let management = server.management().await;
    let path = "/api/configs/jwt-customizer/access-token";
    let broken = "const getCustomJwtClaims = async () => { throw new Error('broken'); };";
    management.put(path, json!({ "script": broken })).await.expect(201);
    claims(&server).await;
    management.put(path, json!({ "script": broken, "blockIssuanceOnError": true })).await.expect(200);
    server.exchange(&server.customer_token().await).send().await.expect_oauth_error(500, "server_error");
});

both!(a_script_is_tested, async |server: TestServer| {
    let management = server.management().await;
    let ask = async |script: &str, user: &str| {
        let body = json!({ "tokenType": "access-token", "script": script, "token": { "kind": "AccessToken" },
            "environmentVariables": { "REGION": "eu" }, "context": { "user": { "username": user } } });
        management.post("/api/configs/jwt-customizer/test", body).await
    };
    let answer = ask(SCRIPT, "alice").await.expect(200);
    assert_eq!(answer.body, json!({ "region": "eu", "kind": "AccessToken" }));
    let denied = ask(SCRIPT, "mallory").await;
    denied.expect_api_error(403, "jwt_customizer.general");
    assert_eq!(denied["data"]["error"]["code"], "AccessDenied");
    let failed = ask("const getCustomJwtClaims = () => { throw new Error('broken'); };", "alice").await;
    failed.expect_api_error(422, "jwt_customizer.general");
    assert!(failed["data"]["message"].as_str().unwrap().contains("broken"), "{}", failed.body);
    ask("const getCustomJwtClaims = ( => 1;", "alice").await.expect(422);
    // What is told of a sign-in can be tried, too.
    let script =
        "const getCustomJwtClaims = ({ context }) => ({ by: context.interaction.verificationRecords[0].type });";
    let interaction = json!({ "interactionEvent": "SignIn", "userId": "u", "verificationRecords": [{ "id": "v",
        "type": "Password", "identifier": { "type": "username", "value": "alice" }, "verified": true }] });
    let context = json!({ "user": { "id": "u" }, "interaction": interaction });
    let body = json!({ "tokenType": "access-token", "script": script, "token": {}, "context": context });
    let answer = management.post("/api/configs/jwt-customizer/test", body).await.expect(200);
    assert_eq!(answer.body, json!({ "by": "Password" }));
    let sample = json!({ "script": script, "contextSample": context });
    let saved = management.put("/api/configs/jwt-customizer/access-token", sample).await.expect(201);
    assert_eq!(saved["contextSample"], context);
});
