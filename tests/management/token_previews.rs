//! Previews of tokens, the records of issued ones, and tests of plugins about both.

use crate::fixtures::{machine, narrow, texts, user};
use claimsmith_storage::audit;
use claimsmith_test_support::{Actor, Answer, TOKEN_EXCHANGE, TestServer, both};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Map, Value, json};

/// Adds a claim, replaces one of an earlier plugin, and tries what it may not.
const MARK: &str = "export const getCustomJwtClaims = ({ context, token }) => {
  console.info('for', context.user?.id ?? 'nobody');
  return { mark: 'second', ticket: context.grant?.subjectTokenContext?.ticketId ?? null, sub: 'forged' };
};";
const FIRST: &str = "export const getCustomJwtClaims = () => ({ mark: 'first', kept: true });";
const DENIES: &str = "export const getCustomJwtClaims = ({ api }) => api.denyAccess('Not today.');";
const FAILS: &str = "export const getCustomJwtClaims = () => { throw new Error('broken'); };";

async fn upload(management: &Actor, name: &str, source: &'static str, settings: Value) {
    let request = management.request(Method::PUT, &format!("/api/plugins/{name}"));
    Answer::of(request.header(CONTENT_TYPE, "text/javascript").body(source)).await.expect(201);
    management.patch(&format!("/api/plugins/{name}"), settings).await.expect(200);
}

/// The claims without those that are another token's by their nature.
fn comparable(claims: &Value) -> Map<String, Value> {
    let mut claims = claims.as_object().unwrap().clone();
    for name in ["jti", "iat", "exp"] {
        assert!(claims.remove(name).is_some(), "{name} in {claims:?}");
    }
    claims
}

/// How many audit entries and records of tokens there are.
async fn traces(server: &TestServer, management: &Actor) -> (i64, Option<String>) {
    let mut tx = server.begin().await;
    let entries = audit::count(&mut tx, &audit::Filter::default(), i64::MAX).await.unwrap();
    drop(tx);
    let issued = management.get("/api/issuances").await.expect(200);
    (entries, issued.header("total-number").map(str::to_owned))
}

both!(a_preview_is_the_token_that_is_issued, async |server: TestServer| {
    let management = server.management().await;
    let demo = server.demo();
    let context = json!({ "ticketId": "T-7" });
    upload(&management, "first", FIRST, json!({ "order": 1 })).await;
    upload(&management, "mark", MARK, json!({ "order": 2 })).await;
    upload(&management, "elsewhere", FIRST, json!({ "applications": ["somebody-else"] })).await;
    upload(&management, "off", FIRST, json!({ "enabled": false })).await;
    let path = format!("/api/applications/{}/token-preview", demo.spa_client_id);
    let before = traces(&server, &management).await;
    let calls = management.get("/api/plugins/mark").await.expect(200)["statistics"]["calls"].clone();
    let asked = json!({
        "userId": demo.customer_user_id, "grantType": TOKEN_EXCHANGE, "resource": demo.resource, "scope": "resource:read",
        "subjectTokenContext": context,
    });
    let preview = management.post(&path, asked).await.expect(200);
    assert_eq!(traces(&server, &management).await, before, "nothing is written");
    let shown = management.get("/api/plugins/mark").await.expect(200);
    assert_eq!(shown["statistics"]["calls"], calls, "nothing is counted");
    assert_eq!(management.get("/api/plugins/mark/logs").await.expect(200).body, json!([]), "nothing is logged");

    let subject = server.subject_token(&demo.customer_user_id, context).await;
    let token = server.exchange(&subject).with("scope", "resource:read").access_token().await;
    let issued = server.verify(&token, &demo.resource).await.claims;
    assert_eq!((&preview["outcome"], &preview["format"]), (&json!("issued"), &json!("jwt")));
    assert_eq!(comparable(&preview["claims"]), comparable(&json!(issued)));
    assert_eq!(preview["scope"], "resource:read");
    let mut standard = comparable(&preview["standardClaims"]);
    assert_eq!(standard.get("ticket"), None);
    standard.extend(json!({ "mark": "second", "kept": true, "ticket": "T-7" }).as_object().unwrap().clone());
    assert_eq!(standard, comparable(&preview["claims"]));

    let steps = &preview["plugins"];
    assert_eq!(texts(steps, "name"), ["first", "mark"]);
    assert_eq!(steps[0]["added"], json!({ "mark": "first", "kept": true }));
    assert_eq!(steps[1]["changed"], json!({ "mark": { "before": "first", "after": "second" } }));
    assert_eq!((&steps[1]["added"], &steps[1]["dropped"]), (&json!({ "ticket": "T-7" }), &json!(["sub"])));
    assert_eq!((&steps[1]["effect"], &steps[1]["source"]), (&json!("merged"), &json!("store")));
    let line = format!("for {}", demo.customer_user_id);
    assert_eq!(steps[1]["logs"][0]["message"], line);
    assert!(steps[1]["durationUs"].as_u64() > Some(0), "{steps}");
    let skipped: Vec<_> =
        preview["skipped"].as_array().unwrap().iter().map(|one| (&one["name"], &one["reason"])).collect();
    let expected = [("elsewhere", "applications"), ("off", "disabled")].map(|(name, why)| (json!(name), json!(why)));
    assert_eq!(skipped, expected.each_ref().map(|(name, why)| (name, why)));

    // The calls of issued tokens are counted, with how long they took.
    let statistics = management.get("/api/plugins/mark").await.expect(200)["statistics"].clone();
    assert_eq!(statistics["calls"], 1);
    assert!(statistics["p50Us"].as_u64() > Some(0) && statistics["p99Us"].as_u64() >= statistics["p50Us"].as_u64());
});

both!(a_preview_of_an_applications_own_token, async |server: TestServer| {
    let management = server.management().await;
    let demo = server.demo();
    upload(&management, "first", FIRST, json!({ "order": 1 })).await;
    let (id, secret) = machine(&management, "job").await;
    let path = format!("/api/applications/{id}/token-preview");
    let preview = management.post(&path, json!({ "resource": demo.resource })).await.expect(200);
    let form = server.form("/oidc/token").with("grant_type", "client_credentials").with("resource", &demo.resource);
    let token = form.basic(&id, &secret).access_token().await;
    let issued = server.verify(&token, &demo.resource).await.claims;
    assert_eq!(comparable(&preview["claims"]), comparable(&json!(issued)));
    assert_eq!(preview["grantType"], "client_credentials");

    // For the Management API no plugin is called.
    let preview = management.post(&path, json!({ "resource": server.machine().resource })).await.expect(200);
    assert_eq!((&preview["outcome"], &preview["plugins"]), (&json!("issued"), &json!([])));
    assert_eq!(preview["skipped"][0]["reason"], "management-api");
});

both!(what_would_be_refused_is_an_answer, async |server: TestServer| {
    let management = server.management().await;
    let demo = server.demo();
    let path = format!("/api/applications/{}/token-preview", demo.spa_client_id);
    let asked = |more: Value| {
        let mut body = json!({ "userId": demo.customer_user_id, "resource": demo.resource, "subjectTokenContext": {} });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let refused = |answer: &Answer, error: &str| {
        assert_eq!((&answer["outcome"], &answer["refusal"]["error"]), (&json!("refused"), &json!(error)));
        assert_eq!((&answer["claims"], &answer["scope"]), (&Value::Null, &Value::Null));
    };
    for (more, error) in [
        (json!({ "resource": "https://nowhere.test" }), "invalid_target"),
        (json!({ "resource": null }), "invalid_target"),
        (json!({ "resource": server.machine().resource }), "invalid_target"),
        (json!({ "scope": "\"" }), "invalid_scope"),
        (json!({ "organizationId": "nowhere" }), "access_denied"),
        (
            json!({ "subjectTokenContext": null, "grantType": "authorization_code", "scope": "openid",
            "tokenKind": "id-token", "resource": "https://nowhere.test" }),
            "invalid_target",
        ),
        (
            json!({ "subjectTokenContext": null, "grantType": "authorization_code", "tokenKind": "id-token" }),
            "invalid_scope",
        ),
        (
            json!({ "subjectTokenContext": null, "grantType": "urn:ietf:params:oauth:grant-type:device_code" }),
            "unauthorized_client",
        ),
    ] {
        let answer = management.post(&path, asked(more)).await.expect(200);
        refused(&answer, error);
        assert_eq!(answer["refusal"]["plugin"], Value::Null);
    }
    for more in [
        json!({ "grantType": "password" }),
        json!({ "grantType": "authorization_code" }),
        json!({ "grantType": "client_credentials" }),
        json!({ "userId": null, "grantType": TOKEN_EXCHANGE }),
        json!({ "tokenKind": "id-token" }),
        json!({ "tokenKind": "cookie" }),
        json!({ "subjectTokenContext": { "x": "x".repeat(17 << 10) } }),
    ] {
        management.post(&path, asked(more)).await.expect_api_error(400, "guard.invalid_input");
    }
    let nobody = management.post(&path, asked(json!({ "userId": "nobody" }))).await;
    nobody.expect_api_error(422, "token_preview.user_not_found");
    let nobody = management.post(&path, asked(json!({ "actorId": "nobody" }))).await;
    nobody.expect_api_error(422, "token_preview.actor_not_found");
    let suspended = user(&management, "gone").await;
    let path_of_user = format!("/api/users/{suspended}/is-suspended");
    management.patch(&path_of_user, json!({ "isSuspended": true })).await.expect(200);
    let gone = management.post(&path, asked(json!({ "userId": suspended }))).await;
    gone.expect_api_error(422, "token_preview.user_not_found");
    let missing = management.post("/api/applications/nothing/token-preview", asked(json!({}))).await;
    missing.expect_api_error(404, "entity.not_exists_with_id");

    // What plugins make of it.
    upload(&management, "fails", FAILS, json!({ "order": 1, "onError": "skip" })).await;
    upload(&management, "denies", DENIES, json!({ "order": 2 })).await;
    upload(&management, "never", FIRST, json!({ "order": 3 })).await;
    let answer = management.post(&path, asked(json!({}))).await.expect(200);
    refused(&answer, "access_denied");
    let expected = json!({ "error": "access_denied", "description": "Not today.", "plugin": "denies" });
    assert_eq!(answer["refusal"], expected);
    let effects = texts(&answer["plugins"], "effect");
    assert_eq!(effects, ["ignored", "refused"], "the third is not asked");
    assert!(answer["plugins"][0]["message"].as_str().unwrap().contains("broken"), "{}", answer.body);
    management.patch("/api/plugins/fails", json!({ "onError": "deny" })).await.expect(200);
    let answer = management.post(&path, asked(json!({}))).await.expect(200);
    refused(&answer, "server_error");
    assert_eq!((&answer["refusal"]["plugin"], &answer["plugins"][0]["outcome"]), (&json!("fails"), &json!("failed")));
});

both!(previews_need_the_right_to_run_plugins, async |server: TestServer| {
    let management = server.management().await;
    let path = format!("/api/applications/{}/token-preview", server.demo().spa_client_id);
    for scope in ["plugins:read", "applications:write", "users:read", "logs:read"] {
        let narrow = narrow(&server, &management, &[scope]).await;
        narrow.post(&path, json!({})).await.expect_api_error(403, "auth.forbidden");
        if scope != "logs:read" {
            narrow.get("/api/issuances").await.expect_api_error(403, "auth.forbidden");
            narrow.get("/api/issuances/x").await.expect_api_error(403, "auth.forbidden");
        }
    }
    server.anonymous().post(&path, json!({})).await.expect(401);
    let writer = narrow(&server, &management, &["plugins:write"]).await;
    assert_eq!(writer.post(&path, json!({})).await.expect(200)["outcome"], "refused", "not a machine's");
});

both!(issued_tokens_are_listed_and_asked_about_again, async |server: TestServer| {
    let management = server.management().await;
    let demo = server.demo();
    upload(&management, "mark", MARK, json!({ "order": 2 })).await;
    let subject = server.subject_token(&demo.customer_user_id, json!({ "ticketId": "T-7" })).await;
    let token = server.exchange(&subject).with("scope", "resource:read").access_token().await;
    let issued = server.verify(&token, &demo.resource).await.claims;
    let jti = issued["jti"].as_str().unwrap();

    let reader = narrow(&server, &management, &["logs:read"]).await;
    let path = format!("/api/issuances?userId={}", demo.customer_user_id);
    let listed = reader.get(&path).await.expect(200);
    let [record] = listed.body.as_array().unwrap().as_slice() else { panic!("{}", listed.body) };
    assert_eq!((&record["id"], &record["grantType"]), (&json!(jti), &json!(TOKEN_EXCHANGE)));
    assert_eq!((&record["applicationId"], &record["scope"]), (&json!(demo.spa_client_id), &json!("resource:read")));
    assert_eq!((&record["subjectTokenContext"], &record["format"]), (&json!({ "ticketId": "T-7" }), &json!("jwt")));
    assert_eq!((&record["plugins"][0]["plugin"], &record["plugins"][0]["outcome"]), (&json!("mark"), &json!("ok")));
    assert!(!listed.body.to_string().contains(&token), "never a token");
    assert_eq!(&reader.get(&format!("/api/issuances/{jti}")).await.expect(200).body, record);
    reader.get("/api/issuances/nothing").await.expect_api_error(404, "entity.not_exists_with_id");
    let all = reader.get("/api/issuances?page_size=100").await.expect(200);
    let times: Vec<_> = all.body.as_array().unwrap().iter().map(|one| one["issuedAt"].as_i64().unwrap()).collect();
    assert!(times.is_sorted_by(|newer, older| newer >= older) && times.len() > 2, "{times:?}");
    let own = all.body.as_array().unwrap().iter().find(|one| one["userId"].is_null()).unwrap();
    assert_eq!(own["grantType"], "client_credentials");
    reader.get("/api/issuances?start_time=2&end_time=1").await.expect_api_error(400, "log.invalid_time_window");

    // The plugin is asked once more, and so is a draft.
    let tested = management.post("/api/plugins/mark/test", json!({ "issuanceId": jti })).await.expect(200);
    assert_eq!((&tested["outcome"], &tested["notKept"]), (&json!("ok"), &json!(["present"])));
    assert_eq!(tested["input"]["token"]["jti"], jti);
    assert_eq!(tested["input"]["context"]["grant"]["subjectTokenContext"], json!({ "ticketId": "T-7" }));
    assert_eq!(comparable(&tested["token"]["after"]), comparable(&json!(issued)));
    assert_eq!(tested["token"]["before"]["jti"], jti);
    assert_eq!(tested["token"]["before"].get("mark"), None);
    let draft = json!({ "language": "javascript", "source": DENIES, "issuanceId": jti });
    let denied = management.post("/api/plugins/test", draft).await.expect(200);
    assert_eq!((&denied["outcome"], &denied["token"]["after"]), (&json!("denied"), &Value::Null));
    // What it was given is the input of a golden case.
    let again = json!({ "input": tested["input"] });
    let again = management.post("/api/plugins/mark/test", again).await.expect(200);
    assert_eq!((&again["claims"], again.body.get("token")), (&tested["claims"], None));

    let of_token = json!({ "request": {
        "applicationId": demo.spa_client_id, "userId": demo.customer_user_id, "resource": demo.resource,
        "subjectTokenContext": { "ticketId": "T-8" },
    } });
    let asked = management.post("/api/plugins/mark/test", of_token.clone()).await.expect(200);
    assert_eq!((&asked["claims"]["ticket"], asked.body.get("notKept")), (&json!("T-8"), None));
    let both = json!({ "issuanceId": jti, "request": of_token["request"] });
    management.post("/api/plugins/mark/test", both).await.expect_api_error(400, "guard.invalid_input");
    let unknown = management.post("/api/plugins/mark/test", json!({ "issuanceId": "nothing" })).await;
    unknown.expect_api_error(404, "entity.not_exists_with_id");
    let foreign = json!({ "request": { "applicationId": demo.spa_client_id, "userId": demo.customer_user_id,
        "resource": "https://nowhere.test", "subjectTokenContext": {} } });
    let refused = management.post("/api/plugins/mark/test", foreign).await;
    refused.expect_api_error(422, "token_preview.refused");
    assert_eq!(refused["data"]["refusal"]["error"], "invalid_target");

    // Nobody is there any more to ask about.
    management.delete(&format!("/api/users/{}", demo.customer_user_id)).await.expect(204);
    let gone = management.post("/api/plugins/mark/test", json!({ "issuanceId": jti })).await;
    gone.expect_api_error(422, "token_preview.user_not_found");
    // A token that was issued at the terminal.
    let minted = server.mint_for(&demo.engineer_user_id, &demo.web_client_id, "openid", Some(&demo.resource)).await;
    let jti = server.verify(&minted, &demo.resource).await.claims["jti"].as_str().unwrap().to_owned();
    let terminal = management.post("/api/plugins/mark/test", json!({ "issuanceId": jti })).await;
    terminal.expect_api_error(422, "token_preview.not_rebuilt");
});
