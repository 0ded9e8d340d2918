//! `/api/configs`: signing keys, id tokens and sessions.

use crate::fixtures::narrow;
use claimsmith_storage::audit;
use claimsmith_test_support::{Home, TestServer, both};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const KEYS: &str = "/api/configs/oidc/private-keys";
const ROTATE: &str = "/api/configs/oidc/private-keys/rotate";

/// `status algorithm` of each key.
fn states(keys: &Value) -> Vec<String> {
    let text = |key: &Value, member: &str| key[member].as_str().unwrap().to_owned();
    let state = |key| format!("{} {}", text(key, "status"), text(key, "signingKeyAlgorithm"));
    keys.as_array().unwrap().iter().map(state).collect()
}

async fn published(server: &TestServer) -> usize {
    server.get("/oidc/jwks").await.expect(200)["keys"].as_array().unwrap().len()
}

both!(a_key_is_published_signs_and_goes, async |server: TestServer| {
    let management = server.management().await;
    let first = management.get(KEYS).await.expect(200).body;
    let old = first[0]["id"].as_str().unwrap();
    // When the server was first started.
    let now = first[0]["createdAt"].as_i64().unwrap();
    assert!(now <= server.clock.now_ms());
    let shown = |id: &Value, algorithm: &str| {
        json!({
            "id": id, "signingKeyAlgorithm": algorithm, "status": "Current", "createdAt": now, "activatesAt": now,
            "effectiveAt": now, "retiresAt": null,
        })
    };
    // One for access tokens, and one for id tokens.
    assert_eq!(first, json!([shown(&first[0]["id"], "ES256"), shown(&first[1]["id"], "RS256")]), "nothing private");
    assert_eq!(server.get("/oidc/jwks").await.expect(200)["keys"][0]["kid"], old);
    let path = |id: &str| format!("{KEYS}/{id}");
    for key in first.as_array().unwrap() {
        let answer = management.delete(&path(key["id"].as_str().unwrap())).await;
        answer.expect_api_error(422, "oidc.key_required");
    }

    let now = server.clock.now_ms();
    let rotated = management.post(ROTATE, Value::Null).await.expect(200).body;
    assert_eq!(states(&rotated), ["Next ES256", "Current ES256", "Current RS256"]);
    let new = rotated[0]["id"].as_str().unwrap();
    assert_eq!(rotated[0]["activatesAt"], now + 300_000);
    assert_eq!(rotated[1]["retiresAt"], now + 300_000 + 3_600_000);
    assert_eq!(rotated[2], first[1], "the key of another algorithm stays as it is");
    assert_eq!(management.get(KEYS).await.expect(200).body, rotated);
    assert_eq!(published(&server).await, 3);
    let early = server.management_token().await;
    assert_eq!(server.verify(&early, &server.machine().resource).await.kid, old);
    for id in [old, new] {
        management.delete(&path(id)).await.expect_api_error(422, "oidc.only_previous_key_can_be_deleted");
    }

    server.clock.advance(Duration::from_secs(300));
    let expected = ["Current ES256", "Previous ES256", "Current RS256"];
    assert_eq!(states(&management.get(KEYS).await.expect(200).body), expected);
    let late = server.management_token().await;
    assert_eq!(server.verify(&late, &server.machine().resource).await.kid, new);
    server.bearer(&early).get(KEYS).await.expect(200);

    // What the deleted key signed is not believed any more.
    let management = server.bearer(&late);
    management.delete(&path(old)).await.expect(204);
    management.delete(&path(old)).await.expect_api_error(404, "oidc.key_not_found");
    assert_eq!(published(&server).await, 2);
    server.bearer(&early).get(KEYS).await.expect_api_error(401, "auth.unauthorized");
    management.get(KEYS).await.expect(200);

    let mut tx = server.begin().await;
    for (key, kid) in [("Rotate", new), ("Delete", old)] {
        let logs = audit::list_by_key(&mut tx, &format!("Management.Config.SigningKey.{key}"), 10).await.unwrap();
        assert_eq!((logs.len(), &logs[0].payload["kid"]), (1, &json!(kid)));
    }
});

both!(keys_of_every_algorithm_rotate_for_themselves_and_not_without_end, async |server: TestServer| {
    let management = server.management().await;
    let of = |keys: &Value, algorithm: &str| -> Vec<String> {
        states(keys).into_iter().filter(|state| state.ends_with(algorithm)).collect()
    };
    let mut all = management.get(KEYS).await.expect(200).body;
    for (asked, made) in [("ES384", "ES384"), ("ES384", "ES384"), ("EdDSA", "EdDSA"), ("RSA", "RS256"), ("EC", "ES256")]
    {
        server.clock.advance(Duration::from_secs(1));
        let before = all;
        all = management.post(ROTATE, json!({ "signingKeyAlgorithm": asked })).await.expect(200).body;
        // The first key of an algorithm signs at once; the next ones are announced.
        let (current, next) = (format!("Current {made}"), format!("Next {made}"));
        let expected = if of(&before, made).is_empty() { vec![current] } else { vec![next, current] };
        assert_eq!(of(&all, made), expected);
        for other in ["ES256", "ES384", "EdDSA", "RS256"].into_iter().filter(|other| *other != made) {
            assert_eq!(of(&all, other), of(&before, other), "{asked} changes nothing of {other}");
        }
    }
    for asked in [json!("HS256"), json!("es256"), json!(""), json!(1), Value::Null] {
        let answer = management.post(ROTATE, json!({ "signingKeyAlgorithm": asked })).await;
        answer.expect_api_error(400, "guard.invalid_input");
    }
    while published(&server).await < 20 {
        management.post(ROTATE, Value::Null).await.expect(200);
    }
    management.post(ROTATE, Value::Null).await.expect_api_error(422, "oidc.too_many_keys");
    assert_eq!(published(&server).await, 20);
    server.management_token().await;
});

both!(no_rotation_changes_the_algorithm_of_access_tokens, async |server: TestServer| {
    let management = server.management().await;
    let resource = &server.machine().resource;
    let first = management.get(KEYS).await.expect(200).body[0]["id"].as_str().unwrap().to_owned();
    for algorithm in ["RSA", "EdDSA", "ES384"] {
        server.clock.advance(Duration::from_secs(1));
        let body = json!({ "signingKeyAlgorithm": algorithm, "rotationGracePeriod": 0 });
        management.post(ROTATE, body).await.expect(200);
        let token = server.verify(&server.management_token().await, resource).await;
        assert_eq!((token.algorithm.as_str(), token.kid.as_str()), ("ES256", first.as_str()), "{algorithm}");
    }
    // A key for access tokens that is replaced does not take those of id tokens with it.
    server.clock.advance(Duration::from_secs(1));
    let keys = management.post(ROTATE, json!({ "rotationGracePeriod": 0 })).await.expect(200).body;
    let ends: Vec<_> = keys.as_array().unwrap().iter().filter(|key| !key["retiresAt"].is_null()).collect();
    let mut ended: Vec<_> = ends.iter().map(|key| key["signingKeyAlgorithm"].as_str().unwrap()).collect();
    ended.sort_unstable();
    assert_eq!(ended, ["ES256", "RS256"], "of each the key that another one followed");
    let token = server.verify(&server.management_token().await, resource).await;
    assert_eq!(token.algorithm, "ES256");
    assert_ne!(token.kid, first);
});

both!(a_key_stays_as_long_as_the_id_tokens_that_it_signed, async |server: TestServer| {
    let management = server.management().await;
    let metadata = json!({ "idTokenTtl": 86_400 });
    let body = json!({ "name": "Long", "type": "SPA", "customClientMetadata": metadata });
    management.post("/api/applications", body).await.expect(200);
    server.clock.advance(Duration::from_secs(1));
    let body = json!({ "signingKeyAlgorithm": "RS256", "rotationGracePeriod": 0 });
    let keys = management.post(ROTATE, body).await.expect(200).body;
    let ends: Vec<_> = keys.as_array().unwrap().iter().filter(|key| !key["retiresAt"].is_null()).collect();
    assert_eq!((ends.len(), &ends[0]["retiresAt"]), (1, &json!(server.clock.now_ms() + 86_400_000)));
});

both!(an_application_that_chooses_an_algorithm_has_a_key_of_it, async |server: TestServer| {
    let management = server.management().await;
    let algorithms = async || {
        let keys = server.get("/oidc/jwks").await.expect(200).body;
        let mut names: Vec<_> =
            keys["keys"].as_array().unwrap().iter().map(|key| key["alg"].as_str().unwrap().to_owned()).collect();
        names.sort_unstable();
        names
    };
    let choosing = |algorithm: &str| json!({ "idTokenSignedResponseAlg": algorithm });
    let body = json!({ "name": "Shop", "type": "SPA", "customClientMetadata": choosing("ES384") });
    let made = management.post("/api/applications", body).await.expect(200);
    assert_eq!(made["customClientMetadata"], choosing("ES384"));
    assert_eq!(algorithms().await, ["ES256", "ES384", "RS256"]);
    let path = format!("/api/applications/{}", made.text("id"));
    // Once for all who choose it; those of the start are there.
    for (algorithm, expected) in [
        ("EdDSA", &["ES256", "ES384", "EdDSA", "RS256"][..]),
        ("ES384", &["ES256", "ES384", "EdDSA", "RS256"]),
        ("RS256", &["ES256", "ES384", "EdDSA", "RS256"]),
        ("ES256", &["ES256", "ES384", "EdDSA", "RS256"]),
    ] {
        let body = json!({ "customClientMetadata": choosing(algorithm) });
        let changed = management.patch(&path, body).await.expect(200);
        assert_eq!(changed["customClientMetadata"], choosing(algorithm));
        assert_eq!(algorithms().await, expected);
    }
    let keys = management.get(KEYS).await.expect(200).body;
    assert!(states(&keys).iter().all(|state| state.starts_with("Current ")), "{keys}");
});

both!(a_rotation_says_when_the_key_signs, async |server: TestServer| {
    let management = server.management().await;
    server.clock.advance(Duration::from_secs(1));
    let now = server.clock.now_ms();
    let rotate =
        async |seconds: u32| management.post(ROTATE, json!({ "rotationGracePeriod": seconds })).await.expect(200).body;
    let keys = rotate(14_400).await;
    assert_eq!(states(&keys), ["Next ES256", "Current ES256", "Current RS256"]);
    assert_eq!((&keys[0]["effectiveAt"], &keys[1]["retiresAt"]), (&json!(now + 14_400_000), &json!(now + 18_000_000)));
    // A key that was to sign later gives way.
    let sooner = rotate(60).await;
    assert_eq!(states(&sooner), ["Next ES256", "Current ES256", "Current RS256"]);
    assert_eq!((&sooner[0]["effectiveAt"], &sooner[1]["id"]), (&json!(now + 60_000), &keys[1]["id"]));
    let at_once = rotate(0).await;
    assert_eq!(states(&at_once), ["Current ES256", "Previous ES256", "Current RS256"]);
    let token = server.management_token().await;
    assert_eq!(json!(server.verify(&token, &server.machine().resource).await.kid), at_once[0]["id"]);
});

both!(there_are_no_cookie_keys, async |server: TestServer| {
    let management = server.management().await;
    let id = management.get(KEYS).await.expect(200).body[0]["id"].as_str().unwrap().to_owned();
    let cookies = "/api/configs/oidc/cookie-keys";
    assert_eq!(management.get(cookies).await.expect(200).body, json!([]));
    let answer = management.post(&format!("{cookies}/rotate"), Value::Null).await;
    answer.expect_api_error(422, "oidc.key_type_not_supported");
    management.delete(&format!("{cookies}/{id}")).await.expect_api_error(404, "oidc.key_not_found");
    let other = "/api/configs/oidc/other-keys";
    management.get(other).await.expect_api_error(400, "guard.invalid_input");
    management.post(&format!("{other}/rotate"), Value::Null).await.expect_api_error(400, "guard.invalid_input");
    management.delete(&format!("{other}/{id}")).await.expect_api_error(400, "guard.invalid_input");
});

both!(the_claims_of_id_tokens_are_kept, async |server: TestServer| {
    let management = server.management().await;
    let path = "/api/configs/id-token";
    let initial = json!({ "enabledExtendedClaims": ["roles", "organizations", "organization_roles"] });
    assert_eq!(management.get(path).await.expect(200).body, initial);
    let claims = json!({ "enabledExtendedClaims": ["roles", "custom_data", "roles"] });
    let stored = management.put(path, claims).await.expect(200).body;
    assert_eq!(stored, json!({ "enabledExtendedClaims": ["custom_data", "roles"] }));
    assert_eq!(management.get(path).await.expect(200).body, stored);
    for bad in [json!(["email"]), json!("roles"), json!([1]), Value::Null] {
        let answer = management.put(path, json!({ "enabledExtendedClaims": bad })).await;
        answer.expect_api_error(400, "guard.invalid_input");
    }
    let every = [
        "custom_data",
        "identities",
        "sso_identities",
        "roles",
        "organizations",
        "organization_data",
        "organization_roles",
    ];
    let whole = management.put(path, json!({ "enabledExtendedClaims": every })).await.expect(200).body;
    assert_eq!(whole, json!({ "enabledExtendedClaims": every }));
    let none = management.put(path, json!({})).await.expect(200).body;
    assert_eq!(
        (&none, management.get(path).await.expect(200).body),
        (&json!({ "enabledExtendedClaims": [] }), none.clone())
    );
    let logs = audit::list_by_key(&mut server.begin().await, "Management.Config.IdToken.Update", 10).await.unwrap();
    let mut counts: Vec<usize> =
        logs.iter().map(|log| log.payload["enabledExtendedClaims"].as_array().unwrap().len()).collect();
    counts.sort_unstable();
    assert_eq!(counts, [0, 2, 7]);
});

both!(the_lifetime_of_sessions_is_shown_and_changed, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[("CLAIMSMITH_SESSION_TTL", "7200")]).await.unwrap();
    let management = server.management().await;
    let path = "/api/configs/oidc/session";
    let ttl = |seconds: Value| json!({ "ttl": seconds });
    assert_eq!(management.get(path).await.expect(200).body, ttl(json!(7200)));
    for wrong in [json!(299), json!(31_536_001), json!(-1), json!(1.5), json!("600")] {
        let refused = management.patch(path, ttl(wrong)).await;
        refused.expect_api_error(400, "guard.invalid_input");
        assert!(refused.text("details").contains("ttl"), "{:#}", refused.body);
    }
    for seconds in [300, 31_536_000] {
        assert_eq!(management.patch(path, ttl(json!(seconds))).await.expect(200).body, ttl(json!(seconds)));
        assert_eq!(management.patch(path, json!({})).await.expect(200).body, ttl(json!(seconds)));
        assert_eq!(management.get(path).await.expect(200).body, ttl(json!(seconds)));
    }
    let narrow = narrow(&server, &management, &["configs:read"]).await;
    assert_eq!(narrow.get(path).await.expect(200).body, ttl(json!(31_536_000)));
    narrow.patch(path, ttl(json!(600))).await.expect_api_error(403, "auth.forbidden");
    server.get(path).await.expect_api_error(401, "auth.authorization_header_missing");
    assert_eq!(management.patch(path, ttl(Value::Null)).await.expect(200).body, ttl(json!(7200)));
    let entries = audit::list_by_key(&mut server.begin().await, "Management.Config.Session.Update", 10).await.unwrap();
    let mut told: Vec<i64> = entries.iter().map(|entry| entry.payload["ttl"].as_i64().unwrap()).collect();
    told.sort_unstable();
    assert_eq!(told, [300, 300, 7200, 31_536_000, 31_536_000]);
});
